/** Sales that something does not take back, whatever is left of them: of another currency or kind. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { MIGRATIONS } from "#db/migrations/index.ts";
import { COMMANDS, commandIdOf, UNKNOWN } from "../commands/testing/commands-bench.ts";
import {
  createReceiptsBench,
  ITEMS,
  NAMES,
  RECEIPTS,
  type ReceiptsBench,
  receiptOf,
  TOTAL,
} from "./testing/receipts-bench.ts";

let bench: ReceiptsBench;
let sale: string;
beforeEach(async () => {
  bench = await createReceiptsBench();
  sale = await bench.sale("27", { issuedAt: "2026-01-14T09:30:00+02:00" });
});
afterEach(() => bench.close());

const Refusal = Type.Object({
  error: Type.Object({ message: Type.String(), details: Type.Optional(Type.Unknown()) }),
});
const Reversible = Type.Object({ reversible: Type.Object({ amount: Type.Number() }) });
const Tenders = Type.Object({
  reversible: Type.Object({ payments: Type.Array(Type.Object({ amount: Type.Number() })) }),
});
const { uniqueSaleNumber, fiscalMemorySerialNumber } = NAMES;
const ALL = { items: ITEMS, payments: [{ method: "card", amount: TOTAL }] };
/** What a till names of the sale. */
const BY_NAME = {
  ...{ uniqueSaleNumber, fiscalMemorySerialNumber, originalReceiptNumber: "27" },
  ...{ originalReceiptDateTime: "2026-01-14T07:30:00.000Z", reason: "operator-error", ...ALL },
};
const reversal = (deviceId: string, change: object = {}) =>
  bench.till.post(COMMANDS, {
    ...{ deviceId, type: "print_reversal_receipt", payload: { ...BY_NAME, ...change } },
  });
const leftOf = async (receiptId: string) =>
  (await bench.till.get(`${RECEIPTS}/${receiptId}/reversible`)).as(Reversible).reversible.amount;
const setCurrency = async (currency: string) =>
  expect((await bench.owner.patch("/api/v1/org", { currency })).status).toBe(200);

describe("a sale of the currency before is taken back by nothing", () => {
  const ways: readonly [string, () => ReturnType<ReceiptsBench["storno"]>][] = [
    ["the storno of the receipt", () => bench.storno(sale)],
    ["a receipt", () => bench.till.post(RECEIPTS, bench.backBody("refund", sale))],
    ["a command that names it", () => reversal(bench.deviceId)],
    ["a void", () => bench.submit("void_receipt", { receiptId: sale })],
  ];
  test.each(ways)("by %s, until the shop says that it was right", async (_, ask) => {
    await setCurrency("EUR");
    const answer = await ask();
    expect(answer.refusal).toBe("422 UNPROCESSABLE_ENTITY");
    const { message, details } = answer.as(Refusal).error;
    expect(message).toStartWith("The sale is in RON, and the shop sells in EUR now");
    expect(message).toContain("PATCH /org");
    expect(details).toMatchObject({ originalReceiptId: sale });
    expect([bench.rows().commands, bench.rows().receipts, await leftOf(sale)]).toEqual([
      ...[0, 1, TOTAL],
    ]);
    await setCurrency("RON");
    expect([201, 202]).toContain((await ask()).status);
    expect(await leftOf(sale)).toBeLessThan(TOTAL);
  });

  test("that waited meanwhile", async () => {
    bench.levers.connected = false;
    const commandId = commandIdOf(await bench.storno(sale));
    await setCurrency("EUR");
    bench.levers.connected = true;
    bench.queue.ready(bench.deviceId);
    await bench.atRest();
    const words = expect.stringContaining("in RON, and the shop sells in EUR");
    expect((await bench.till.get(`${COMMANDS}/${commandId}`)).body).toMatchObject({
      command: {
        status: "failed",
        result: { errorCode: "E402", errorMessage: words, data: { outcome: "not_printed" } },
      },
    });
    expect(bench.levers.sent).toEqual([]);
  });

  test("and one of the currency after it is", async () => {
    await setCurrency("EUR");
    const other = await bench.sale("28");
    expect((await bench.storno(other)).status).toBe(202);
  });
});

