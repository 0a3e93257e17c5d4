/**
 * The line monitor's view of ISL frames. Data is shown only where a template of the driver's
 * dialects explains it, without its passwords; what no template explains, such as a raw command
 * with a format of its own, is masked with its answer, because nobody knows what it carries.
 */

import type { FrameReader, LineDirection, TracedFrame } from "#core/device/trace.ts";
import {
  byteName,
  damagedFrame,
  type Masked,
  PendingBytes,
  shownText,
  spokenName,
  tracedFrame,
} from "../shared/trace-text.ts";
import type { IslDialect } from "./dialect.ts";
import {
  BCC_BYTES,
  FIELD_BYTES,
  type Generation,
  PREAMBLE,
  ReplyDecoder,
  type ReplyEvent,
  type ReplyFrame,
  RequestDecoder,
  type RequestFrame,
  STATUS_BYTES,
} from "./frame.ts";
import { TraceNames } from "./trace-names.ts";

/** Postamble, checksum, terminator. */
const TAIL_BYTES = 1 + BCC_BYTES + 1;

/** The last request, to read its answer by. */
interface Asked {
  readonly seq: number;
  readonly command: number;
  readonly name: string;
  /** True when neither the answer nor an echo of the request may be shown. */
  readonly isUnknown: boolean;
  readonly hasSecrets: boolean;
}

/** Readers for the lines of a driver with these dialects. */
export function islFrameReaders(dialects: readonly IslDialect[]): () => FrameReader {
  const generations = new Set(dialects.map((dialect) => dialect.generation));
  let names: Map<Generation, TraceNames> | undefined;
  return () => {
    // Made when the first line is watched: a driver that is never used costs nothing.
    names ??= new Map([...generations].map((one) => [one, new TraceNames(dialects, one)]));
    return new IslFrameReader(names);
  };
}

class IslFrameReader implements FrameReader {
  readonly #names: ReadonlyMap<Generation, TraceNames>;
  readonly #pending = new PendingBytes();
  #generation: Generation;
  #decoder: ReplyDecoder;
  #asked: Asked | undefined;
  #mayBeSecret = false;

  constructor(names: ReadonlyMap<Generation, TraceNames>) {
    this.#names = names;
    this.#generation = names.has("long") ? "long" : "short";
    this.#decoder = new ReplyDecoder(this.#generation);
  }

