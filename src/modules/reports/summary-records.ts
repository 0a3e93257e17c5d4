/** Summaries as the API shows them: amounts in currency units. */

import type { Interval } from "#core/calendar.ts";
import { isoTime } from "#core/iso-time.ts";
import { fromMinor } from "#core/money.ts";
import type { Bucket, Buckets } from "./buckets.ts";
import { byGroup, byMethod } from "./daily-records.ts";
import type { Summary, SummaryKey } from "./summary.ts";

const RANKS: Partial<Record<SummaryKey, (key: string) => number>> = {
  vat: byGroup,
  payment: byMethod,
};

/** A summary by one key. */
export function summaryRecord<Key extends SummaryKey>(
  { by, totals }: Summary<Key>,
  key: Key,
  asked: Interval & { readonly timezone: string; readonly simulated: boolean },
) {
  const { from, to, timezone, simulated } = asked;
  return {
    ...{ from: isoTime(from), to: isoTime(to), by: key, timezone, simulated },
    buckets: bucketRecords(key, by[key]),
    totals: totals.list().map(sumsRecord),
  };
}

/** The sums by a key, in the order of what it names. */
export function bucketRecords(key: SummaryKey, buckets: Buckets) {
  return buckets.list(RANKS[key]).map((bucket) => ({
    key: bucket.key,
    ...(bucket.interval && {
      from: isoTime(bucket.interval.from),
      to: isoTime(bucket.interval.to),
    }),
    ...sumsRecord(bucket),
  }));
}

/** The sums of one bucket. */
export function sumsRecord({ currency, tally: { count, minor } }: Bucket) {
  return {
    currency,
    ...{ receiptCount: count.sale, reversalCount: count.storno, refundCount: count.refund },
    gross: fromMinor(minor.sale),
    reversals: fromMinor(minor.storno),
    refunds: fromMinor(minor.refund),
    net: fromMinor(minor.sale - minor.storno - minor.refund),
  };
}
