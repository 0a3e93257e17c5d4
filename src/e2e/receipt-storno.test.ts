/** Stornos of stored sales, and what the printer's own books have of them. */

import { describe, expect, test } from "bun:test";
import { TOTAL_MINOR } from "./crash/documents.ts";
import { quieten } from "./crash/run.ts";
import type { Answer, ShownCommand } from "./harness/gateway.ts";
import { until } from "./harness/until.ts";
import type { World } from "./harness/world.ts";
import { COMPLETED, endOf, inWorld, run, sell, sharedShop } from "./outages/scene.ts";

const DRIVERS = [
  "vendorA.isl",
  "vendorB.isl",
  "vendorC.isl",
  "vendorD.isl",
  "vendorE.zfp",
  "vendorF.shtrih",
  "custom.serial",
];
const BREAD = {
  items: [{ name: "Bread", quantity: 2, price: 1.5, vatGroup: "VAT2" }],
  payments: [{ method: "cash", amount: 3 }],
};
const BREAD_MINOR = 300;

interface Receipt {
  readonly id: string;
  readonly total: number;
  readonly originalReceiptId: string | null;
}

const inShop = sharedShop();

/** Receipts of the printer that the gateway has stored, oldest first. */
async function receiptsOf(world: World, type: string): Promise<readonly Receipt[]> {
  const path = `/receipts?deviceId=${world.deviceId}&type=${type}&sortOrder=asc`;
  return (await world.till.expect<{ receipts: Receipt[] }>("GET", path)).receipts;
}

/** Prints a sale that can be paid back. @returns the id of its receipt */
async function sold(world: World): Promise<string> {
  await run(world, "cash_in", { amount: 900 });
  expect(endOf(await sell(world))).toEqual(COMPLETED);
  return (await receiptsOf(world, "sale")).at(-1)?.id ?? "";
}

function storno(
  { till }: World,
  saleId: string,
  body: object = {},
): Promise<Answer<{ command: ShownCommand }>> {
  return till.call("POST", `/receipts/${saleId}/storno`, {
    body: { reason: "operator-error", ...body },
  });
}

/** Asks for a storno and waits for its end. */
async function reversed(world: World, saleId: string, body: object = {}): Promise<ShownCommand> {
  const answer = await storno(world, saleId, body);
  expect([answer.status, answer.body]).toEqual([202, expect.anything()]);
  return world.till.wait(answer.body.command.id);
}

async function bookedStornos({ printer }: World): Promise<number[]> {
  const { receipts } = await printer.books();
  return receipts.filter(({ kind }) => kind === "storno").map(({ total }) => total);
}

describe("the storno of a stored sale", () => {
  for (const driver of DRIVERS) {
    test.concurrent(`on ${driver} is printed in parts, and never more than was sold`, () =>
      inShop({ driver }, async (world) => {
        const sale = await sold(world);
        expect(endOf(await reversed(world, sale, BREAD))).toEqual(COMPLETED);
        expect((await storno(world, sale, BREAD)).status).toBe(422);
        expect(endOf(await reversed(world, sale))).toEqual(COMPLETED);
        expect((await storno(world, sale)).status).toBe(422);
        expect(await bookedStornos(world)).toEqual([BREAD_MINOR, TOTAL_MINOR - BREAD_MINOR]);
        expect(await receiptsOf(world, "storno")).toMatchObject([
          { originalReceiptId: sale, total: 3 },
          { originalReceiptId: sale, total: 14.27 },
        ]);
      }));
  }

  for (const driver of DRIVERS) {
    test.concurrent(`on ${driver} comes to what was sold, to the cent of each VAT group`, () =>
      inShop({ driver }, async (world) => {
        await run(world, "cash_in", { amount: 900 });
        const items = [
          { name: "Cheese", quantity: 3.5, price: 4.99, vatGroup: "VAT2" },
          { name: "Figs", quantity: 1, price: 4.99, vatGroup: "VAT1" },
        ];
        const payments = [{ method: "cash", amount: 22.46 }];
        const uniqueSaleNumber = "DT123456-0001-0000007";
        const sale = { uniqueSaleNumber, items, payments };
        expect(endOf(await run(world, "print_receipt", sale))).toEqual(COMPLETED);
        const id = (await receiptsOf(world, "sale")).at(-1)?.id ?? "";
        for (const quantity of [0.5, 0.5, 0.5, 0.5]) {
          const half = { lines: [{ line: 0, quantity }] };
          expect(endOf(await reversed(world, id, half))).toEqual(COMPLETED);
        }
        // A till's own half costs a cent more than the other leaves.
        const figs = { items: [{ ...items[1], quantity: 0.5 }] };
        expect(endOf(await reversed(world, id, figs))).toEqual(COMPLETED);
        expect((await storno(world, id, figs)).status).toBe(422);
        expect(endOf(await reversed(world, id))).toEqual(COMPLETED);
        expect((await storno(world, id)).status).toBe(422);
        const { day } = await world.printer.books();
        const turnover = (groups: typeof day.vat) => groups.map((group) => group.turnover);
        expect(turnover(day.stornoVat)).toEqual(turnover(day.vat));
        const stornos = await bookedStornos(world);
        expect(stornos.reduce((sum, one) => sum + one)).toBe(2_246);
      }));
  }

  test.concurrent("is printed once, wherever the gateway is killed and however often it is asked for", () =>
    inWorld({}, async (world) => {
      const first = await sold(world);
      await quieten(world);
      const before = await world.printer.frames();
      await reversed(world, first);
      const frames = (await world.printer.frames()) - before;
      for (const frame of [1, 3, frames - 1, frames]) {
        const sale = await sold(world);
        await quieten(world);
        const printed = await bookedStornos(world);
        const start = await world.printer.frames();
        await world.printer.fault({ kind: "silent_after", at: frame, count: 100_000 });
        const { command } = (await storno(world, sale)).body;
        await until("the frame", async () => (await world.printer.frames()) >= start + frame);
        await world.killGateway();
        await world.printer.clear();
        await world.restartGateway();
        // Until that has ended nothing of the sale is free.
        const meanwhile = await storno(world, sale);
        const ended = endOf(await world.till.wait(command.id));
        const isPrinted = ended.status === "completed";
        expect(isPrinted || ended.outcome === "not_printed").toBe(true);
        if (meanwhile.status === 202) await world.till.wait(meanwhile.body.command.id);
        expect(meanwhile.status === 202 && isPrinted).toBe(false);
        const again = await storno(world, sale);
        if (again.status === 202) await world.till.wait(again.body.command.id);
        expect((await storno(world, sale)).status).toBe(422);
        expect(await bookedStornos(world)).toEqual([...printed, TOTAL_MINOR]);
        expect((await receiptsOf(world, "storno")).at(-1)?.originalReceiptId).toBe(sale);
      }
    }));
});
