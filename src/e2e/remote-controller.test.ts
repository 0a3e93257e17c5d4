/**
 * A shop whose printer stands next to a tablet: the gateway as a process of its own, and a controller
 * that speaks the protocol by hand.
 */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ScriptedController } from "../modules/controllers/testing/scripted-controller.ts";
import { type Gateway, registerShop, type Shop, startGateway } from "./harness/gateway.ts";

const SALE = {
  items: [{ name: "Bread", quantity: 2, price: 1.5, vatGroup: "VAT1" }],
  payments: [{ method: "cash", amount: 3 }],
};
const DONE = { success: true, fiscalId: "27", data: { receiptNumber: "27" } };

let folder: string;
let gateway: Gateway;
let shop: Shop;
let deviceId: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-remote-"));
  gateway = await startGateway(join(folder, "state"));
  shop = await registerShop(gateway.url);
  const { id } = await shop.till.expect<{ id: string }>("POST", "/devices", {
    ...{ name: "Counter", driver: "vendorA.isl", locationId: "shop", managedBy: "remote" },
    ...{ transport: "bluetooth", connectionParams: { address: "AA:BB:CC:DD:EE:FF" } },
  });
  deviceId = id;
});
afterEach(async () => {
  await gateway.kill();
  rmSync(folder, { recursive: true, force: true });
});

const connect = () => ScriptedController.connect(gateway.url, { credential: shop.key });
const restart = async () => {
  const address = new URL(gateway.url).host;
  await gateway.kill();
  gateway = await startGateway(join(folder, "state"), { address });
};

test("a sale waits for the controller, is printed there, and its receipt is stored", async () => {
  const { id: commandId } = await shop.till.submit(deviceId, "print_receipt", SALE);
  const tablet = await connect();
  tablet.announce(deviceId);
  const { command, epoch, begun, expiresAt } = await tablet.next("command.dispatch");
  expect([command.id, command.payload, begun]).toEqual([commandId, SALE, false]);
  expect(expiresAt).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
  const about = { deviceId, commandId, epoch };
  tablet.say({ type: "command.ack", ...about });
  tablet.say({ type: "command.mark", ...about, mark: "baseline", baseline: { last: 26 } });
  expect(await tablet.next("mark.stored")).toMatchObject({ commandId, mark: "baseline" });
  for (const mark of ["opened", "committing", "committed"]) {
    tablet.say({ type: "command.mark", ...about, mark });
    expect(await tablet.next("mark.stored")).toMatchObject({ mark });
  }
  tablet.say({ type: "command.result", ...about, result: DONE });
  expect(await tablet.next("result.stored")).toMatchObject({ commandId });
  expect(await shop.till.wait(commandId)).toMatchObject({ status: "completed" });
  const { receipts } = await shop.till.expect<{ receipts: unknown[] }>("GET", "/receipts");
  expect(receipts).toMatchObject([{ commandId, fiscalId: "27", type: "sale", total: 3 }]);
});

test("what a controller has outlives the gateway, and is asked of it", async () => {
  const begun = await shop.till.submit(deviceId, "print_receipt", SALE);
  const before = await connect();
  before.announce(deviceId);
  const { epoch } = await before.next("command.dispatch");
  const about = { deviceId, commandId: begun.id };
  before.say({ type: "command.mark", ...about, epoch, mark: "baseline", baseline: { last: 26 } });
  before.say({ type: "command.mark", ...about, epoch, mark: "committing" });
  await before.next("mark.stored");
  await before.next("mark.stored");
  await restart();

  const after = await connect();
  expect(after.welcome.devices).toMatchObject([{ id: deviceId }]);
  const asked = await after.next("command.resolve");
  expect(asked).toMatchObject({ command: { id: begun.id }, mark: "committing" });
  expect(asked.baseline).toEqual({ last: 26 });
  // What it kept of the older hand-over no longer counts.
  after.say({ type: "command.result", ...about, epoch, result: DONE });
  expect(await after.next("error")).toMatchObject({ code: "STALE" });
  after.say({ type: "command.result", ...about, epoch: asked.epoch, result: DONE });
  expect(await after.next("result.stored")).toMatchObject({ commandId: begun.id });
  expect(await shop.till.wait(begun.id)).toMatchObject({ status: "completed" });
});

test("what had begun without a mark goes to the controller again, as begun", async () => {
  const { id: commandId } = await shop.till.submit(deviceId, "get_status");
  const before = await connect();
  before.announce(deviceId);
  await before.next("command.dispatch");
  before.say({ type: "command.ack", deviceId, commandId });
  // The answer to this comes when what was said before is on disk.
  before.say({ type: "command.mark", deviceId, commandId: "cmd_0", mark: "baseline" });
  await before.next("error");
  await restart();
  const after = await connect();
  const { command, begun, epoch } = await after.next("command.dispatch");
  expect([command.id, begun]).toEqual([commandId, true]);
  const result = { success: false, errorCode: "E101", errorMessage: "The printer is off" };
  after.say({ type: "command.result", deviceId, commandId, epoch, result });
  await after.next("result.stored");
  expect(await shop.till.wait(commandId)).toMatchObject({ status: "failed", result });
});
