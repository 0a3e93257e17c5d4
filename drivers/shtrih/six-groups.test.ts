/** A model whose tax table has six rows, played over a simulated one that has four. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { SimulatedDevice } from "../testing/simulated-device.ts";
import { changedFrames } from "./testing/changed-frames.ts";

const SALE = 0x80;
const CLOSE = 0x85;
const TABLE_STRUCTURE = 0x2d;
const NO_SUCH_COMMAND = 0x37;
/** In the body of a sale: code, password 4, quantity 5, price 5, department. */
const TAX_AT = 16;
/** In the answer: code, error byte, name 40. */
const ROWS_AT = 42;

let device: SimulatedDevice;
let rows: number;
let refusesTable: boolean;
/** Tax groups as they were sent, and how often the table was asked for. */
let taxes: number[];
let asked: number;
/** Loses the answer to the next closing frame. */
let losesClosing: boolean;

/** As a model with other tables than the simulated one behind it. */
const over = changedFrames({
  send(command) {
    const [code] = command;
    if (code === TABLE_STRUCTURE) asked += 1;
    if (code === CLOSE && losesClosing) {
      losesClosing = false;
      refusesTable = true;
      void device.fault({ kind: "drop_after", at: 1 });
    }
    if (code !== SALE) return command;
    const tax = command[TAX_AT] ?? 0;
    taxes.push(tax);
    // The one behind has four.
    return command.with(TAX_AT, Math.min(tax, 4));
  },
  hear(answer, [code]) {
    if (code !== TABLE_STRUCTURE) return answer;
    return refusesTable ? Uint8Array.of(code, NO_SUCH_COMMAND) : answer.with(ROWS_AT, rows);
  },
});

beforeEach(async () => {
  [rows, refusesTable, taxes, asked, losesClosing] = [6, false, [], 0, false];
  const placement = { driver: "vendorF.shtrih", model: "fr-k" } as const;
  device = await SimulatedDevice.start({ ...placement, timezone: "Europe/Moscow", over });
});
afterEach(() => device.stop());

const sale = (...groups: readonly string[]) =>
  ({
    type: "print_receipt",
    payload: {
      items: groups.map((vatGroup) => ({ name: "Tea", quantity: 1, price: 5, vatGroup })),
      payments: [{ method: "cash", amount: 5 * groups.length }],
    },
  }) as const;

test("sells in all six groups", async () => {
  expect(await device.run(sale("VAT5", "VAT6", "VAT1", "exempt"))).toMatchObject({
    outcome: "printed",
  });
  expect(taxes).toEqual([5, 6, 1, 0]);
});

test("is not asked for its groups by a receipt that every model takes", async () => {
  expect(await device.run(sale("VAT4"))).toMatchObject({ outcome: "printed" });
  expect(asked).toBe(0);
});

test.each([
  ["of four groups", 4, false],
  ["that does not tell them", 6, true],
] as const)("one %s refuses the fifth before anything of the document is sent", async (...of) => {
  [, rows, refusesTable] = of;
  const { outcome, error } = await device.run(sale("VAT5"));
  expect({ outcome, error }).toMatchObject({ outcome: "not_printed", error: { code: "E403" } });
  expect(taxes).toEqual([]);
});

test("refuses a seventh", async () => {
  rows = 16;
  expect(await device.run(sale("VAT7"))).toMatchObject({ error: { code: "E403" } });
});

test("finds out what became of a receipt in the sixth, though its table is not told then", async () => {
  losesClosing = true;
  expect(await device.run(sale("VAT6"))).toMatchObject({ outcome: "printed", recovered: true });
});
