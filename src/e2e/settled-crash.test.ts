/**
 * A sale that a person called not printed while its printer was off, and a gateway that is killed
 * before the printer is back: it asks all the same, and the sale is not printed again unnoticed.
 */

import { describe, expect, test } from "bun:test";
import { DEADLINE_MS } from "../platform/testing/deadline.ts";
import { SALE } from "./crash/documents.ts";
import { quieten } from "./crash/run.ts";
import { registerDevice } from "./harness/gateway.ts";
import { until } from "./harness/until.ts";
import type { World } from "./harness/world.ts";
import { inWorld } from "./outages/scene.ts";

/** A device must have been silent for a minute before a person is heard. */
const HEARD_WITHIN_MS = 60_000 + DEADLINE_MS;

/** One device of each protocol, and both generations of frames of the first. */
const MODELS = [
  { driver: "vendorA.isl", model: "x", record: "kept" },
  { driver: "vendorA.isl", model: "p", record: "made anew" },
  { driver: "vendorE.zfp", model: "v1", record: "kept" },
  { driver: "vendorF.shtrih", model: "fr-k", record: "made anew" },
  { driver: "custom.serial", model: "gen3", record: "kept" },
] as const;
/** More than a sale has. */
const HELD_FRAMES = 1_000;

/** The answer to the closing frame of a sale is lost, with the printer's power. @returns its id */
async function sellAndLose(world: World): Promise<string> {
  const { printer, till, deviceId } = world;
  await quieten(world);
  await printer.fault({ kind: "hold", count: HELD_FRAMES });
  const { id } = await till.submit(deviceId, SALE.type, SALE.payload);
  await until("the receipt", async () => {
    const { receiptCount, holding } = await printer.books();
    if (receiptCount === 1) return true;
    if (holding) await printer.release();
    return false;
  });
  await printer.kill();
  return id;
}

/** Says that it was not printed, as soon as that is heard, and kills the gateway. */
async function denyAndKill(world: World, id: string): Promise<void> {
  const say = () =>
    world.till.call("POST", `/commands/${id}/resolve`, { body: { outcome: "not_printed" } });
  await until("a hearing", async () => (await say()).status === 200, HEARD_WITHIN_MS);
  await world.killGateway();
  await world.restartGateway();
}

/** The record of the printer is deleted and made anew, as people do with what does not work. */
async function registerAnew({ till, printer, deviceId }: World, driver: string): Promise<string> {
  await till.expect("DELETE", `/devices/${deviceId}`);
  const { host, port } = printer;
  return registerDevice(till, { driver, host, port });
}

async function alertsOf({ till }: World, deviceId: string): Promise<readonly string[]> {
  const { alerts } = await till.expect<{ alerts: { type: string; commandId?: string }[] }>(
    "GET",
    `/devices/${deviceId}/alerts`,
  );
  return alerts.map(({ type, commandId = "" }) => `${type} ${commandId}`);
}

describe.each(MODELS)("on $driver $model", ({ driver, model, record }) => {
  test.concurrent(`is found printed through a record that was ${record}`, () =>
    inWorld({ driver, model }, async (world) => {
      const id = await sellAndLose(world);
      await denyAndKill(world, id);
      const isKept = record === "kept";
      const deviceId = isKept ? world.deviceId : await registerAnew(world, driver);
      await world.restartPrinter();
      const { receiptCount } = await world.printer.books();
      expect(receiptCount).toBe(1);
      const again = await world.till.submit(deviceId, SALE.type, SALE.payload);
      const wanted = [`outcome_unknown ${id}`, `late_result ${id}`];
      await until("the printer's word", async () => {
        const alerts = await alertsOf(world, deviceId);
        return wanted.every((alert) => alerts.includes(alert));
      });
      expect((await world.printer.books()).receiptCount).toBe(receiptCount);
      // It was printed after all: what the till sent again is taken back.
      await world.till.expect("DELETE", `/commands/${again.id}`);
      await world.till.expect("POST", `/commands/${id}/resolve`, { outcome: "printed" });
      const next = await world.till.submit(deviceId, SALE.type, SALE.payload);
      expect((await world.till.wait(next.id)).status).toBe("completed");
      expect((await world.printer.books()).receiptCount).toBe(receiptCount + 1);
      expect(await alertsOf(world, deviceId)).toEqual([`late_result ${id}`]);
    }));
});
