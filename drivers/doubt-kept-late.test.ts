/**
 * A sale in doubt that stands open, paid, is found out while the gateway is away: it is ended all the
 * same, and what others put in its place meanwhile is not told for ours.
 */

import { describe, expect, test } from "bun:test";
import type { Baseline } from "#core/command/marks.ts";
import type { Resolution } from "#core/driver.ts";
import { DocumentInDoubt, isLineFault } from "#core/errors.ts";
import { smallSale } from "./testing/contract-payloads.ts";
import { EVERY_MODEL, isMute } from "./testing/every-model.ts";
import { RecordedProgress } from "./testing/fake-environment.ts";
import { fiscalIdOf, type SimulatedReceipt } from "./testing/simulated-device.ts";
import { Sweep } from "./testing/sweep.ts";

const KINDS = EVERY_MODEL.filter((kind) => !isMute(kind) && /zfp|custom/.test(kind.driver)).map(
  (kind) => [`${kind.driver}, ${kind.model}`, kind] as const,
);
const [ITEM] = smallSale({ price: 0.6 }).items;
const PAYLOAD = { ...smallSale({}), items: [ITEM, ITEM] };
const SALE = { type: "print_receipt", payload: PAYLOAD } as const;
const COMMAND = { id: "cmd_1", ...SALE, original: undefined };
const THEIRS = { kind: "other_hands", when: "before", amountMinor: 779 } as const;
/** A receipt as much worth as ours, of one line. */
const LIKE_OURS = { ...THEIRS, amountMinor: 120 } as const;
const LAST_FRAMES = 8;
const AWAY_MS = 60_000;
/** On no device takes it more to find out what became of a sale. */
const FRAMES_MAX = 40;

describe.each(KINDS)("a sale in doubt on a device of %s", (_title, kind) => {
  test.each([[[]], [["annul", "open", "pay"]], [["pay", "open", "pay"]]])(
    "is ended while the gateway is away, and others do %p",
    async (deeds) => {
      const sweep = await Sweep.start(kind);
      for await (const { at, progress, before } of doubtsOf(sweep)) {
        const { device } = sweep;
        const keep = async (learned: Baseline) => {
          await progress.keep(learned);
          for (const deed of deeds) await device.fault({ ...THEIRS, deed });
          await device.time.sleep(AWAY_MS);
        };
        const began = device.time.now();
        const resolution = await resolveOnce(sweep, progress, keep);
        const isLate = device.time.now() - began >= AWAY_MS;
        const isTrue = isTrueIn(device.books(before).receipts, resolution);
        await device.fault({ ...THEIRS, deed: "annul" });
        // What others are ringing up is not ours to end.
        const mayWait = deeds[0] === "annul";
        expect({ at, isLate: isLate && !mayWait, isTrue }).toEqual({
          ...{ at, isLate: false, isTrue: true },
        });
      }
      await sweep.stop();
    },
  );

  // Behind what is stored at once it is not looked at anew for that.
  test.each([
    ["late", ["annul", "open", "pay"], AWAY_MS],
    ["at once", ["annul", "open"], 0],
  ] as const)(
    "is told truly when it is kept %s, others do %p, and the line is lost anew",
    async (_, deeds, awayMs) => {
      const sweep = await Sweep.start(kind);
      const { device } = sweep;
      // The second generation does not tell what its last receipt was worth.
      const isBlind = kind.model === "gen2" && awayMs > 0;
      const hands = isBlind ? THEIRS : LIKE_OURS;
      let isOver = false;
      for (let lost = 1; !isOver; lost += 1) {
        expect(lost).toBeLessThan(FRAMES_MAX);
        for await (const { at, progress, before } of doubtsOf(sweep)) {
          let isKept = false;
          const keep = async (learned: Baseline) => {
            await progress.keep(learned);
            if (isKept) return;
            isKept = true;
            for (const deed of deeds) await device.fault({ ...hands, deed });
            await device.fault({ kind: "drop_after", at: lost });
            if (awayMs > 0) await device.time.sleep(awayMs);
          };
          const first = await resolveOnce(sweep, progress, keep).catch((error: unknown) => {
            if (!isLineFault(error)) throw error;
            return undefined;
          });
          await device.clear();
          // Behind what we have cancelled they ring it up once more.
          const isGone = first === undefined && device.books().openDocument === null;
          if (isGone) await device.fault({ ...hands, deed: "ring_up" });
          const last = first ?? (await resolveOnce(sweep, progress, keep));
          const isTrue = isTrueIn(device.books(before).receipts, last);
          await device.fault({ ...THEIRS, deed: "annul" });
          expect({ at, lost, isTrue }).toEqual({ at, lost, isTrue: true });
          isOver ||= isKept && first !== undefined;
          // Its payment is seen alike behind each frame.
          if (isKept) break;
        }
      }
      await sweep.stop();
    },
  );
});

/** The line is lost behind each of the last frames of a sale. */
async function* doubtsOf(sweep: Sweep) {
  const { device } = sweep;
  expect((await device.run(SALE)).error).toBeUndefined();
  const frames = await sweep.countFrames(SALE);
  for (let at = frames - LAST_FRAMES; at <= frames; at += 1) {
    const { lastReceiptNumber: before } = device.state();
    const progress = new RecordedProgress();
    const session = await device.connect();
    await device.fault({ kind: "drop_after", at });
    const lost = await session.execute(COMMAND, progress).catch((error: unknown) => error);
    session.close();
    await device.clear();
    if (lost instanceof DocumentInDoubt) yield { at, progress, before };
  }
}

async function resolveOnce(
  { device }: Sweep,
  progress: RecordedProgress,
  keep: (learned: Baseline) => Promise<void>,
): Promise<Resolution> {
  const session = await device.connect();
  try {
    return await session.resolve(COMMAND, progress.evidence(), keep);
  } finally {
    session.close();
  }
}

function isTrueIn(receipts: readonly SimulatedReceipt[], resolution: Resolution): boolean {
  if (resolution.outcome === "unknown") return true;
  const ours = receipts.filter(({ items }) => items.length === PAYLOAD.items.length);
  const told = resolution.outcome === "printed" ? [resolution.success.fiscalId ?? "no number"] : [];
  return told.join() === ours.map(fiscalIdOf).join();
}
