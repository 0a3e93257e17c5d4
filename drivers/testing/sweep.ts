/**
 * Commands that break off, on a simulated device: whatever happens at whichever frame, what the
 * driver says in the end is what stands in the device's books. The frames are counted in the books
 * by a run without a fault, so that no frame is left out when a driver comes to need more of them.
 */

import { expect } from "bun:test";
import { rejection } from "#src/platform/testing/rejection.ts";
import { RecordedProgress } from "./fake-environment.ts";
import type { SweptDocument } from "./sample-documents.ts";
import {
  type DevicePlacement,
  fiscalIdOf,
  type RunOptions,
  SimulatedDevice,
  type Told,
} from "./simulated-device.ts";

/** A fault as the simulator's control takes it, without the frame at which it strikes. */
export type SweptFault = Readonly<Record<string, unknown>> & { readonly kind: string };

/** What can happen to a line, or to the device at its end. */
export const LINE_FAULTS: readonly SweptFault[] = [
  { kind: "drop_before" },
  { kind: "drop_after" },
  { kind: "garble" },
  { kind: "refuse" },
  { kind: "silent", count: 1 },
  { kind: "silent", count: 4 },
  { kind: "silent_after", count: 1 },
  { kind: "silent_after", count: 4 },
  { kind: "power_loss", when: "before" },
  { kind: "power_loss", when: "after" },
];

/** What is struck of a document, and again of the frames that find out what became of it. */
export interface StruckTwice {
  /** Frames of the document, from 1. */
  readonly frames: readonly number[];
  /** Frames that come so many behind the one that was struck. */
  readonly later: readonly number[];
}

/** Some devices date documents to the minute, and tell those of one minute not apart. */
export const OVER_A_MINUTE_MS = 61_000;

/** A frame is carried out, and answered as if it had been refused. */
export const DENIAL: SweptFault = { kind: "deny" };

type SweptReceipt = ReturnType<SimulatedDevice["books"]>["receipts"][number];

/** A device under a sweep. Each method expects the truth at each frame, and fails the test if not. */
export class Sweep {
  readonly device: SimulatedDevice;
  /** A device that has forgotten what it printed can tell neither way. */
  readonly #mayNotTell: boolean;

  private constructor(device: SimulatedDevice, { isForgetful = false }: DevicePlacement) {
    this.device = device;
    this.#mayNotTell = isForgetful;
  }

  static async start(placement: DevicePlacement): Promise<Sweep> {
    return new Sweep(await SimulatedDevice.start(placement), placement);
  }

  stop(): Promise<void> {
    return this.device.stop();
  }

  /** The frames that a command takes, from its first read on, when nothing goes wrong. */
  async countFrames(run: RunOptions): Promise<number> {
    let connected = 0;
    const begun = async () => {
      connected = this.device.state().frames;
    };
    const told = await this.device.run({ ...run, begun });
    expect(told.error).toBeUndefined();
    return this.device.state().frames - connected;
  }

  /** Runs a document with a fault, and compares what is told with the books. */
  async expectTruth(
    run: RunOptions,
    fault: SweptFault,
  ): Promise<{ told: Told; receipt: SweptReceipt | undefined }> {
    const before = this.device.state();
    const told = await this.#strike(run, fault);
    const after = this.device.books(before.lastReceiptNumber);
    const printed = after.receipts;
    const label = { ...fault, error: told.error?.message };
    const isUntold = this.#mayNotTell && told.outcome === "unknown";
    expect({ ...label, told: told.outcome, open: after.openDocument ?? null }).toEqual({
      ...label,
      told: printed.length === 0 ? "not_printed" : isUntold ? "unknown" : "printed",
      open: null,
    });
    expect(printed.length).toBeLessThanOrEqual(1);
    const [receipt] = printed;
    if (receipt && !isUntold) expect(told.success?.fiscalId).toBe(fiscalIdOf(receipt));
    return { told, receipt };
  }

  /** Strikes a document at each of its frames, and once behind the last one. */
  async sweepDocument(document: SweptDocument, fault: SweptFault): Promise<void> {
    const { kind, totalMinor: total, items } = document;
    const frames = await this.countFrames(document);
    let printed = 0;
    for (let at = 1; at <= frames + 1; at += 1) {
      const { receipt } = await this.expectTruth(document, { ...fault, at });
      if (!receipt) continue;
      printed += 1;
      expect({ at, kind: receipt.kind, total: receipt.total, items: receipt.items.length }).toEqual(
        { at, kind, total, items },
      );
    }
    // Behind the last frame nothing is struck.
    expect(printed).toBeGreaterThan(0);
  }

