/**
 * Status bytes as a device state and as the reason of a refusal. Which bit means what is a table
 * in the dialect; here is how a table is read.
 */

import type { DeviceStatus } from "#core/device/device.ts";
import type { FiscalError, FiscalErrorCode } from "#core/errors.ts";
import { deviceFault } from "../shared/device-fault.ts";
import type { DayState } from "../shared/kept-facts.ts";

/** States that something else than the list of errors needs to know. */
export type StatusFlag =
  | "clock_not_set"
  | "cover_open"
  | "paper_out"
  | "paper_low"
  | "fiscal_receipt_open"
  | "non_fiscal_receipt_open"
  | "fiscal_memory_near_full"
  | "fiscal_memory_full"
  | "fiscalized";

/** The two bits that are set along with others: of the device, and of its fiscal memory. */
export type Summary = "general" | "memory";

interface ShownBit {
  readonly byte: number;
  readonly bit: number;
  readonly text: string;
  readonly flag?: StatusFlag;
}

/** A state that fails no command and is no error. */
interface StateBit extends ShownBit {
  readonly error?: undefined;
}

interface ErrorBit extends ShownBit {
  readonly error: FiscalErrorCode;
  /**
   * `refuses`: speaks of the command just sent. `blocks`: a state in which whatever prints or
   * changes something fails, and reads do not. `warns`: may stand for weeks and fails no command.
   * `sums_up`: is set along with those that feed it.
   */
  readonly effect: "refuses" | "blocks" | "warns" | "sums_up";
  /** The summary that it feeds; of a summary, which one it is. */
  readonly summary?: Summary;
  /** The command was not permitted, for a reason that the state of the receipt may show. */
  readonly notPermitted?: true;
}

/** What one status bit means. Bits without a row say nothing that we use. */
export type StatusBit = StateBit | ErrorBit;

export type StatusTable = readonly StatusBit[];

/** Numbers of errors that a status byte holds in its lower seven bits. */
export interface ErrorNumbers {
  readonly byte: number;
  /** What the numbers mean. One that is not here is E305. */
  readonly meanings: ReadonlyMap<number, { readonly code: FiscalErrorCode; readonly text: string }>;
}

/** Which error is told when several bits are set: the one a person must deal with first. */
const PRECEDENCE: readonly FiscalErrorCode[] = [
  "E306",
  "E307",
  "E300",
  "E304",
  "E303",
  "E301",
  "E302",
  "E201",
  "E305",
];

/** True when the status bytes show this state. */
export function hasFlag(table: StatusTable, status: Uint8Array, flag: StatusFlag): boolean {
  return table.some((row) => row.flag === flag && isSet(row, status));
}

/** The device's state, as `get_status` tells it. @param day which the status bytes do not tell */
export function readDeviceStatus(
  table: StatusTable,
  status: Uint8Array,
  day: DayState,
): DeviceStatus {
  const has = (flag: StatusFlag) => hasFlag(table, status, flag);
  const tells = (flag: StatusFlag) => table.some((row) => row.flag === flag);
  const errors = errorsIn(table, status).filter(({ effect }) => effect !== "refuses");
  // A summary bit is an error of its own only when no bit that feeds it explains it, and none where it
  // may speak of the last command.
  const specific = errors.filter(({ effect }) => effect !== "sums_up");
  const shown = errors.filter(
    (row) => row.effect !== "sums_up" || (row.error === "E304" && !isFed(row, specific)),
  );
  return {
    paper: has("paper_out") ? "out" : has("paper_low") ? "low" : "ok",
    cover: tells("cover_open") ? (has("cover_open") ? "open" : "closed") : null,
    fiscalReceiptOpen: has("fiscal_receipt_open"),
    nonFiscalReceiptOpen: has("non_fiscal_receipt_open"),
    fiscalDayOpen: day.open,
    dayCloseRequired: day.closeRequired,
    fiscalMemory: has("fiscal_memory_full")
      ? "full"
      : has("fiscal_memory_near_full")
        ? "near_full"
        : "ok",
    clockSet: tells("clock_not_set") ? !has("clock_not_set") : null,
    hardwareError: shown.some((row) => row.error === "E304"),
    fiscalized: has("fiscalized"),
    errors: shown.map(({ error, text }) => ({ code: error, message: text })),
    rawHex: Buffer.from(status).toString("hex"),
  };
}

/** What a refused command wants to be true, which tells what "not permitted" means for it. */
export type Demand = "receipt_open" | "no_receipt_open" | "day_closed";

