/**
 * The line monitor's view of Shtrih-M frames, of both lower levels: what the driver wrote last tells
 * which one is on the line. What the frames carry is described in `trace-bodies.ts`.
 */

import type { FrameReader, KeptFrame, LineDirection, Masked } from "#core/device/trace.ts";
import {
  damagedFrame,
  type FrameWords,
  keptFrame,
  PendingBytes,
  signFrame,
} from "../shared/kept-frame.ts";
import { ACK, ENQ, FrameDecoder, type LineToken, NAK, STX } from "./frame.ts";
import {
  CRC_BYTES,
  ESCAPE,
  encodeNumbered,
  HEAD_BYTES as NUMBERED_HEAD_BYTES,
  NumberedDecoder,
  type NumberedToken,
  START,
} from "./numbered-frame.ts";
import {
  type Asked,
  askedBy,
  bodyWords,
  type KeptBody,
  keptAnswer,
  shifted,
} from "./trace-bodies.ts";

/** STX and the length. */
const HEAD_BYTES = 2;

const CONTROLS: Readonly<Record<number, FrameWords>> = {
  [ENQ]: { name: "ENQ", text: "" },
  [ACK]: { name: "ACK", text: "answer taken" },
  [NAK]: { name: "NAK", text: "say it again" },
};

/** A reader for one line. */
export function shtrihFrameReader(): FrameReader {
  return new ShtrihFrameReader();
}

class ShtrihFrameReader implements FrameReader {
  readonly #pending = new PendingBytes();
  readonly #standard = new FrameDecoder();
  readonly #numbered = new NumberedDecoder();
  #isNumbered = false;
  #asked: Asked | undefined;
  /** True when the last thing sent was ENQ. */
  #hasEnquired = false;

