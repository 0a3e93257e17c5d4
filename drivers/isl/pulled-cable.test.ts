/**
 * A serial cable that is pulled in the middle of a document and put back, at every frame: what the
 * driver says in the end is what stands in the device's books.
 */

import { describePrintedOnce } from "../testing/printed-once.ts";
import { sampleSale, sampleStorno } from "../testing/sample-documents.ts";

const OPTIONS = {
  uniqueSaleNumber: "DT577430-0001-0000001",
  vatGroups: ["VAT2", "VAT1"],
} as const;
const SALE = sampleSale({ ...OPTIONS, hasDiscount: false });
const STORNO = sampleStorno({ ...OPTIONS, fiscalMemorySerialNumber: "02999999" });

const FAULTS = [
  { kind: "unplug", when: "before" },
  { kind: "unplug", when: "after" },
  // Out for longer than the driver takes to find out that the line is gone.
  { kind: "unplug", when: "after", ms: 800 },
  { kind: "drop_after" },
  { kind: "garble" },
  { kind: "silent_after", count: 4 },
  { kind: "power_loss", when: "before" },
  { kind: "power_loss", when: "after", offMs: 800 },
];

for (const model of ["x", "p"]) {
  describePrintedOnce(`protocol ${model} over a serial port`, {
    driver: "vendorA.isl",
    model,
    timezone: "Europe/Sofia",
    port: "serial",
    first: SALE,
    documents: [
      { document: SALE, faults: FAULTS },
      { document: STORNO, faults: FAULTS },
    ],
  });
}
