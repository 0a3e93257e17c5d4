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
/** An alert that a state may raise. */
export type Complaint = (typeof COMPLAINTS)[number][2];

/** Nothing is known of it. */
export const UNKNOWN_STATUS: DeviceStatus = {
  ...{ paper: null, cover: null, fiscalReceiptOpen: null, nonFiscalReceiptOpen: null },
  ...{ fiscalDayOpen: null, dayCloseRequired: null, fiscalMemory: null, clockSet: null },
  ...{ hardwareError: null, fiscalized: null, errors: [], rawHex: "" },
};

/** The alerts that a state raises. */
export function complaintsOf(status: DeviceStatus): Complaint[] {
  return raisedBy(status).map(([, , alert]) => alert);
}

/** True for a state as it was read: what is null in it is nothing that this device ever tells. */
export function isWhole({ untold, partial }: DeviceStatus): boolean {
  return untold !== true && partial !== true;
}

/**
 * The alerts of which a state tells that they stand, or that they do not. A clock that has a time may be wrong
 * by any; and that a device has not said whether its day must be closed, whose gateway or whose own refusal
 * said so, is no word of it.
 */
export function complaintsToldBy(status: DeviceStatus): Complaint[] {
  const told = COMPLAINTS.filter(([field, value, alert]) => {
    if (alert === "clock_drift") return status[field] === value;
    return status[field] !== null || (isWhole(status) && alert !== "z_report_overdue");
  });
  return told.map(([, , alert]) => alert);
}

/** A state that is told in part, with what was wrong before and is not named in it. */
export function withStanding(part: DeviceStatus, before: DeviceStatus): DeviceStatus {
  const untold = raisedBy(before).filter(([field]) => part[field] === null);
  return { ...part, ...Object.fromEntries(untold.map(([field, value]) => [field, value])) };
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
  return { ...withStanding(UNKNOWN_STATUS, before), errors: [error], untold: true };
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
export function isComplaint(alert: string): alert is Complaint {
  return COMPLAINTS.some(([, , raised]) => raised === alert);
}

function raisedBy(status: DeviceStatus) {
  return COMPLAINTS.filter(([field, value]) => status[field] === value);
}
