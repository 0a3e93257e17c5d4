/**
 * A sale stands still for want of paper on a controller that its gateway does not reach any more.
 * Another one has the printer meanwhile, and tells what became of the sale: whoever loads paper finds
 * nothing of it printed on once it was told as not printed.
 */

import { describe, expect, test } from "bun:test";
import type { Baseline, Mark } from "#core/command/marks.ts";
import type { DriverCommand, DriverSession } from "#core/driver.ts";
import { smallSale } from "./testing/contract-payloads.ts";
import { EVERY_MODEL, isMute, type ModelUnderTest } from "./testing/every-model.ts";
import { RecordedProgress } from "./testing/fake-environment.ts";
import { SimulatedDevice } from "./testing/simulated-device.ts";

const KINDS = EVERY_MODEL.filter((kind) => !isMute(kind)).map(
  (kind) => [`${kind.driver}, ${kind.model}`, kind] as const,
);
/** On CUSTOM without the text of a number, so that a single line opens the receipt and ends it. */
function commandOf({ driver }: ModelUnderTest): DriverCommand {
  const { uniqueSaleNumber, ...bare } = smallSale({});
  const payload = driver === "custom.serial" ? bare : { ...bare, uniqueSaleNumber };
  return { id: "cmd_1", type: "print_receipt", payload, original: undefined };
}

/** Marks that are not stored any more once another controller has told of the document. */
class TakenOver extends RecordedProgress {
  /** What the other one tells. */
  told: string | undefined;

  override async mark(mark: Mark, baseline?: Baseline): Promise<void> {
    if (this.told !== undefined) throw new Error("it was handed over anew");
    await super.mark(mark, baseline);
  }
}

/** Finds out what became of it, on another line to the same printer. */
async function resolve(
  other: DriverSession,
  command: DriverCommand,
  progress: TakenOver,
): Promise<void> {
  const mark = progress.marks.at(-1);
  if (mark === undefined) return;
  const evidence = { mark, baseline: progress.baseline, mayBeFurther: true };
  const { outcome } = await other.resolve(command, evidence, async () => undefined);
  progress.told = outcome;
}

describe.each(KINDS)("a sale that stands still on a device of %s", (_title, kind) => {
  test("is not printed after another controller has told that it was not", async () => {
    const command = commandOf(kind);
    const device = await SimulatedDevice.start(kind);
    const session = await device.connect();
    const other = await device.connect();
    try {
      const before = device.books().frames;
      await session.execute(command, new RecordedProgress());
      const frames = device.books().frames - before;
      for (let at = 1; at <= frames; at += 1) {
        const { length: printed } = device.books().receipts;
        const progress = new TakenOver();
        // Where it cannot tell without paper, nothing is told yet.
        progress.whenPaused = async () => {
          await resolve(other, command, progress).catch(() => undefined);
          await device.clear();
        };
        await device.fault({ kind: "paper_out", mode: "refused", at });
        await session.execute(command, progress).catch(() => undefined);
        await device.clear();
        if (progress.told !== "not_printed") continue;
        expect({ at, receipts: device.books().receipts.length }).toEqual({ at, receipts: printed });
      }
    } finally {
      for (const line of [session, other]) line.close();
      await device.stop();
    }
  });
});
