/**
 * A printer that prints for seconds what it has carried out: until then its mode may still be that of
 * the open receipt, and what is to be printed next is refused.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { CommandType } from "#core/command/catalogue.ts";
import { RecordedProgress } from "../testing/fake-environment.ts";
import { describePrintedOnce } from "../testing/printed-once.ts";
import { sampleSale, sampleStorno } from "../testing/sample-documents.ts";
import { SimulatedDevice } from "../testing/simulated-device.ts";
import { LINE_FAULTS } from "../testing/sweep.ts";
import { changedFrames } from "./testing/changed-frames.ts";

const OPTIONS = { vatGroups: ["VAT2", "exempt"], names: ["Кофе", "Вода"] } as const;
const SALE = sampleSale({ ...OPTIONS, hasDiscount: false });
const STORNO = sampleStorno({
  ...OPTIONS,
  uniqueSaleNumber: "DT577430-0001-0000001",
  fiscalMemorySerialNumber: "12345678",
});
const DEVICE = { driver: "vendorF.shtrih", timezone: "Europe/Moscow", isSlow: true } as const;

/** What comes right behind a receipt. */
const NEXT: readonly (readonly [CommandType, unknown])[] = [
  ["cash_in", { amount: 5 }],
  ["cash_out", { amount: 1 }],
  ["print_duplicate", {}],
  ["x_report", {}],
  ["non_fiscal_receipt", { lines: ["Заказ"] }],
  [SALE.type, SALE.payload],
  ["z_report", {}],
];

describe.each(["fr-k", "light", "mobile"])(
  "a printer of model %s that is still printing",
  (model) => {
    let device: SimulatedDevice;
    beforeEach(async () => {
      device = await SimulatedDevice.start({ ...DEVICE, model });
    });
    afterEach(() => device.stop());

    async function run(type: CommandType, payload: unknown = {}) {
      const session = await device.connect();
      try {
        const command = { id: "cmd_1", type, payload, original: undefined };
        return await session.execute(command, new RecordedProgress());
      } finally {
        session.close();
      }
    }

    test.each(NEXT)("carries out %s behind a receipt", async (type, payload) => {
      await run(SALE.type, SALE.payload);
      await run(type, payload);
      expect(device.noted).toEqual([]);
    });

    test("is not told to have a receipt open", async () => {
      const { status } = await run(SALE.type, SALE.payload);
      expect(status?.fiscalReceiptOpen).not.toBe(true);
    });

    test("has nothing to be voided", async () => {
      await run(SALE.type, SALE.payload);
      const error = await run("void_open_receipt").catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: "E302" });
    });
  },
);

const [CLOSING, PRINTER_STATE, STILL_PRINTING] = [0x85, 0x10, 0x50];

test("a sale is not paid into a receipt that others open while the printer still prints", async () => {
  let waits = true;
  // The printer gets a question in the place of the first closing, and prints meanwhile.
  const send = (body: Uint8Array): Uint8Array => {
    if (body[0] !== CLOSING || !waits) return body;
    for (const deed of ["cancel", "open"]) {
      void device.fault({ kind: "other_hands", when: "before", deed, amountMinor: 777 });
    }
    return Uint8Array.of(PRINTER_STATE, ...body.subarray(1, 5));
  };
  const hear = (answer: Uint8Array, to: Uint8Array): Uint8Array => {
    if (to[0] !== CLOSING || !waits) return answer;
    waits = false;
    return Uint8Array.of(CLOSING, STILL_PRINTING);
  };
  const over = changedFrames({ send, hear });
  const device = await SimulatedDevice.start({ ...DEVICE, model: "fr-k", isSlow: false, over });
  const { outcome } = await device.run(SALE);
  const { receipts } = device.books();
  await device.stop();
  expect({ waits, outcome, receipts }).toEqual({
    waits: false,
    outcome: "not_printed",
    receipts: [],
  });
});

for (const model of ["fr-k", "light"]) {
  describePrintedOnce(`on model ${model} that prints for long`, {
    ...{ ...DEVICE, model, first: SALE },
    documents: [
      { document: SALE, faults: LINE_FAULTS },
      { document: STORNO, faults: LINE_FAULTS },
    ],
    ledger: { faults: LINE_FAULTS, last: 3 },
  });
}
