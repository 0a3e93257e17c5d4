/**
 * Documents that the gateway does not know, right behind a sale that failed: it explains what it can
 * have moved, and hides nothing else.
 */

import { describe, expect, test } from "bun:test";
import { SALE } from "./crash/documents.ts";
import { countFrames, quieten } from "./crash/run.ts";
import type { World, WorldOptions } from "./harness/world.ts";
import {
  accept,
  image,
  MODELS,
  meanwhile,
  putBack,
  receiptsOf,
  sellKeyed,
  told,
} from "./outages/restored.ts";
import {
  alertsOf,
  COMPLETED,
  endOf,
  inWorlds,
  notPrinted,
  sell,
  sellUpTo,
  switchOff,
  untilAlert,
} from "./outages/scene.ts";

const HOLD = ["--printers-when-ahead=hold"];

/** Printers of every way in which devices tell of their last receipt. */
const PRINTERS: readonly WorldOptions[] = [
  ...MODELS,
  { driver: "vendorA.isl", model: "c" },
  { driver: "vendorB.isl" },
  { driver: "vendorC.isl" },
  { driver: "vendorD.isl" },
];

/** Those on which the number of a receipt is that of a sale, whatever was cancelled before it. */
const TELLING_RECEIPTS: readonly WorldOptions[] = [
  { driver: "vendorA.isl", model: "x" },
  { driver: "vendorA.isl", model: "p" },
  { driver: "vendorA.isl", model: "c" },
  { driver: "vendorE.zfp" },
  { driver: "vendorF.shtrih" },
];

/** Somebody prints a receipt of his own. */
async function ringUp({ printer }: World): Promise<void> {
  await printer.fault({ kind: "other_hands", deed: "ring_up", amountMinor: 500 });
}

async function sellWithoutPaper(world: World): Promise<void> {
  await world.printer.fault({ kind: "paper_out" });
  expect(endOf(await sell(world))).toEqual(notPrinted("E306"));
  await world.printer.clear();
}

/** A sale breaks off before it holds a payment, and is cancelled after a start. */
async function breakOff(world: World): Promise<void> {
  const frames = await countFrames(world, SALE);
  // The state that is read behind that sale is no frame of the next one.
  await quieten(world);
  // CUSTOM devices are read once more behind the cut: half of their frames is at the payment.
  const part = world.printer.driver === "custom.serial" ? 3 : 2;
  const id = await sellUpTo(world, Math.ceil(frames / part));
  await meanwhile(world, () => world.printer.clear());
  expect(endOf(await world.till.wait(id)).outcome).toBe("not_printed");
}

/** The printer was asked after the last start, and its answer is stored. */
async function asked(world: World): Promise<void> {
  // Documents wait until then.
  expect(endOf(await sell(world))).toEqual(COMPLETED);
}

describe("behind a sale of which nothing was sent", () => {
  test.concurrent("one receipt by other hands holds the printer", () =>
    inWorlds(PRINTERS, async (world) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      await sellWithoutPaper(world);
      await meanwhile(world, () => ringUp(world), HOLD);
      await untilAlert(world, "documents_unknown");
      expect(await told(world)).toMatchObject({ documents: 1 });
      expect(await alertsOf(world)).toContain("state_restored");
    }));

  test.concurrent("what waits in the image of a disk is not printed again", () =>
    inWorlds(PRINTERS, async (world) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      await sellWithoutPaper(world);
      await switchOff(world);
      const { body } = await sellKeyed(world, "waiting");
      const waiting = body.command.id;
      await meanwhile(world, image(world));
      await world.restartPrinter();
      expect(endOf(await world.till.wait(waiting))).toEqual(COMPLETED);
      const printed = await receiptsOf(world);
      await meanwhile(world, putBack(world), HOLD);
      await untilAlert(world, "state_restored");
      expect((await accept(world)).status).toBe(200);
      expect(endOf(await world.till.wait(waiting))).toMatchObject({ outcome: "unknown" });
      expect(await receiptsOf(world)).toBe(printed);
    }));
});

describe("behind a sale that was cancelled", () => {
  test.concurrent("nothing is news", () =>
    inWorlds(PRINTERS, async (world) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      await sellWithoutPaper(world);
      await breakOff(world);
      await meanwhile(world, async () => undefined, HOLD);
      await asked(world);
      expect(await alertsOf(world)).toEqual([]);
    }));

  test.concurrent("one receipt by other hands holds the printer", () =>
    inWorlds(TELLING_RECEIPTS, async (world) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      await breakOff(world);
      await meanwhile(world, () => ringUp(world), HOLD);
      await untilAlert(world, "documents_unknown");
      expect(await alertsOf(world)).toContain("state_restored");
    }));
});
