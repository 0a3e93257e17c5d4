/** Instants as the shop's clock shows them. */

/** `2026-11-22 10:41` in a time zone. @param instant UTC milliseconds */
export function localTime(instant: number, timeZone: string): string {
  // The Swedish form is the one with year, month and day in this order.
  return new Intl.DateTimeFormat("sv-SE", {
    ...{ year: "numeric", month: "2-digit", day: "2-digit" },
    ...{ hour: "2-digit", minute: "2-digit", timeZone },
  }).format(instant);
}

/** `11-22 10:41` of this year, `2025-11-22` of others, where there is little room. */
export function shortTime(instant: number, now: number, timeZone: string): string {
  const [then, current] = [localTime(instant, timeZone), localTime(now, timeZone)];
  return then.slice(0, 4) === current.slice(0, 4) ? then.slice(5) : then.slice(0, 10);
}

/** A time that passed, in its largest unit: `12 s`, `3 min`, `5 h`, `2 d`. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}