/** How a command was meant, to read the status bytes that answer it. */
export interface StatusContext {
  /** True for commands that only read: a state of the printer never fails them. */
  readonly reads: boolean;
  readonly demands?: Demand | undefined;
  readonly numbers?: ErrorNumbers | undefined;
  /**
   * True when the answer holds none of the fields that the command is answered with; undefined where
   * it is answered with none.
   */
  readonly isBare?: boolean | undefined;
  /** Status bytes of the answer before. */
  readonly earlier?: Uint8Array;
}

/**
 * The reason for which the status bytes say that a command failed.
 * @returns undefined when they say that it was carried out
 */
export function statusFault(
  table: StatusTable,
  status: Uint8Array,
  context: StatusContext,
): FiscalError | undefined {
  const errors = errorsIn(table, status);
  const failing = errors.filter(
    ({ effect }) => effect === "refuses" || (effect === "blocks" && !context.reads),
  );
  const row = mostUrgent(failing);
  if (!row) return context.reads ? undefined : summedUpFault(errors, status, context);
  const code = row.notPermitted ? refineNotPermitted(table, status, context.demands) : row.error;
  const numbered = numberFault(status, context.numbers);
  // The number says more than a bit that names nothing in particular, and less than a bit that
  // shows what a person can take away, such as the paper.
  if (numbered && PRECEDENCE.indexOf(numbered.code) <= PRECEDENCE.indexOf(code)) return numbered;
  return faultOf(row, code);
}

/**
 * A summary bit is a failure too, beside no other bit or beside warnings that do not feed it. Where
 * one that does stands, the summary stands with it and says nothing of the command: then an answer
 * without its fields is a refusal, or one with another number than before where there are no fields.
 * When a device sets the number back is UNCONFIRMED: until then a second refusal with it passes for
 * done.
 */
function summedUpFault(
  errors: readonly ErrorBit[],
  status: Uint8Array,
  { numbers, isBare, earlier }: StatusContext,
): FiscalError | undefined {
  const warnings = errors.filter(({ effect }) => effect === "warns");
  const summaries = errors.filter(({ effect }) => effect === "sums_up");
  const isNewNumber = () => {
    const number = errorNumber(status, numbers);
    return number !== 0 && number !== errorNumber(earlier, numbers);
  };
  if (!(isBare ?? isNewNumber()) && summaries.every((row) => isFed(row, warnings)))
    return undefined;
  // Warnings may name the reason, the number does.
  const worst = summaries.length > 0 ? mostUrgent([...warnings, ...summaries]) : undefined;
  return worst && (numberFault(status, numbers) ?? faultOf(worst, worst.error));
}

/** True when one of these rows explains a summary bit. */
function isFed({ summary }: ErrorBit, rows: readonly ErrorBit[]): boolean {
  return rows.some((row) => row.summary === summary);
}

function errorsIn(table: StatusTable, status: Uint8Array): ErrorBit[] {
  return table.filter((row) => row.error !== undefined && isSet(row, status)) as ErrorBit[];
}

/** The one that a person must deal with first; of several like that the first in the table. */
function mostUrgent(rows: readonly ErrorBit[]): ErrorBit | undefined {
  const rank = ({ error }: ErrorBit) => PRECEDENCE.indexOf(error);
  return [...rows].sort((a, b) => rank(a) - rank(b))[0];
}

function faultOf({ byte, bit, text }: StatusBit, code: FiscalErrorCode): FiscalError {
  return deviceFault(code, { code: `status ${byte}.${bit}`, message: text });
}

/**
 * The error whose number stands in the status. It only explains a failure that the bits show: the
 * number of an earlier error may stand there still.
 */
function numberFault(
  status: Uint8Array,
  numbers: ErrorNumbers | undefined,
): FiscalError | undefined {
  const number = errorNumber(status, numbers);
  if (number === 0) return undefined;
  const { code, text } = numbers?.meanings.get(number) ?? { code: "E305", text: "refused" };
  return deviceFault(code, { code: `error ${number}`, message: text });
}

function errorNumber(status: Uint8Array = new Uint8Array(), numbers?: ErrorNumbers): number {
  return numbers === undefined ? 0 : (status[numbers.byte] ?? 0) & 0x7f;
}

/** "Not permitted" in words of the state that the command found. */
export function refineNotPermitted(
  table: StatusTable,
  status: Uint8Array,
  demands: Demand | undefined,
): FiscalErrorCode {
  const fiscal = hasFlag(table, status, "fiscal_receipt_open");
  const open = fiscal || hasFlag(table, status, "non_fiscal_receipt_open");
  if (demands === "receipt_open" && !fiscal) return "E302";
  if (demands !== undefined && demands !== "receipt_open" && open) return "E301";
  return demands === "day_closed" ? "E303" : "E305";
}

function isSet(row: StatusBit, status: Uint8Array): boolean {
  return (((status[row.byte] ?? 0) >> row.bit) & 1) === 1;
}