  /**
   * Strikes a deposit and a Z report at each of their frames. Of one that was made and whose answer
   * was lost nobody can tell whether somebody else made it: that is unknown, and never the opposite.
   * @param last no more than so many of their last frames, where all before them only read
   */
  async sweepLedger(fault: SweptFault, last = Number.POSITIVE_INFINITY): Promise<void> {
    const deposit = { type: "cash_in", payload: { amount: 1 } } as const;
    const report = { type: "z_report" } as const;
    await this.#sweepEntry(deposit, { fault, last, step: 100, read: ({ cash }) => cash });
    await this.#sweepEntry(report, {
      fault,
      last,
      step: 1,
      read: ({ zNumber }) => zNumber,
      // A day without an entry may have nothing to close.
      prepare: async () => {
        expect((await this.device.run(deposit)).outcome).toBe("printed");
      },
    });
  }

  /** Lets the paper run out at each frame; a person loads some, and the document goes on. */
  async sweepPaper(document: SweptDocument, mode: "refused" | "registered"): Promise<void> {
    const frames = await this.countFrames(document);
    for (let at = 1; at <= frames + 1; at += 1) {
      const progress = this.#attended();
      const { told, receipt } = await this.expectTruth(
        { ...document, progress },
        { kind: "paper_out", mode, at },
      );
      expect({ at, total: receipt?.total ?? told.error?.code }).toEqual({
        at,
        total: progress.marks.includes("opened") ? document.totalMinor : "E306",
      });
    }
  }

  /** Lets the paper run out and nobody load any: the document is cancelled when its time is over. */
  async sweepPaperForTooLong(document: SweptDocument, frames: readonly number[]): Promise<void> {
    for (const at of frames) {
      const { told } = await this.expectTruth(
        { ...document, progress: new RecordedProgress(1_000) },
        { kind: "paper_out", at },
      );
      expect({ at, code: told.error?.code }).toEqual({ at, code: "E306" });
    }
  }

  /** Loses the answer or the power at a frame, and strikes the frames that ask about it as well. */
  async sweepStruckTwice(document: SweptDocument, { frames, later }: StruckTwice): Promise<void> {
    for (const [first, second] of [
      [{ kind: "drop_after" }, { kind: "drop_after" }],
      [{ kind: "power_loss", when: "after" }, { kind: "drop_before" }],
    ] as const) {
      for (const at of frames) {
        for (const behind of later) {
          await this.device.fault({ ...second, at: at + behind });
          const { receipt } = await this.expectTruth(document, { ...first, at });
          if (receipt) expect(receipt.total).toBe(document.totalMinor);
        }
      }
    }
  }

  /** Opens the cover at a frame; a person closes it, and the document goes on. */
  async expectPatience(document: SweptDocument, at: number): Promise<void> {
    const progress = this.#attended();
    const { receipt } = await this.expectTruth(
      { ...document, progress },
      { kind: "cover_open", at },
    );
    expect(receipt?.total).toBe(document.totalMinor);
    expect(progress.pauses).toEqual(["cover_open", undefined]);
  }

  /** Refuses each mark: the document may not go on, and nothing is left of it. */
  async sweepRefusedMarks(document: SweptDocument): Promise<void> {
    for (const refuseAt of ["baseline", "opened", "committing"] as const) {
      const before = this.device.state();
      const progress = new RecordedProgress();
      progress.refuseAt = refuseAt;
      const run = this.device.run({ ...document, progress });
      expect((await rejection(run)).message).toContain(`may not go on at ${refuseAt}`);
      const after = this.device.books(before.lastReceiptNumber);
      expect(after.openDocument ?? null).toBeNull();
      expect(after.receipts).toEqual([]);
    }
  }

  async #sweepEntry(run: RunOptions, entry: SweptEntry): Promise<void> {
    const { fault, last, step, read, prepare } = entry;
    await prepare?.();
    const frames = await this.countFrames(run);
    for (let at = Math.max(1, frames - last + 1); at <= frames; at += 1) {
      await prepare?.();
      await this.device.time.run(this.device.time.sleep(OVER_A_MINUTE_MS));
      const before = read(this.device.state());
      const told = await this.#strike(run, { ...fault, at });
      const { type } = run;
      const moved = read(this.device.state()) - before;
      const isUnknown = moved !== 0 && told.outcome === "unknown";
      expect({ type, at, told: told.outcome, moved }).toEqual({
        type,
        at,
        told: moved === 0 ? "not_printed" : isUnknown ? "unknown" : "printed",
        moved: moved === 0 ? 0 : step,
      });
    }
  }

  async #strike(run: RunOptions, fault: SweptFault): Promise<Told> {
    const told = await this.device.run({ ...run, begun: () => this.device.fault(fault) });
    await this.device.clear();
    return told;
  }

  /** The progress of a document beside which a person stands. */
  #attended(): RecordedProgress {
    const progress = new RecordedProgress();
    progress.whenPaused = () => this.device.clear();
    return progress;
  }
}

/** How an entry of the ledger shows in the books. */
interface SweptEntry {
  readonly fault: SweptFault;
  readonly last: number;
  /** By how much the entry moves what `read` reads. */
  readonly step: number;
  read(books: ReturnType<SimulatedDevice["books"]>): number;
  prepare?(): Promise<void>;
}
