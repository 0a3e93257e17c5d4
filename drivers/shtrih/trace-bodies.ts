/**
 * Commands and answers as the line monitor shows them, whichever lower level carries them. The
 * password that goes with nearly every command is masked. So are the parameters of a command that
 * the driver's table does not name, and the values of tables other than those the driver knows:
 * nobody knows what they hold.
 */

import type { Masked } from "#core/device/trace.ts";
import { decodeText } from "../shared/codepage.ts";
import { type FrameWords, withoutSecrets } from "../shared/kept-frame.ts";
import { byteName, spokenName } from "../shared/trace-text.ts";
import { codeSize } from "./command-line.ts";
import { deviceFault } from "./error-bytes.ts";
import { CODE_PAGE } from "./fields.ts";
import { PASSWORD_BYTES, PASSWORD_FIELD } from "./operator.ts";
import { REQUESTS, type RequestName, type RequestRow, TABLE } from "./requests.ts";
import { MODE, readFullState, readPrinterState, type ShortState, SUBMODE } from "./status.ts";

const CODE_BYTES = 1;
/** Shorter runs of characters in binary fields are chance. */
const TEXT_RUN = /[\p{L}\p{N}\p{P}\p{S} ]{4,}/gu;

const NAMES = new Map<number, RequestName>();
for (const [name, { code }] of Object.entries(REQUESTS)) {
  if (isRequestName(name) && !NAMES.has(code)) NAMES.set(code, name);
}

/** A body as it is kept, and what its words are made by. */
export interface KeptBody {
  readonly kind: "command" | "echo" | "answer";
  /** Without what nobody may see. */
  readonly body: Uint8Array;
  /** Places in the body. */
  readonly masked: readonly Masked[];
  /** What an answer that is masked tells of the device's state, which is no secret. */
  readonly state?: string;
}

/** A command, to read its answer by. */
export interface Asked {
  /** Known while the answer may come; what is kept of the command is without its secrets. */
  readonly body: Uint8Array;
  readonly kept: KeptBody;
  /** True when the answer may hold what nobody may see. */
  readonly hidesAnswer: boolean;
  /** True when an echo of it, or an answer to it, may hold a password. */
  readonly hasSecrets: boolean;
}

/** A command that is sent. @param body at least one byte */
export function askedBy(body: Uint8Array): Asked {
  const name = nameOf(body);
  const masked = secretsOf(body, name);
  const hides = name === undefined || (name === "readTable" && !isKnownField(body));
  return {
    body,
    kept: { kind: "command", body: withoutSecrets(body, masked), masked },
    hidesAnswer: hides,
    hasSecrets: hides || masked.length > 0,
  };
}

/** An answer to a command, or to something else. */
export function keptAnswer(body: Uint8Array, asked: Asked | undefined): KeptBody {
  // Where the line gives back what is sent, the answer is our own command.
  if (asked && Buffer.compare(asked.body, body) === 0) return { ...asked.kept, kind: "echo" };
  const name = nameOf(body);
  const isOurs = asked !== undefined && asked.body[0] === body[0] && name !== undefined;
  const start = codeSize(body) + 1;
  const isHidden = (!isOurs || asked.hidesAnswer) && body.length > start;
  if (!isHidden) return { kind: "answer", body, masked: [] };
  const masked = [{ from: start, to: body.length }];
  const state = stateWords(name, body.subarray(start));
  return { kind: "answer", body: withoutSecrets(body, masked), masked, state };
}

/** Puts a body into words. */
export function bodyWords({ kind, body, masked, state }: KeptBody): Required<FrameWords> {
  const name = nameOf(body);
  const title = titleOf(body, name);
  const size = codeSize(body);
  if (kind === "echo") return { name: `echo ${title}`, text: "" };
  if (kind === "command") {
    return { name: title, text: textRuns(body.subarray(size), shifted(masked, -size)) };
  }
  const start = size + 1;
  const data = body.subarray(start);
  const content = state ?? (stateWords(name, data) || textRuns(data, shifted(masked, -start)));
  return { name: title, text: [errorWords(body[size]), content].filter(Boolean).join("  ") };
}

/** The same places counted from another beginning. */
export function shifted(masked: readonly Masked[], by: number): Masked[] {
  return masked.map(({ from, to }) => ({ from: from + by, to: to + by }));
}

function isRequestName(name: string): name is RequestName {
  return Object.hasOwn(REQUESTS, name);
}

function nameOf(body: Uint8Array): RequestName | undefined {
  return codeSize(body) === CODE_BYTES ? NAMES.get(body[0] ?? 0) : undefined;
}

function titleOf(body: Uint8Array, name: RequestName | undefined): string {
  const code = [...body.subarray(0, codeSize(body))].map(byteName).join(" ");
  return `${code} ${name ? spokenName(name) : "unknown"}`;
}

/** Where secrets stand in the body of a command. */
function secretsOf(body: Uint8Array, name: RequestName | undefined): Masked[] {
  const size = codeSize(body);
  const all = size < body.length ? [{ from: size, to: body.length }] : [];
  if (name === undefined) return all;
  const row: RequestRow = REQUESTS[name];
  if (row.role === "none") return [];
  const end = size + PASSWORD_BYTES;
  if (body.length < end) return all;
  const password = { from: size, to: end };
  if (name !== "writeTable" || isKnownField(body)) return [password];
  // Table, row in two bytes, field; then the value.
  return [password, { from: end + 4, to: body.length }];
}

/** True for a field of a table that the driver knows, and that is no password. */
function isKnownField(body: Uint8Array): boolean {
  const at = CODE_BYTES + PASSWORD_BYTES;
  const table = body[at];
  const field = body[at + 3];
  if (table === TABLE.operators) return field !== undefined && field !== PASSWORD_FIELD;
  return table === TABLE.texts || table === TABLE.taxes;
}

/** The fields are binary; what reads like text in them is shown. */
function textRuns(data: Uint8Array, masked: readonly Masked[]): string {
  const clear = data.slice();
  for (const { from, to } of masked) clear.fill(0, Math.max(0, from), to);
  const text = decodeText(clear, CODE_PAGE);
  return (text.match(TEXT_RUN) ?? []).map((run) => `"${run.trim()}"`).join(" ");
}

function errorWords(errorByte: number | undefined): string {
  if (errorByte === undefined || errorByte === 0) return "";
  const { code, message } = deviceFault(errorByte);
  return `error ${code}: ${message}`;
}

function stateWords(name: RequestName | undefined, data: Uint8Array): string {
  const state = stateOf(name, data);
  if (!state) return "";
  return `mode ${wordOf(MODE, state.mode)}, ${wordOf(SUBMODE, state.submode)}`;
}

function stateOf(name: RequestName | undefined, data: Uint8Array): ShortState | undefined {
  try {
    if (name === "printerState") return readPrinterState(data);
    return name === "fullState" ? readFullState(data) : undefined;
  } catch {
    // An answer that is too short, such as a refusal, tells no state.
    return undefined;
  }
}

function wordOf(table: Readonly<Record<string, number>>, value: number): string {
  const name = Object.keys(table).find((key) => table[key] === value);
  return name === undefined ? String(value) : spokenName(name);
}
