/**
 * Commands that break off, on simulated devices over TCP: whatever happens at whichever frame,
 * what the driver says in the end is what stands in the device's books.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { RecordedProgress } from "../testing/fake-environment.ts";
import { type RunOptions, SimulatedDevice } from "../testing/simulated-device.ts";

const SALE = {
  uniqueSaleNumber: "ZK126720-0001-0000001",
  items: [
    { name: "Coffee", quantity: 2.5, price: 3.3, vatGroup: "VAT2" },
    { name: "Water", quantity: 1, price: 1, vatGroup: "VAT2" },
  ],
  subtotalModifiers: [{ type: "discount-amount", value: 0.25 }],
  payments: [
    { method: "card", amount: 4 },
    { method: "cash", amount: 5 },
  ],
};
const SALE_MINOR = 900;
const STORNO = {
  uniqueSaleNumber: SALE.uniqueSaleNumber,
  originalReceiptNumber: "1",
  originalReceiptDateTime: "2024-03-15T12:05:09Z",
  fiscalMemorySerialNumber: "59999999",
  reason: "refund",
  items: [SALE.items[1]],
};
const STORNO_MINOR = 100;

const LINE_FAULTS = [
  { kind: "drop_before" },
  { kind: "drop_after" },
  { kind: "garble" },
  { kind: "silent", count: 1 },
  { kind: "silent", count: 4 },
  { kind: "silent_after", count: 1 },
  { kind: "silent_after", count: 4 },
  { kind: "power_loss", when: "before" },
  { kind: "power_loss", when: "after" },
] as const;

/** The two variants differ in their tenders only: the short list saves time. */
const FEW_FAULTS = LINE_FAULTS.filter(
  (fault) => fault.kind === "drop_after" || fault.kind === "power_loss",
);

/** Frames that SALE takes: three reads, opening, account, lines, account, payments, close, read. */
const SALE_FRAMES = 13;
const STORNO_FRAMES = 10;

const MODELS = [
  { model: "v1", faults: LINE_FAULTS },
  { model: "v2", faults: FEW_FAULTS },
] as const;

for (const { model, faults } of MODELS) {
  describe(`on a device of variant ${model}`, () => {
    let device: SimulatedDevice;
    beforeAll(async () => {
      device = await SimulatedDevice.start("vendorE.zfp", model, "Europe/Sofia");
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
      // A device without any receipt takes one read more.
      await device.run({ type: "print_receipt", payload: SALE });
      for (const [type, payload, frames] of [
        ["print_receipt", SALE, SALE_FRAMES],
        ["print_reversal_receipt", STORNO, STORNO_FRAMES],
      ] as const) {
        let connected = 0;
        const begun = async () => {
          connected = device.books().frames;
        };
        const told = await device.run({ type, payload, haste: 1, begun });
        expect(told.error).toBeUndefined();
        expect(device.books().frames - connected).toBe(frames);
      }
    });

    for (const fault of faults) {
      test(`tells of a receipt what is true after ${JSON.stringify(fault)} at any frame`, async () => {
        for (let at = 1; at <= SALE_FRAMES + 1; at += 1) {
          const options = { type: "print_receipt", payload: SALE } as const;
          const { receipt } = await expectTruth(options, { ...fault, at });
          if (receipt) expect(receipt.total).toBe(SALE_MINOR);
          if (receipt) expect(receipt.items).toHaveLength(2);
        }
      }, 60_000);

      test(`tells of a storno what is true after ${JSON.stringify(fault)} at any frame`, async () => {
        for (let at = 1; at <= STORNO_FRAMES + 1; at += 1) {
          const options = { type: "print_reversal_receipt", payload: STORNO } as const;
          const { receipt } = await expectTruth(options, { ...fault, at });
          if (!receipt) continue;
          expect(receipt.kind).toBe("storno");
          expect(receipt.total).toBe(STORNO_MINOR);
        }
      }, 60_000);

      test(`tells of cash and Z report what is true after ${JSON.stringify(fault)}`, async () => {
        for (let at = 1; at <= 5; at += 1) {
          const begun = () => device.fault({ ...fault, at });
          const before = device.books();
          const cash = await device.run({ type: "cash_in", payload: { amount: 1 }, begun });
          await device.clear();
          const between = device.books();
          expect({ at, cash: between.cash - before.cash }).toEqual({
            at,
            cash: cash.outcome === "printed" ? 100 : 0,
          });
          const z = await device.run({ type: "z_report", begun });
          await device.clear();
          expect({ at, z: device.books().zNumber - between.zNumber }).toEqual({
            at,
            z: z.outcome === "printed" ? 1 : 0,
          });
          expect([cash.outcome, z.outcome]).not.toContain("unknown");
        }
      }, 60_000);
    }

    // The documents of the other variant take the same way.
    if (faults !== LINE_FAULTS) return;

    test("finds out a document whose resolution is struck as well", async () => {
      for (const [first, second] of [
        [{ kind: "drop_after" }, { kind: "drop_after" }],
        [{ kind: "power_loss", when: "after" }, { kind: "drop_before" }],
      ] as const) {
        for (let at = 3; at <= SALE_FRAMES; at += 1) {
          for (let later = 8; later <= 13; later += 1) {
            await device.fault({ ...second, at: at + 8 + later });
            const { receipt } = await expectTruth(
              { type: "print_receipt", payload: SALE },
              { ...first, at },
            );
            if (receipt) expect(receipt.total).toBe(SALE_MINOR);
          }
        }
      }
    }, 60_000);

    for (const mode of ["refused", "registered"] as const) {
      test(`waits for paper at any frame and goes on (${mode})`, async () => {
        for (let at = 1; at <= SALE_FRAMES; at += 1) {
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

    test("waits for the cover at a line and goes on", async () => {
      const progress = new RecordedProgress();
      progress.whenPaused = () => device.clear();
      const { receipt } = await expectTruth(
        { type: "print_receipt", payload: SALE, progress, haste: 10 },
        { kind: "cover_open", at: 6 },
      );
      expect(receipt?.total).toBe(SALE_MINOR);
      expect(progress.pauses).toEqual(["cover_open", undefined]);
    });

    test("cancels a document that waited for paper for too long", async () => {
      for (let at = 4; at <= 6; at += 1) {
        const { told } = await expectTruth(
          {
            type: "print_receipt",
            payload: SALE,
            progress: new RecordedProgress(1_000),
            haste: 10,
          },
          { kind: "paper_out", at },
        );
        expect(told.error?.code).toBe("E306");
      }
    }, 60_000);

    test("leaves nothing open when a mark is refused", async () => {
      for (const refuseAt of ["baseline", "opened", "committing"] as const) {
        const before = device.books();
        const progress = new RecordedProgress();
        progress.refuseAt = refuseAt;
        const run = device.run({ type: "print_receipt", payload: SALE, progress });
        await expect(run).rejects.toThrow(`may not go on at ${refuseAt}`);
        const after = device.books();
        expect(after.openDocument ?? null).toBeNull();
        expect(after.receipts).toHaveLength(before.receipts.length);
      }
    });
  });
}
