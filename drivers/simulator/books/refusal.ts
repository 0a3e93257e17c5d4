/** Why a device refuses, without the numbers that each protocol gives the reasons. */

import type { BookEntry } from "./entries.ts";

const REFUSAL_REASONS = [
  "hardware_error",
  "paper_out",
  "cover_open",
  "fiscal_memory_full",
  "journal_full",
  "clock_not_set",
  "clock_before_last_record",
  "day_over",
  "day_not_closed",
  "fiscal_receipt_open",
  "storno_receipt_open",
  "service_text_open",
  "no_receipt_open",
  "no_service_text_open",
  "payment_started",
  "payment_not_started",
  "not_fully_paid",
  "already_paid",
  "payment_forbidden",
  "no_sales",
  "zero_total",
  "negative_total",
  "too_many_lines",
  "overflow",
  "registers_full",
  "vat_group_unknown",
  "vat_group_disabled",
  "line_to_void_not_found",
  "not_enough_cash",
  "operator_unknown",
  "operator_password",
  "original_unknown",
  "buyer_missing",
  "nothing_to_duplicate",
  "already_duplicated",
  "vat_changes_used_up",
  "needs_service_jumper",
  "nothing_found",
  "no_more_data",
  "no_image",
  "syntax",
  "parameter",
  "unknown_command",
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

export interface Refusal {
  readonly refused: RefusalReason;
  /** The 1-based field at fault, where it is one field. */
  readonly parameter?: number;
}

/** What a rule says: the change to make, or why there is none. */
export type Decision = { readonly entry: BookEntry } | Refusal;

/** A refusal, for rules to return. */
export function refuse(refused: RefusalReason, parameter?: number): Refusal {
  return parameter === undefined ? { refused } : { refused, parameter };
}

/** Narrows a decision or any other answer to a refusal. */
export function isRefusal(answer: unknown): answer is Refusal {
  return typeof answer === "object" && answer !== null && "refused" in answer;
}
