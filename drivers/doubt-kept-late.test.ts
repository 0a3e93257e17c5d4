/**
 * A sale in doubt that stands open, paid, is found out while the gateway is away: it is ended all the
 * same, and what others put in its place meanwhile is not told for ours.
 */

import { describe, expect, test } from "bun:test";
import type { Baseline } from "#core/command/marks.ts";
import { DocumentInDoubt } from "#core/errors.ts";
import { smallSale } from "./testing/contract-payloads.ts";
import { EVERY_MODEL, isMute } from "./testing/every-model.ts";
import { RecordedProgress } from "./testing/fake-environment.ts";
import { fiscalIdOf } from "./testing/simulated-device.ts";
import { Sweep } from "./testing/sweep.ts";

const KINDS = EVERY_MODEL.filter((kind) => !isMute(kind) && /zfp|custom/.test(kind.driver)).map(
  (kind) => [`${kind.driver}, ${kind.model}`, kind] as const,
);
const SALE = { type: "print_receipt", payload: smallSale({}) } as const;
const THEIRS = { kind: "other_hands", when: "before", amountMinor: 779 } as const;
const LAST_FRAMES = 8;
const AWAY_MS = 60_000;

describe.each(KINDS)("a sale in doubt on a device of %s", (_title, kind) => {
  test.each([[[]], [["annul", "open", "pay"]], [["pay", "open", "pay"]]])(
    "is ended while the gateway is away, and others do %p",
    async (deeds) => {
      const sweep = await Sweep.start(kind);
      const { device } = sweep;
      expect((await device.run(SALE)).error).toBeUndefined();
      const frames = await sweep.countFrames(SALE);
      for (let at = frames - LAST_FRAMES; at <= frames; at += 1) {
        const { lastReceiptNumber: before } = device.state();
        const progress = new RecordedProgress();
        const command = { id: "cmd_1", ...SALE, original: undefined };
        const session = await device.connect();
        await device.fault({ kind: "drop_after", at });
        const lost = await session.execute(command, progress).catch((error: unknown) => error);
        session.close();
        await device.clear();
        if (!(lost instanceof DocumentInDoubt)) continue;
        const keep = async (learned: Baseline) => {
          await progress.keep(learned);
          for (const deed of deeds) await device.fault({ ...THEIRS, deed });
          await device.time.sleep(AWAY_MS);
        };
        const next = await device.connect();
        const began = device.time.now();
        const { outcome, ...told } = await next.resolve(command, progress.evidence(), keep);
        next.close();
        const isLate = device.time.now() - began >= AWAY_MS;
        const { receipts } = device.books(before);
        await device.fault({ ...THEIRS, deed: "annul" });
        const ours = receipts.filter(({ total }) => total !== THEIRS.amountMinor).map(fiscalIdOf);
        const own = "success" in told ? [told.success.fiscalId] : [];
        const isTrue = outcome === "unknown" || own.join() === ours.join();
        expect({ at, isLate, isTrue }).toEqual({ at, isLate: false, isTrue: true });
      }
      await sweep.stop();
    },
  );
});
