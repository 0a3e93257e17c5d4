/**
 * Warnings that stand in the status for weeks, such as a tax terminal that does not answer: they
 * fail nothing, and hide no refusal. On these devices the general error, and a number where there
 * are such, are all that tells a refusal.
 */

import { afterEach, describe, expect, test } from "bun:test";
import { describePrintedOnce } from "../testing/printed-once.ts";
import { sampleSale } from "../testing/sample-documents.ts";
import { SimulatedDevice } from "../testing/simulated-device.ts";
import { DENIAL, type SweptFault } from "../testing/sweep.ts";

const SALE = sampleSale({
  uniqueSaleNumber: "DT577430-0001-0000001",
  vatGroups: ["VAT2", "VAT1"],
  hasDiscount: false,
});
const REFUSALS: readonly SweptFault[] = [{ kind: "refuse" }, DENIAL];
const SOFIA = "Europe/Sofia";
/** The models of short frames, whose refusals are told by bits. */
const MODELS = [
  { driver: "vendorA.isl", model: "p", timezone: SOFIA },
  { driver: "vendorA.isl", model: "c", timezone: SOFIA },
  { driver: "vendorA.isl", model: "ro-legacy", timezone: "Europe/Bucharest" },
  { driver: "vendorB.isl", model: "dy", timezone: SOFIA },
  { driver: "vendorC.isl", model: "ed", timezone: SOFIA },
  { driver: "vendorD.isl", model: "in", timezone: SOFIA },
] as const;

for (const device of MODELS) {
  describePrintedOnce(`on a device of protocol ${device.model} with warnings up`, {
    ...device,
    isWarned: true,
    first: SALE,
    documents: [{ document: SALE, faults: REFUSALS }],
    ledger: { faults: REFUSALS },
  });
}

let running: SimulatedDevice | undefined;
afterEach(() => running?.stop());

async function start(kind: (typeof MODELS)[number]): Promise<SimulatedDevice> {
  running = await SimulatedDevice.start({ ...kind, isWarned: true });
  return running;
}

/** Whose answers to what they carry out are as empty as a refusal, while the general error stands. */
const TELL_REFUSALS = MODELS.filter(({ model }) => model !== "in");

describe.each(TELL_REFUSALS)("a device of $driver, $model, with warnings up", (kind) => {
  test.each([["set_datetime"], ["print_duplicate"]] as const)(
    "is not told to have done %s when it refused",
    async (type) => {
      const device = await start(kind);
      expect((await device.run(SALE)).error).toBeUndefined();
      // Its first frame asks whether a slip stands in the way.
      const begun = () => device.fault({ kind: "refuse", at: 2 });
      const told = await device.run({ type, begun });
      expect([told.success, told.error?.code]).toEqual([undefined, "E304"]);
      expect((await device.run({ type })).error).toBeUndefined();
    },
  );
});

test("a second duplicate that an Incotex refuses by number is not told as made", async () => {
  const device = await start({ driver: "vendorD.isl", model: "in", timezone: SOFIA });
  expect((await device.run(SALE)).error).toBeUndefined();
  expect((await device.run({ type: "print_duplicate" })).error).toBeUndefined();
  const again = await device.run({ type: "print_duplicate" });
  expect(again.error).toMatchObject({ code: "E305", device: { code: "error 28" } });
});

test.each(MODELS.filter(({ model }) => model === "dy" || model === "in"))(
  "a day that is over is told as such on a device of $driver, whatever warnings are up",
  async (kind) => {
    const device = await start(kind);
    expect((await device.run(SALE)).error).toBeUndefined();
    await device.fault({ kind: "day_over" });
    expect((await device.run(SALE)).error).toMatchObject({ code: "E303" });
    expect((await device.run({ type: "z_report" })).error).toBeUndefined();
    expect((await device.run(SALE)).outcome).toBe("printed");
  },
);
