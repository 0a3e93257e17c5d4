/** What is wrong with a device by its own word, and what stands of it while it says nothing. */

import type { DeviceStatus } from "./device.ts";

/** Values of a state that something is wrong with, and the alert that each raises. */
const COMPLAINTS = [
  ["paper", "low", "paper_low"],
  ["paper", "out", "paper_out"],
  ["cover", "open", "cover_open"],
  ["fiscalMemory", "near_full", "fiscal_memory_near_full"],
  ["fiscalMemory", "full", "fiscal_memory_full"],
  ["hardwareError", true, "hardware_error"],
  ["dayCloseRequired", true, "z_report_overdue"],
  // It is wrong by more than any other.
  ["clockSet", false, "clock_drift"],
] as const satisfies readonly (readonly [keyof DeviceStatus, unknown, string])[];

/** Nothing is known of it. */
export const UNKNOWN_STATUS: DeviceStatus = {
  ...{ paper: null, cover: null, fiscalReceiptOpen: null, nonFiscalReceiptOpen: null },
  ...{ fiscalDayOpen: null, dayCloseRequired: null, fiscalMemory: null, clockSet: null },
  ...{ hardwareError: null, fiscalized: null, errors: [], rawHex: "" },
};

/** The alerts that a state raises. */
export function complaintsOf(status: DeviceStatus): (typeof COMPLAINTS)[number][2][] {
  return raisedBy(status).map(([, , alert]) => alert);
}

/**
 * The state of a device that answers and tells none: nothing is known but why, and what was wrong when it
 * last told one, until it tells that it is not.
 * @param before as it was shown last
 */
export function untoldStatus(
  before: DeviceStatus,
  error: DeviceStatus["errors"][number],
): DeviceStatus {
  const standing = Object.fromEntries(raisedBy(before).map(([field, value]) => [field, value]));
  return { ...UNKNOWN_STATUS, ...standing, errors: [error], untold: true };
}

/**
 * True where the device tells that it waits for paper, or for its cover to be shut. What stands of that
 * while it tells no state is no word of it: nobody would wait for ever.
 */
export function waitsForHand(status: DeviceStatus | undefined): boolean {
  if (status === undefined || status.untold === true) return false;
  return status.paper === "out" || status.cover === "open";
}

/** True for an alert that a state may raise. */
export function isComplaint(alert: string): boolean {
  return COMPLAINTS.some(([, , raised]) => raised === alert);
}

function raisedBy(status: DeviceStatus) {
  return COMPLAINTS.filter(([field, value]) => status[field] === value);
}
