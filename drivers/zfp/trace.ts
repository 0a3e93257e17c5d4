/**
 * The line monitor's view of ZFP frames. The data of a command is shown without its password; that
 * of a command which the driver's table does not name is masked with its answer, because nobody
 * knows what it carries.
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
import { CONNECTION_STATES } from "./connect.ts";
import { DEVICE_COMMANDS, type DeviceCommandName } from "./device-commands.ts";
import { PING_BUSY } from "./exchange-rules.ts";
import {
  ACK,
  type AckFrame,
  type DataFrame,
  NACK,
  PING,
  PRESENCE,
  RETRY,
  ReplyDecoder,
  type ReplyEvent,
  RequestDecoder,
  type RequestEvent,
  type RequestFrame,
  STX,
} from "./frame.ts";
import { refusalOf } from "./refusals.ts";
import { STATUS_BYTES, StatusBytes } from "./status.ts";
import { CODE_PAGE } from "./text.ts";

/** STX, LEN, NBL, CMD. */
const HEAD_BYTES = 4;
/** CS, CS, LF. */
const TAIL_BYTES = 3;
const CHECKSUM_BYTES = 2;
const ACK_FRAME_BYTES = 7;
const FIELD_SEPARATOR = 0x3b;

/** Which field is a password; where it is the last, whatever follows belongs to it. */
interface SecretField {
  readonly index: number;
  readonly isLast?: true;
}
type SecretFields = Partial<Record<DeviceCommandName, SecretField>>;

const SECRET_FIELDS: SecretFields = {
  openReceipt: { index: 1 },
  openSlip: { index: 1 },
  moveCash: { index: 1 },
  setOperator: { index: 2, isLast: true },
};
const SECRET_ANSWER_FIELDS: SecretFields = { operator: { index: 2, isLast: true } };

/** X and Z report have one command and differ in their data. */
const NAMES = new Map<number, DeviceCommandName[]>();
for (const [name, { command }] of Object.entries(DEVICE_COMMANDS)) {
  if (isCommandName(name)) NAMES.set(command, [...(NAMES.get(command) ?? []), name]);
}
const REPORT_LETTERS: Readonly<Record<string, DeviceCommandName>> = { X: "xReport", Z: "zReport" };

const NACK_WORDS: FrameWords = { name: "NACK", text: "say it again" };
const BUSY_WORDS: FrameWords = { name: `busy ${byteName(RETRY)}`, text: "working" };

interface Asked {
  readonly nbl: number;
  readonly command: number;
  readonly name: DeviceCommandName | undefined;
  /** True when an echo of it, or an answer to it, may hold a password. */
  readonly hasSecrets: boolean;
}

/** A reader for one line. */
export function zfpFrameReader(): FrameReader {
  return new ZfpFrameReader();
}

class ZfpFrameReader implements FrameReader {
  readonly #pending = new PendingBytes();
  readonly #decoder = new ReplyDecoder();
  #asked: Asked | undefined;

