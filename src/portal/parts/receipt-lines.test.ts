/** A stored receipt beside its paper. */

import { expect, test } from "bun:test";
import en from "../words/en.json";
import { createFormat } from "../words/format.ts";
import { phrase } from "../words/phrase.ts";
import type { Translate } from "../words/words.tsx";
import { type PaperReceipt, receiptLines } from "./receipt-lines.ts";
import { vatGroupsOf } from "./vat-group.ts";

const format = createFormat({ locale: "en-GB", timezone: "UTC", currency: "EUR" });
const t: Translate = (word, fill) => phrase({ entries: en, locale: "en-GB" }, word, fill);

test.each([
  [0.3, 2.15, "0.65"],
  [0.1, 0.35, "0.04"],
  [0.09, 4.5, "0.41"],
  [0.7, 7.85, "5.50"],
])("%d of an article at %d stand as on paper", (quantity, price, amount) => {
  const receipt: PaperReceipt = {
    ...{ type: "sale", currency: "EUR", fiscalId: "1", issuedAt: "2026-01-15T10:00:00.000Z" },
    items: [{ name: "Cheese", quantity, price, vatGroup: "VAT2" }],
    ...{ subtotalModifiers: [], payments: [], total: Number(amount), simulated: false },
  };
  const lines = receiptLines(receipt, { t, format, groups: vatGroupsOf([], t) });
  const item = lines.find((line) => line.kind === "pair" && line.left === "Cheese");
  expect(item).toMatchObject({ right: expect.stringMatching(new RegExp(`^${amount} `)) });
});
