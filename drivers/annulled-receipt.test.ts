/**
 * A sale stands still for want of paper, all of it paid. Whoever loads it switches the printer off and
 * on, which annuls the sale on some devices, rings up one of his own and takes the money for it: ours
 * neither ends that, nor is told by it.
 */

import { describe, expect, test } from "bun:test";
import type { Baseline, Mark } from "#core/command/marks.ts";
import { smallSale } from "./testing/contract-payloads.ts";
import { EVERY_MODEL, isMute } from "./testing/every-model.ts";
import { RecordedProgress } from "./testing/fake-environment.ts";
import { fiscalIdOf, SimulatedDevice } from "./testing/simulated-device.ts";
import { Sweep } from "./testing/sweep.ts";

const KINDS = EVERY_MODEL.filter((kind) => !isMute(kind)).map(
  (kind) => [`${kind.driver}, ${kind.model}`, kind] as const,
);

const SALE = { type: "print_receipt", payload: smallSale({}) } as const;
const THEIRS = { kind: "other_hands", amountMinor: 779 } as const;
/** On no device takes more of them to pay a sale, close it and read its number. */
const LAST_FRAMES = 12;

describe.each(KINDS)("a sale that is annulled while it waits on a device of %s", (_title, kind) => {
  test("is told as printed only where it is", async () => {
    const sweep = await Sweep.start(kind);
    const { device } = sweep;
    expect((await device.run(SALE)).error).toBeUndefined();
    const frames = await sweep.countFrames(SALE);
    let annulled = 0;
    for (const mode of ["refused", "registered"]) {
      for (let at = Math.max(1, frames - LAST_FRAMES); at <= frames; at += 1) {
        const { lastReceiptNumber: before } = device.state();
        const progress = new RecordedProgress();
        let pauses = 0;
        progress.whenPaused = async () => {
          await device.clear();
          pauses += 1;
          if (pauses > 1) return;
          for (const deed of ["annul", "open", "pay"]) await device.fault({ ...THEIRS, deed });
        };
        const begun = () => device.fault({ kind: "paper_out", mode, at });
        const { outcome, success } = await device.run({ ...SALE, progress, begun });
        await device.clear();
        await device.fault({ ...THEIRS, deed: "annul" });
        const { receipts } = device.books(before);
        const ours = receipts.filter(({ total }) => total !== THEIRS.amountMinor).map(fiscalIdOf);
        if (pauses > 0 && ours.length === 0) annulled += 1;
        const told = outcome === "printed" ? [success?.fiscalId ?? "no number"] : [];
        const label = { mode, at, outcome };
        if (outcome !== "unknown") expect({ ...label, told }).toEqual({ ...label, told: ours });
      }
    }
    expect(annulled).toBeGreaterThan(0);
    await sweep.stop();
  });
});

/** Longer than a gateway takes that is there, in ms. */
const AWAY_MS = 60_000;

/** A gateway is away when it is told that the sale is paid. */
class AwayOncePaid extends RecordedProgress {
  constructor(private readonly meanwhile: () => Promise<void>) {
    super();
  }

  override async mark(mark: Mark, baseline?: Baseline): Promise<void> {
    await super.mark(mark, baseline);
    if (baseline?.paid === true) await this.meanwhile();
  }
}

const STORING = KINDS.filter(([, { driver }]) => /zfp|custom/.test(driver));

describe.each(STORING)("a sale whose payment is stored late on a device of %s", (_title, kind) => {
  test("ends no receipt of others, and is told as printed only where it is", async () => {
    const device = await SimulatedDevice.start(kind);
    expect((await device.run(SALE)).error).toBeUndefined();
    for (const deeds of [["annul", "open", "pay"], ["open", "pay"], []]) {
      const { lastReceiptNumber: before } = device.state();
      const progress = new AwayOncePaid(async () => {
        for (const deed of deeds) await device.fault({ ...THEIRS, deed });
        await device.time.sleep(AWAY_MS);
      });
      const began = device.time.now();
      const { outcome, success } = await device.run({ ...SALE, progress });
      const { receipts } = device.books(before);
      const ours = receipts.filter(({ total }) => total !== THEIRS.amountMinor).map(fiscalIdOf);
      const told = outcome === "printed" ? [success?.fiscalId ?? "no number"] : [];
      const isLate = device.time.now() - began >= AWAY_MS;
      // What was annulled leaves a trace on some.
      const isTrue = outcome === "unknown" || told.join() === ours.join();
      const isCertain = outcome === "printed";
      expect({ deeds, isLate, isTrue, isCertain }).toEqual({
        ...{ deeds, isLate: false, isTrue: true },
        isCertain: deeds.length === 0,
      });
    }
    await device.stop();
  });
});
