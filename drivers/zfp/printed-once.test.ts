/**
 * Commands that break off, on simulated devices: whatever happens at whichever frame,
 * what the driver says in the end is what stands in the device's books.
 */

import { describeOtherHands } from "../testing/other-hands.ts";
import { describePrintedOnce } from "../testing/printed-once.ts";
import { sampleSale, sampleSaleOfOne, sampleStorno } from "../testing/sample-documents.ts";
import { DENIAL, LINE_FAULTS } from "../testing/sweep.ts";

const OPTIONS = {
  uniqueSaleNumber: "ZK126720-0001-0000001",
  vatGroups: ["VAT2", "VAT2"],
} as const;
const SALE = sampleSale({ ...OPTIONS, hasDiscount: true });
const STORNO = sampleStorno({ ...OPTIONS, fiscalMemorySerialNumber: "59999999" });

/** Frames that SALE takes: three reads, opening, sums, on a line's first sale the last receipt, lines, sums before each payment (and what was paid), sums, close, read. */
const SALE_FRAMES = 17;
const STORNO_FRAMES = 12;

const DEVICE = { driver: "vendorE.zfp", timezone: "Europe/Sofia" } as const;

describePrintedOnce("on a device of variant v1", {
  ...DEVICE,
  model: "v1",
  first: SALE,
  documents: [
    { document: SALE, faults: [...LINE_FAULTS, DENIAL], frames: SALE_FRAMES },
    { document: STORNO, faults: LINE_FAULTS, frames: STORNO_FRAMES },
  ],
  ledger: { faults: LINE_FAULTS },
  paper: { document: SALE, cancelledAt: [4, 5, 6] },
  struckTwice: {
    document: SALE,
    frames: [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14],
    later: [16, 17, 18, 19, 20, 21],
  },
  cover: { document: SALE, at: 6 },
  refusedMarks: SALE,
});

// The two variants differ in their tenders only.
describePrintedOnce("on a device of variant v2", {
  ...DEVICE,
  model: "v2",
  first: SALE,
  documents: [
    { document: SALE, faults: [...LINE_FAULTS, DENIAL], frames: SALE_FRAMES },
    { document: STORNO, faults: LINE_FAULTS, frames: STORNO_FRAMES },
  ],
  ledger: { faults: LINE_FAULTS },
});

for (const [model, paying, isBlind] of [
  ["v1", 1, false],
  // It gives the number of an annulled receipt again, so that a twin of ours shows no difference.
  ["v2", 2, true],
] as const) {
  describeOtherHands(`on a device of variant ${model}`, {
    ...{ ...DEVICE, model, document: SALE, firstLineMinor: 825, paying: 2 },
  });
  describeOtherHands(`for a sale of one line on a device of variant ${model}`, {
    ...{ ...DEVICE, model, document: sampleSaleOfOne(OPTIONS), firstLineMinor: 100 },
    ...{ paying, isBlind },
  });
}
