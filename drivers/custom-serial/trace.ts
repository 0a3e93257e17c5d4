/**
 * The line monitor's view of a device with a profile. The protocol has no passwords, so everything
 * is shown, the frames of commands that no profile names among it: whoever writes a profile for a
 * device has to see what it says.
 *
 * Until the device has said which model it is, any profile may be its own. So a frame is read by
 * the first format that fits what the driver wrote, and named by the profile that knows it best.
 */

import type { FrameReader, KeptFrame, LineDirection } from "#core/device/trace.ts";
import {
  damagedFrame,
  type FrameWords,
  keptFrame,
  PendingBytes,
  signFrame,
} from "../shared/kept-frame.ts";
import { shownText, spokenName } from "../shared/trace-text.ts";
import type { Profile } from "./compile-profile.ts";
import { type Frame, FrameDecoder, type FrameEvent, type FrameFormat } from "./frame.ts";
import type { ProfileSet } from "./profile-set.ts";
import { refusalNumber, refusalOf } from "./refusals.ts";

/** A reader for one line. @param named the profile that the device was registered with */
export function customFrameReader(profiles: ProfileSet, named: string | undefined): FrameReader {
  const entries = profiles.entries.filter(({ id }) => named === undefined || id === named);
  return new CustomFrameReader(entries.flatMap(({ profile }) => profile ?? []));
}

class CustomFrameReader implements FrameReader {
  readonly #profiles: readonly Profile[];
  readonly #pending = new PendingBytes();
  /** Those whose format fits what was written last. */
  #fitting: readonly Profile[];
  #decoder: FrameDecoder;
  #asked: Named = { body: "", profiles: [] };

  constructor(profiles: readonly Profile[]) {
    this.#profiles = profiles;
    this.#fitting = profiles;
    this.#decoder = new FrameDecoder(profiles[0]?.format);
  }

  read(direction: LineDirection, bytes: Uint8Array): KeptFrame[] {
    return direction === "out" ? this.#sent(bytes) : this.#heard(bytes);
  }

  rest(): KeptFrame[] {
    const frames: KeptFrame[] = [];
    this.#flush(frames, "cut short");
    return frames;
  }

