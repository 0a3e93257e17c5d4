/** A sale that goes back in parts: what is left is counted by line, in quantity and money. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import type { CommandResult } from "#core/command/command.ts";
import { COMMANDS, commandIdOf, UNKNOWN } from "../commands/testing/commands-bench.ts";
import {
  createReceiptsBench,
  NAMES,
  RECEIPTS,
  type ReceiptsBench,
} from "./testing/receipts-bench.ts";

let bench: ReceiptsBench;
beforeEach(async () => {
  bench = await createReceiptsBench();
});
afterEach(() => bench.close());

interface Line {
  readonly name: string;
  readonly quantity: number;
  readonly price: number;
  readonly vatGroup: string;
}
const NUTS: Line = { name: "Nuts", quantity: 1, price: 4.99, vatGroup: "VAT2" };
const FIGS: Line = { name: "Figs", quantity: 1, price: 4.99, vatGroup: "VAT1" };
const CHEESE: Line = { name: "Cheese", quantity: 3.5, price: 4.99, vatGroup: "VAT2" };

let numbers = 0;
/** Stores a sale for which that was paid. @returns its id */
const sale = (items: readonly Line[], amount: number, more: object = {}) =>
  bench.sale(`7${++numbers}`, { items, payments: [{ method: "cash", amount }], ...more });

const Reversible = Type.Object({
  reversible: Type.Object({
    amount: Type.Number(),
    lines: Type.Array(Type.Object({ quantity: Type.Number(), amount: Type.Number() })),
  }),
});
/** Quantity and money that each line has left, and what they come to. */
async function leftOf(id: string) {
  const { reversible } = (await bench.till.get(`${RECEIPTS}/${id}/reversible`)).as(Reversible);
  return [reversible.amount, ...reversible.lines.map((line) => [line.quantity, line.amount])];
}

/** What may go back in which tender, and which tenders the printer takes. */
async function tendersOf(id: string) {
  const answer = await bench.till.get(`${RECEIPTS}/${id}/reversible`);
  const { payments, tenders } = answer.as(
    Type.Object({
      reversible: Type.Object({
        payments: Type.Array(Type.Object({ method: Type.String(), amount: Type.Number() })),
        tenders: Type.Union([Type.Array(Type.String()), Type.Null()]),
      }),
    }),
  ).reversible;
  return [tenders, ...payments.map(({ method, amount }) => [method, amount])];
}

const Queued = Type.Object({
  command: Type.Object({
    payload: Type.Object({
      items: Type.Array(
        Type.Object({ name: Type.String(), quantity: Type.Number(), price: Type.Number() }),
      ),
      payments: Type.Array(Type.Object({ amount: Type.Number() })),
    }),
  }),
});
/** Takes parts of lines back. @returns what goes back, and what is printed */
async function back(id: string, ...lines: readonly (readonly [line: number, quantity: number])[]) {
  const chosen = lines.map(([line, quantity]) => ({ line, quantity }));
  const answer = await bench.storno(id, lines.length === 0 ? {} : { lines: chosen });
  const { items, payments } = answer.as(Queued).command.payload;
  const amount = payments.reduce((sum, one) => sum + Math.round(one.amount * 100), 0);
  return { amount, items: items.map(({ quantity, price }) => [quantity, price]) };
}

/** A storno of items as a till works them out. */
const tried = async (id: string, item: Line) => {
  const answer = await bench.storno(id, { items: [item] });
  return answer.status === 202 ? 202 : answer.body;
};

const DONE: CommandResult = { success: true, data: { receiptNumber: "90" }, fiscalId: "90" };

