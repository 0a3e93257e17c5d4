/** Discounts and surcharges on a whole receipt: which are taken, and what goes back of a sale with them. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { toSaleDocument } from "#core/command/types/print-receipt.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import { documentTotalMinor } from "#core/receipt-total.ts";
import { createReceiptsBench, RECEIPTS, type ReceiptsBench } from "./testing/receipts-bench.ts";

let bench: ReceiptsBench;
beforeEach(async () => {
  bench = await createReceiptsBench();
});
afterEach(() => bench.close());

const BREAD = { name: "Bread", quantity: 10, price: 20, vatGroup: "VAT1" };
const GIFT = { name: "Gift", quantity: 1, price: 0, vatGroup: "VAT1" };
const SHOES = { name: "Shoes", quantity: 1, price: 100, vatGroup: "VAT1" };
const SOCKS = { name: "Socks", quantity: 1, price: 5, vatGroup: "VAT2" };
const off = (value: number) => ({ type: "discount-amount" as const, value });
const on = (value: number) => ({ type: "surcharge-amount" as const, value });
const inCash = (amount: number) => [{ method: "cash" as const, amount }];
interface Adjusted {
  readonly items: readonly (typeof BREAD)[];
  readonly subtotalModifiers: readonly (ReturnType<typeof off> | ReturnType<typeof on>)[];
  readonly payments: ReturnType<typeof inCash>;
}
const adjusted = (
  items: Adjusted["items"],
  subtotalModifiers: Adjusted["subtotalModifiers"],
  amount: number,
): Adjusted => ({ items, subtotalModifiers, payments: inCash(amount) });

/** Below zero in between, though it comes to 1.00. */
const BELOW_ZERO = adjusted([SHOES, SOCKS], [off(120), on(16)], 1);
/** Goods for nothing, with a fee. */
const FEE_ALONE = adjusted([GIFT], [on(4)], 4);
const ENDLESS = Array.from({ length: 19 }, () => on(99_999_999.99));

const Reversible = Type.Object({
  reversible: Type.Object({
    amount: Type.Number(),
    lines: Type.Array(Type.Object({ quantity: Type.Number(), amount: Type.Number() })),
  }),
});
const leftOf = async (id: string) =>
  (await bench.till.get(`${RECEIPTS}/${id}/reversible`)).as(Reversible).reversible;

describe("adjustments that no printer can print are refused, and nothing is stored:", () => {
  test.each([
    ["more off than there is", BELOW_ZERO, 0, "105.00"],
    ["a fee on goods for nothing", FEE_ALONE, 0, "0.00"],
    ["a discount on them", adjusted([GIFT], [off(1), on(2)], 1), 0, "0.00"],
    ["a fee on what all was taken off of", adjusted([SOCKS], [off(5), on(4)], 4), 1, "0.00"],
    ["the second discount", adjusted([SOCKS], [off(3), off(3), on(2)], 1), 1, "2.00"],
    ["more than any amount", adjusted([SOCKS], ENDLESS, 5), 0, "99999999.99"],
  ] as const)("%s", async (...[, body, at, words]) => {
    const stored = await bench.till.post(RECEIPTS, bench.saleBody("1", body));
    expect([stored.refusal, stored.issuePaths]).toEqual([
      ...["400 VALIDATION_ERROR", [`subtotalModifiers.${at}.value`]],
    ]);
    const queued = await bench.submit("print_receipt", body);
    expect([queued.refusal, queued.issuePaths]).toEqual([
      ...["400 VALIDATION_ERROR", [`payload.subtotalModifiers.${at}.value`]],
    ]);
    expect(queued.text).toContain(words);
    expect(bench.rows()).toMatchObject({ commands: 0, receipts: 0 });
  });

  test.each([
    ["goods for nothing beside others, with a fee", adjusted([GIFT, SOCKS], [on(4)], 9)],
    ["all that there is taken off, at the end", adjusted([SOCKS], [on(1), off(6)], 0.01)],
    ["a fee first, so that more can be taken off", adjusted([SOCKS], [on(4), off(8)], 1)],
    ["goods for nothing without any", { items: [GIFT, SOCKS], payments: inCash(5) }],
    ["as much as any amount may be", adjusted([SOCKS], [on(99_999_994.99)], 99_999_999.99)],
  ])("but not %s", async (_, body) => {
    expect((await bench.till.post(RECEIPTS, bench.saleBody("1", body))).status).toBe(201);
    expect((await bench.submit("print_receipt", body)).status).toBe(202);
  });
});

describe("a refund whose fee stands on nothing", () => {
  test.each([
    ["of goods for nothing", { ...BREAD, quantity: 0.001, price: 0 }, [on(200)]],
    ["of goods that are taken off", { ...BREAD, quantity: 1, price: 10 }, [off(10), on(200)]],
  ] as const)("%s takes no money out of the drawer", async (_, item, modifiers) => {
    const id = await bench.sale("1", { items: [BREAD], payments: inCash(200) });
    const back = bench.backBody("refund", id, adjusted([item], modifiers, 200));
    expect((await bench.till.post(RECEIPTS, back)).refusal).toBe("400 VALIDATION_ERROR");
    expect((await leftOf(id)).amount).toBe(200);
  });
});

