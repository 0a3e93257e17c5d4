/**
 * Faults that can be brought upon a simulated printer: the one list of both doors, the control port
 * of `fiscald simulate` and `POST /devices/{id}/faults`.
 */

export const FAULT_KINDS = [
  "paper_out",
  "paper_low",
  "cover_open",
  "fiscal_memory_full",
  "fiscal_memory_near_full",
  "hardware_error",
  "day_over",
  "clock",
  "clock_lost",
  "drop_before",
  "drop_after",
  "garble",
  "delay",
  "refuse",
  "deny",
  "silent",
  "silent_after",
  "hold",
  "power_loss",
  "unplug",
  "other_hands",
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** True for the name of a kind. */
export function isFaultKind(kind: unknown): kind is FaultKind {
  return FAULT_KINDS.some((known) => known === kind);
}

/** How long anything may take, or last. Milliseconds. */
export const FAULT_MS_MAX = 600_000;
/** Frames that a fault strikes. */
export const FAULT_FRAMES_MAX = 100_000;
/** The latest frame that a fault may strike, counted from the next one. */
export const FAULT_AT_MAX = 1_000_000;
/** How far off a clock may be. */
export const CLOCK_SHIFT_MS_MAX = 100 * 366 * 24 * 3_600_000;
/** What other hands may ring up, or move, in minor units. */
export const DEED_AMOUNT_MINOR_MAX = 1_000_000;

/**
 * What other hands do at a device:
 * - `cancel`: cancels the open receipt.
 * - `annul`: switches the device off and on, which annuls the open receipt though it holds a payment.
 * - `open`: puts away what is open, and opens a receipt of one line.
 * - `ring_up`: the same, and finishes that receipt in cash.
 * - `finish`: pays what is open in cash and closes it; then as `ring_up`.
 * - `close_day`: the same, and makes a Z report.
 * - `pay`: pays a part of what is open, in cash.
 * - `discount`: takes an amount off what is open.
 * - `take_back`: takes the last line of it back.
 * - `z_report`: makes a Z report alone.
 * - `cash`: puts cash in, or takes it out where the amount is negative: also what takes an earlier
 *   movement back.
 */
export const DEEDS = [
  "cancel",
  "annul",
  "open",
  "ring_up",
  "finish",
  "close_day",
  "pay",
  "discount",
  "take_back",
  "z_report",
  "cash",
] as const;
export type Deed = (typeof DEEDS)[number];
