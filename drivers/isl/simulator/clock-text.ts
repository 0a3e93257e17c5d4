/** Dates and times as ISL devices write them; instants are local time as if it were UTC. */

const DASHED = /^(\d\d)[-.](\d\d)[-.](\d\d) (\d\d):(\d\d)(?::(\d\d))?( DST)?$/;
const COMPACT = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?$/;
const CENTURY = 2000;

/** `DD-MM-YY hh:mm:ss`. */
export function dashedClock(at: number): string {
  const { day, month, year, time } = partsOf(at);
  return `${day}-${month}-${year} ${time}`;
}

/** The same as it stands without a battery. */
export const NO_CLOCK = "00-00-00 00:00:00";

/** `DD-MM-YY`. */
export function dashedDate(at: number): string {
  const { day, month, year } = partsOf(at);
  return `${day}-${month}-${year}`;
}

/** `DDMMYY`. */
export function compactDate(at: number): string {
  const { day, month, year } = partsOf(at);
  return `${day}${month}${year}`;
}

/** Reads `DD-MM-YY hh:mm[:ss][ DST]`; undefined when there is no such moment. */
export function parseDashedClock(text: string): { at: number; summerTime: boolean } | undefined {
  const match = DASHED.exec(text);
  if (!match) return undefined;
  const at = momentOf(match);
  return at === undefined ? undefined : { at, summerTime: match[7] !== undefined };
}

/** Reads `DDMMYYhhmm[ss]`; undefined when there is no such moment. */
export function parseCompactClock(text: string): number | undefined {
  const match = COMPACT.exec(text);
  return match ? momentOf(match) : undefined;
}

function momentOf(match: RegExpExecArray): number | undefined {
  const [day = 0, month = 0, year = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((text) => Number(text ?? 0));
  const at = Date.UTC(CENTURY + year, month - 1, day, hour, minute, second);
  // Date.UTC carries 31-02 over into March and 24:60 into tomorrow; such text is no moment.
  const date = new Date(at);
  const isReal =
    date.getUTCDate() === day &&
    date.getUTCMonth() === month - 1 &&
    date.getUTCHours() === hour &&
    date.getUTCMinutes() === minute &&
    date.getUTCSeconds() === second;
  return isReal ? at : undefined;
}

function partsOf(at: number) {
  const iso = new Date(at).toISOString();
  return {
    year: iso.slice(2, 4),
    month: iso.slice(5, 7),
    day: iso.slice(8, 10),
    time: iso.slice(11, 19),
  };
}
