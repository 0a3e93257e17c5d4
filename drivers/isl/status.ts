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

/** What one status bit means. Bits without a row say nothing that we use. */
export interface StatusBit {
  readonly byte: number;
  readonly bit: number;
  readonly text: string;
  readonly flag?: StatusFlag;
  readonly error?: FiscalErrorCode;
  /**
   * `refusal`: speaks of the command just sent. `blocking`: a state in which printing commands
   * fail. `summary`: set along with others. Without this the bit never fails a command.
   */
  readonly role?: "refusal" | "blocking" | "summary";
  /** The command was not permitted, for a reason that the state of the receipt may show. */
  readonly notPermitted?: true;
}

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
  const errors = table.filter(
    (row) => row.error !== undefined && row.role !== "refusal" && isSet(row, status),
  );
  // A summary bit is an error of its own only when no other bit explains it.
  const specific = errors.filter((row) => row.role !== "summary");
  const shown = specific.length > 0 ? specific : errors.filter((row) => row.error === "E304");
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
    errors: shown.map((row) => ({ code: row.error ?? "E305", message: row.text })),
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
  const set = table.filter((row) => row.error !== undefined && isSet(row, status));
  const candidates = context.reads ? set.filter((row) => row.role === "refusal") : set;
  const specific = candidates.filter((row) => row.role !== "summary");
  // A summary bit alone is a failure too; beside a mere warning it only repeats the warning.
  const failed = specific.length > 0 ? specific.some((row) => row.role) : candidates.length > 0;
  if (!failed) return undefined;
  const [worst] = (specific.length > 0 ? specific : candidates)
    .map((row) => ({ row, code: row.error ?? "E305" }))
    .sort((a, b) => PRECEDENCE.indexOf(a.code) - PRECEDENCE.indexOf(b.code));
  if (!worst) return undefined;
  const { row } = worst;
  const code = row.notPermitted ? refineNotPermitted(table, status, context.demands) : worst.code;
  const numbered = numberFault(status, context.numbers);
  // The number says more than a bit that names nothing in particular, and less than a bit that
  // shows what a person can take away, such as the paper.
  if (numbered && PRECEDENCE.indexOf(numbered.code) <= PRECEDENCE.indexOf(code)) return numbered;
  return deviceFault(code, { code: `status ${row.byte}.${row.bit}`, message: row.text });
}

/**
 * The error whose number stands in the status. It only explains a failure that the bits show: the
 * number of an earlier error may stand there still.
 */
function numberFault(
  status: Uint8Array,
  numbers: ErrorNumbers | undefined,
): FiscalError | undefined {
  const number = numbers === undefined ? 0 : (status[numbers.byte] ?? 0) & 0x7f;
  if (number === 0) return undefined;
  const { code, text } = numbers?.meanings.get(number) ?? { code: "E305", text: "refused" };
  return deviceFault(code, { code: `error ${number}`, message: text });
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
