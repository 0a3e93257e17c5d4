/**
 * The two error digits with which a device refuses: its own and the command's.
 * Source: Tremol protocol description, Bulgaria, rev. 1910211454.
 */

import type { RefusalReason } from "../../simulator/books/refusal.ts";

/** STE1 and STE2, each a digit from 0 to 15. */
export type ErrorDigits = readonly [device: number, command: number];

const NOT_ALLOWED: ErrorDigits = [0, 2];
const SYNTAX: ErrorDigits = [0, 4];

/** Reasons without a row are "not allowed now". */
const DIGITS: Partial<Record<RefusalReason, ErrorDigits>> = {
  // A cover that is open is no error of its own: only the sensors tell it from missing paper.
  paper_out: [1, 0],
  cover_open: [1, 0],
  registers_full: [2, 0],
  clock_not_set: [3, 0],
  clock_before_last_record: [3, 0],
  fiscal_receipt_open: [4, 2],
  storno_receipt_open: [4, 2],
  not_fully_paid: [5, 2],
  payment_started: [5, 2],
  service_text_open: [6, 2],
  already_paid: [7, 2],
  fiscal_memory_full: [8, 0],
  hardware_error: [8, 0],
  operator_unknown: [9, 0],
  operator_password: [9, 0],
  day_over: [11, 0],
  journal_full: [14, 0],
  unknown_command: [0, 1],
  day_not_closed: [0, 3],
  syntax: SYNTAX,
  parameter: SYNTAX,
  vat_group_unknown: SYNTAX,
  vat_group_disabled: SYNTAX,
  original_unknown: SYNTAX,
  overflow: [0, 5],
  negative_total: [0, 5],
  too_many_lines: [0, 5],
  zero_total: [0, 6],
  line_to_void_not_found: [0, 7],
  not_enough_cash: [0, 8],
};

export const CARRIED_OUT: ErrorDigits = [0, 0];
/** Power was lost while a receipt was open, and nobody has read the status since. */
export const POWER_LOST: ErrorDigits = [13, 0];
/** Paper ran out while it printed what it carried out: the digits do not tell that apart. */
export const PAPER_RAN_OUT: ErrorDigits = [1, 0];

/** The digits of a refusal. */
export function digitsOf(reason: RefusalReason): ErrorDigits {
  return DIGITS[reason] ?? NOT_ALLOWED;
}