  read(direction: LineDirection, bytes: Uint8Array): KeptFrame[] {
    if (direction === "out") return this.#sent(bytes);
    const frames: KeptFrame[] = [];
    const start = this.#isNumbered ? START : STX;
    for (const byte of bytes) {
      // A numbered frame begins wherever its first byte stands, within another one too.
      const begins = byte === start && (this.#isNumbered || !this.#standard.isMidFrame);
      if (begins) this.#pending.discard("no frame", frames);
      this.#pending.push(byte, this.#asked?.hasSecrets);
      this.#takeByte(byte, frames);
      if (this.#pending.isFull) this.#pending.discard("no frame", frames);
    }
    if (!this.#isMidFrame) this.#pending.discard("no frame", frames);
    return frames;
  }

  rest(): KeptFrame[] {
    const frames: KeptFrame[] = [];
    this.#pending.discard("cut short", frames);
    this.#standard.reset();
    this.#numbered.reset();
    return frames;
  }

  get #isMidFrame(): boolean {
    return this.#isNumbered ? this.#numbered.isMidFrame : this.#standard.isMidFrame;
  }

  #sent(bytes: Uint8Array): KeptFrame[] {
    const [first = 0] = bytes;
    const wasNumbered = this.#isNumbered;
    this.#isNumbered = first === START;
    // On the standard level the driver says something only when it has given up what was coming in.
    const frames = wasNumbered && this.#isNumbered ? [] : this.rest();
    const control = bytes.length === 1 ? CONTROLS[first] : undefined;
    this.#hasEnquired = control?.name === "ENQ";
    frames.push(control ? signFrame("out", bytes, control) : this.#sentFrame(bytes));
    return frames;
  }

  #sentFrame(bytes: Uint8Array): KeptFrame {
    const decoder = this.#isNumbered ? new NumberedDecoder() : new FrameDecoder();
    // Nothing may stand beside the frame: the places of its secrets are counted from its ends.
    const [token, ...more] = decoder.push(bytes);
    if (token?.kind === "question" && more.length === 0) {
      return signFrame("out", bytes, { name: "question", text: "what was your last answer?" });
    }
    if (token?.kind !== "frame" || more.length > 0 || frameBytes(token) !== bytes.length) {
      this.#asked = undefined;
      return damagedFrame("out", bytes, { reason: "no frame", isSecret: true });
    }
    this.#asked = askedBy(token.body);
    return bodyFrame("out", bytes, { ...numberOf(token), kept: this.#asked.kept });
  }

  #takeByte(byte: number, frames: KeptFrame[]): void {
    if (!this.#isNumbered) {
      const token = this.#standard.take(byte);
      if (token) this.#take(token, frames);
      return;
    }
    const token = this.#numbered.take(byte);
    // What its first byte broke into has been put away.
    if (token && (token.kind !== "damaged" || byte !== START)) this.#takeNumbered(token, frames);
  }

  #take(token: LineToken, frames: KeptFrame[]): void {
    switch (token.kind) {
      case "frame": {
        const bytes = this.#pending.takeLast(HEAD_BYTES + token.body.length + 1, frames);
        frames.push(bodyFrame("in", bytes, { kept: keptAnswer(token.body, this.#asked) }));
        return;
      }
      case "ack":
      case "nak":
      case "enq":
        frames.push(signFrame("in", this.#pending.takeLast(1, frames), this.#sign(token.kind)));
        return;
      case "damaged":
        this.#pending.discard("wrong checksum", frames);
        return;
      case "junk":
        return;
      default:
        token satisfies never;
    }
  }

  #takeNumbered(token: NumberedToken, frames: KeptFrame[]): void {
    switch (token.kind) {
      case "frame": {
        const bytes = this.#pending.take();
        frames.push(
          token.body.length === 0
            ? signFrame("in", bytes, { name: `nothing answered yet #${token.number}` })
            : bodyFrame("in", bytes, {
                ...numberOf(token),
                kept: keptAnswer(token.body, this.#asked),
              }),
        );
        return;
      }
      case "question":
        frames.push(signFrame("in", this.#pending.take(), { name: "echo question" }));
        return;
      case "damaged":
        this.#pending.discard("wrong checksum", frames);
        return;
      default:
        token satisfies never;
    }
  }

  /** What a control byte means depends on what was sent before it. */
  #sign(kind: "ack" | "nak" | "enq"): FrameWords {
    const meanings = this.#hasEnquired
      ? { ack: "an answer is on its way", nak: "waits for a command", enq: "" }
      : { ack: "command taken", nak: "command not taken", enq: "" };
    return { name: kind.toUpperCase(), text: meanings[kind] };
  }
}

/** With a number it is one of the alternative level. */
interface BodyContext {
  readonly kept: KeptBody;
  readonly number?: number;
}

function bodyFrame(direction: LineDirection, bytes: Uint8Array, context: BodyContext): KeptFrame {
  const { masked } = context.kept;
  return keptFrame(direction, bytes, {
    masked:
      context.number === undefined ? inFrame(masked, bytes.length) : inNumberedFrame(masked, bytes),
    context,
    explain: frameWords,
  });
}

function frameWords({ kept, number }: BodyContext): FrameWords {
  const { name, text } = bodyWords(kept);
  return { name: number === undefined ? name : `${name} #${number}`, text };
}

function frameBytes(token: Extract<LineToken | NumberedToken, { kind: "frame" }>): number {
  return "number" in token
    ? encodeNumbered(token.number, token.body).length
    : HEAD_BYTES + token.body.length + 1;
}

function numberOf(token: LineToken | NumberedToken): { readonly number?: number } {
  return "number" in token ? { number: token.number } : {};
}

/** Places in the body as places in the frame; its checksum would betray them. */
function inFrame(masked: readonly Masked[], frameBytes: number): Masked[] {
  if (masked.length === 0) return [];
  return [...shifted(masked, HEAD_BYTES), { from: frameBytes - 1, to: frameBytes }];
}

/** The same in a numbered frame, where a byte may have become two. */
function inNumberedFrame(masked: readonly Masked[], bytes: Uint8Array): Masked[] {
  if (masked.length === 0) return [];
  const starts: number[] = [];
  for (let at = 1; at < bytes.length; at += bytes[at] === ESCAPE ? 2 : 1) starts.push(at);
  const contentBytes = starts.length;
  const places = [
    ...shifted(masked, NUMBERED_HEAD_BYTES),
    { from: contentBytes - CRC_BYTES, to: contentBytes },
  ];
  return places.map(({ from, to }) => ({
    from: starts[from] ?? bytes.length,
    to: starts[to] ?? bytes.length,
  }));
}
