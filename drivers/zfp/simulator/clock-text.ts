/** Dates and times as ZFP devices write them; instants are local time as if it were UTC. */

const CLOCK = /^(\d\d)-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)$/;
const CENTURY = 2000;

/** `DD-MM-YYYY HH:MM`. */
export function clockText(at: number): string {
  const iso = new Date(at).toISOString();
  return `${iso.slice(8, 10)}-${iso.slice(5, 7)}-${iso.slice(0, 4)} ${iso.slice(11, 16)}`;
}

/** `YYYY-MM-DD*HH:MM:SS`, as receipts are dated. */
export function receiptTime(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace("T", "*");
}

/** Reads `DD-MM-YY HH:MM:SS`; undefined when there is no such moment. */
export function parseClock(text: string): number | undefined {
  const match = CLOCK.exec(text);
  if (!match) return undefined;
  const [day = 0, month = 0, year = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map(Number);
  const at = Date.UTC(CENTURY + year, month - 1, day, hour, minute, second);
  // Date.UTC carries 31-02 over into March; such text is no moment.
  const date = new Date(at);
  const isReal = date.getUTCDate() === day && date.getUTCMonth() === month - 1 && hour < 24;
  return isReal && minute < 60 && second < 60 ? at : undefined;
}
