/** What is said above the figures of a Z report whose number and worth agree. */

import { expect, test } from "bun:test";
import { agreementOf } from "./agreement.ts";
import type { FiscalDay } from "./daily.ts";

const day = (turnovers: readonly number[], amounts: readonly number[] | null = [0]) =>
  ({
    stored: { receiptCount: 2 },
    difference: {
      vat: turnovers.map((turnover, at) => ({ group: `VAT${at + 1}`, turnover })),
      payments: amounts?.map((amount) => ({ method: "cash", amount })) ?? null,
    },
  }) as unknown as FiscalDay;

test.each([
  ["nothing differs", day([0, 0]), "wholly"],
  ["the printer tells no tenders", day([0, 0], null), "wholly"],
  ["a group has a cent more and another one less", day([0.01, -0.01]), "rounded"],
  ["a group has a cent of each receipt", day([0.02, -0.02]), "rounded"],
  ["more is in another group than rounding makes", day([0.03, -0.03]), "inTotal"],
  ["a tender is booked as another", day([0, 0], [-5, 5]), "inTotal"],
])("where %s", (_, asked, agreement) => {
  expect(agreementOf(asked)).toBe(agreement as ReturnType<typeof agreementOf>);
});
