/** The bars of Today. */

import { expect, test } from "bun:test";
import { createFormat } from "../../words/format.ts";
import { hoursOf } from "./hours.ts";

const format = createFormat({ locale: "en-GB", timezone: "Europe/Sofia", currency: "EUR" });
const sold = (from: string, net: number, currency = "EUR") => ({
  ...{ from, key: from, currency, net, gross: net, receiptCount: 1, reversalCount: 0 },
  ...{ reversals: 0, refundCount: 0, refunds: 0, average: net },
});

test("an hour that comes twice has what was sold in both", () => {
  const hours = [
    sold("2026-10-25T00:00:00Z", 10.1),
    sold("2026-10-25T01:00:00Z", 5.2),
    sold("2026-10-25T02:00:00Z", 1),
    sold("2026-10-25T02:00:00Z", 7, "BGN"),
  ];
  const sales = { hours, weekBefore: { hours: [], totals: [] } } as unknown as Parameters<
    typeof hoursOf
  >[0];
  expect(hoursOf(sales, "EUR", format)).toEqual([
    { label: "03:00", now: 15.3, before: 0 },
    { label: "04:00", now: 1, before: 0 },
  ]);
});
