import { expect, test } from "bun:test";
import { toStornoDocument } from "./print-reversal-receipt.ts";

const STORNO = {
  uniqueSaleNumber: "DT123456-0001-0000001",
  originalReceiptNumber: "26",
  originalReceiptDateTime: "2026-01-14T10:00:00Z",
  fiscalMemorySerialNumber: "02123456",
  reason: "refund",
  items: [
    { name: "Bread", quantity: 2, price: 1.5, vatGroup: "VAT1" },
    { name: "Tea", quantity: 0.333, price: 1, vatGroup: "VAT2" },
  ],
} as const;
const paymentsOf = (more: object) =>
  toStornoDocument({ ...STORNO, items: [...STORNO.items], ...more }, "UTC").payments;

test("a reversal without payments is paid back in cash, the whole amount", () => {
  expect(paymentsOf({})).toEqual([{ method: "cash", amountMinor: 333 }]);
});

test("a tender of a reversal may have either name", () => {
  for (const name of ["method", "type"]) {
    const payments = [{ [name]: "card", amount: 3.33 }];
    expect(paymentsOf({ payments })).toEqual([{ method: "card", amountMinor: 333 }]);
  }
});
