/** A model whose tax table has six rows, played over a simulated one that has four. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Line } from "#core/driver.ts";
import { SimulatedDevice } from "../testing/simulated-device.ts";
import { ACK, encodeFrame, FrameDecoder, NAK, STX } from "./frame.ts";

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

function over(line: Line): Line {
  const answers = new FrameDecoder();
  const hostFrames = new FrameDecoder();
  let code = 0;
  const send = (sent: Uint8Array): void => {
    const body = Uint8Array.from(sent);
    code = body[0] ?? 0;
    if (code === TABLE_STRUCTURE) asked += 1;
    if (code === CLOSE && losesClosing) {
      losesClosing = false;
      refusesTable = true;
      void device.fault({ kind: "drop_after", at: 1 });
    }
    if (code === SALE) {
      const tax = body[TAX_AT] ?? 0;
      taxes.push(tax);
      // The one below has four.
      body[TAX_AT] = Math.min(tax, 4);
    }
    line.write(encodeFrame(body));
  };
  return {
    write(bytes) {
      if (bytes[0] !== STX) return line.write(bytes);
      for (const token of hostFrames.push(bytes)) if (token.kind === "frame") send(token.body);
    },
    close: () => line.close(),
    listen: (listener) =>
      line.listen({
        closed: (error) => listener.closed(error),
        data(chunk) {
          if (code !== TABLE_STRUCTURE) return listener.data(chunk);
          for (const token of answers.push(chunk)) {
            if (token.kind === "ack") listener.data(Uint8Array.of(ACK));
            if (token.kind === "nak") listener.data(Uint8Array.of(NAK));
            if (token.kind !== "frame") continue;
            const body = Uint8Array.from(token.body);
            body[ROWS_AT] = rows;
            const refusal = Uint8Array.of(TABLE_STRUCTURE, NO_SUCH_COMMAND);
            listener.data(encodeFrame(refusesTable ? refusal : body));
          }
        },
      }),
  };
}

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
