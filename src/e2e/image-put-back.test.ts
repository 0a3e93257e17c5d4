/**
 * An image of the whole disk is put back, and the printer's last number alone says nothing: it began
 * anew behind a Z report, or none was known of it. What waited in the image was printed by the run that
 * is gone with the disk.
 */

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { isNumberNoted, readerOf } from "./crash/own-questions.ts";
import { registerDevice } from "./harness/gateway.ts";
import { ownPlace } from "./harness/own-host.ts";
import { startPrinter } from "./harness/simulator.ts";
import { until } from "./harness/until.ts";
import type { World } from "./harness/world.ts";
import {
  accept,
  copyState,
  image,
  MODELS,
  meanwhile,
  putBack,
  putStateBack,
  receiptsOf,
  told,
} from "./outages/restored.ts";
import {
  alertsOf,
  COMPLETED,
  endOf,
  inWorld,
  inWorlds,
  resolve,
  run,
  sell,
  submitSale,
  switchOff,
  untilAlert,
} from "./outages/scene.ts";

/** Printers that number their receipts anew behind each Z report. */
const BY_DAY = [
  { driver: "custom.serial", model: "gen3" },
  { driver: "custom.serial", model: "gen2" },
] as const;

/** A sale waits for a printer that is off when the image is made. @returns its id */
async function waitingInImage(world: World): Promise<string> {
  await switchOff(world);
  const { id } = await submitSale(world);
  await meanwhile(world, image(world));
  return id;
}

/** The run of which the image knows nothing prints what waited. */
async function printed(world: World, id: string): Promise<void> {
  await world.restartPrinter();
  expect(endOf(await world.till.wait(id))).toEqual(COMPLETED);
}

/** The run that is gone has printed what waits in the image, and closed the day. @returns its id */
async function printedInClosedDay(world: World): Promise<string> {
  expect(endOf(await sell(world))).toEqual(COMPLETED);
  const id = await waitingInImage(world);
  await printed(world, id);
  expect(endOf(await run(world, "z_report"))).toEqual(COMPLETED);
  return id;
}

/** A person is asked of what waited, and the printer goes on behind the answer. */
async function asksPerson(world: World, id: string): Promise<void> {
  const before = await receiptsOf(world);
  expect(endOf(await world.till.wait(id))).toMatchObject({ outcome: "unknown" });
  await resolve(world, id, { outcome: "printed" });
  expect(endOf(await sell(world))).toEqual(COMPLETED);
  expect(await receiptsOf(world)).toBe(before + 1);
}

describe("behind a Z report of the run that is gone, what waited is not printed again", () => {
  test.concurrent("where nothing was printed in the new day", () =>
    inWorlds(BY_DAY, async (world) => {
      const id = await printedInClosedDay(world);
      await meanwhile(world, putBack(world));
      await asksPerson(world, id);
      expect(await alertsOf(world)).toContain("documents_unknown");
    }));

  test.concurrent("where as many were printed in the new day as are known of the day before", () =>
    inWorlds(BY_DAY, async (world) => {
      const id = await printedInClosedDay(world);
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      await meanwhile(world, putBack(world));
      await asksPerson(world, id);
      expect(await alertsOf(world)).toContain("documents_unknown");
    }));

  test.concurrent("nor is the report itself made again that waited", () =>
    inWorlds(BY_DAY, async (world) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      await switchOff(world);
      const { id } = await world.till.submit(world.deviceId, "z_report", {});
      await meanwhile(world, image(world));
      await printed(world, id);
      const { zNumber } = await world.printer.books();
      await meanwhile(world, putBack(world));
      expect(endOf(await world.till.wait(id))).toMatchObject({ outcome: "unknown" });
      expect((await world.printer.books()).zNumber).toBe(zNumber);
    }));
});