  read(direction: LineDirection, bytes: Uint8Array): TracedFrame[] {
    if (direction === "out") return this.#readRequest(bytes);
    const frames: TracedFrame[] = [];
    for (const byte of bytes) {
      if (byte === PREAMBLE) this.#flush(frames, "no frame");
      this.#pending.push(byte);
      // Whatever comes as no frame may be an echo of what was sent last.
      this.#mayBeSecret ||= this.#asked?.hasSecrets ?? false;
      for (const event of this.#decoder.push(Uint8Array.of(byte))) this.#take(event, byte, frames);
      if (this.#pending.isFull) this.#flush(frames, "no frame");
    }
    // What stands before any preamble will not become a frame.
    if (!this.#pending.beginsWith(PREAMBLE)) this.#flush(frames, "no frame");
    return frames;
  }

  rest(): TracedFrame[] {
    const frames: TracedFrame[] = [];
    this.#flush(frames, "cut short");
    return frames;
  }

  #readRequest(bytes: Uint8Array): TracedFrame[] {
    for (const generation of this.#generationsFirstToLast()) {
      const [event, ...more] = new RequestDecoder(generation).push(bytes);
      if (event?.kind !== "request" || more.length > 0) continue;
      this.#turnTo(generation);
      return [this.#request(event, bytes)];
    }
    this.#asked = undefined;
    return [damagedFrame("out", bytes, { reason: "no frame", isSecret: true })];
  }

  /** The one in use first: a few frames can be read as either. */
  #generationsFirstToLast(): Generation[] {
    return [...this.#names.keys()].sort((one) => (one === this.#generation ? -1 : 1));
  }

  #turnTo(generation: Generation): void {
    if (generation === this.#generation) return;
    this.#generation = generation;
    this.#decoder = new ReplyDecoder(generation);
  }

  #request({ seq, command }: RequestFrame, bytes: Uint8Array): TracedFrame {
    const names = this.#names.get(this.#generation);
    const start = 2 + 2 * FIELD_BYTES[this.#generation];
    const data = bytes.subarray(start, bytes.length - TAIL_BYTES);
    const known = names?.request(command, data);
    const name = known?.name ?? names?.nameOf(command) ?? "unknown";
    const secrets = known?.secrets ?? [{ from: 0, to: data.length }];
    this.#asked = {
      seq,
      command,
      name,
      isUnknown: known === undefined,
      hasSecrets: known === undefined || known.secrets.length > 0,
    };
    return tracedFrame("out", bytes, {
      name: this.#titleOf(seq, command, name),
      text: data.length === 0 ? "" : shownText(data, names?.codePage ?? "ascii", secrets),
      masked: inFrame(secrets, start, bytes.length),
    });
  }

  #take(event: ReplyEvent, byte: number, frames: TracedFrame[]): void {
    switch (event.kind) {
      case "reply":
        frames.push(this.#reply(event, this.#pending.take()));
        return;
      case "nak":
        this.#flush(frames, "no frame", this.#pending.length - 1);
        frames.push(tracedFrame("in", this.#pending.take(), { name: "NAK", text: "say it again" }));
        return;
      case "syn":
        this.#flush(frames, "no frame", this.#pending.length - 1);
        frames.push(tracedFrame("in", this.#pending.take(), { name: "SYN", text: "working" }));
        return;
      case "garbled":
        // A preamble within a frame has put away what stood before it.
        if (byte === PREAMBLE) return;
        this.#flush(frames, event.reason === "checksum" ? "wrong checksum" : "no frame");
        return;
      case "discarded":
        return;
      default:
        event satisfies never;
    }
  }

  #reply({ seq, command, data, status }: ReplyFrame, bytes: Uint8Array): TracedFrame {
    const names = this.#names.get(this.#generation);
    const asked = this.#asked?.seq === seq && this.#asked.command === command && this.#asked;
    const name = asked ? asked.name : (names?.nameOf(command) ?? "unknown");
    const isSecret = !asked || asked.isUnknown;
    const start = 2 + 2 * FIELD_BYTES[this.#generation];
    const end = bytes.length - TAIL_BYTES - 1 - STATUS_BYTES[this.#generation];
    const shown = bytes.subarray(start, end);
    const secrets = isSecret && shown.length > 0 ? [{ from: 0, to: shown.length }] : [];
    const words = [
      ...(shown.length === 0 ? [] : [shownText(shown, names?.codePage ?? "ascii", secrets)]),
      names?.errorWords(data, status),
      `status ${Buffer.from(status).toString("hex")}`,
      names?.statusWords(status).join(", "),
    ];
    return tracedFrame("in", bytes, {
      name: this.#titleOf(seq, command, name),
      text: words.filter(Boolean).join("  "),
      masked: inFrame(secrets, start, bytes.length),
    });
  }

  #titleOf(seq: number, command: number, name: string): string {
    return `${command} ${spokenName(name)} #${byteName(seq)}`;
  }

  #flush(frames: TracedFrame[], reason: string, count?: number): void {
    const bytes = this.#pending.take(count);
    const isSecret = this.#mayBeSecret;
    if (this.#pending.length === 0) this.#mayBeSecret = false;
    if (bytes.length > 0) frames.push(damagedFrame("in", bytes, { reason, isSecret }));
  }
}

/** Places in the data as places in the frame; its checksum would betray them. */
function inFrame(secrets: readonly Masked[], start: number, frameBytes: number): Masked[] {
  if (secrets.length === 0) return [];
  const checksum = frameBytes - 1 - BCC_BYTES;
  return [
    ...secrets.map(({ from, to }) => ({ from: start + from, to: start + to })),
    { from: checksum, to: checksum + BCC_BYTES },
  ];
}
