/**
 * How ISL devices say why they refuse: X devices by a number in the first field, all of them by
 * status bits.
 * Source: error list of the Datecs FP-700X protocol manual 2.02.
 */

import type { Refusal, RefusalReason } from "../../simulator/books/refusal.ts";

const BAD_PARAMETER_BASE = -112_100;

/** Numbers of the X devices. */
const NUMBERS = {
  hardware_error: -100_100,
  paper_out: -112_006,
  cover_open: -112_007,
  fiscal_memory_full: -100_114,
  journal_full: -105_010,
  clock_not_set: -112_004,
  clock_before_last_record: -111_077,
  day_over: -111_024,
  day_not_closed: -104_000,
  fiscal_receipt_open: -111_047,
  storno_receipt_open: -111_067,
  service_text_open: -111_046,
  no_receipt_open: -111_016,
  no_service_text_open: -112_002,
  payment_started: -111_018,
  payment_not_started: -111_050,
  not_fully_paid: -111_003,
  already_paid: -111_003,
  payment_forbidden: -111_061,
  no_sales: -111_020,
  zero_total: -111_065,
  negative_total: -111_021,
  too_many_lines: -111_019,
  overflow: -111_014,
  registers_full: -111_013,
  vat_group_unknown: BAD_PARAMETER_BASE,
  vat_group_disabled: -111_005,
  line_to_void_not_found: -111_023,
  not_enough_cash: -111_017,
  operator_unknown: BAD_PARAMETER_BASE,
  operator_password: -102_002,
  original_unknown: -100_004,
  buyer_missing: -111_048,
  nothing_to_duplicate: -100_009,
  already_duplicated: -112_002,
  vat_changes_used_up: -104_013,
  needs_service_jumper: -104_001,
  nothing_found: -100_004,
  no_more_data: -100_003,
  no_image: -111_003,
  syntax: -112_001,
  parameter: BAD_PARAMETER_BASE,
  unknown_command: -112_000,
} as const satisfies Record<RefusalReason, number>;

/** The number that an X device answers with. */
export function refusalNumber({ refused, parameter = 0 }: Refusal): number {
  const number = NUMBERS[refused];
  return number === BAD_PARAMETER_BASE ? number - parameter : number;
}

/** What a refusal adds to the first two status bytes. */
export function refusalBits(refusal: Refusal | undefined): { byte0: number; byte1: number } {
  switch (refusal?.refused) {
    // Paper, cover and fiscal memory are shown by their own bits.
    case undefined:
    case "hardware_error":
    case "paper_out":
    case "cover_open":
      return { byte0: 0, byte1: 0 };
    case "syntax":
    case "parameter":
      return { byte0: SYNTAX_ERROR, byte1: 0 };
    case "unknown_command":
      return { byte0: BAD_COMMAND, byte1: 0 };
    case "overflow":
    case "registers_full":
      return { byte0: 0, byte1: OVERFLOW };
    default:
      return { byte0: 0, byte1: NOT_PERMITTED };
  }
}

/** Byte 0. */
const SYNTAX_ERROR = 0x01;
const BAD_COMMAND = 0x02;
/** Byte 1. */
const OVERFLOW = 0x01;
const NOT_PERMITTED = 0x02;

/** Text of a number, as command 100 gives it. */
export function refusalText(number: number): string {
  const found = Object.entries(NUMBERS).find(([, known]) => known === number);
  return found ? found[0].replaceAll("_", " ").toUpperCase() : "UNKNOWN ERROR";
}
