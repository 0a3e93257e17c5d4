/** Stored receipts added up for charts: by hour, day, tender, VAT group or device. */

import { type BookedSpan, placeBefore } from "#core/booking.ts";
import { type CalendarPart, daysOf, hoursOf, type Interval } from "#core/calendar.ts";
import type { Stores } from "#db/stores/index.ts";
import { receiptSlices, slicesOf } from "./books.ts";
import { Buckets } from "./buckets.ts";
import { addTo, paidByMethod, turnoverByGroup } from "./sums.ts";

export const SUMMARY_KEYS = ["day", "hour", "payment", "vat", "device"] as const;
export type SummaryKey = (typeof SUMMARY_KEYS)[number];

/** What is added up, and how. */
export interface SummaryQuestion extends Interval {
  readonly orgId: string;
  /** Devices to read, in the order in which they are shown. */
  readonly deviceIds: readonly string[];
  readonly by: SummaryKey;
  /** In which days and hours begin. */
  readonly timezone: string;
  /** In which empty buckets are shown. */
  readonly currency: string;
}

/** The sums by key, and of the whole under the key `""`. */
export interface Summary {
  readonly buckets: Buckets;
  readonly totals: Buckets;
}

type SummaryStores = Pick<Stores, "bookedReceipts">;

/** Adds up the receipts of an interval. */
export async function summarize(
  stores: SummaryStores,
  question: SummaryQuestion,
): Promise<Summary> {
  const { by, deviceIds, from, to, currency } = question;
  const summary = { buckets: new Buckets(), totals: new Buckets() };
  summary.totals.tally("", currency);
  const parts = partsOf(question);
  for (const { key, ...interval } of parts) summary.buckets.tally(key, currency, interval);
  if (by === "device") for (const id of deviceIds) summary.buckets.tally(id, currency);
  const span = { after: placeBefore(from), upTo: placeBefore(to) };
  for (const deviceId of deviceIds) {
    const device = { ...question, deviceId, span, parts };
    if (by === "vat" || by === "payment") await addParts(stores, device, summary);
    else await addTotals(stores, device, summary);
  }
  return summary;
}

function partsOf({ by, timezone, from, to }: SummaryQuestion): readonly CalendarPart[] {
  if (by === "hour") return hoursOf({ from, to }, timezone);
  return by === "day" ? daysOf({ from, to }, timezone) : [];
}

/** One device of the question. */
interface DeviceQuestion extends SummaryQuestion {
  readonly deviceId: string;
  readonly span: BookedSpan;
  readonly parts: readonly CalendarPart[];
}

/** Adds what each receipt holds of each VAT group or tender. */
async function addParts(
  stores: SummaryStores,
  device: DeviceQuestion,
  { buckets, totals }: Summary,
): Promise<void> {
  const partsOfReceipt = device.by === "vat" ? turnoverByGroup : paidByMethod;
  for await (const receipts of receiptSlices(stores, device, device.span)) {
    for (const receipt of receipts) {
      const { type, totalMinor, currency } = receipt;
      addTo(totals.tally("", currency), type, totalMinor);
      for (const [key, minor] of partsOfReceipt(receipt)) {
        addTo(buckets.tally(key, currency), type, minor);
      }
    }
  }
}

/** Adds each receipt to its hour or day, or to its device. */
async function addTotals(
  { bookedReceipts }: SummaryStores,
  { orgId, deviceId, span, parts }: DeviceQuestion,
  { buckets, totals }: Summary,
): Promise<void> {
  let index = 0;
  const slices = slicesOf((part) => bookedReceipts.listTotals(orgId, deviceId, part), span);
  for await (const receipts of slices) {
    for (const { bookedAt, type, totalMinor, currency } of receipts) {
      // Receipts come in the order of the parts.
      while (bookedAt >= (parts[index]?.to ?? Number.POSITIVE_INFINITY)) index += 1;
      const part = parts[index];
      addTo(totals.tally("", currency), type, totalMinor);
      addTo(buckets.tally(part?.key ?? deviceId, currency, part), type, totalMinor);
    }
  }
}
