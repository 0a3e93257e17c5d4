/**
 * Commands that break off, on simulated devices: whatever happens at whichever frame,
 * what the driver says in the end is what stands in the device's books.
 */

import { describeOtherHands } from "../testing/other-hands.ts";
import { describePrintedOnce } from "../testing/printed-once.ts";
import { sampleSale, sampleSaleOfOne, sampleStorno } from "../testing/sample-documents.ts";
import { DENIAL, LINE_FAULTS, type SweptFault } from "../testing/sweep.ts";

const OPTIONS = { vatGroups: ["VAT2", "exempt"], names: ["Кофе", "Вода"] } as const;
const SALE = sampleSale({ ...OPTIONS, hasDiscount: false });
const STORNO = sampleStorno({
  ...OPTIONS,
  uniqueSaleNumber: "DT577430-0001-0000001",
  fiscalMemorySerialNumber: "12345678",
});

const FAULTS: readonly SweptFault[] = [...LINE_FAULTS, { kind: "delay", ms: 2_400 }];

for (const model of ["fr-k", "light"]) {
  describePrintedOnce(`on model ${model}`, {
    driver: "vendorF.shtrih",
    model,
    timezone: "Europe/Moscow",
    first: SALE,
    documents: [
      { document: SALE, faults: [...FAULTS, DENIAL], frames: 14 },
      { document: STORNO, faults: FAULTS },
    ],
    // What comes before their last frames only reads the registers.
    ledger: { faults: FAULTS, last: 3 },
    paper: { document: SALE, cancelledAt: [9, 10, 11] },
  });
  const device = { driver: "vendorF.shtrih", model, timezone: "Europe/Moscow" } as const;
  describeOtherHands(`on model ${model}`, {
    ...{ ...device, document: SALE, firstLineMinor: 825, paying: 1 },
  });
  describeOtherHands(`for a sale of one line on model ${model}`, {
    ...{ ...device, document: sampleSaleOfOne(OPTIONS), firstLineMinor: 100, paying: 1 },
  });
}

// Where frames are numbered a repeated one proves more, and each silence is waited out for longer.
describePrintedOnce("on model mobile, with numbered frames", {
  driver: "vendorF.shtrih",
  model: "mobile",
  timezone: "Europe/Moscow",
  first: SALE,
  documents: [
    { document: SALE, faults: [...FAULTS, DENIAL], frames: 14 },
    { document: STORNO, faults: FAULTS },
  ],
  ledger: { faults: FAULTS, last: 3 },
  paper: { document: SALE, cancelledAt: [9, 10, 11] },
});
