/**
 * Commands that break off, on simulated devices over TCP: whatever happens at whichever frame,
 * what the driver says in the end is what stands in the device's books.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { RecordedProgress } from "../testing/fake-environment.ts";
import { type RunOptions, SimulatedDevice } from "../testing/simulated-device.ts";

const SALE = {
  items: [
    { name: "Кофе", quantity: 2.5, price: 3.3, vatGroup: "VAT2" },
    { name: "Вода", quantity: 1, price: 1, vatGroup: "exempt" },
  ],
  payments: [
    { method: "card", amount: 4 },
    { method: "cash", amount: 5.25 },
  ],
};
const SALE_MINOR = 925;
const STORNO = {
  uniqueSaleNumber: "DT577430-0001-0000001",
  originalReceiptNumber: "1",
  originalReceiptDateTime: "2024-03-15T12:05:09Z",
  fiscalMemorySerialNumber: "12345678",
  reason: "refund",
  items: [SALE.items[1]],
};
const STORNO_MINOR = 100;

const LINE_FAULTS = [
  { kind: "drop_before" },
  { kind: "drop_after" },
  { kind: "garble" },
  { kind: "delay", ms: 60 },
  { kind: "silent", count: 1 },
  { kind: "silent", count: 4 },
  { kind: "silent_after", count: 1 },
  { kind: "silent_after", count: 4 },
  { kind: "power_loss", when: "before" },
  { kind: "power_loss", when: "after" },
] as const;
/** The last frames of cash and Z report; what comes before them only reads. */
const CASH_FRAMES = { from: 4, to: 6 };
const Z_FRAMES = { from: 28, to: 30 };

/** The models, and the frames that SALE takes on them, from the first read to the number. */
const MODELS = [
  { model: "fr-k", frames: 9 },
  { model: "light", frames: 9 },
] as const;

for (const { model, frames } of MODELS) {
  describe(`on model ${model}`, () => {
    let device: SimulatedDevice;
    beforeAll(async () => {
      device = await SimulatedDevice.start("vendorF.shtrih", model, "Europe/Moscow");
    });
    afterAll(() => device.stop());

    /** Runs a document with a fault at one frame, and compares what is told with the books. */
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
      return { told, receipt };
    }

    test("takes the frames that the sweeps below count on", async () => {
      let connected = 0;
      const told = await device.run({
        type: "print_receipt",
        payload: SALE,
        haste: 1,
        begun: async () => {
          connected = device.books().frames;
        },
      });
      expect(told.outcome).toBe("printed");
      expect(device.books().frames - connected).toBe(frames);
    });

    for (const fault of LINE_FAULTS) {
      test(`tells of a receipt what is true after ${JSON.stringify(fault)} at any frame`, async () => {
        for (let at = 1; at <= frames + 1; at += 1) {
          const { receipt } = await expectTruth(
            { type: "print_receipt", payload: SALE },
            { ...fault, at },
          );
          if (receipt) expect(receipt.total).toBe(SALE_MINOR);
          if (receipt) expect(receipt.items).toHaveLength(2);
        }
      }, 60_000);

      test(`tells of a storno what is true after ${JSON.stringify(fault)} at any frame`, async () => {
        for (let at = 1; at <= frames + 1; at += 1) {
          const { receipt } = await expectTruth(
            { type: "print_reversal_receipt", payload: STORNO },
            { ...fault, at },
          );
          if (!receipt) continue;
          expect(receipt.kind).toBe("storno");
          expect(receipt.total).toBe(STORNO_MINOR);
        }
      }, 60_000);

      test(`tells of cash and Z report what is true after ${JSON.stringify(fault)}`, async () => {
        for (let step = 0; step <= 2; step += 1) {
          const before = device.books();
          const cash = await device.run({
            type: "cash_in",
            payload: { amount: 1 },
            begun: () => device.fault({ ...fault, at: CASH_FRAMES.from + step }),
          });
          await device.clear();
          const between = device.books();
          expect({ step, cash: between.cash - before.cash }).toEqual({
            step,
            cash: cash.outcome === "printed" ? 100 : 0,
          });
          const opening = await device.run({ type: "cash_in", payload: { amount: 1 } });
          expect(opening.outcome).toBe("printed");
          const z = await device.run({
            type: "z_report",
            begun: () => device.fault({ ...fault, at: Z_FRAMES.from + step }),
          });
          await device.clear();
          expect({ step, z: device.books().zNumber - between.zNumber }).toEqual({
            step,
            z: z.outcome === "printed" ? 1 : 0,
          });
          expect([cash.outcome, z.outcome]).not.toContain("unknown");
        }
      }, 60_000);
    }

    for (const mode of ["refused", "registered"] as const) {
      test(`waits for paper at any frame and goes on (${mode})`, async () => {
        for (let at = 1; at <= frames + 1; at += 1) {
          const progress = new RecordedProgress();
          progress.whenPaused = () => device.clear();
          const { told, receipt } = await expectTruth(
            { type: "print_receipt", payload: SALE, progress, haste: 10 },
            { kind: "paper_out", mode, at },
          );
          expect({ at, total: receipt?.total ?? told.error?.code }).toEqual({
            at,
            total: progress.marks.includes("opened") ? SALE_MINOR : "E306",
          });
        }
      }, 60_000);
    }

    test("cancels a document that waited for paper for too long", async () => {
      for (let at = 5; at <= 8; at += 1) {
        const progress = new RecordedProgress(1_000);
        const { told } = await expectTruth(
          { type: "print_receipt", payload: SALE, progress, haste: 10 },
          { kind: "paper_out", at },
        );
        if (told.outcome === "not_printed") expect(told.error?.code).toBe("E306");
      }
    }, 60_000);
  });
}
