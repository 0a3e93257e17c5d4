/**
 * Commands that break off, on simulated devices: whatever happens at whichever frame,
 * what the driver says in the end is what stands in the device's books.
 */

import { test } from "bun:test";
import { describeOtherHands } from "../testing/other-hands.ts";
import { describePrintedOnce } from "../testing/printed-once.ts";
import { sampleSale, sampleSaleOfOne, sampleStorno } from "../testing/sample-documents.ts";
import { DENIAL, FEW_FAULTS, LINE_FAULTS } from "../testing/sweep.ts";

const OPTIONS = {
  uniqueSaleNumber: "DT577430-0001-0000001",
  vatGroups: ["VAT2", "VAT1"],
} as const;
const SALE = sampleSale({ ...OPTIONS, hasDiscount: true });
const STORNO = sampleStorno({ ...OPTIONS, fiscalMemorySerialNumber: "02999999" });

const SOFIA = "Europe/Sofia";
const BUCHAREST = "Europe/Bucharest";

/**
 * The models, and the frames that a sale takes on them, from the first read to the number. Those
 * that are struck by few faults share the document flow of X or P.
 */
const MODELS = [
  { driver: "vendorA.isl", model: "x", timezone: SOFIA, frames: 9, faults: LINE_FAULTS },
  { driver: "vendorA.isl", model: "ro-x", timezone: BUCHAREST, frames: 9, faults: FEW_FAULTS },
  { driver: "vendorA.isl", model: "p", timezone: SOFIA, frames: 13, faults: LINE_FAULTS },
  { driver: "vendorA.isl", model: "c", timezone: SOFIA, frames: 13, faults: FEW_FAULTS },
  {
    driver: "vendorA.isl",
    model: "ro-legacy",
    timezone: BUCHAREST,
    frames: 13,
    faults: FEW_FAULTS,
  },
  { driver: "vendorB.isl", model: "dy", timezone: SOFIA, frames: 13, faults: LINE_FAULTS },
  { driver: "vendorC.isl", model: "ed", timezone: SOFIA, frames: 13, faults: FEW_FAULTS },
  { driver: "vendorD.isl", model: "in", timezone: SOFIA, frames: 13, faults: LINE_FAULTS },
] as const;

for (const { driver, model, timezone, frames, faults } of MODELS) {
  // Romanian devices have no storno.
  const stornos = timezone === SOFIA ? [{ document: STORNO, faults: FEW_FAULTS }] : [];
  describePrintedOnce(`on a device of protocol ${model}`, {
    driver,
    model,
    timezone,
    first: SALE,
    documents: [{ document: SALE, faults, frames }, ...stornos],
    ledger: { faults },
    more: (sweep) => {
      test("tells of a sale what is true after a frame that is carried out and denied", () =>
        sweep().sweepDocument(SALE, DENIAL));
    },
    // The documents of the other models take the same way.
    ...(faults === LINE_FAULTS && { paper: { document: SALE, cancelledAt: [4, 5] } }),
  });
  const device = { driver, model, timezone };
  describeOtherHands(`on a device of protocol ${model}`, {
    ...{ ...device, document: SALE, firstLineMinor: 825, paying: 2 },
  });
  describeOtherHands(`for a sale of one line on a device of protocol ${model}`, {
    ...{ ...device, document: sampleSaleOfOne(OPTIONS), firstLineMinor: 100, paying: 1 },
  });
}
