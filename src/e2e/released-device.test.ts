/**
 * Devices that are released while a receipt is under way, and taken back: it is printed once, or the
 * till hears that it was not.
 */

import { expect, test } from "bun:test";
import { VERSION } from "../version.ts";
import { TOTAL_MINOR } from "./crash/documents.ts";
import { until } from "./harness/until.ts";
import type { World } from "./harness/world.ts";
import { interruptAtEachFrame } from "./outages/interrupted-sale.ts";
import { COMPLETED, endOf, inWorld, sell, submitSale } from "./outages/scene.ts";

const path = (world: World, suffix = "") => `/devices/${world.deviceId}${suffix}`;
const ownerOf = async (world: World) =>
  (await world.till.expect<{ controllerId: string | null }>("GET", path(world))).controllerId;

async function release(world: World): Promise<void> {
  await world.till.expect("POST", path(world, "/release"), { controllerId: "builtin" });
  expect(await ownerOf(world)).toBeNull();
}

async function takeBack(world: World): Promise<void> {
  await world.till.expect("PATCH", path(world), { managedBy: "builtin" });
  await until("the device is served", async () => (await ownerOf(world)) === "builtin");
}

test.concurrent("a device released at any frame of a receipt prints it once, or it is told as not printed", () =>
  inWorld({}, (world) =>
    interruptAtEachFrame(world, async () => {
      await release(world);
      await world.printer.clear();
      await takeBack(world);
    }),
  ));

test.concurrent("a released device is left alone, its history tells of it, and it prints again when taken back", () =>
  inWorld({}, async (world) => {
    interface Instance {
      readonly appVersion: string;
      readonly deviceModel: string;
      readonly connectedDevices: readonly string[];
    }
    interface ConnectionEvent {
      readonly type: string;
      readonly reason: string | null;
      readonly appVersion: string;
      readonly deviceModel: string;
    }
    const builtin = async () => {
      const { instances } = await world.till.expect<{ instances: Instance[] }>(
        "GET",
        "/controllers",
      );
      expect(instances).toHaveLength(1);
      return instances[0];
    };
    const history = async () => {
      const answer = await world.till.expect<{ events: ConnectionEvent[] }>(
        "GET",
        path(world, "/connection-history"),
      );
      return answer.events;
    };
    const up = await builtin();
    expect(up).toMatchObject({
      ...{ controllerId: "builtin", controllerName: "Built-in controller" },
      ...{ appVersion: VERSION, connectedDevices: [world.deviceId] },
    });
    expect(up?.deviceModel).not.toBe("");
    expect(await history()).toMatchObject([
      { type: "connected", appVersion: VERSION, deviceModel: up?.deviceModel },
    ]);
    await release(world);
    expect((await builtin())?.connectedDevices).toEqual([]);
    const { frames } = await world.printer.books();
    const waiting = await submitSale(world);
    await takeBack(world);
    expect(endOf(await world.till.wait(waiting.id))).toEqual(COMPLETED);
    expect((await world.printer.books()).frames).toBeGreaterThan(frames);
    expect((await history()).map(({ type }) => type)).toEqual([
      ...["connected", "disconnected", "connected"],
    ]);
    expect(endOf(await sell(world))).toEqual(COMPLETED);
    await world.killGateway();
    await world.restartGateway();
    await until("it is served again", async () => (await history()).length === 5);
    expect(await history()).toMatchObject([
      { type: "connected", reason: null },
      { type: "disconnected", reason: "The gateway was ended without notice" },
      { type: "connected" },
      { type: "disconnected" },
      { type: "connected" },
    ]);
    await world.gateway.stop();
    await world.restartGateway();
    await until("it is served once more", async () => (await history()).length === 7);
    expect((await history())[1]).toMatchObject({
      ...{ type: "disconnected", reason: "The gateway was stopped", code: null },
    });
    const { receipts } = await world.printer.books();
    expect(receipts.map(({ total }) => total)).toEqual([TOTAL_MINOR, TOTAL_MINOR]);
  }));