describe("the parts of a line come to what it was sold for", () => {
  test("in two halves, of which the second is the rest", async () => {
    const id = await sale([NUTS], 4.99);
    expect(await leftOf(id)).toEqual([4.99, [1, 4.99]]);
    expect(await back(id, [0, 0.5])).toEqual({ amount: 250, items: [[0.5, 4.99]] });
    expect(await leftOf(id)).toEqual([2.49, [0.5, 2.49]]);
    expect(await back(id)).toEqual({ amount: 249, items: [[0.5, 4.98]] });
    expect(await leftOf(id)).toEqual([0, [0, 0]]);
  });

  test("once they are printed, too, under the numbers of their receipts", async () => {
    const id = await sale([NUTS], 4.99);
    for (const fiscalId of ["90", "91"]) {
      const lines = [{ line: 0, quantity: 0.5 }];
      const commandId = commandIdOf(await bench.storno(id, { lines, reason: "refund" }));
      await bench.atRest();
      await bench.finish(commandId, { ...DONE, data: { receiptNumber: fiscalId }, fiscalId });
    }
    expect(await leftOf(id)).toEqual([0, [0, 0]]);
  });

  test("in one and a half and four halves", async () => {
    const id = await sale([CHEESE], 17.47);
    const amounts = [(await back(id, [0, 1.5])).amount];
    for (const _ of [1, 2, 3]) amounts.push((await back(id, [0, 0.5])).amount);
    amounts.push((await back(id)).amount);
    expect(amounts).toEqual([749, 250, 249, 250, 249]);
  });

  test("where the rest is more than one, on lines a cent apart", async () => {
    const id = await sale([CHEESE], 17.47);
    for (const _ of [1, 2, 3, 4]) await tried(id, { ...CHEESE, quantity: 0.5 });
    expect(await leftOf(id)).toEqual([7.47, [1.5, 7.47]]);
    expect((await back(id)).amount).toBe(747);
    expect(await leftOf(id)).toEqual([0, [0, 0]]);
  });

  test("with their share of a discount on the whole", async () => {
    const more = { subtotalModifiers: [{ type: "discount-amount", value: 1 }] };
    const id = await sale([NUTS, { ...FIGS, price: 10 }], 13.99, more);
    expect(await leftOf(id)).toEqual([13.99, [1, 4.66], [1, 9.33]]);
    expect((await back(id, [1, 0.333])).amount).toBe(311);
    expect((await back(id)).amount).toBe(1399 - 311);
  });

  test("and so do those of lines that are the same", async () => {
    const id = await sale([NUTS, NUTS, NUTS], 14.97);
    expect((await back(id, [2, 0.5])).amount).toBe(250);
    expect((await back(id, [1, 1], [0, 0.5])).amount).toBe(499 + 250);
    expect((await back(id)).amount).toBe(1497 - 250 - 749);
  });
});

test("of two same lines that one goes back which was named, printed or about to be", async () => {
  const id = await sale([NUTS, NUTS], 9.98);
  const commandId = commandIdOf(await bench.storno(id, { lines: [{ line: 1, quantity: 1 }] }));
  expect(await leftOf(id)).toEqual([4.99, [1, 4.99], [0, 0]]);
  await bench.atRest();
  await bench.finish(commandId, DONE);
  expect(await leftOf(id)).toEqual([4.99, [1, 4.99], [0, 0]]);
  expect(await back(id, [0, 0.5])).toMatchObject({ amount: 250 });
  expect(await leftOf(id)).toEqual([2.49, [0.5, 2.49], [0, 0]]);
});

