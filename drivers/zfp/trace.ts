/**
 * The line monitor's view of ZFP frames. The data of a command is shown without its password; that
 * of a command which the driver's table does not name is masked with its answer, because nobody
 * knows what it carries.
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
  type RequestFrame,
  STX,
} from "./frame.ts";
import { refusalOf } from "./refusals.ts";
import { STATUS_BYTES, StatusBytes } from "./status.ts";

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
  #mayBeSecret = false;

  read(direction: LineDirection, bytes: Uint8Array): TracedFrame[] {
    if (direction === "out") return [this.#readRequest(bytes)];
    const frames: TracedFrame[] = [];
    for (const byte of bytes) {
      const isStart = byte === STX || byte === ACK;
      if (isStart && !this.#isWithinFrame) this.#flush(frames, "no frame");
      this.#pending.push(byte);
      this.#mayBeSecret ||= this.#asked?.hasSecrets ?? false;
      for (const event of this.#decoder.push(Uint8Array.of(byte))) this.#take(event, byte, frames);
      if (this.#pending.isFull) this.#flush(frames, "no frame");
    }
    // What stands before any frame is noise, of which the decoder says nothing.
    if (!this.#isWithinFrame) this.#flush(frames, "no frame");
    return frames;
  }

  get #isWithinFrame(): boolean {
    return this.#pending.beginsWith(STX) || this.#pending.beginsWith(ACK);
  }

  rest(): TracedFrame[] {
    const frames: TracedFrame[] = [];
    this.#flush(frames, "cut short");
    return frames;
  }

  #readRequest(bytes: Uint8Array): TracedFrame {
    const [event, ...more] = new RequestDecoder().push(bytes);
    if (event === undefined || more.length > 0 || event.kind === "garbled") {
      const isNack = bytes.length === 1 && bytes[0] === NACK;
      if (isNack) return tracedFrame("out", bytes, { name: "NACK", text: "say it again" });
      this.#asked = undefined;
      return damagedFrame("out", bytes, { reason: "no frame", isSecret: true });
    }
    switch (event.kind) {
      case "ping":
        return tracedFrame("out", bytes, { name: `ping ${byteName(PING)}`, text: "ready?" });
      case "presence":
        return tracedFrame("out", bytes, { name: `ping ${byteName(PRESENCE)}`, text: "there?" });
      case "request":
        return this.#request(event, bytes);
      default:
        return event satisfies never;
    }
  }

  #request({ nbl, command, data }: RequestFrame, bytes: Uint8Array): TracedFrame {
    const name = nameOf(command, data);
    const masked = secretsIn(data, name, SECRET_FIELDS);
    const answerHides = name !== undefined && SECRET_ANSWER_FIELDS[name] !== undefined;
    this.#asked = { nbl, command, name, hasSecrets: masked.length > 0 || answerHides || !name };
    return tracedFrame("out", bytes, {
      name: titleOf({ nbl, command }, name),
      text: data.length === 0 ? "" : shownText(data, "windows-1251", masked),
      masked: inFrame(masked, bytes.length),
    });
  }

  #take(event: ReplyEvent, byte: number, frames: TracedFrame[]): void {
    switch (event.kind) {
      case "data":
        frames.push(this.#answer(event, this.#takeFrame(frames, this.#frameBytes(event))));
        return;
      case "ack":
        frames.push(this.#acknowledgement(event, this.#takeFrame(frames, ACK_FRAME_BYTES)));
        return;
      case "nack":
        frames.push(this.#control(frames, { name: "NACK", text: "say it again" }));
        return;
      case "busy":
        frames.push(this.#control(frames, { name: `busy ${byteName(RETRY)}`, text: "working" }));
        return;
      case "ping":
        frames.push(this.#control(frames, pingWords(event.state)));
        return;
      case "garbled": {
        // A start within a frame begins the next one.
        const isStart = (byte === STX || byte === ACK) && this.#pending.length > 1;
        const reason = event.reason === "checksum" ? "wrong checksum" : "no frame";
        this.#flush(frames, reason, this.#pending.length - (isStart ? 1 : 0));
        return;
      }
      default:
        event satisfies never;
    }
  }

  #answer(frame: DataFrame, bytes: Uint8Array): TracedFrame {
    const { nbl, command, data } = frame;
    const asked = this.#asked;
    const isOurs = asked?.nbl === nbl && asked.command === command;
    const name = isOurs ? asked.name : nameOf(command, undefined);
    // A command with a password is only acknowledged: data in its place is an echo of it.
    const isEcho = name !== undefined && SECRET_FIELDS[name] !== undefined;
    const isHidden = !isOurs || isEcho;
    const masked = isHidden ? whole(data) : secretsIn(data, name, SECRET_ANSWER_FIELDS);
    const status = name === "status" ? statusWords(data) : undefined;
    const text = data.length === 0 ? "" : shownText(data, "windows-1251", masked);
    return tracedFrame("in", bytes, {
      name: titleOf(frame, name),
      text: status ?? text,
      masked: inFrame(masked, bytes.length),
    });
  }

  #acknowledgement(frame: AckFrame, bytes: Uint8Array): TracedFrame {
    const asked = this.#asked?.nbl === frame.nbl ? this.#asked : undefined;
    const about = asked ? ` ${titleOf(asked, asked.name)}` : ` #${byteName(frame.nbl)}`;
    const device = refusalOf(frame, false)?.device;
    const text = device ? `${device.code}: ${device.message}` : "done";
    return tracedFrame("in", bytes, { name: `ACK${about}`, text });
  }

  #control(frames: TracedFrame[], described: { name: string; text: string }): TracedFrame {
    return tracedFrame("in", this.#takeFrame(frames, 1), described);
  }

  #frameBytes({ data }: DataFrame): number {
    return HEAD_BYTES + data.length + TAIL_BYTES;
  }

  /** The last bytes, which are a frame; what stands before them is noise. */
  #takeFrame(frames: TracedFrame[], byteCount: number): Uint8Array {
    this.#flush(frames, "no frame", Math.max(0, this.#pending.length - byteCount));
    this.#mayBeSecret = false;
    return this.#pending.take();
  }

  #flush(frames: TracedFrame[], reason: string, count?: number): void {
    const bytes = this.#pending.take(count);
    const isSecret = this.#mayBeSecret;
    if (this.#pending.length === 0) this.#mayBeSecret = false;
    if (bytes.length > 0) frames.push(damagedFrame("in", bytes, { reason, isSecret }));
  }
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

function titleOf(
  { nbl, command }: { readonly nbl: number; readonly command: number },
  name: DeviceCommandName | undefined,
): string {
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

function pingWords(state: number): { name: string; text: string } {
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