describe("what is accepted of a printer that begins anew each day", () => {
  test.concurrent("is known with its day", () =>
    inWorlds(BY_DAY, async (world) => {
      const id = await printedInClosedDay(world);
      await meanwhile(world, putBack(world));
      await untilAlert(world, "documents_unknown");
      await resolve(world, id, { outcome: "printed" });
      expect((await accept(world)).status).toBe(200);
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      await meanwhile(world, async () => undefined);
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      expect(await alertsOf(world)).toEqual([]);
    }));
});

test.concurrent("a copy of the state is no proof that nothing was printed, behind a Z report of the first day", () =>
  inWorlds(BY_DAY, async (world) => {
    await meanwhile(world, copyState(world));
    expect(endOf(await sell(world))).toEqual(COMPLETED);
    expect(endOf(await run(world, "z_report"))).toEqual(COMPLETED);
    await meanwhile(world, putStateBack(world));
    await untilAlert(world, "state_restored");
  }));

describe("on a printer of which no receipt is known", () => {
  test.concurrent("what waited is not printed again", () =>
    inWorlds(MODELS, async (world) => {
      const id = await waitingInImage(world);
      await printed(world, id);
      await meanwhile(world, putBack(world));
      await asksPerson(world, id);
      expect(await alertsOf(world)).toContain("documents_unknown");
    }));

  test.concurrent("an owner is told what was printed since the image", () =>
    inWorlds(MODELS, async (world) => {
      await until("its number", () => isNumberNoted(readerOf(world.database), world.deviceId));
      await meanwhile(world, image(world));
      for (let count = 0; count < 2; count += 1) {
        expect(endOf(await sell(world))).toEqual(COMPLETED);
      }
      await meanwhile(world, putBack(world));
      await untilAlert(world, "documents_unknown");
      expect(await told(world)).toMatchObject({ documents: 2 });
      expect(endOf(await sell(world))).toEqual(COMPLETED);
    }));

  test.concurrent("what waited is printed where it has printed nothing since", () =>
    inWorlds(MODELS, async (world) => {
      const id = await waitingInImage(world);
      await printed(world, id);
      expect(await receiptsOf(world)).toBe(1);
      expect(await alertsOf(world)).toEqual([]);
    }));
});

describe("on a printer that was never reached", () => {
  /** Another printer of the shop, which is off; a sale waits for it over a start of the gateway. */
  const waitingForOther = async (world: World, receipts: 0 | 1) => {
    const place = { ...ownPlace(), number: "0777" };
    const stateFile = join(world.folder, "other.state");
    const other = await startPrinter({ stateFile, place });
    const { host, port } = other;
    if (receipts === 1) {
      await other.fault({ kind: "other_hands", deed: "ring_up", amountMinor: 500 });
      await until("a receipt", async () => (await other.books()).receiptCount === 1);
    }
    await other.kill();
    const target = { driver: "vendorA.isl", host, port };
    world.deviceId = await registerDevice(world.till, target, "Other");
    const { id } = await submitSale(world);
    await meanwhile(world, async () => undefined);
    return { id, start: () => startPrinter({ stateFile, place: { host, port, number: "0777" } }) };
  };

  test.concurrent("a person is asked of what waited, where it has printed before", () =>
    inWorld({}, async (world) => {
      const { id, start } = await waitingForOther(world, 1);
      const other = await start();
      try {
        expect(endOf(await world.till.wait(id))).toMatchObject({ outcome: "unknown" });
        await resolve(world, id, { outcome: "not_printed" });
        expect(endOf(await sell(world))).toEqual(COMPLETED);
        expect((await other.books()).receiptCount).toBe(2);
      } finally {
        await other.kill();
      }
    }));

  test.concurrent("what waited is printed where it has never printed anything", () =>
    inWorld({}, async (world) => {
      const { id, start } = await waitingForOther(world, 0);
      const other = await start();
      try {
        expect(endOf(await world.till.wait(id))).toEqual(COMPLETED);
        expect(await alertsOf(world)).toEqual([]);
      } finally {
        await other.kill();
      }
    }));
});