describe("a storno of a till that takes more than a line has left", () => {
  test("is refused, and says what is left of it; another VAT group keeps what it has", async () => {
    const id = await sale([FIGS, { ...NUTS, name: "Dates" }], 9.98);
    const half = { ...FIGS, quantity: 0.5 };
    expect(await tried(id, half)).toBe(202);
    const payload = {
      ...{ ...NAMES, originalReceiptNumber: `7${numbers}`, reason: "refund", items: [half] },
      ...{ originalReceiptDateTime: new Date(bench.clock.now()).toISOString() },
      originalZReportNumber: NAMES.zReportNumber,
    };
    const left = { line: 0, name: "Figs", vatGroup: "VAT1", quantity: 0.5, amount: 2.49 };
    const refusal = {
      error: {
        message: '2.50 is more than the 2.49 that is left of "Figs"',
        details: { originalReceiptId: id, left: [left] },
      },
    };
    expect(await tried(id, half)).toMatchObject(refusal);
    const command = await bench.submit("print_reversal_receipt", payload);
    expect([command.status, command.body]).toMatchObject([422, refusal]);
    expect(await tried(id, { ...half, price: 4.98 })).toBe(202);
    expect(await leftOf(id)).toEqual([4.99, [0, 0], [1, 4.99]]);
    expect((await back(id)).amount).toBe(499);
  });

  test("is refused of what is chosen by line", async () => {
    const id = await sale([NUTS, FIGS], 9.98);
    const answer = await bench.storno(id, { lines: [{ line: 1, quantity: 1.001 }] });
    expect([answer.status, answer.body]).toMatchObject([
      422,
      { error: { message: 'Only 1.000 of "Figs" is left of the sale', details: { left: [{}] } } },
    ]);
    const none = await bench.storno(id, { lines: [{ line: 2, quantity: 1 }] });
    expect([none.status, none.text]).toEqual([422, expect.stringContaining("no line 2")]);
    // Whoever pays back what he saw learns that it is less now.
    const payments = [{ method: "cash", amount: 4.98 }];
    const other = await bench.storno(id, { lines: [{ line: 1, quantity: 1 }], payments });
    expect([other.status, other.text]).toEqual([422, expect.stringContaining("come to 4.99")]);
  });

  const wrong: readonly [string, object][] = [
    ["lines", { items: [NUTS], lines: [{ line: 0, quantity: 1 }] }],
    ["lines", { lines: [] }],
    ["lines.0.quantity", { lines: [{ line: 0, quantity: 0.0001 }] }],
    ["lines.0.quantity", { lines: [{ line: 0, quantity: 0 }] }],
    ["lines.0.line", { lines: [{ line: -1, quantity: 1 }] }],
    ["lines.1.line", { lines: [1, 1].map((quantity) => ({ line: 0, quantity })) }],
  ];
  test.each(wrong)("is 400 at %s: %p", async (path, body) => {
    const answer = await bench.storno(await sale([NUTS], 4.99), body);
    expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", [path]]);
  });
});

describe("what a part has taken", () => {
  test("stays taken while nobody knows, and is there again when it was not printed", async () => {
    const id = await sale([NUTS], 4.99);
    const lines = [{ line: 0, quantity: 0.5 }];
    const commandId = commandIdOf(await bench.storno(id, { lines }));
    await bench.atRest();
    await bench.finish(commandId, UNKNOWN);
    expect(await leftOf(id)).toEqual([2.49, [0.5, 2.49]]);
    await bench.till.post(`${COMMANDS}/${commandId}/resolve`, { outcome: "not_printed" });
    expect(await leftOf(id)).toEqual([4.99, [1, 4.99]]);
  });

  test("is taken once, of several that are asked for at the same time", async () => {
    const id = await sale([NUTS], 4.99);
    const lines = [{ line: 0, quantity: 0.5 }];
    const payments = [{ method: "cash", amount: 2.5 }];
    const asked = [1, 2, 3].map(() => bench.storno(id, { lines, payments }));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    // The second half comes to a cent less than the first.
    expect(statuses.toSorted()).toEqual([202, 422, 422]);
    expect(await leftOf(id)).toEqual([2.49, [0.5, 2.49]]);
  });

  test("is money alone where the price was lowered afterwards", async () => {
    const id = await sale([{ ...NUTS, quantity: 2 }], 9.98);
    const items = [{ ...NUTS, name: "Nuts", quantity: 2, price: 0.5 }];
    await bench.storno(id, { reason: "tax-base-reduction", items });
    expect(await leftOf(id)).toEqual([8.98, [2, 8.98]]);
    expect((await back(id, [0, 1])).amount).toBe(449);
  });
});

