/** Dates, numbers and money, as people of a language write them. */

/** Where they are written, and for which shop. */
export interface FormatOptions {
  readonly locale: string;
  /** Of the shop; the browser's until it is known. */
  readonly timezone: string | undefined;
  /** ISO 4217; amounts have none until it is known. */
  readonly currency: string | undefined;
}

/** Instants are ISO 8601 texts of the API or UTC milliseconds. */
type Instant = string | number;

/** How things are written. */
export interface Format {
  /** `12.50 lei`. @param currency the shop's unless given */
  money(amount: number, currency?: string): string;
  /** `EUR`, `lei`: where it stands once, above. */
  currency(code: string): string;
  /** `12.50`: where the currency stands once, above. */
  amount(amount: number): string;
  number(value: number): string;
  /** `25 Nov 2026`. */
  date(at: Instant): string;
  /** `Wednesday, 25 November`, as a sentence begins. */
  day(at: Instant): string;
  /** `14:05`. */
  time(at: Instant): string;
  /** `14:05:07.123`. */
  exactTime(at: Instant): string;
  dateTime(at: Instant): string;
  /** `25 Nov 2026, 14:05:07`: of clocks that are compared. */
  dateTimeToSecond(at: Instant): string;
  /** `25 November 2026` of a date of the calendar. */
  calendarDate(date: string): string;
  /** `Wednesday, 25 November` of a date of the calendar, `2026-11-25`, as a sentence begins. */
  calendarDay(date: string): string;
  /** `Wed` of such a date. */
  weekday(date: string): string;
  /** `November 2026` of a date in it, as a heading begins. */
  month(date: string): string;
  /** `12 s`, `5 min`, `3 hr 20 min`, `2 days 4 hr`: how long something takes or took. */
  duration(ms: number): string;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Makes the formats once for all that a page shows. */
export function createFormat({ locale, timezone, currency }: FormatOptions): Format {
  const zone = timezone === undefined ? {} : { timeZone: timezone };
  const instants = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { ...zone, ...options });
    return (at: Instant) => whole(format.format(new Date(at)));
  };
  // A date of the calendar is the same one everywhere.
  const dates = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...options });
    return (date: string) => whole(format.format(new Date(`${date}T00:00:00Z`)));
  };
  const days = dates({ weekday: "long", day: "numeric", month: "long" });
  const instantDays = instants({ weekday: "long", day: "numeric", month: "long" });
  const months = dates({ month: "long", year: "numeric" });
  const begun = (text: string) => text.slice(0, 1).toLocaleUpperCase(locale) + text.slice(1);
  // The weekday may stand above the rest: headings are large.
  const begunDay = (text: string) => begun(text.replace("\u00a0", " "));
  const cents = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  const plain = new Intl.NumberFormat(locale, cents);
  const monies = new Map<string, Intl.NumberFormat>();
  const moneyIn = (code: string) => {
    const found = monies.get(code) ?? moneyFormat(locale, code);
    monies.set(code, found);
    return found;
  };
  const numbers = new Intl.NumberFormat(locale);
  const clock = { hour: "2-digit", minute: "2-digit" } as const;
  return {
    money: (amount, code = currency) =>
      code === undefined ? plain.format(amount) : moneyIn(code).format(amount),
    currency: (code) => (isCalledLei(locale, code) ? "lei" : code),
    amount: (amount) => plain.format(amount),
    number: (value) => numbers.format(value),
    date: instants({ day: "numeric", month: "short", year: "numeric" }),
    day: (at) => begunDay(instantDays(at)),
    time: instants(clock),
    exactTime: instants({ ...clock, second: "2-digit", fractionalSecondDigits: 3 }),
    dateTime: instants({ day: "numeric", month: "short", year: "numeric", ...clock }),
    dateTimeToSecond: instants({
      ...{ day: "numeric", month: "short", year: "numeric" },
      ...{ ...clock, second: "2-digit" },
    }),
    calendarDate: dates({ day: "numeric", month: "long", year: "numeric" }),
    calendarDay: (date) => begunDay(days(date)),
    weekday: dates({ weekday: "short" }),
    month: (date) => begun(months(date)),
    duration: (ms) => durationText(locale, ms),
  };
}

/** A date or a length of time that is not parted where a line ends. */
function whole(text: string): string {
  return text.replaceAll(" ", "\u00a0");
}

function moneyFormat(locale: string, currency: string): Intl.NumberFormat {
  const currencyDisplay = isCalledLei(locale, currency) ? "narrowSymbol" : "symbol";
  return new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay });
}

/** No shop in Romania writes RON: that is for banks. Elsewhere it tells them from those of Moldova. */
function isCalledLei(locale: string, currency: string): boolean {
  return currency === "RON" && locale.startsWith("ro");
}

/** In which a length is told, the longest first. */
const UNITS = [
  { unit: "day", length: DAY },
  { unit: "hour", length: HOUR },
  { unit: "minute", length: MINUTE },
  { unit: "second", length: SECOND },
] as const;

/** Two units from an hour on: one hour is a poor word for ninety minutes, and a day for two. */
function durationText(locale: string, ms: number): string {
  const length = Math.max(0, ms);
  const first = UNITS.findIndex((one) => length >= one.length);
  const told =
    first === -1 ? UNITS.slice(-1) : UNITS.slice(first, length < HOUR ? first + 1 : first + 2);
  let rest = length;
  const texts = told
    .map(({ unit, length: each }) => {
      const count = Math.floor(rest / each);
      rest -= count * each;
      return { unit, count };
    })
    .filter(({ count }, at) => at === 0 || count > 0)
    .map(({ unit, count }) => {
      const style = { style: "unit", unit, unitDisplay: "short" } as const;
      return new Intl.NumberFormat(locale, style).format(count);
    });
  return whole(texts.join(" "));
}
