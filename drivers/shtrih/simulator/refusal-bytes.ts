/**
 * The error byte of each reason to refuse.
 * Source: Shtrih-M "KKT protocol" 2.0, list of errors. Firmware differs in which of several fitting
 * bytes it gives; these are one choice.
 */

import type { RefusalReason } from "../../simulator/books/refusal.ts";

export const REFUSAL_BYTES = {
  hardware_error: 0x74,
  paper_out: 0x6b,
  cover_open: 0x6b,
  fiscal_memory_full: 0x70,
  journal_full: 0xa7,
  clock_not_set: 0xc0,
  clock_before_last_record: 0x13,
  day_over: 0x4e,
  day_not_closed: 0x73,
  fiscal_receipt_open: 0x4a,
  storno_receipt_open: 0x4a,
  service_text_open: 0x4a,
  no_receipt_open: 0x55,
  no_service_text_open: 0x73,
  payment_started: 0x4a,
  payment_not_started: 0x45,
  not_fully_paid: 0x45,
  already_paid: 0x4d,
  payment_forbidden: 0x4d,
  no_sales: 0x8e,
  zero_total: 0x8e,
  negative_total: 0x5f,
  too_many_lines: 0x4b,
  overflow: 0x7f,
  registers_full: 0x66,
  vat_group_unknown: 0x33,
  vat_group_disabled: 0x33,
  line_to_void_not_found: 0x2d,
  not_enough_cash: 0x46,
  operator_unknown: 0x4f,
  operator_password: 0x4f,
  original_unknown: 0x33,
  buyer_missing: 0x33,
  nothing_to_duplicate: 0x56,
  already_duplicated: 0x56,
  vat_changes_used_up: 0x7a,
  needs_service_jumper: 0x73,
  nothing_found: 0x5d,
  no_more_data: 0x05,
  no_image: 0x33,
  syntax: 0x33,
  parameter: 0x33,
  unknown_command: 0x37,
} as const satisfies Record<RefusalReason, number>;

/** Refusals that the books know nothing of. */
export const ERROR = {
  wrongKind: 0x49,
  wrongPassword: 0x4f,
  waitsForContinue: 0x58,
  stillPrinting: 0x50,
  wrongMode: 0x73,
  fieldLocked: 0x7a,
  datesDiffer: 0x7c,
} as const;
