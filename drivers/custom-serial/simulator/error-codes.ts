/**
 * The number that each reason to refuse has in this protocol. The manual gives several numbers to
 * one matter; these are one choice. Source: CUSTOM status code guide rev. 2.10.
 */

import type { RefusalReason } from "../../simulator/books/refusal.ts";

/** Numbers above this do not fit `ERRnn`: it says 99, and 1015 tells which. */
export const SHORT_ERROR_MAX = 98;
export const SEE_LAST_ERROR = 99;

export const ERROR = {
  unknownCommand: 1,
  value: 3,
  notNow: 5,
  totalWord: 7,
  overflow: 9,
  amount: 11,
  date: 12,
  clockNotSet: 13,
  beforeLastRecord: 14,
  paperEnd: 16,
  documentOpen: 21,
  negativeTotal: 23,
  length: 24,
  notFullyPaid: 25,
  journalFull: 30,
  noChange: 46,
  memoryFault: 50,
  memoryFull: 51,
  dayOver: 54,
  dayNotClosed: 61,
  documentNotEnded: 62,
  password: 123,
  notEnoughCash: 136,
  tooManyLines: 137,
} as const;

/** An open cover has a number that depends on the model. */
export const ERROR_NUMBERS = {
  hardware_error: ERROR.memoryFault,
  paper_out: ERROR.paperEnd,
  fiscal_memory_full: ERROR.memoryFull,
  journal_full: ERROR.journalFull,
  clock_not_set: ERROR.clockNotSet,
  clock_before_last_record: ERROR.beforeLastRecord,
  day_over: ERROR.dayOver,
  day_not_closed: ERROR.dayNotClosed,
  fiscal_receipt_open: ERROR.documentOpen,
  storno_receipt_open: ERROR.documentOpen,
  service_text_open: ERROR.documentOpen,
  no_receipt_open: ERROR.notNow,
  no_service_text_open: ERROR.notNow,
  payment_started: ERROR.notNow,
  payment_not_started: ERROR.notFullyPaid,
  not_fully_paid: ERROR.notFullyPaid,
  already_paid: ERROR.notNow,
  payment_forbidden: ERROR.noChange,
  no_sales: ERROR.notNow,
  zero_total: ERROR.amount,
  negative_total: ERROR.negativeTotal,
  too_many_lines: ERROR.tooManyLines,
  overflow: ERROR.overflow,
  registers_full: ERROR.overflow,
  vat_group_unknown: ERROR.value,
  vat_group_disabled: ERROR.value,
  line_to_void_not_found: ERROR.notNow,
  not_enough_cash: ERROR.notEnoughCash,
  operator_unknown: ERROR.password,
  operator_password: ERROR.password,
  original_unknown: ERROR.value,
  buyer_missing: ERROR.notNow,
  nothing_to_duplicate: ERROR.notNow,
  already_duplicated: ERROR.notNow,
  vat_changes_used_up: ERROR.notNow,
  needs_service_jumper: ERROR.notNow,
  nothing_found: ERROR.value,
  no_more_data: ERROR.notNow,
  no_image: ERROR.notNow,
  syntax: ERROR.length,
  parameter: ERROR.value,
  unknown_command: ERROR.unknownCommand,
} as const satisfies Record<Exclude<RefusalReason, "cover_open">, number>;
