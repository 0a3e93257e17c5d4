/** A device's status over a controller that the test plays. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import type { ControllerIdentity } from "#core/controller/controller.ts";
import { type CommandsBench, createCommandsBench } from "../commands/testing/commands-bench.ts";

let bench: CommandsBench;
beforeEach(async () => {
  bench = await createCommandsBench();
  await bench.owner.patch(`/api/v1/devices/${bench.deviceId}`, { managedBy: "remote" });
});
afterEach(() => bench.close());

function connect() {
  const identity: ControllerIdentity = {
    ...{ orgId: bench.orgId, controllerId: "tablet", name: "Tablet", reportsMarks: true },
    ...{ appVersion: "1", deviceModel: "m", osVersion: "o" },
  };
  return bench.controllers.connect(identity, [], { send() {}, close() {} });
}

test("the status of a device follows its controller's connection and the line", async () => {
  const { deviceId } = bench;
  const status = async () => {
    await bench.atRest();
    return (await bench.owner.get(`/api/v1/devices/${deviceId}/status`)).body;
  };
  const out = { wsConnected: false, controllerOnline: false, effectiveStatus: "offline" };
  expect(await status()).toMatchObject({ ...out, lastSeen: null });
  const tablet = connect();
  tablet.receive({ type: "device.announce", deviceId, link: "up" });
  expect(await status()).toMatchObject({
    ...{ wsConnected: true, controllerOnline: true, effectiveStatus: "online" },
    lastSeen: "2026-01-15T10:00:00.000Z",
  });
  bench.clock.advance(1_000);
  tablet.receive({ type: "device.announce", deviceId, link: "down", reason: "Switched off" });
  expect(await status()).toMatchObject({
    ...{ wsConnected: false, controllerOnline: true, effectiveStatus: "offline" },
    reason: "Switched off",
  });
  tablet.close();
  expect(await status()).toMatchObject(out);
});
