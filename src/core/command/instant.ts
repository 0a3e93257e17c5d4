/** ISO 8601 instants in payloads. */

import type { ValidationIssue } from "../errors.ts";

const ISO_8601 = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** True for a date, with or without time and zone, that exists in the calendar. */
export function isInstant(text: string): boolean {
  if (!ISO_8601.test(text)) return false;
  const instant = Date.parse(text);
  if (Number.isNaN(instant)) return false;
  // Date.parse rolls 31 February over into March; the day of the month then differs.
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return day.toISOString().startsWith(text.slice(0, 10));
}

/** Faults of an instant. */
export function instantIssues(path: string, text: string): ValidationIssue[] {
  return isInstant(text) ? [] : [{ path, message: "Expected an ISO 8601 timestamp" }];
}