  read(direction: LineDirection, bytes: Uint8Array): KeptFrame[] {
    if (direction === "out") return [this.#readRequest(bytes)];
    const frames: KeptFrame[] = [];
    const events: ReplyEvent[] = [];
    for (const byte of bytes) {
      const isStart = byte === STX || byte === ACK;
      if (isStart && !this.#isWithinFrame) this.#pending.discard("no frame", frames);
      this.#pending.push(byte, this.#asked?.hasSecrets);
      this.#decoder.take(byte, events);
      for (const event of events) this.#take(event, byte, frames);
      events.length = 0;
      if (this.#pending.isFull) this.#pending.discard("no frame", frames);
    }
    // What stands before any frame is noise, of which the decoder says nothing.
    if (!this.#isWithinFrame) this.#pending.discard("no frame", frames);
    return frames;
  }

  get #isWithinFrame(): boolean {
    return this.#pending.beginsWith(STX) || this.#pending.beginsWith(ACK);
  }

  rest(): KeptFrame[] {
    const frames: KeptFrame[] = [];
    this.#pending.discard("cut short", frames);
    return frames;
  }

  #readRequest(bytes: Uint8Array): KeptFrame {
    const [event] = new RequestDecoder().push(bytes);
    // Places in the data are those in the frame only where nothing stands before it.
    if (event === undefined || sentBytes(event) !== bytes.length || event.kind === "garbled") {
      const isNack = bytes.length === 1 && bytes[0] === NACK;
      if (isNack) return signFrame("out", bytes, NACK_WORDS);
      this.#asked = undefined;
      return damagedFrame("out", bytes, { reason: "no frame", isSecret: true });
    }
    switch (event.kind) {
      case "ping":
        return signFrame("out", bytes, { name: `ping ${byteName(PING)}`, text: "ready?" });
      case "presence":
        return signFrame("out", bytes, { name: `ping ${byteName(PRESENCE)}`, text: "there?" });
      case "readiness":
      case "auxiliary":
        // Questions of other hosts, which this driver never asks.
        return damagedFrame("out", bytes, { reason: "no frame", isSecret: true });
      case "request":
        return this.#request(event, bytes);
      default:
        return event satisfies never;
    }
  }

  #request({ nbl, command, data }: RequestFrame, bytes: Uint8Array): KeptFrame {
    const name = nameOf(command, data);
    const masked = secretsIn(data, name, SECRET_FIELDS);
    const answerHides = name !== undefined && SECRET_ANSWER_FIELDS[name] !== undefined;
    this.#asked = { nbl, command, name, hasSecrets: masked.length > 0 || answerHides || !name };
    return keptFrame("out", bytes, {
      masked: inFrame(masked, bytes.length),
      context: { nbl, command, name, masked },
      explain: dataWords,
    });
  }

  #take(event: ReplyEvent, byte: number, frames: KeptFrame[]): void {
    switch (event.kind) {
      case "data":
        frames.push(this.#answer(event, this.#pending.takeLast(dataFrameBytes(event), frames)));
        return;
      case "ack":
        frames.push(this.#acknowledgement(event, this.#pending.takeLast(ACK_FRAME_BYTES, frames)));
        return;
      case "nack":
        frames.push(this.#control(frames, NACK_WORDS));
        return;
      case "busy":
        frames.push(this.#control(frames, BUSY_WORDS));
        return;
      case "ping":
        frames.push(
          keptFrame("in", this.#pending.takeLast(1, frames), {
            context: event.state,
            explain: pingWords,
          }),
        );
        return;
      case "garbled": {
        // A start within a frame begins the next one.
        const isStart = (byte === STX || byte === ACK) && this.#pending.length > 1;
        const reason = event.reason === "checksum" ? "wrong checksum" : "no frame";
        this.#pending.discard(reason, frames, this.#pending.length - (isStart ? 1 : 0));
        return;
      }
      default:
        event satisfies never;
    }
  }

  #answer(frame: DataFrame, bytes: Uint8Array): KeptFrame {
    const { nbl, command, data } = frame;
    const asked = this.#asked;
    const isOurs = asked?.nbl === nbl && asked.command === command;
    const name = isOurs ? asked.name : nameOf(command, undefined);
    // A command with a password is only acknowledged: data in its place is an echo of it.
    const isEcho = name !== undefined && SECRET_FIELDS[name] !== undefined;
    const isHidden = !isOurs || isEcho;
    const masked = isHidden ? whole(data) : secretsIn(data, name, SECRET_ANSWER_FIELDS);
    // The state is no secret, but is overwritten with what may be one.
    const state = name === "status" && masked.length > 0 ? statusWords(data) : undefined;
    return keptFrame("in", bytes, {
      masked: inFrame(masked, bytes.length),
      context: { nbl, command, name, masked, state },
      explain: name === "status" ? stateWords : dataWords,
    });
  }

  #acknowledgement(frame: AckFrame, bytes: Uint8Array): KeptFrame {
    const asked = this.#asked?.nbl === frame.nbl ? this.#asked : undefined;
    return keptFrame("in", bytes, { context: { frame, asked }, explain: ackWords });
  }

  #control(frames: KeptFrame[], words: FrameWords): KeptFrame {
    return signFrame("in", this.#pending.takeLast(1, frames), words);
  }
}

/** Bytes of what was written; 0 where that is no frame. */
function sentBytes(event: RequestEvent): number {
  if (event.kind === "garbled") return 0;
  return event.kind === "request" ? dataFrameBytes(event) : 1;
}

function dataFrameBytes({ data }: RequestFrame): number {
  return HEAD_BYTES + data.length + TAIL_BYTES;
}

function isCommandName(name: string): name is DeviceCommandName {
  return Object.hasOwn(DEVICE_COMMANDS, name);
}

/** @param data of the request, where that is known */
function nameOf(command: number, data: Uint8Array | undefined): DeviceCommandName | undefined {
  const [first, ...more] = NAMES.get(command) ?? [];
  if (more.length === 0) return first;
  return REPORT_LETTERS[String.fromCharCode(data?.[0] ?? 0)];
}

/** What the words of a frame with data are made by. */
interface DataContext {
  readonly nbl: number;
  readonly command: number;
  readonly name: DeviceCommandName | undefined;
  /** Places in its data. */
  readonly masked: readonly Masked[];
}

function dataWords(context: DataContext, bytes: Uint8Array): FrameWords {
  const data = bytes.subarray(HEAD_BYTES, bytes.length - TAIL_BYTES);
  const text = data.length === 0 ? "" : shownText(data, CODE_PAGE, context.masked);
  return { name: titleOf(context), text };
}

function stateWords(
  context: DataContext & { readonly state: string | undefined },
  bytes: Uint8Array,
): FrameWords {
  const { name, text } = dataWords(context, bytes);
  const data = bytes.subarray(HEAD_BYTES, bytes.length - TAIL_BYTES);
  return { name, text: context.state ?? statusWords(data) ?? text ?? "" };
}

function ackWords({ frame, asked }: { frame: AckFrame; asked: Asked | undefined }): FrameWords {
  const about = asked ? titleOf(asked) : `#${byteName(frame.nbl)}`;
  const device = refusalOf(frame, false)?.device;
  return { name: `ACK ${about}`, text: device ? `${device.code}: ${device.message}` : "done" };
}

function titleOf({ nbl, command, name }: Omit<DataContext, "masked">): string {
  return `${byteName(command)} ${name ? spokenName(name) : "unknown"} #${byteName(nbl)}`;
}

/** Where secrets stand in data; all of it where it is not what its command should have. */
function secretsIn(
  data: Uint8Array,
  name: DeviceCommandName | undefined,
  fields: SecretFields,
): Masked[] {
  if (name === undefined) return whole(data);
  const secret = fields[name];
  if (secret === undefined) return [];
  const ends = [...data.entries()].flatMap(([at, byte]) => (byte === FIELD_SEPARATOR ? [at] : []));
  const operator = Buffer.from(data.subarray(0, ends[0])).toString("latin1");
  const start = ends[secret.index - 1];
  if (start === undefined || !/^ *\d{1,2} *$/.test(operator)) return whole(data);
  const end = secret.isLast ? undefined : ends[secret.index];
  return [{ from: start + 1, to: end ?? data.length }];
}

function whole(data: Uint8Array): Masked[] {
  return data.length === 0 ? [] : [{ from: 0, to: data.length }];
}

/** Places in the data as places in the frame; its checksum would betray them. */
function inFrame(masked: readonly Masked[], frameBytes: number): Masked[] {
  if (masked.length === 0) return [];
  const checksum = frameBytes - TAIL_BYTES;
  return [
    ...masked.map(({ from, to }) => ({ from: HEAD_BYTES + from, to: HEAD_BYTES + to })),
    { from: checksum, to: checksum + CHECKSUM_BYTES },
  ];
}

function pingWords(state: number): FrameWords {
  const text = CONNECTION_STATES[state] ?? ((state & PING_BUSY) === 0 ? "ready" : "busy");
  return { name: `ping ${byteName(state)}`, text };
}

/** The state bytes in words; undefined when they are not what they should be. */
function statusWords(data: Uint8Array): string | undefined {
  if (data.length !== STATUS_BYTES) return undefined;
  const state = new StatusBytes(data).describe({ sensors: null, dayCloseRequired: null });
  const words = [
    ...state.errors.map((error) => error.message),
    ...(state.fiscalReceiptOpen ? ["fiscal receipt open"] : []),
    ...(state.nonFiscalReceiptOpen ? ["non-fiscal receipt open"] : []),
    ...(state.paper === "low" ? ["paper low"] : []),
    ...(state.fiscalDayOpen ? ["day open"] : []),
  ];
  return `status ${state.rawHex}  ${words.join(", ")}`.trimEnd();
}
