/**
 * The line monitor's view of ISL frames. Data is shown only where a template of the driver's
 * dialects explains it, without its passwords; what no template explains, such as a raw command
 * with a format of its own, is masked with its answer, because nobody knows what it carries.
 */

import type { FrameReader, KeptFrame, LineDirection, Masked } from "#core/device/trace.ts";
import {
  damagedFrame,
  type FrameWords,
  keptFrame,
  PendingBytes,
  signFrame,
} from "../shared/kept-frame.ts";
import { byteName, shownText, spokenName } from "../shared/trace-text.ts";
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

const NO_SECRETS: readonly Masked[] = [];

const WORDS = {
  nak: { name: "NAK", text: "say it again" },
  syn: { name: "SYN", text: "working" },
} as const satisfies Record<string, FrameWords>;

/**
 * Requests that are kept at most: one, a question put behind it because its answer is late, and what
 * was given up before.
 */
const ASKED_MAX = 4;

/** A request, to read its answer by. */
interface Asked {
  readonly seq: number;
  readonly command: number;
  readonly name: string;
  /** True when neither the answer nor an echo of the request may be shown. */
  readonly isUnknown: boolean;
  readonly hasSecrets: boolean;
  isAnswered: boolean;
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
  /** Requests that are not answered, in their order, and the one that was answered last. */
  #asked: readonly Asked[] = [];
  #hasSecrets = false;

  constructor(names: ReadonlyMap<Generation, TraceNames>) {
    this.#names = names;
    this.#generation = names.has("long") ? "long" : "short";
    this.#decoder = new ReplyDecoder(this.#generation);
  }

  read(direction: LineDirection, bytes: Uint8Array): KeptFrame[] {
    if (direction === "out") return this.#readRequest(bytes);
    const frames: KeptFrame[] = [];
    const events: ReplyEvent[] = [];
    for (const byte of bytes) {
      if (byte === PREAMBLE) this.#pending.discard("no frame", frames);
      // Whatever comes as no frame may be an echo of what was sent, or an answer that is still due.
      this.#pending.push(byte, this.#hasSecrets);
      this.#decoder.take(byte, events);
      for (const event of events) this.#take(event, byte, frames);
      events.length = 0;
      if (this.#pending.isFull) this.#pending.discard("no frame", frames);
    }
    // What stands before any preamble will not become a frame.
    if (!this.#pending.beginsWith(PREAMBLE)) this.#pending.discard("no frame", frames);
    return frames;
  }

  rest(): KeptFrame[] {
    const frames: KeptFrame[] = [];
    this.#pending.discard("cut short", frames);
    return frames;
  }

  #readRequest(bytes: Uint8Array): KeptFrame[] {
    for (const generation of this.#generationsFirstToLast()) {
      const [event, ...more] = new RequestDecoder(generation).push(bytes);
      if (event?.kind !== "request" || more.length > 0) continue;
      this.#turnTo(generation);
      return [this.#request(event, bytes)];
    }
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

  #request({ seq, command }: RequestFrame, bytes: Uint8Array): KeptFrame {
    const generation = this.#generation;
    const names = this.#names.get(generation);
    const data = requestData(bytes, generation);
    const known = names?.request(command, data);
    const name = known?.name ?? names?.nameOf(command) ?? "unknown";
    const secrets = known?.secrets ?? [{ from: 0, to: data.length }];
    this.#keepAsked({
      ...{ seq, command, name, isAnswered: false },
      isUnknown: known === undefined,
      hasSecrets: known === undefined || known.secrets.length > 0,
    });
    return keptFrame("out", bytes, {
      masked: inFrame(secrets, generation, bytes.length),
      context: { seq, command, name, names, generation, secrets },
      explain: requestWords,
    });
  }

