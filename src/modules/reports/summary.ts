/** Stored receipts added up for charts: by hour, day, tender, VAT group or device. */

import { placeBefore } from "#core/booking.ts";
import { type CalendarPart, daysOf, hoursOf, type Interval } from "#core/calendar.ts";
import type { BookedReceipt, BookedTotal } from "#db/stores/booked-receipts.ts";
import type { Stores } from "#db/stores/index.ts";
import { receiptSlices, slicesOf } from "./books.ts";
import { Buckets } from "./buckets.ts";
import { addTo, paidByMethod, turnoverByGroup } from "./sums.ts";

export const SUMMARY_KEYS = ["day", "hour", "payment", "vat", "device"] as const;
export type SummaryKey = (typeof SUMMARY_KEYS)[number];

/** What is added up. */
export interface SummaryQuestion extends Interval {
  readonly orgId: string;
  /** Devices to read, in the order in which they are shown. */
  readonly deviceIds: readonly string[];
  /** In which days and hours begin. */
  readonly timezone: string;
  /** In which empty buckets are shown. */
  readonly currency: string;
}

/** The sums by each key that was asked for, and of the whole under the key `""`. */
export interface Summary<Key extends SummaryKey> {
  readonly by: Readonly<Record<Key, Buckets>>;
  readonly totals: Buckets;
}

type SummaryStores = Pick<Stores, "bookedReceipts">;

/** Makes what adds the receipts of one device, which come in the order of its books. */
type Adding<Receipt> = (deviceId: string) => (receipt: Receipt) => void;

/** What receipts are added by. Those that look into a receipt need all of it. */
type Grouping =
  | { readonly needs: "totals"; readonly adding: Adding<BookedTotal> }
  | { readonly needs: "all"; readonly adding: Adding<BookedReceipt> };

/** Adds up the receipts of an interval, in one reading whatever they are added up by. */
export async function summarize<Key extends SummaryKey>(
  stores: SummaryStores,
  question: SummaryQuestion,
  keys: readonly Key[],
): Promise<Summary<Key>> {
  const { orgId, deviceIds, from, to, currency } = question;
  const by: Partial<Record<Key, Buckets>> = {};
  const groupings = keys.map((key) => {
    const buckets = new Buckets();
    by[key] = buckets;
    return groupingOf(key, buckets, question);
  });
  const totals = new Buckets();
  totals.tally("", currency);
  const span = { after: placeBefore(from), upTo: placeBefore(to) };
  const needsAll = groupings.some(({ needs }) => needs === "all");
  for (const deviceId of deviceIds) {
    const whole: ((receipt: BookedReceipt) => void)[] = [];
    const plain: ((receipt: BookedTotal) => void)[] = [
      ({ type, totalMinor, currency: own }) => addTo(totals.tally("", own), type, totalMinor),
    ];
    for (const grouping of groupings) {
      if (grouping.needs === "all") whole.push(grouping.adding(deviceId));
      else plain.push(grouping.adding(deviceId));
    }
    if (needsAll) {
      const adding = [...plain, ...whole];
      await addEach(receiptSlices(stores, { orgId, deviceId }, span), adding);
    } else {
      const { bookedReceipts } = stores;
      await addEach(
        slicesOf((part) => bookedReceipts.listTotals(orgId, deviceId, part), span),
        plain,
      );
    }
  }
  return { by: by as Record<Key, Buckets>, totals };
}

async function addEach<Receipt>(
  slices: AsyncGenerator<readonly Receipt[], void>,
  adding: readonly ((receipt: Receipt) => void)[],
): Promise<void> {
  for await (const receipts of slices) {
    for (const receipt of receipts) for (const add of adding) add(receipt);
  }
}

/** Shows the keys that are there without any receipt, and adds to them. */
function groupingOf(key: SummaryKey, buckets: Buckets, question: SummaryQuestion): Grouping {
  const { timezone, currency, deviceIds } = question;
  switch (key) {
    case "hour":
      return { needs: "totals", adding: byPart(hoursOf(question, timezone), buckets, currency) };
    case "day":
      return { needs: "totals", adding: byPart(daysOf(question, timezone), buckets, currency) };
    case "device":
      for (const deviceId of deviceIds) buckets.tally(deviceId, currency);
      return {
        needs: "totals",
        adding: (deviceId) => (receipt) =>
          addTo(buckets.tally(deviceId, receipt.currency), receipt.type, receipt.totalMinor),
      };
    case "vat":
      return { needs: "all", adding: () => byHolding(turnoverByGroup, buckets) };
    case "payment":
      return { needs: "all", adding: () => byHolding(paidByMethod, buckets) };
    default: {
      const unknown: never = key;
      throw new Error(`unknown key ${String(unknown)}`);
    }
  }
}

/** Adds each receipt to its hour or day. */
function byPart(
  parts: readonly CalendarPart[],
  buckets: Buckets,
  currency: string,
): Adding<BookedTotal> {
  for (const { key, ...interval } of parts) buckets.tally(key, currency, interval);
  return () => {
    let index = 0;
    return ({ bookedAt, type, totalMinor, currency: own }) => {
      // Receipts come in the order of the parts.
      while (bookedAt >= (parts[index]?.to ?? Number.POSITIVE_INFINITY)) index += 1;
      const part = parts[index];
      if (part === undefined) throw new Error("a receipt beyond the interval that was read");
      addTo(buckets.tally(part.key, own, part), type, totalMinor);
    };
  };
}

/** Adds what each receipt holds of each VAT group or tender. */
function byHolding(
  holdings: (receipt: BookedReceipt) => ReadonlyMap<string, number>,
  buckets: Buckets,
): (receipt: BookedReceipt) => void {
  return (receipt) => {
    for (const [key, minor] of holdings(receipt)) {
      addTo(buckets.tally(key, receipt.currency), receipt.type, minor);
    }
  };
}
