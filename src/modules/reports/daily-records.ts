/** Dates and their sums as the API shows them: amounts in currency units. */

import { isoTime } from "#core/iso-time.ts";
import { fromMinor } from "#core/money.ts";
import { PAYMENT_METHODS } from "#core/receipt.ts";
import type { StoredReport } from "#core/report-record.ts";
import { VAT_GROUP_COUNT, vatGroupIndex } from "#core/vat.ts";
import type { CurrencySums } from "./currency-sums.ts";
import type { DeviceDate, FiscalDay } from "./daily.ts";
import { type Difference, isBalanced } from "./difference.ts";
import { reportRecord, unitsOrNull } from "./records.ts";
import type { ReceiptSums, Tally } from "./sums.ts";

const METHOD_RANKS = new Map<string, number>(PAYMENT_METHODS.map((method, rank) => [method, rank]));

/** What is said of the device of a date. */
interface DatePlace {
  /** The one to name where there is neither a receipt nor a report. */
  readonly currency: string;
  /** That of a report; null where it is not known. */
  readonly currencyOf: (report: StoredReport) => string | null;
  readonly locationId: string | null;
  readonly simulated: boolean;
}

/** A date of one device. */
export function dateRecord(date: DeviceDate, place: DatePlace) {
  const { locationId, simulated, currencyOf } = place;
  const { deviceId, timezone, from, to, stored, difference, fiscalDays } = date;
  const last = fiscalDays.at(-1)?.report;
  const own = stored.latest ?? (last && currencyOf(last)) ?? place.currency;
  return {
    ...{ deviceId, locationId, timezone, from: isoTime(from), to: isoTime(to), currency: own },
    simulated,
    ...storedRecords(stored, own),
    ...comparison(difference),
    // One Z report with too much does not make another one with too little right.
    ...(fiscalDays.some(isOff) ? { balanced: false } : {}),
    fiscalDays: fiscalDays.map((day) =>
      fiscalDayRecord(day, { currency: own, currencyOf, timezone }),
    ),
  };
}
export type DateRecord = ReturnType<typeof dateRecord>;

function isOff({ difference }: FiscalDay): boolean {
  return difference !== null && isBalanced(difference) === false;
}

/** A fiscal day; without a receipt it has the currency of the date. */
function fiscalDayRecord(
  day: FiscalDay,
  place: Pick<DatePlace, "currency" | "currencyOf"> & Pick<DeviceDate, "timezone">,
) {
  const { after, upTo, report, unseen, stored, difference } = day;
  const told = report && place.currencyOf(report);
  const about = { currency: told, timezone: place.timezone };
  const own = stored.latest ?? told ?? place.currency;
  return {
    ...{ from: isoTime(after), to: isoTime(upTo), currency: own },
    ...{ report: report && reportRecord(report, about), unseenReports: unseen },
    ...storedRecords(stored, own),
    ...comparison(difference),
  };
}

function storedRecords(stored: CurrencySums, currency: string) {
  return {
    stored: storedRecord(stored.of(currency)),
    otherCurrencies: stored.beside(currency).map(([name, sums]) => ({
      ...{ currency: name, ...storedRecord(sums) },
    })),
  };
}

function storedRecord({ total, vat, payments }: ReceiptSums) {
  const { count, minor } = total;
  return {
    receiptCount: count.sale,
    reversalCount: count.storno,
    refundCount: count.refund,
    totals: {
      gross: fromMinor(minor.sale),
      ...returned(total),
      net: fromMinor(minor.sale - minor.storno - minor.refund),
    },
    vat: inOrder(vat, byGroup).map(([group, tally]) => ({
      ...{ group, turnover: fromMinor(tally.minor.sale), ...returned(tally) },
    })),
    payments: inOrder(payments, byMethod).map(([method, tally]) => ({
      ...{ method, amount: fromMinor(tally.minor.sale), ...returned(tally) },
    })),
  };
}

function returned({ minor }: Tally) {
  return { reversals: fromMinor(minor.storno), refunds: fromMinor(minor.refund) };
}

/** What the Z report that closed a fiscal day has beyond its stored receipts, where that is known. */
export function comparison(difference: Difference | null) {
  return {
    difference: difference && differenceRecord(difference),
    balanced: difference && isBalanced(difference),
  };
}

function differenceRecord(difference: Difference) {
  const { receiptCount, reversalCount, turnoverMinor, paidMinor } = difference;
  return {
    ...{ receiptCount, reversalCount },
    totals: {
      gross: unitsOrNull(difference.grossMinor),
      reversals: unitsOrNull(difference.reversalsMinor),
    },
    vat:
      turnoverMinor &&
      inOrder(turnoverMinor, byGroup).map(([group, minor]) => ({
        ...{ group, turnover: fromMinor(minor) },
      })),
    payments:
      paidMinor &&
      inOrder(paidMinor, byMethod).map(([method, minor]) => ({
        ...{ method, amount: fromMinor(minor) },
      })),
  };
}

/** The entries of a map in the order of their names' ranks. */
export function inOrder<T>(
  entries: ReadonlyMap<string, T>,
  rankOf: (name: string) => number,
): [name: string, value: T][] {
  return [...entries].sort(([one], [other]) => rankOf(one) - rankOf(other));
}

/** `VAT1` first, `exempt` last. */
export function byGroup(group: string): number {
  return vatGroupIndex(group) ?? VAT_GROUP_COUNT + 1;
}

/** As the API lists the tenders. */
export function byMethod(method: string): number {
  return METHOD_RANKS.get(method) ?? PAYMENT_METHODS.length;
}
