/** Z reports that somebody has looked at in this browser, of those that differ from the receipts. */

import { keep, kept } from "./kept.ts";

const KEPT_AS = "looked-at";
/** A month of several printers; the oldest are forgotten first. */
const REPORTS_MAX = 100;

export function isLookedAt(reportId: string): boolean {
  return all().includes(reportId);
}

export function noteLookedAt(reportId: string): void {
  const others = all().filter((one) => one !== reportId);
  keep(KEPT_AS, [...others, reportId].slice(-REPORTS_MAX).join(" "));
}

function all(): readonly string[] {
  return (kept(KEPT_AS) ?? "").split(" ");
}
