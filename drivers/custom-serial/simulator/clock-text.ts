/** Dates and times of this protocol; instants are local time as if it were UTC. */

const CENTURY = 2000;

/** `DDMMYY`. */
export function date(at: number): string {
  const iso = new Date(at).toISOString();
  return iso.slice(8, 10) + iso.slice(5, 7) + iso.slice(2, 4);
}

/** `DDMMYYhhmm`. */
export function dateTime(at: number): string {
  const iso = new Date(at).toISOString();
  return date(at) + iso.slice(11, 13) + iso.slice(14, 16);
}

/** Reads `DDMMYYhhmm`; undefined when there is no such moment. */
export function parseDateTime(text: string): number | undefined {
  if (!/^\d{10}$/.test(text)) return undefined;
  const [day = 0, month = 0, year = 0, hour = 0, minute = 0] = (text.match(/../g) ?? []).map(
    Number,
  );
  const at = Date.UTC(CENTURY + year, month - 1, day, hour, minute);
  // Date.UTC carries 3102 over into March; such text is no moment.
  return dateTime(at) === text ? at : undefined;
}
