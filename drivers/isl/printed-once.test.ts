/**
 * Commands that break off, on simulated devices: whatever happens at whichever frame,
 * what the driver says in the end is what stands in the device's books.
 */

import { expect, test } from "bun:test";
import { describeOtherHands } from "../testing/other-hands.ts";
import { describePrintedOnce } from "../testing/printed-once.ts";
import { sampleSale, sampleSaleOfOne, sampleStorno } from "../testing/sample-documents.ts";
import { DENIAL, LINE_FAULTS, type Sweep, type SweptFault } from "../testing/sweep.ts";
import { SEQUENCE } from "./frame.ts";

const OPTIONS = {
  uniqueSaleNumber: "DT577430-0001-0000001",
  vatGroups: ["VAT2", "VAT1"],
} as const;
const DISCOUNTED = sampleSale({ ...OPTIONS, hasDiscount: true });
/** For the drivers that take no adjustments. */
const PLAIN = sampleSale({ ...OPTIONS, hasDiscount: false });
const STORNO = sampleStorno({ ...OPTIONS, fiscalMemorySerialNumber: "02999999" });

const POWER_LOSSES: readonly SweptFault[] = [
  { kind: "power_loss", when: "before" },
  { kind: "power_loss", when: "after" },
];

const SOFIA = "Europe/Sofia";
const BUCHAREST = "Europe/Bucharest";

/** The models, and the frames that a sale takes on them, from the first read to the number. */
const MODELS = [
  { driver: "vendorA.isl", model: "x", timezone: SOFIA, frames: 10 },
  { driver: "vendorA.isl", model: "ro-x", timezone: BUCHAREST, frames: 10 },
  { driver: "vendorA.isl", model: "p", timezone: SOFIA, frames: 15 },
  { driver: "vendorA.isl", model: "c", timezone: SOFIA, frames: 15 },
  { driver: "vendorA.isl", model: "ro-legacy", timezone: BUCHAREST, frames: 15 },
  { driver: "vendorB.isl", model: "dy", timezone: SOFIA, frames: 14 },
  { driver: "vendorC.isl", model: "ed", timezone: SOFIA, frames: 14 },
  { driver: "vendorD.isl", model: "in", timezone: SOFIA, frames: 14 },
] as const;

/** Where the number stands in a frame to a device of long frames, and of short ones. */
const LONG_SEQ_AT = 5;
const SHORT_SEQ_AT = 2;
const LONG_MODELS: readonly string[] = ["x", "ro-x"];
/** The first questions of a line, each under a number of its own. */
const FIRST_QUESTIONS = 4;

for (const { driver, model, timezone, frames } of MODELS) {
  const sale = driver === "vendorA.isl" ? DISCOUNTED : PLAIN;
  // Romanian devices have no storno.
  const stornos = timezone === SOFIA ? [{ document: STORNO, faults: LINE_FAULTS }] : [];
  describePrintedOnce(`on a device of protocol ${model}`, {
    driver,
    model,
    timezone,
    first: sale,
    documents: [{ document: sale, faults: LINE_FAULTS, frames }, ...stornos],
    ledger: { faults: LINE_FAULTS },
    more: (sweep) => {
      test("tells of a sale what is true after a frame that is carried out and denied", () =>
        sweep().sweepDocument(sale, DENIAL));
      testNumbers(sweep, LONG_MODELS.includes(model) ? LONG_SEQ_AT : SHORT_SEQ_AT);
    },
    paper: { document: sale, cancelledAt: [4, 5] },
  });
  const device = { driver, model, timezone };
  describePrintedOnce(`on a device of protocol ${model} that forgets its last receipt`, {
    ...{ ...device, isForgetful: true, first: sale },
    documents: [{ document: sale, faults: POWER_LOSSES }],
    struckTwice: {
      document: sale,
      frames: [frames - 2, frames - 1, frames],
      later: [1, 2, 3, 4, 5, 6],
    },
  });
  describeOtherHands(`on a device of protocol ${model}`, {
    ...{ ...device, document: sale, firstLineMinor: 825, paying: 2 },
  });
  describeOtherHands(`for a sale of one line on a device of protocol ${model}`, {
    ...{ ...device, document: sampleSaleOfOne(OPTIONS), firstLineMinor: 100, paying: 1 },
  });
}

function testNumbers(sweep: () => Sweep, seqAt: number): void {
  const NUMBERS = SEQUENCE.max - SEQUENCE.min + 1;
  /** Connects with dice that begin so many numbers before the device's last one. */
  const connect = async (before: number) => {
    const { device } = sweep();
    const last = (device.lastSent[seqAt] ?? 0) - SEQUENCE.min;
    device.throwWith((bound) => ((last - before + NUMBERS) % NUMBERS) % bound);
    const { frames } = device.state();
    const from = device.time.now();
    const session = await device.connect();
    session.close();
    return { frames: device.state().frames - frames, tookMs: device.time.now() - from };
  };

  test("loses no time on a line whose first numbers include that of the device's last frame", async () => {
    const { device } = sweep();
    device.forget();
    const { tookMs } = await connect(NUMBERS / 2);
    for (let before = 0; before < FIRST_QUESTIONS; before += 1) {
      device.forget();
      expect({ before, tookMs: (await connect(before)).tookMs }).toEqual({ before, tookMs });
      expect((await device.run(PLAIN)).outcome).toBe("printed");
    }
  });

  test("goes on behind the number of the last frame, whatever is drawn for the next line", async () => {
    const { frames } = await connect(NUMBERS / 2);
    for (let before = 0; before < FIRST_QUESTIONS; before += 1) {
      expect({ before, frames: (await connect(before)).frames }).toEqual({ before, frames });
    }
  });
}