describe("a sale in leva, since the shop sells in euro,", () => {
  const PER_EURO = 1.95583;
  const cents = (amount: number) => Math.round((amount / PER_EURO) * 100) / 100;
  let back = 0;
  /** As a till converts them: each price by itself. */
  const CONVERTED = ITEMS.map((item) => ({ ...item, price: cents(item.price) }));
  const paid = (items: typeof ITEMS) => {
    const worths = items.map(({ price, quantity }) => Math.round(price * quantity * 100) / 100);
    const amount = Math.round(worths.reduce((sum, worth) => sum + worth, 0) * 100) / 100;
    return { items, payments: [{ method: "card", amount }] };
  };
  const named = (items: typeof ITEMS) =>
    reversal(bench.deviceId, { originalReceiptNumber: "28", ...paid(items) });
  const stored = (items: typeof ITEMS) =>
    bench.till.post(
      RECEIPTS,
      bench.backBody("refund", sale, { ...paid(items), fiscalId: `back ${++back}` }),
    );
  beforeEach(async () => {
    await setCurrency("BGN");
    sale = await bench.sale("28", { issuedAt: "2026-01-14T09:40:00+02:00" });
    await setCurrency("EUR");
  });

  test.each([
    ["a command that names it", named, 202],
    ["a receipt", stored, 201],
  ] as const)("is taken back in euro by %s, once", async (_, ask, status) => {
    const [bread, ...others] = CONVERTED;
    if (bread === undefined) throw new Error("nothing was sold");
    const dearer = { ...bread, price: bread.price + 0.01 };
    expect((await ask([dearer])).refusal).toBe("422 UNPROCESSABLE_ENTITY");
    expect((await ask(others)).status).toBe(status);
    expect((await ask(CONVERTED)).refusal).toBe("422 UNPROCESSABLE_ENTITY");
    expect(await leftOf(sale)).toBeWithin(3, 3.1);
    expect((await ask([bread])).status).toBe(status);
    expect((await ask([bread])).refusal).toBe("422 UNPROCESSABLE_ENTITY");
    await bench.atRest();
    expect(await leftOf(sale)).toBeLessThan(0.1);
    await setCurrency("BGN");
    expect((await bench.storno(sale, { lines: [{ line: 0, quantity: 1 }] })).status).toBe(422);
  });

  test("leaves nothing of its tender while that waits", async () => {
    bench.levers.connected = false;
    expect((await named(CONVERTED)).status).toBe(202);
    const { reversible } = (await bench.till.get(`${RECEIPTS}/${sale}/reversible`)).as(Tenders);
    expect(reversible.payments.reduce((sum, { amount }) => sum + amount, 0)).toBeLessThan(0.1);
  });

  test("is not for what was not sold", async () => {
    const cake = CONVERTED.map((item) => ({ ...item, name: "Cake" }));
    expect((await named(cake)).refusal).toBe("422 UNPROCESSABLE_ENTITY");
  });

  test("is not for more than it comes to, in however many pieces", async () => {
    const [bread] = CONVERTED;
    if (bread === undefined) throw new Error("nothing was sold");
    const pieces = { ...bread, price: 0.01, quantity: 900 };
    const asked = { ...paid([pieces]), reason: "tax-base-reduction" };
    const answer = await reversal(bench.deviceId, { originalReceiptNumber: "28", ...asked });
    expect(answer.refusal).toBe("422 UNPROCESSABLE_ENTITY");
    expect(answer.text).toContain("9.00 EUR is more than the");
  });

  /** A price that is lowered afterwards, in euro. */
  const lowered = (price: number, quantity: number, number = "29") => {
    const asked = paid([{ name: "Off", price, quantity, vatGroup: "VAT1" }]);
    const names = { reason: "tax-base-reduction", originalReceiptNumber: number };
    return reversal(bench.deviceId, { ...names, ...asked });
  };
  const SHOES = {
    items: [{ name: "Shoes", quantity: 1, price: 100, vatGroup: "VAT1" }],
    payments: [{ method: "cash", amount: 100 }],
  };

  test("is not for more than it comes to, in however many reversals", async () => {
    await setCurrency("BGN");
    const id = await bench.sale("29", SHOES);
    await setCurrency("EUR");
    // 100.00 leva are 51.13 euro; a cent counts as a stotinka of them.
    const first = commandIdOf(await lowered(0.01, 5_000));
    expect((await lowered(0.01, 114)).text).toContain("1.14 EUR is more than the 1.13 EUR");
    await bench.atRest();
    await bench.finish(first, { success: true, fiscalId: "30" });
    expect((await lowered(0.01, 114)).refusal).toBe("422 UNPROCESSABLE_ENTITY");
    const refund = { ...paid([{ ...SHOES.items[0], name: "Off", price: 1.13 } as never]) };
    const body = bench.backBody("refund", id, refund);
    expect((await bench.till.post(RECEIPTS, body)).status).toBe(201);
    expect((await lowered(0.01, 1)).refusal).toBe("422 UNPROCESSABLE_ENTITY");
  });

  test("is for what is left of it in euro where a part went back in leva", async () => {
    await setCurrency("BGN");
    await bench.sale("29", SHOES);
    await lowered(50, 1);
    await setCurrency("EUR");
    expect((await lowered(0.01, 2_558)).text).toContain("more than the 25.57 EUR");
    expect((await lowered(0.01, 2_557)).status).toBe(202);
  });

  test("is for each line at what that came to, the discount taken off", async () => {
    await setCurrency("BGN");
    const items = ["Nuts", "Figs"].map((name) => ({
      ...{ name, quantity: 1, price: 4.99, vatGroup: "VAT1" },
    }));
    const id = await bench.sale("29", {
      ...{ items, subtotalModifiers: [{ type: "discount-amount", value: 1 }] },
      payments: [{ method: "cash", amount: 8.98 }],
    });
    await setCurrency("EUR");
    for (const item of items) {
      // 4.49 leva each; together a cent more than 8.98.
      const body = { ...paid([{ ...item, price: cents(4.49) }]), fiscalId: `back of ${item.name}` };
      const answer = await bench.till.post(RECEIPTS, bench.backBody("refund", id, body));
      expect([answer.status, answer.text]).toEqual([201, answer.text]);
    }
  });

  test("is recorded with the discount of the whole receipt", async () => {
    for (const [at, discount] of [0.5, 1, 1.37, 2.49, 3.33].entries()) {
      await setCurrency("BGN");
      const off = (amount: number) => ({
        subtotalModifiers: [{ type: "discount-amount", value: amount }],
      });
      const amount = Math.round((TOTAL - discount) * 100) / 100;
      const receiptId = await bench.sale(`3${at}`, {
        ...off(discount),
        payments: [{ method: "card", amount }],
      });
      await setCurrency("EUR");
      const whole = paid(CONVERTED);
      const back = Math.round(((whole.payments[0]?.amount ?? 0) - cents(discount)) * 100) / 100;
      const body = {
        ...whole,
        ...off(cents(discount)),
        payments: [{ method: "card", amount: back }],
      };
      const answer = await bench.till.post(RECEIPTS, bench.backBody("refund", receiptId, body));
      expect([discount, answer.status, answer.text]).toEqual([discount, 201, answer.text]);
    }
  });

  test("is taken back by a cent, behind what was printed before", async () => {
    const [bread] = CONVERTED;
    if (bread === undefined) throw new Error("nothing was sold");
    const cent = paid([{ ...bread, price: 0.01, quantity: 1 }]);
    const asked = { ...cent, reason: "tax-base-reduction", originalReceiptNumber: "28" };
    bench.levers.connected = false;
    const commandId = commandIdOf(await reversal(bench.deviceId, asked));
    bench.levers.connected = true;
    bench.queue.ready(bench.deviceId);
    await bench.atRest();
    expect(bench.levers.sent).toMatchObject([{ command: { id: commandId } }]);
    expect(await leftOf(sale)).toBeCloseTo(TOTAL - 0.01);
  });

  test("is booked as taken back in euro, though the shop sells in leva once that is printed", async () => {
    const commandId = commandIdOf(await named(CONVERTED));
    await bench.atRest();
    await setCurrency("BGN");
    await bench.finish(commandId, { success: true, fiscalId: "29" });
    const page = await bench.till.get(`${RECEIPTS}?type=storno`);
    expect(page.body).toMatchObject({ receipts: [{ commandId, currency: "EUR" }] });
    expect(await leftOf(sale)).toBeLessThan(0.1);
  });

  describe("is taken back as it was asked for of the version before:", () => {
    /** What an older version accepted, once this one has brought the database to its schema. */
    const update = () => {
      const { sqlite } = bench.database;
      sqlite.exec("ALTER TABLE reversals DROP COLUMN currency");
      sqlite.exec(MIGRATIONS.find(({ name }) => name === "0027_reversal_currency")?.sql ?? "");
      sqlite.exec("UPDATE commands SET currency = NULL, location_id = NULL");
    };
    const stornos = async () => (await bench.till.get(`${RECEIPTS}?type=storno`)).body;

    test("in euro, where it waited", async () => {
      bench.levers.connected = false;
      const commandId = commandIdOf(await named(CONVERTED));
      update();
      bench.levers.connected = true;
      bench.queue.ready(bench.deviceId);
      await bench.atRest();
      expect(bench.levers.sent).toMatchObject([{ command: { id: commandId } }]);
      await bench.finish(commandId, { success: true, fiscalId: "29" });
      expect(await stornos()).toMatchObject({ receipts: [{ commandId, currency: "EUR" }] });
      expect(await leftOf(sale)).toBeLessThan(0.1);
    });

    test.each(["kept", "lost"])("in euro, where a person says it, its sale %s", async (state) => {
      const commandId = commandIdOf(await named(CONVERTED));
      await bench.atRest();
      await bench.marked(commandId, "committing");
      await bench.finish(commandId, UNKNOWN);
      update();
      if (state === "lost") bench.database.sqlite.exec("DELETE FROM receipts");
      const body = { outcome: "printed", fiscalId: "29" };
      expect((await bench.resolve(commandId, body)).status).toBe(200);
      expect(await stornos()).toMatchObject({ receipts: [{ commandId, currency: "EUR" }] });
    });

    test("in euro, where nothing tells when the shop began with it", async () => {
      const commandId = commandIdOf(await named(CONVERTED));
      await bench.atRest();
      update();
      bench.clock.advance(1_000);
      await setCurrency("RON");
      bench.database.sqlite.exec(
        "DELETE FROM audit_entries WHERE details LIKE '%BGN%' OR details LIKE '%EUR%'",
      );
      await bench.finish(commandId, { success: true, fiscalId: "29" });
      expect(await stornos()).toMatchObject({ receipts: [{ commandId, currency: "EUR" }] });
    });

    test("in leva, where it was asked for before", async () => {
      await setCurrency("BGN");
      const commandId = commandIdOf(await bench.storno(sale));
      await bench.atRest();
      bench.clock.advance(1_000);
      await setCurrency("EUR");
      update();
      await bench.finish(commandId, { success: true, fiscalId: "29" });
      expect(await stornos()).toMatchObject({ receipts: [{ commandId, currency: "BGN" }] });
      expect(await leftOf(sale)).toBe(0);
    });
  });

  test("is not where it went back in leva, nor by what converts nothing", async () => {
    expect((await bench.storno(sale)).status).toBe(422);
    expect((await bench.submit("void_receipt", { receiptId: sale })).status).toBe(422);
    await setCurrency("BGN");
    expect((await bench.storno(sale)).status).toBe(202);
    await setCurrency("EUR");
    expect((await named(CONVERTED)).status).toBe(422);
  });

  test("is not printed in leva with the amounts in euro that waited", async () => {
    bench.levers.connected = false;
    const commandId = commandIdOf(await named(CONVERTED));
    await setCurrency("BGN");
    bench.levers.connected = true;
    bench.queue.ready(bench.deviceId);
    await bench.atRest();
    expect((await bench.till.get(`${COMMANDS}/${commandId}`)).body).toMatchObject({
      command: { status: "failed", result: { errorCode: "E402" } },
    });
    expect(bench.levers.sent).toEqual([]);
    expect(await leftOf(sale)).toBe(TOTAL);
  });
});

