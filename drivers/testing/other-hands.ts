/**
 * Other hands at the printer: at each frame of a document somebody else acts, once while the line
 * holds and once while it is broken. Whatever is told afterwards is what stands in the device's
 * books, and nothing of ours is in a receipt of theirs.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Deed } from "#core/device/simulated-faults.ts";
import { isLineFault } from "#core/errors.ts";
import { RecordedProgress } from "./fake-environment.ts";
import type { SweptDocument } from "./sample-documents.ts";
import {
  type DevicePlacement,
  fiscalIdOf,
  type SimulatedReceipt,
  type Told,
} from "./simulated-device.ts";
import { Sweep } from "./sweep.ts";

/** What the simulator calls the line of somebody else. */
const FOREIGN_NAME = "Foreign";

interface Hands {
  readonly deed: Deed;
  readonly amountMinor?: number;
}

/** Where the hands come in: the line holds, or is lost before or behind the frame. */
const LINES = [
  { line: "holds", when: "before", drop: undefined },
  { line: "is lost before the frame", when: "before", drop: "drop_before" },
  { line: "is lost behind the frame", when: "after", drop: "drop_after" },
] as const;

/** What they do to ours without ending it. */
const TOUCHES: readonly (readonly [string, Hands])[] = [
  ["pay a part of ours", { deed: "pay", amountMinor: 50 }],
  ["take a discount on ours", { deed: "discount", amountMinor: 50 }],
  ["void a line of ours", { deed: "take_back" }],
];

/** Frames behind a lost line in which it is found out what became of the document. */
const FINDING_OUT_FRAMES = 22;
/** Of the frames at which the line is lost one in so many, another one for each frame behind it. */
const LOST_STEP = 4;

export interface OtherHandsOptions extends DevicePlacement {
  readonly document: SweptDocument;
  /** What its first line is worth: a receipt of one such line becomes like ours with our others. */
  readonly firstLineMinor: number;
  /**
   * How many frames pay. Who puts his receipt in the place of ours right before one of them, behind
   * our last look, gets that payment into his: nothing in the protocols hinders it. It must be told
   * all the same.
   */
  readonly paying: number;
  /**
   * True where the device shows no difference between ours and one of the same amount: then the
   * frames behind the last line count as well.
   */
  readonly isBlind?: boolean;
}

interface Strike extends Hands {
  readonly kind: string;
  readonly when: "before" | "after";
  /** What happens to the line with the same frame. */
  readonly drop: string | undefined;
}

interface Struck {
  readonly told: Told;
  readonly marks: readonly string[];
  readonly ours: readonly SimulatedReceipt[];
  readonly foreign: readonly SimulatedReceipt[];
}

/** Describes a document on a device that others use too. */
export function describeOtherHands(title: string, options: OtherHandsOptions): void {
  const { document, firstLineMinor } = options;
  const hands: readonly (readonly [string, Hands])[] = [
    ["cancel ours", { deed: "cancel" }],
    ["ring up the same amount", { deed: "ring_up", amountMinor: document.totalMinor }],
    ["ring up another amount", { deed: "ring_up", amountMinor: 777 }],
    ["finish ours and ring up another amount", { deed: "finish", amountMinor: 777 }],
    ["ring up the same and close the day", { deed: "close_day", amountMinor: document.totalMinor }],
    ["open one of the same amount", { deed: "open", amountMinor: document.totalMinor }],
    ["open one that begins like ours", { deed: "open", amountMinor: firstLineMinor }],
    ["open one of another amount", { deed: "open", amountMinor: 777 }],
    ...TOUCHES,
  ];
  describe(`${title}, while others use it`, () => {
    let running: Sweep | undefined;
    const sweep = () => {
      if (!running) throw new RangeError("the device is not there yet");
      return running;
    };
    beforeAll(async () => {
      running = await Sweep.start(options);
      // Of the stornos that are refused otherwise, and of reads that a new device does not take.
      expect((await running.device.run(document)).error).toBeUndefined();
    });
    afterAll(() => running?.stop());
    for (const { line, when, drop } of LINES) {
      for (const [what, deed] of hands) {
        const name = `tells what is true of a ${document.kind} when they ${what} and the line ${line}`;
        const fault = { kind: "other_hands", when, ...deed };
        const strike = { ...fault, drop };
        test(name, () => expectTruths(sweep(), options, strike));
      }
    }
    for (const [what, deed] of hands) {
      const name = `tells what is true of a ${document.kind} when they ${what} while it is found out`;
      test(name, () => expectTruthsLater(sweep(), options, deed));
    }
  });
}

