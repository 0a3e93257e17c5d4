/** How alerts come to an end, as their history tells it. */

import type { Alert, AlertType } from "./alerts.ts";

/** `cured`: what it tells of is no longer so. The others say what else ended it. */
export const ALERT_ENDS = [
  "cured",
  "settled",
  "out_of_reach",
  "replaced",
  "expired",
  "device_removed",
] as const;
export type AlertEnd = (typeof ALERT_ENDS)[number];

/** What a list of alerts is narrowed to: those that stand, those that have ended, or both. */
export const ALERT_STATES = ["standing", "past", "all"] as const;
export type AlertState = (typeof ALERT_STATES)[number];

/** What worsens into what: the alert then speaks of the same thing in sharper words. */
const WORSE: Partial<Record<AlertType, AlertType>> = {
  paper_low: "paper_out",
  fiscal_memory_near_full: "fiscal_memory_full",
  z_report_due: "z_report_overdue",
};

/** Of the line itself, of the gateway, or of what a person says: no reading of the device ends them. */
const NOT_READ: ReadonlySet<AlertType> = new Set<AlertType>([
  ...(["device_disconnected", "other_printer", "device_unassigned", "outcome_unknown"] as const),
  ...(["state_restored", "documents_unknown", "disk_full", "late_result"] as const),
]);

interface Ending {
  readonly standing: readonly Alert[];
  readonly isSettled: boolean;
  readonly isSilent: boolean;
}

/**
 * How an alert ended.
 * @param standing what stands at the device now
 * @param isSettled a person said what became of it, since it was there
 * @param isSilent nothing is told of the device's state, though it is reached
 */
export function alertEnd(
  { type }: Pick<Alert, "type">,
  { standing, isSettled, isSilent }: Ending,
): AlertEnd {
  if (isSettled) return "settled";
  if (type === "late_result") return "expired";
  const stands = (other: AlertType | undefined) => standing.some((one) => one.type === other);
  if (stands(WORSE[type])) return "replaced";
  // Of a device that cannot be asked nothing is known, so that nothing was cured.
  const isUnreached =
    isSilent ||
    (["device_disconnected", "other_printer", "device_unassigned"] as const).some(stands);
  return isUnreached && !NOT_READ.has(type) ? "out_of_reach" : "cured";
}