describe("what is trained with takes nothing from a real sale", () => {
  let trainer: string;
  beforeEach(async () => {
    const body = { name: "Training", driver: "vendorA.isl", locationId: "shop" };
    trainer = (await bench.owner.post("/api/v1/devices/simulated", body)).field("id");
  });
  const refundOf = (receiptId: string, deviceId: string) =>
    bench.till.post(RECEIPTS, bench.backBody("refund", receiptId, { deviceId, ...ALL }));

  test("by a receipt, nor a real one from what is trained with", async () => {
    const refused = await refundOf(sale, trainer);
    expect(refused.refusal).toBe("422 UNPROCESSABLE_ENTITY");
    expect(refused.text).toContain("no simulated printer takes it back");
    const trained = await bench.sale("28", { deviceId: trainer });
    expect((await refundOf(trained, bench.deviceId)).text).toContain("no real one takes it back");
    expect((await refundOf(trained, trainer)).status).toBe(201);
    expect([await leftOf(sale), await leftOf(trained)]).toEqual([TOTAL, 0]);
  });

  test("by a command that names its paper", async () => {
    const ahead = commandIdOf(await reversal(trainer));
    expect(await leftOf(sale)).toBe(TOTAL);
    await bench.finish(ahead, { success: false, errorCode: "E402", errorMessage: "no such sale" });
    const trained = await bench.sale("27", { deviceId: trainer });
    expect((await reversal(trainer)).status).toBe(202);
    expect([await leftOf(sale), await leftOf(trained)]).toEqual([TOTAL, 0]);
    expect((await reversal(trainer)).status).toBe(422);
    const other = await bench.sale("28", { deviceId: trainer });
    expect((await reversal(bench.deviceId, { originalReceiptNumber: "28" })).status).toBe(202);
    expect((await reversal(bench.deviceId)).status).toBe(202);
    expect([await leftOf(sale), await leftOf(other)]).toEqual([0, TOTAL]);
  });

  test("by a command that names its id", async () => {
    const answer = await reversal(trainer, { originalReceiptNumber: sale });
    expect(answer.refusal).toBe("422 UNPROCESSABLE_ENTITY");
    expect((await reversal(trainer, { originalReceiptNumber: "999" })).status).toBe(202);
    expect(await leftOf(sale)).toBe(TOTAL);
  });

  test("which it did: what an older gateway stored or reserved so is given back", async () => {
    const trained = await bench.sale("28", { deviceId: trainer });
    const id = receiptOf(await refundOf(trained, trainer)).id;
    const commandId = commandIdOf(await reversal(trainer, { originalReceiptNumber: "999" }));
    bench.database.sqlite
      .prepare("UPDATE receipts SET original_receipt_id = ? WHERE id = ?")
      .run(sale, id);
    const reserved =
      "accepted_for = ?, is_sure = 1, items = '[]', amount_minor = 100, currency = 'RON'";
    bench.database.sqlite
      .prepare(`UPDATE reversals SET ${reserved} WHERE command_id = ?`)
      .run(sale, commandId);
    expect(await leftOf(sale)).toBe(TOTAL);
    expect((await bench.storno(sale)).status).toBe(202);
  });
});
