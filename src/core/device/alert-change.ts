/** What becomes of alerts between one look and the next. */

import { type Alert, inOrder } from "./alerts.ts";
import { isComplaint } from "./complaints.ts";
import { isToldOf, type StatusReading } from "./reading.ts";

/** What became of the alerts of a device since they were told of last. */
export interface AlertChange {
  /** All that stand now. */
  readonly standing: readonly Alert[];
  /** Those of them that are new. */
  readonly appeared: readonly Alert[];
  /** Those that stand no longer, as they were when they were told of. */
  readonly cleared: readonly Alert[];
}

/** A change, and the device that it is of. */
export interface DeviceAlerts extends AlertChange {
  readonly deviceId: string;
  readonly deviceName: string;
  /** The device is a simulated one; absent in what older versions told. */
  readonly simulated?: boolean;
}

/**
 * Compares the alerts that stand with those that were told of last. Each is known by its type, which
 * its severity follows from, and its command; its words and its instant change with every reading.
 * @returns undefined when they are the same
 */
export function alertChange(
  told: readonly Alert[],
  standing: readonly Alert[],
): AlertChange | undefined {
  const appeared = without(standing, told);
  const cleared = without(told, standing);
  return appeared.length + cleared.length === 0 ? undefined : { standing, appeared, cleared };
}

function without(alerts: readonly Alert[], others: readonly Alert[]): Alert[] {
  return alerts.filter(
    ({ type, commandId }) =>
      !others.some((other) => other.type === type && other.commandId === commandId),
  );
}

/**
 * What stands at a device that is reached: what was told of it before stands until it tells of that very
 * thing, whatever else it tells.
 * @param now its alerts as they are worked out
 * @param told those that were told of last
 * @param reading what it tells of itself; undefined where it has told nothing yet
 */
export function untilTold(
  now: readonly Alert[],
  told: readonly Alert[],
  reading: StatusReading | undefined,
): readonly Alert[] {
  const kept = without(told, now).filter(
    ({ type }) => (type === "z_report_due" || isComplaint(type)) && !isToldOf(reading, type),
  );
  const isOverdue = kept.some(({ type }) => type === "z_report_overdue");
  const standing = now.filter(({ type }) => !isOverdue || type !== "z_report_due");
  return inOrder([...standing, ...kept]);
}
