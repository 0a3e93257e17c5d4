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

const [LINE, CLOSING, CANCEL, PRINTER_STATE] = [0x80, 0x85, 0x88, 0x10];
const [WRONG_PARAMETER, STILL_PRINTING, WAITS_FOR_CONTINUE] = [0x33, 0x50, 0x58];

/** Why a printer takes nothing yet. */
const NOT_YET = [
  ["still prints", STILL_PRINTING],
  ["waits to be told to go on", WAITS_FOR_CONTINUE],
] as const;

interface StillPrinting {
  /** What it says of that. */
  readonly says: number;
  /** What it gets first then. */
  readonly command: number;
  /** What others do meanwhile. */
  readonly deeds: readonly string[];
  /** What it refuses before that, once. */
  readonly refused?: number;
}

async function startPrinting(still: StillPrinting): Promise<SimulatedDevice> {
  const { command, says, deeds, refused } = still;
  const errors = new Map([[command, says]]);
  if (refused !== undefined) errors.set(refused, WRONG_PARAMETER);
  // It gets a question in the place of such a command.
  const send = (body: Uint8Array): Uint8Array => {
    if (!errors.has(body[0] ?? 0)) return body;
    for (const deed of body[0] === command ? deeds : []) {
      void device.fault({ kind: "other_hands", when: "before", deed, amountMinor: 777 });
    }
    return Uint8Array.of(PRINTER_STATE, ...body.subarray(1, 5));
  };
  const hear = (answer: Uint8Array, [sent = 0]: Uint8Array): Uint8Array => {
    const error = errors.get(sent);
    if (error === undefined) return answer;
    errors.delete(sent);
    return Uint8Array.of(sent, error);
  };
  const over = changedFrames({ send, hear });
  const device = await SimulatedDevice.start({ ...DEVICE, model: "fr-k", isSlow: false, over });
  return device;
}

describe.each(NOT_YET)("while a printer %s", (_, says) => {
  test("a sale is not paid into a receipt that others open meanwhile", async () => {
    const device = await startPrinting({ command: CLOSING, says, deeds: ["cancel", "open"] });
    const { outcome } = await device.run(SALE);
    const { receipts } = device.books();
    await device.stop();
    expect({ outcome, receipts }).toEqual({ outcome: "not_printed", receipts: [] });
  });

  test("no receipt is voided that others open meanwhile", async () => {
    const device = await startPrinting({ command: CANCEL, says, deeds: ["finish", "open"] });
    await device.fault({ kind: "other_hands", deed: "open", amountMinor: 500 });
    const { outcome, error } = await device.run({ type: "void_open_receipt" });
    const { openDocument, receipts } = device.books();
    await device.stop();
    expect({ outcome, code: error?.code, finished: receipts.map(({ total }) => total) }).toEqual({
      ...{ outcome: "not_printed", code: "E302", finished: [500, 777] },
    });
    expect(openDocument).not.toBeNull();
  });

  test("one of others that is cancelled in the place of ours is noted", async () => {
    const deeds = ["cancel", "open"];
    const device = await startPrinting({ command: CANCEL, says, deeds, refused: LINE });
    const { outcome } = await device.run(SALE);
    const { openDocument, receipts } = device.books();
    await device.stop();
    expect({ outcome, openDocument, receipts }).toEqual({
      ...{ outcome: "not_printed", openDocument: null, receipts: [] },
    });
    expect(device.noted.map(({ action }) => action)).toEqual(["receipt.put_away"]);
  });

  test("one that stays open is voided once the printer has printed", async () => {
    const device = await startPrinting({ command: CANCEL, says, deeds: [] });
    await device.fault({ kind: "other_hands", deed: "open", amountMinor: 500 });
    expect(await device.run({ type: "void_open_receipt" })).toMatchObject({ outcome: "printed" });
    const { openDocument, receipts } = device.books();
    await device.stop();
    expect([openDocument, receipts]).toEqual([null, []]);
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
