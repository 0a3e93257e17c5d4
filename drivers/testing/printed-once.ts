/** The tests of printed once that every driver passes, on one model. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { CommandSuccess } from "#core/driver.ts";
import type { SweptDocument } from "./sample-documents.ts";
import type { DevicePlacement } from "./simulated-device.ts";
import { type StruckTwice, Sweep, type SweptFault } from "./sweep.ts";

/** A document that names the first one, which is printed before all tests. */
export interface LaterDocument {
  readonly kind: SweptDocument["kind"];
  after(first: CommandSuccess): SweptDocument;
}

/** A document, and what strikes it. */
export interface SweptCase {
  readonly document: SweptDocument | LaterDocument;
  readonly faults: readonly SweptFault[];
  /** The frames it takes, where that number is a promise; counted in any case. */
  readonly frames?: number;
}

export interface PrintedOnceOptions extends DevicePlacement {
  /** Printed once before all tests. */
  readonly first: SweptDocument;
  readonly documents: readonly SweptCase[];
  /** What strikes a deposit and a Z report; `last` as in `Sweep.sweepLedger`. */
  readonly ledger?: { readonly faults: readonly SweptFault[]; readonly last?: number };
  /** Paper that runs out: the document, and frames at which it can still be cancelled. */
  readonly paper?: { readonly document: SweptDocument; readonly cancelledAt: readonly number[] };
  /** A document whose resolution is struck as well; see `Sweep.sweepStruckTwice`. */
  readonly struckTwice?: StruckTwice & { readonly document: SweptDocument };
  /** The cover, opened at a frame that prints a line. */
  readonly cover?: { readonly document: SweptDocument; readonly at: number };
  /** A document whose marks are refused. */
  readonly refusedMarks?: SweptDocument;
  /** Tests of this model's own. */
  readonly more?: (sweep: () => Sweep) => void;
}

/** Describes a model whose commands break off in every way that is named. */
export function describePrintedOnce(title: string, options: PrintedOnceOptions): void {
  describe(title, () => {
    let running: Sweep | undefined;
    let first: CommandSuccess | undefined;
    const sweep = () => {
      if (!running) throw new RangeError("the device is not there yet");
      return running;
    };
    const documentOf = (document: SweptDocument | LaterDocument) => {
      if (!("after" in document)) return document;
      if (!first) throw new RangeError("the first document was not printed");
      return document.after(first);
    };
    beforeAll(async () => {
      running = await Sweep.start(options);
      // A device without any receipt may take another read, and has none that could be reversed.
      const told = await running.device.run(options.first);
      expect(told.error).toBeUndefined();
      first = told.success;
    });
    afterAll(() => running?.stop());
    for (const swept of options.documents) {
      testDocument(swept, { sweep, document: () => documentOf(swept.document) });
    }
    if (options.ledger) testLedger(sweep, options.ledger);
    if (options.paper) testPaper(sweep, options.paper);
    testInterruptions(sweep, options);
    options.more?.(sweep);
  });
}

/** @param running what is there once the tests run */
function testDocument(
  { document: { kind }, faults, frames }: SweptCase,
  running: { readonly sweep: () => Sweep; readonly document: () => SweptDocument },
): void {
  const { sweep, document } = running;
  if (frames !== undefined) {
    test(`prints a ${kind} with ${frames} frames`, async () => {
      expect(await sweep().countFrames(document())).toBe(frames);
    });
  }
  for (const fault of faults) {
    const name = `tells of a ${kind} what is true after ${JSON.stringify(fault)} at any frame`;
    test(name, () => sweep().sweepDocument(document(), fault));
  }
}

function testLedger(
  sweep: () => Sweep,
  { faults, last }: NonNullable<PrintedOnceOptions["ledger"]>,
): void {
  for (const fault of faults) {
    const name = `tells of cash and Z report what is true after ${JSON.stringify(fault)}`;
    test(name, () => sweep().sweepLedger(fault, last));
  }
}

function testInterruptions(
  sweep: () => Sweep,
  { struckTwice, cover, refusedMarks }: PrintedOnceOptions,
): void {
  if (struckTwice) {
    const name = "finds out a document whose resolution is struck as well";
    test(name, () => sweep().sweepStruckTwice(struckTwice.document, struckTwice));
  }
  if (cover) {
    const name = "waits for the cover at a line and goes on";
    test(name, () => sweep().expectPatience(cover.document, cover.at));
  }
  if (refusedMarks) {
    const name = "leaves nothing open when a mark is refused";
    test(name, () => sweep().sweepRefusedMarks(refusedMarks));
  }
}

function testPaper(
  sweep: () => Sweep,
  { document, cancelledAt }: NonNullable<PrintedOnceOptions["paper"]>,
): void {
  for (const mode of ["refused", "registered"] as const) {
    const name = `waits for paper at any frame and goes on (${mode})`;
    test(name, () => sweep().sweepPaper(document, mode));
  }
  const name = "cancels a document that waited for paper for too long";
  test(name, () => sweep().sweepPaperForTooLong(document, cancelledAt));
}
