/** A sale that something interrupts, whatever frame of it is on its way. */

import { expect } from "bun:test";
import { SALE } from "../crash/documents.ts";
import { countFrames } from "../crash/run.ts";
import type { World } from "../harness/world.ts";
import { endOf, sellUpTo } from "./scene.ts";

/**
 * Interrupts a sale at each of its frames, at which the printer falls silent: the till is told what
 * the printer's books say, and nothing stands open.
 * @param interrupt lets the printer answer again, too
 */
export async function interruptAtEachFrame(
  world: World,
  interrupt: () => Promise<void>,
): Promise<void> {
  const frames = await countFrames(world, SALE);
  for (let frame = 1; frame <= frames; frame += 1) {
    const { receiptCount } = await world.printer.books();
    const id = await sellUpTo(world, frame);
    await interrupt();
    const { status, outcome } = endOf(await world.till.wait(id));
    const after = await world.printer.books();
    expect({ frame, told: status === "completed" ? 1 : 0, outcome }).toEqual({
      frame,
      told: after.receiptCount - receiptCount,
      outcome: status === "completed" ? undefined : "not_printed",
    });
    expect(after.openDocument).toBeNull();
  }
}
