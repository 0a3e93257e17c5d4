/**
 * A serial cable that is pulled in the middle of a document and put back, at every frame: what the
 * driver says in the end is what stands in the device's books.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { RunOptions } from "../testing/simulated-device.ts";
import { SimulatedDevice } from "../testing/simulated-device.ts";

const ITEMS = [
  { name: "Coffee", quantity: 2.5, price: 3.3, vatGroup: "VAT2" },
  { name: "Water", quantity: 1, price: 1, vatGroup: "VAT1" },
];
const USN = "DT577430-0001-0000001";
const SALE: RunOptions = {
  type: "print_receipt",
  payload: {
    uniqueSaleNumber: USN,
    items: ITEMS,
    payments: [
      { method: "card", amount: 4 },
      { method: "cash", amount: 5.25 },
    ],
  },
};
const SALE_MINOR = 925;
const STORNO: RunOptions = {
  type: "print_reversal_receipt",
  payload: {
    uniqueSaleNumber: USN,
    originalReceiptNumber: "1",
    originalReceiptDateTime: "2024-03-15T12:05:09Z",
    fiscalMemorySerialNumber: "02999999",
    reason: "refund",
    items: [ITEMS[1]],
  },
};
const STORNO_MINOR = 100;

const FAULTS = [
  { kind: "unplug", when: "before" },
  { kind: "unplug", when: "after" },
  // Out for longer than the driver takes to find out that the line is gone.
  { kind: "unplug", when: "after", ms: 20 },
  { kind: "drop_after" },
  { kind: "garble" },
  { kind: "silent_after", count: 4 },
  { kind: "power_loss", when: "before" },
  { kind: "power_loss", when: "after", offMs: 20 },
] as const;

/** Models with the frames that SALE takes on them. */
const MODELS = [
  { model: "x", frames: 8 },
  { model: "p", frames: 10 },
] as const;

for (const { model, frames } of MODELS) {
  describe(`protocol ${model} over a serial port`, () => {
    let device: SimulatedDevice;
    beforeAll(async () => {
      device = await SimulatedDevice.startOnSerial("vendorA.isl", model, "Europe/Sofia");
      expect(await device.run({ ...SALE, haste: 1 })).toMatchObject({ outcome: "printed" });
    });
    afterAll(() => device.stop());

    async function expectTruth(options: RunOptions, fault: Record<string, unknown>) {
      const before = device.books();
      const told = await device.run({ ...options, begun: () => device.fault(fault) });
      await device.clear();
      const after = device.books();
      const printed = after.receipts.slice(before.receipts.length);
      const label = { ...fault, error: told.error?.message };
      expect({ ...label, told: told.outcome, open: after.openDocument ?? null }).toEqual({
        ...label,
        told: printed.length === 0 ? "not_printed" : "printed",
        open: null,
      });
      expect(printed.length).toBeLessThanOrEqual(1);
      const [receipt] = printed;
      if (receipt) expect(told.success?.fiscalId).toBe(String(receipt.number));
      return receipt?.total;
    }

    for (const fault of FAULTS) {
      for (const [name, document, total] of [
        ["sale", SALE, SALE_MINOR],
        ["storno", STORNO, STORNO_MINOR],
      ] as const) {
        test(`tells of a ${name} what is true after ${JSON.stringify(fault)} at any frame`, async () => {
          const totals = new Set<number | undefined>();
          for (let at = 1; at <= frames; at += 1) {
            totals.add(await expectTruth(document, { ...fault, at }));
          }
          expect([...totals].filter((printed) => printed !== undefined)).toEqual([total]);
        }, 60_000);
      }
    }
  });
}