  #sent(bytes: Uint8Array): KeptFrame[] {
    for (const { format } of [...this.#fitting, ...this.#profiles]) {
      const [event, ...more] = new FrameDecoder(format).push(bytes);
      if (event === undefined || more.length > 0 || event.kind === "garbled") continue;
      if (event.kind !== "frame") return [signFrame("out", bytes, signWords(event.kind))];
      this.#turnTo(format);
      const { body } = event;
      this.#asked = { body, profiles: this.#fitting };
      const context = { ...this.#asked, counter: counterText(event, format) };
      return [keptFrame("out", bytes, { context, explain: commandWords })];
    }
    // Of a device without frames: a command as it is.
    return [keptFrame("out", bytes, { context: this.#fitting, explain: bareWords })];
  }

  #turnTo(format: FrameFormat): void {
    const isSame = (other: FrameFormat) => other === format || Bun.deepEquals(other, format);
    if (this.#fitting[0] && this.#fitting !== this.#profiles && isSame(this.#fitting[0].format)) {
      return;
    }
    this.#fitting = this.#profiles.filter((profile) => isSame(profile.format));
    this.#decoder = new FrameDecoder(format);
  }

  #heard(bytes: Uint8Array): KeptFrame[] {
    const frames: KeptFrame[] = [];
    const events: FrameEvent[] = [];
    for (const byte of bytes) {
      events.length = 0;
      const wasWithin = this.#decoder.isWithinFrame;
      const isNoise = !this.#decoder.take(byte, events);
      // What stood before a frame is none.
      if (!isNoise && !wasWithin) this.#flush(frames, "no frame");
      if (wasWithin && events.length > 0 && this.#decoder.isWithinFrame) {
        this.#flush(frames, "no frame");
        this.#pending.push(byte);
        continue;
      }
      this.#pending.push(byte);
      for (const event of events) this.#take(event, frames);
      if (this.#pending.isFull) this.#flush(frames, "no frame");
    }
    if (!this.#decoder.isWithinFrame) this.#flush(frames, "no frame");
    return frames;
  }

  #take(event: FrameEvent, frames: KeptFrame[]): void {
    switch (event.kind) {
      case "frame": {
        const { body } = event;
        const format = this.#fitting[0]?.format;
        const counter = format ? counterText(event, format) : "";
        const context = { body, profiles: this.#fitting, counter, asked: this.#asked };
        frames.push(keptFrame("in", this.#pending.take(), { context, explain: answerWords }));
        return;
      }
      case "ack":
      case "nack":
        frames.push(signFrame("in", this.#pending.take(), signWords(event.kind)));
        return;
      case "garbled":
        this.#flush(frames, event.reason === "checksum" ? "wrong checksum" : "no frame");
        return;
      default:
        event satisfies never;
    }
  }

  /** Puts away what is no frame; text alone may be an answer without one. */
  #flush(frames: KeptFrame[], reason: string): void {
    const bytes = this.#pending.take();
    if (bytes.length === 0) return;
    const isText = reason === "no frame" && /^[\x20-\x7e\r\n]+$/.test(latin1(bytes));
    frames.push(
      isText
        ? keptFrame("in", bytes, { context: this.#fitting, explain: textWords })
        : damagedFrame("in", bytes, { reason, isSecret: false }),
    );
  }
}

/** Of a command that no profile names: as many characters as a command has. */
const COMMAND_CHARACTERS = 4;

/** A body, and the profiles that may know it. */
interface Named {
  readonly body: string;
  readonly profiles: readonly Profile[];
}

interface FrameContext extends Named {
  /** As it is shown; empty where the format has none. */
  readonly counter: string;
}

function commandWords(context: FrameContext): FrameWords {
  return { name: `${nameOf(context)} ${context.counter}`.trimEnd(), text: quoted(context.body) };
}

function answerWords(context: FrameContext & { readonly asked: Named }): FrameWords {
  const { body, profiles, counter, asked } = context;
  const errors = profiles[0]?.errors;
  const isRefusal = errors !== undefined && refusalNumber(body, errors) !== undefined;
  const name = isRefusal ? nameOf(asked) : nameOf(context);
  return { name: `${name} ${counter}`.trim(), text: answerText(context) };
}

function bareWords(profiles: readonly Profile[], bytes: Uint8Array): FrameWords {
  return { name: nameOf({ body: latin1(bytes), profiles }), text: shownText(bytes, "ascii") };
}

function textWords(profiles: readonly Profile[], bytes: Uint8Array): FrameWords {
  return { name: "text", text: answerText({ body: latin1(bytes), profiles }) };
}

/** The action whose command begins as this text does; the longest beginning counts. */
function nameOf({ body, profiles }: Named): string {
  let best = "";
  let length = 0;
  for (const { commands } of profiles) {
    for (const [name, { template }] of commands) {
      const [first] = template;
      const start = first?.kind === "literal" ? first.text : "";
      if (start.length <= length || !body.startsWith(start)) continue;
      best = `${start.slice(0, COMMAND_CHARACTERS)} ${spokenName(name)}`;
      length = start.length;
    }
  }
  return best || body.slice(0, COMMAND_CHARACTERS);
}

function answerText({ body, profiles }: Named): string {
  const errors = profiles[0]?.errors;
  const number = errors && refusalNumber(body, errors);
  if (!errors || number === undefined) return quoted(body);
  const { fault } = refusalOf(number, errors);
  return `${quoted(body)}  ${fault.code}: ${fault.message}`;
}

function signWords(kind: "ack" | "nack"): FrameWords {
  return { name: kind.toUpperCase() };
}

function counterText({ counter }: Frame, { counterDigits }: FrameFormat): string {
  return counterDigits === 0 ? "" : `#${String(counter).padStart(counterDigits, "0")}`;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}

function quoted(body: string): string {
  return shownText(Buffer.from(body, "latin1"), "ascii");
}
