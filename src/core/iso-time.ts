/** Instants as the API and the command line tell them: ISO 8601, UTC, with milliseconds. */

/** @param instant UTC milliseconds */
export function isoTime(instant: number): string {
  return new Date(instant).toISOString();
}

/** The same, or null where there is none. */
export function isoTimeOrNull(instant: number | null): string | null {
  return instant === null ? null : isoTime(instant);
}