describe("a receipt that an older version has taken", () => {
  let numbers = 0;
  /** What it stored, which this one would refuse. */
  async function older(body: Adjusted, more: Partial<StoredReceipt> = {}): Promise<string> {
    const fiscalId = `old ${++numbers}`;
    const stored = bench.stores.receipts.get(bench.orgId, await bench.sale(`new ${numbers}`));
    if (stored === undefined) throw new Error("nothing was stored");
    const { items, modifiers, payments } = toSaleDocument({
      items: [...body.items],
      subtotalModifiers: [...body.subtotalModifiers],
      payments: [...body.payments],
    });
    const { seq: _seq, bookedAt: _bookedAt, ...row } = stored;
    const id = stored.id.replace(/.{4}$/, `V${String(numbers).padStart(3, "0")}`);
    const totalMinor = documentTotalMinor(items, modifiers);
    bench.stores.receipts.insert({
      ...{ ...row, id, fiscalId, items, payments, totalMinor, subtotalModifiers: modifiers },
      ...more,
    });
    return id;
  }
  const Queued = Type.Object({
    command: Type.Object({
      payload: Type.Object({
        items: Type.Array(Type.Object({ quantity: Type.Number(), price: Type.Number() })),
        payments: Type.Array(Type.Object({ amount: Type.Number() })),
      }),
    }),
  });

  test.each([
    ["below zero in between", BELOW_ZERO, [0.95, 0.05]],
    ["with a fee alone", FEE_ALONE, [4]],
    ["all taken off, and a fee", adjusted([SHOES, SOCKS], [off(105), on(21)], 21), [20, 1]],
  ])("%s goes back at what it came to, once", async (_, body, amounts) => {
    const id = await older(body);
    const total = body.payments[0]?.amount;
    expect(await leftOf(id)).toMatchObject({
      amount: total,
      lines: amounts.map((amount) => ({ amount })),
    });
    const dearer = body.items.map((item) => ({ ...item, price: 100 }));
    const asked = { items: dearer, payments: inCash(100 * dearer.length) };
    expect((await bench.storno(id, asked)).refusal).toBe("422 UNPROCESSABLE_ENTITY");
    const answer = await bench.storno(id);
    expect([answer.status, answer.text]).toEqual([202, answer.text]);
    const { payments, items } = answer.as(Queued).command.payload;
    expect(payments).toMatchObject([{ amount: total }]);
    expect(items.map(({ quantity, price }) => quantity * price)).toEqual(amounts);
    expect((await bench.storno(id)).refusal).toBe("422 UNPROCESSABLE_ENTITY");
    expect((await leftOf(id)).amount).toBe(0);
  });

  test("as a refund with its fee on nothing counts against its sale", async () => {
    const id = await bench.sale("1", { items: [BREAD], payments: inCash(200) });
    const fee = adjusted([{ ...BREAD, quantity: 1, price: 0 }], [on(100)], 100);
    for (const _ of [1, 2]) await older(fee, { type: "refund", originalReceiptId: id });
    expect((await leftOf(id)).amount).toBe(0);
    const back = bench.backBody("refund", id, { items: [BREAD], payments: inCash(200) });
    expect((await bench.till.post(RECEIPTS, back)).refusal).toBe("422 UNPROCESSABLE_ENTITY");
    expect((await bench.storno(id)).refusal).toBe("422 UNPROCESSABLE_ENTITY");
  });

  test("beyond any amount is read, and left to the printer", async () => {
    const id = await older(adjusted([SOCKS], ENDLESS, 5), { payments: [] });
    expect((await bench.till.get(`${RECEIPTS}/${id}`)).status).toBe(200);
    expect((await leftOf(id)).amount).toBe(1_899_999_999.81 + 5);
    expect((await bench.storno(id)).refusal).toBe("422 UNPROCESSABLE_ENTITY");
  });

  test("is in lists, sums and exports by all that it came to", async () => {
    for (const body of [BELOW_ZERO, FEE_ALONE]) await older(body);
    const office = bench.owner.as(await bench.makeKey(["reports", "receipts:admin"]));
    const from = new Date(bench.clock.now() - 86_400_000).toISOString();
    const to = new Date(bench.clock.now() + 86_400_000).toISOString();
    const summary = await office.get(`/api/v1/reports/summary?from=${from}&to=${to}&by=vat`);
    // Beside them are the two sales of which they are copies, 3.00 and 14.27 each.
    expect(summary.body).toMatchObject({
      buckets: [
        { key: "VAT1", gross: 6 + 0.95 + 4 },
        { key: "VAT2", gross: 28.54 + 0.05 },
      ],
      totals: [{ gross: 39.54 }],
    });
    for (const route of [RECEIPTS, `${RECEIPTS}/export?format=json`, "/api/v1/reports/daily"]) {
      expect((await office.get(route)).status).toBe(200);
    }
  });
});