  #keepAsked(asked: Asked): void {
    const due = this.#asked.filter((one) => !one.isAnswered && !isOf(one, asked));
    this.#asked = [...due, asked].slice(-ASKED_MAX);
    this.#hasSecrets = this.#asked.some(({ hasSecrets }) => hasSecrets);
  }

  /** The request that an answer belongs to; as the line keeps its order, none before it is due any more. */
  #answeredBy(reply: ReplyFrame): Asked | undefined {
    const at = this.#asked.findIndex((one) => isOf(one, reply));
    const asked = this.#asked[at];
    if (!asked) return undefined;
    asked.isAnswered = true;
    if (at > 0) {
      this.#asked = this.#asked.slice(at);
      this.#hasSecrets = this.#asked.some(({ hasSecrets }) => hasSecrets);
    }
    return asked;
  }

  #take(event: ReplyEvent, byte: number, frames: KeptFrame[]): void {
    switch (event.kind) {
      case "reply":
        frames.push(this.#reply(event, this.#pending.take()));
        return;
      case "nak":
        frames.push(signFrame("in", this.#pending.takeLast(1, frames), WORDS.nak));
        return;
      case "syn":
        frames.push(signFrame("in", this.#pending.takeLast(1, frames), WORDS.syn));
        return;
      case "garbled":
        // A preamble within a frame has put away what stood before it.
        if (byte === PREAMBLE) return;
        this.#pending.discard(event.reason === "checksum" ? "wrong checksum" : "no frame", frames);
        return;
      case "discarded":
        return;
      default:
        event satisfies never;
    }
  }

  #reply(reply: ReplyFrame, bytes: Uint8Array): KeptFrame {
    const { seq, command, data, status } = reply;
    const generation = this.#generation;
    const names = this.#names.get(generation);
    const asked = this.#answeredBy(reply);
    const name = asked?.name;
    const isSecret = !asked || asked.isUnknown;
    const dataBytes = replyParts(bytes, generation).data.length;
    const secrets = isSecret && dataBytes > 0 ? [{ from: 0, to: dataBytes }] : NO_SECRETS;
    // The number of an error is no secret, but is overwritten with what may be one.
    const error = isSecret ? names?.errorWords(data, status) : undefined;
    return keptFrame("in", bytes, {
      masked: inFrame(secrets, generation, bytes.length),
      context: { seq, command, name, names, generation, secrets, error },
      explain: replyWords,
    });
  }
}

function isOf({ seq, command }: Asked, other: Pick<Asked, "seq" | "command">): boolean {
  return seq === other.seq && command === other.command;
}

/** What the words of a frame are made by. */
interface FrameContext {
  readonly seq: number;
  readonly command: number;
  /** Undefined where only the command's number is known. */
  readonly name: string | undefined;
  readonly names: TraceNames | undefined;
  readonly generation: Generation;
  /** Places in its data. */
  readonly secrets: readonly Masked[];
}

function requestWords(context: FrameContext, bytes: Uint8Array): FrameWords {
  const data = requestData(bytes, context.generation);
  return { name: titleOf(context), text: dataText(data, context) };
}

function replyWords(
  context: FrameContext & { readonly error: string | undefined },
  bytes: Uint8Array,
): FrameWords {
  const { names, generation, error } = context;
  const { data, status } = replyParts(bytes, generation);
  const words = [
    dataText(data, context),
    error ?? names?.errorWords(data, status),
    `status ${Buffer.from(status).toString("hex")}`,
    names?.statusWords(status).join(", "),
  ];
  return { name: titleOf(context), text: words.filter(Boolean).join("  ") };
}

function titleOf({ seq, command, name, names }: FrameContext): string {
  const spoken = spokenName(name ?? names?.nameOf(command) ?? "unknown");
  return `${command} ${spoken} #${byteName(seq)}`;
}

function dataText(data: Uint8Array, { names, secrets }: FrameContext): string {
  return data.length === 0 ? "" : shownText(data, names?.codePage ?? "ascii", secrets);
}

function requestData(bytes: Uint8Array, generation: Generation): Uint8Array {
  return bytes.subarray(headBytes(generation), bytes.length - TAIL_BYTES);
}

function replyParts(
  bytes: Uint8Array,
  generation: Generation,
): { readonly data: Uint8Array; readonly status: Uint8Array } {
  const end = bytes.length - TAIL_BYTES;
  const separator = end - STATUS_BYTES[generation] - 1;
  return {
    data: bytes.subarray(headBytes(generation), separator),
    status: bytes.subarray(separator + 1, end),
  };
}

/** Preamble, length, sequence number, command. */
function headBytes(generation: Generation): number {
  return 2 + 2 * FIELD_BYTES[generation];
}

/** Places in the data as places in the frame; its checksum would betray them. */
function inFrame(
  secrets: readonly Masked[],
  generation: Generation,
  frameBytes: number,
): readonly Masked[] {
  if (secrets.length === 0) return NO_SECRETS;
  const start = headBytes(generation);
  const checksum = frameBytes - 1 - BCC_BYTES;
  return [
    ...secrets.map(({ from, to }) => ({ from: start + from, to: start + to })),
    { from: checksum, to: checksum + BCC_BYTES },
  ];
}
