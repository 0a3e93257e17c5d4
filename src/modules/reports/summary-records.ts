/** Summaries as the API shows them: amounts in currency units. */

import { fromMinor } from "#core/money.ts";
import type { Bucket } from "./buckets.ts";
import { byGroup, byMethod } from "./daily-records.ts";
import { iso } from "./records.ts";
import type { Summary, SummaryKey, SummaryQuestion } from "./summary.ts";

export function summaryRecord({ buckets, totals }: Summary, question: SummaryQuestion) {
  const { from, to, by, timezone } = question;
  const ranks: Partial<Record<SummaryKey, (key: string) => number>> = {
    vat: byGroup,
    payment: byMethod,
  };
  return {
    ...{ from: iso(from), to: iso(to), by, timezone },
    buckets: buckets.list(ranks[by]).map((bucket) => ({
      key: bucket.key,
      ...(bucket.interval && { from: iso(bucket.interval.from), to: iso(bucket.interval.to) }),
      ...sumsRecord(bucket),
    })),
    totals: totals.list().map(sumsRecord),
  };
}

function sumsRecord({ currency, tally: { count, minor } }: Bucket) {
  return {
    currency,
    ...{ receiptCount: count.sale, reversalCount: count.storno, refundCount: count.refund },
    gross: fromMinor(minor.sale),
    reversals: fromMinor(minor.storno),
    refunds: fromMinor(minor.refund),
    net: fromMinor(minor.sale - minor.storno - minor.refund),
  };
}
