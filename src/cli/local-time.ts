/** Instants as the shop's clock shows them. */

/** `2026-11-22 10:41+02` in a time zone, as ISO 8601 has it. @param instant UTC milliseconds */
export function localTime(instant: number, timeZone: string): string {
  // The Swedish form is the one with year, month and day in this order.
  const clock = new Intl.DateTimeFormat("sv-SE", {
    ...{ year: "numeric", month: "2-digit", day: "2-digit" },
    ...{ hour: "2-digit", minute: "2-digit", timeZone },
  }).format(instant);
  return `${clock}${offsetText(instant, timeZone)}`;
}

/** `+02`, `+05:30`, `-03`, and `+00` for UTC. */
function offsetText(instant: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
  const name = parts.formatToParts(instant).find(({ type }) => type === "timeZoneName")?.value;
  const [, offset = "+00:00"] = /^GMT([+-]\d\d:\d\d)/.exec(name ?? "") ?? [];
  return offset.replace(/:00$/, "");
}

/** An instant of a record in ISO 8601, for a person. */
export function recordTime(instant: string | null, timeZone: string): string | null {
  return instant === null ? null : localTime(Date.parse(instant), timeZone);
}

/** A sentence with each instant in ISO 8601 as the shop's clock shows it. */
export function inLocalTime(sentence: string, timeZone: string): string {
  return sentence.replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (instant) => {
    const ms = Date.parse(instant);
    return Number.isNaN(ms) ? instant : localTime(ms, timeZone);
  });
}

/** `11-22 10:41+02` of this year, `2025-11-22` of others, where there is little room. */
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