async function expectTruths(
  sweep: Sweep,
  { document, paying, isBlind = false }: OtherHandsOptions,
  { drop, ...fault }: Strike,
): Promise<void> {
  const frames = await sweep.countFrames(document);
  const mayPayTheirs = fault.deed === "open" && fault.when === "before";
  let paid = 0;
  for (let at = 1; at <= frames; at += 1) {
    const struck = await strike(sweep, document, [
      { ...fault, at },
      ...(drop === undefined ? [] : [{ kind: drop, at }]),
    ]);
    const label = { at, marks: struck.marks.at(-1), error: struck.told.error?.message };
    const hasPaidTheirs = struck.foreign.some(holdsMore);
    if (hasPaidTheirs) paid += 1;
    expect({ ...label, items: struck.foreign.map(({ items }) => items.length) }).toEqual({
      ...label,
      items: struck.foreign.map(() => 1),
    });
    // Nothing is wrong with a line that holds.
    const isLineBlamed = drop === undefined && isLineFault(struck.told.error);
    expect({ ...label, isLineBlamed }).toEqual({ ...label, isLineBlamed: false });
    if (hasPaidTheirs && isBlind) continue;
    expectOneTruth(struck, label);
    expectWhole(struck, document, label);
  }
  expect(paid).toBeLessThanOrEqual(mayPayTheirs ? paying : 0);
}

/** The line is lost, and they act at each frame that finds out what became of the document. */
async function expectTruthsLater(
  sweep: Sweep,
  { document }: OtherHandsOptions,
  hands: Hands,
): Promise<void> {
  const frames = await sweep.countFrames(document);
  for (let later = 1; later <= FINDING_OUT_FRAMES; later += 1) {
    for (let at = 1 + (later % LOST_STEP); at <= frames; at += LOST_STEP) {
      const struck = await strike(sweep, document, [
        { kind: "drop_before", at },
        { kind: "other_hands", when: "before", ...hands, at: at + later },
      ]);
      const label = { at, later, marks: struck.marks.at(-1), error: struck.told.error?.message };
      expectOneTruth(struck, label);
      expectWhole(struck, document, label);
    }
  }
}

/** True when more was paid on it than its own cash. */
function holdsMore({ payments, total }: SimulatedReceipt): boolean {
  const [first] = payments;
  return payments.length !== 1 || first?.method !== "cash" || first.amount !== total;
}

async function strike(
  sweep: Sweep,
  document: SweptDocument,
  faults: readonly Record<string, unknown>[],
): Promise<Struck> {
  const { device } = sweep;
  const before = device.state().lastReceiptNumber;
  const progress = new RecordedProgress();
  const begun = async () => {
    for (const fault of faults) await device.fault(fault);
  };
  const told = await device.run({ ...document, progress, begun });
  await device.clear();
  const { receipts: printed } = device.books(before);
  // What they opened behind our last frame.
  await device.fault({ kind: "other_hands", deed: "cancel" });
  return {
    told,
    marks: progress.marks,
    ours: printed.filter((receipt) => !isForeign(receipt)),
    foreign: printed.filter(isForeign),
  };
}

function isForeign({ items }: SimulatedReceipt): boolean {
  return items.some(({ name }) => name.trim() === FOREIGN_NAME);
}

/** What is told as printed has all that was sent. */
function expectWhole({ told, ours }: Struck, document: SweptDocument, label: object): void {
  if (told.outcome !== "printed") return;
  const sums = ours.map(({ total, items }) => ({ total, items: items.length }));
  const { totalMinor: total, items } = document;
  expect({ ...label, sums }).toEqual({ ...label, sums: [{ total, items }] });
}

/** What is told is in the books; who says that nobody knows has begun, and others were there. */
function expectOneTruth({ told, ours, marks }: Struck, label: object): void {
  const { outcome, success } = told;
  const hasBegun = marks.includes("opened");
  const truths = [ours.length === 0 ? "not_printed" : "printed", ...(hasBegun ? ["unknown"] : [])];
  expect({ ...label, truths }).toEqual({ ...label, truths: expect.arrayContaining([outcome]) });
  expect({ ...label, printed: ours.length }).toEqual({
    ...label,
    printed: outcome === "not_printed" ? 0 : Math.min(1, ours.length),
  });
  const [receipt] = ours;
  if (outcome !== "printed" || success?.fiscalId === undefined || !receipt) return;
  expect({ ...label, fiscalId: success.fiscalId }).toEqual({
    ...label,
    fiscalId: fiscalIdOf(receipt),
  });
}