describe("a storno of an expected amount", () => {
  const PAID = [
    { method: "card", amount: 5 },
    { method: "cash", amount: 4.98 },
  ];

  test("is of that amount, or is not queued where less is left by now", async () => {
    const id = await sale([NUTS, FIGS], 9.98, { payments: PAID });
    const expectedAmount = 9.98;
    await bench.storno(id, { lines: [{ line: 0, quantity: 1 }], expectedAmount: 4.99 });
    const refused = await bench.storno(id, { expectedAmount });
    expect(refused.refusal).toBe("422 UNPROCESSABLE_ENTITY");
    expect(refused.body).toMatchObject({
      error: {
        message: "The storno comes to 4.99, not to the 9.98 that was expected",
        details: { originalReceiptId: id, left: [{ line: 1, quantity: 1, amount: 4.99 }] },
      },
    });
    expect(await leftOf(id)).toEqual([4.99, [0, 0], [1, 4.99]]);
    expect((await bench.storno(id, { expectedAmount: 4.99 })).status).toBe(202);
  });

  test("may be of chosen lines or items, and pays back as it was paid", async () => {
    const chosen = [
      { lines: [{ line: 0, quantity: 1 }] },
      { items: [NUTS], payments: [{ method: "cash", amount: 4.99 }] },
    ];
    for (const of of chosen) {
      const id = await sale([NUTS, FIGS], 9.98);
      expect((await bench.storno(id, { ...of, expectedAmount: 5 })).status).toBe(422);
      expect((await bench.storno(id, { ...of, expectedAmount: 4.99 })).status).toBe(202);
    }
    const whole = await bench.storno(await sale([NUTS, FIGS], 9.98, { payments: PAID }), {
      expectedAmount: 9.98,
    });
    expect(whole.body).toMatchObject({ command: { payload: { payments: PAID } } });
  });

  test.each([-1, 4.999, "9.98"])("is 400 where that is %p, which is no amount", async (wrong) => {
    const id = await sale([NUTS], 4.99);
    const answer = await bench.storno(id, { expectedAmount: wrong });
    expect([answer.refusal, answer.issuePaths]).toEqual([
      ...["400 VALIDATION_ERROR", ["expectedAmount"]],
    ]);
  });
});

test("a sale that was paid a cent more goes back as it was paid, by lines too", async () => {
  const payments = [
    { method: "card", amount: 5 },
    { method: "cash", amount: 4.99 },
  ];
  const lines = [0, 1].map((line) => ({ line, quantity: 1 }));
  for (const body of [{ lines }, {}]) {
    const id = await sale([NUTS, FIGS], 9.98, { payments });
    const answer = await bench.storno(id, body);
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ command: { payload: { payments } } });
  }
  // Who says himself how it goes back has to have counted the lines.
  const id = await sale([NUTS, FIGS], 9.98, { payments });
  expect((await bench.storno(id, { lines, payments })).refusal).toBe("422 UNPROCESSABLE_ENTITY");
});

test("a gift is no storno by itself: its rest comes to nothing", async () => {
  const id = await sale([NUTS, { ...FIGS, price: 0 }], 4.99);
  expect((await back(id, [0, 1])).amount).toBe(499);
  const answer = await bench.storno(id);
  expect([answer.refusal, answer.text]).toEqual([
    "422 UNPROCESSABLE_ENTITY",
    expect.stringContaining("comes to 0.00"),
  ]);
  const whole = await sale([NUTS, { ...FIGS, price: 0 }], 4.99);
  expect(await back(whole)).toMatchObject({ amount: 499, items: [{}, {}] });
});

test("of what is no sale nothing is left, and of another shop's sale nothing is told", async () => {
  const id = await sale([NUTS], 4.99);
  const body = { items: [NUTS], payments: [{ method: "cash", amount: 4.99 }] };
  expect(await leftOf(await bench.store(bench.backBody("refund", id, body)))).toEqual([0]);
  const other = await bench.otherShop();
  const answer = await other.client.get(`${RECEIPTS}/${id}/reversible`);
  expect(answer.refusal).toBe("404 NOT_FOUND");
});

describe("the tenders of a sale that goes back", () => {
  const MIXED = [
    { method: "card", amount: 6 },
    { method: "cash", amount: 3.98 },
  ];
  const inTender = (id: string, method: string, amount: number) =>
    bench.storno(id, { items: [NUTS], payments: [{ method, amount }] });

  test("have what was paid in them and has not gone back in them, printed or about to be", async () => {
    const id = await sale([{ ...NUTS, quantity: 2 }], 9.98, { payments: MIXED });
    expect(await tendersOf(id)).toEqual([null, ["card", 6], ["cash", 3.98]]);
    const commandId = commandIdOf(await inTender(id, "card", 4.99));
    expect(await tendersOf(id)).toEqual([null, ["card", 1.01], ["cash", 3.98]]);
    await bench.atRest();
    await bench.finish(commandId, DONE);
    expect(await tendersOf(id)).toEqual([null, ["card", 1.01], ["cash", 3.98]]);
    await inTender(id, "cash", 4.99);
    expect(await tendersOf(id)).toEqual([null, ["card", 1.01]]);
  });

  test("pay the rest back behind a part of a cent, each what is left of it", async () => {
    const cent = { ...FIGS, price: 0.01 };
    const payments = [
      { method: "card", amount: 6 },
      { method: "cash", amount: 4.01 },
    ];
    const id = await sale([{ ...NUTS, price: 10 }, cent], 10.01, { payments });
    expect(await back(id, [1, 1])).toMatchObject({ amount: 1 });
    const rest = await bench.storno(id);
    expect([rest.status, rest.body]).toMatchObject([
      202,
      {
        command: {
          payload: {
            payments: [
              { method: "card", amount: 6 },
              { method: "cash", amount: 4 },
            ],
          },
        },
      },
    ]);
    expect(await tendersOf(id)).toEqual([null]);
  });

  test("pay the cent back in cash that neither of them paid", async () => {
    const lines = [
      { ...NUTS, price: 10 },
      { ...FIGS, price: 0.01 },
    ];
    const payments = [
      { method: "card", amount: 5 },
      { method: "cash", amount: 5 },
    ];
    const id = await sale(lines, 10.01, { payments });
    const chosen = [{ line: 0, quantity: 1 }];
    expect((await bench.storno(id, { lines: chosen, payments })).status).toBe(202);
    const rest = await bench.storno(id);
    expect([rest.status, rest.body]).toMatchObject([
      202,
      { command: { payload: { payments: [{ method: "cash", amount: 0.01 }] } } },
    ]);
  });

  test("pay the rest back in cash where that is of neither", async () => {
    const id = await sale([{ ...NUTS, quantity: 2 }], 9.98, { payments: MIXED });
    await inTender(id, "voucher", 4.99);
    expect((await bench.storno(id)).body).toMatchObject({
      command: { payload: { payments: [{ method: "cash", amount: 4.99 }] } },
    });
  });

  test("have less by what a till takes back: in cash unless it says otherwise, or all of it", async () => {
    const id = await sale([{ ...NUTS, quantity: 2 }], 9.98, { payments: MIXED });
    const answer = await bench.submit("print_reversal_receipt", {
      ...{ ...NAMES, originalReceiptNumber: `7${numbers}`, reason: "refund", items: [NUTS] },
      ...{ originalReceiptDateTime: new Date(bench.clock.now()).toISOString() },
      originalZReportNumber: NAMES.zReportNumber,
    });
    expect([answer.status, ...(await tendersOf(id))]).toEqual([202, null, ["card", 6]]);
    const other = await sale([{ ...NUTS, quantity: 2 }], 9.98, { payments: MIXED });
    await bench.submit("void_receipt", { receiptId: other });
    expect(await tendersOf(other)).toEqual([null]);
  });

  test("are those that the printer pays reversals back in, and none where it prints none", async () => {
    const id = await sale([NUTS], 4.99);
    for (const reversalTenders of [["cash"] as const, [] as const]) {
      bench.stores.devices.update(bench.orgId, bench.deviceId, { reversalTenders });
      expect((await tendersOf(id))[0]).toEqual([...reversalTenders]);
    }
  });
});
