/**
 * A shop whose printer stands next to a tablet: the gateway as a process of its own, and a controller
 * that speaks the protocol by hand.
 */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ScriptedController } from "../modules/controllers/testing/scripted-controller.ts";
import {
  type Gateway,
  registerDevice,
  registerShop,
  type Shop,
  startGateway,
} from "./harness/gateway.ts";
import { startRemoteController } from "./harness/remote-controller.ts";
import { startPrinter } from "./harness/simulator.ts";

const SALE = {
  items: [{ name: "Bread", quantity: 2, price: 1.5, vatGroup: "VAT1" }],
  payments: [{ method: "cash", amount: 3 }],
};
const DONE = { success: true, fiscalId: "27", data: { receiptNumber: "27" } };

/** As the REST API writes them. */
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

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
/** @param meanwhile what is done while it is away */
const restart = async (meanwhile = (): void => undefined) => {
  const address = new URL(gateway.url).host;
  await gateway.kill();
  meanwhile();
  gateway = await startGateway(join(folder, "state"), { address });
};

test("a sale waits for the controller, is printed there, and its receipt is stored", async () => {
  const { id: commandId } = await shop.till.submit(deviceId, "print_receipt", SALE);
  const tablet = await connect();
  tablet.announce(deviceId);
  const { command, epoch, begun, expiresAt } = await tablet.next("command.dispatch");
  expect([command.id, command.payload, begun]).toEqual([commandId, SALE, false]);
  expect(expiresAt).toMatch(INSTANT);
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

  await shop.till.submit(deviceId, "void_receipt", { receiptId: "27" });
  const voiding = await tablet.next("command.dispatch");
  const instant = expect.stringMatching(INSTANT);
  expect(voiding.command).toMatchObject({
    ...{ type: "void_receipt", payload: { receiptId: "27" } },
    original: { commandId, fiscalId: "27", issuedAt: instant, createdAt: instant },
  });
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

test("what a controller printed behind the copy that was put back is heard, and a person told", async () => {
  const { id: commandId } = await shop.till.submit(deviceId, "print_receipt", SALE);
  const state = join(folder, "state");
  await restart(() => cpSync(state, join(folder, "copy"), { recursive: true }));
  const before = await connect();
  before.announce(deviceId);
  const { epoch } = await before.next("command.dispatch");
  const about = { deviceId, commandId, epoch };
  for (const mark of ["baseline", "committing"]) {
    before.say({ type: "command.mark", ...about, mark, baseline: { last: 26 } });
    await before.next("mark.stored");
  }
  await restart(() => {
    rmSync(state, { recursive: true });
    cpSync(join(folder, "copy"), state, { recursive: true });
  });
  const unknown = { status: "failed", result: { data: { outcome: "unknown" } } };
  expect(await shop.till.wait(commandId)).toMatchObject(unknown);
  const after = await connect();
  after.say({ type: "command.result", ...about, result: DONE });
  expect(await after.next("error")).toMatchObject({ code: "STALE", commandId });
  const path = `/devices/${deviceId}/alerts`;
  const { alerts } = await shop.till.expect<{ alerts: unknown[] }>("GET", path);
  expect(alerts).toContainEqual(expect.objectContaining({ type: "late_result", commandId }));
});

test("fiscald controller voids a sale at its printer, and shows what passed on the line", async () => {
  const printer = await startPrinter({ stateFile: join(folder, "printer.state") });
  const { host, port } = printer;
  const target = { driver: "vendorA.isl", host, port, managedBy: "remote" } as const;
  const id = await registerDevice(shop.till, target, "Bar");
  const place = { controllerId: "bar", key: shop.key, stateDir: join(folder, "bar") };
  const args = [`--device=${id}`];
  const controller = await startRemoteController({ ...place, line: gateway, args });
  try {
    const payload = { ...SALE, uniqueSaleNumber: "DT000600-0001-0000001" };
    const sale = await shop.till.submit(id, "print_receipt", payload);
    const { result } = await shop.till.wait(sale.id);
    const receiptId = result?.fiscalId ?? "";
    const voiding = await shop.till.submit(id, "void_receipt", { receiptId });
    expect(await shop.till.wait(voiding.id)).toMatchObject({ status: "completed" });
    const { receipts } = await printer.books();
    expect(receipts.map(({ kind, total }) => `${kind} ${total}`)).toEqual([
      "sale 300",
      "storno 300",
    ]);
    const { entries } = await shop.till.expect<{ entries: { at: string; lastAt: string }[] }>(
      "GET",
      `/devices/${id}/trace`,
    );
    expect(entries.length).toBeGreaterThan(10);
    const times = entries.flatMap(({ at, lastAt }) => [at, lastAt]);
    expect(times.filter((time) => !INSTANT.test(time))).toEqual([]);

    // What the gateway itself serves, or is to serve, the controller asks nothing.
    const own = await registerDevice(shop.till, { driver: "vendorA.isl", host, port: 9 }, "Own");
    const search = { controllerId: "bar", host: "localhost", port: 9 };
    const { tried } = await shop.owner.expect<{ tried: unknown[] }>(
      "POST",
      "/devices/detect",
      search,
    );
    expect(tried).toMatchObject([
      { outcome: "in_use", reason: `The registered device Own (${own}) uses it`, probes: 0 },
    ]);
  } finally {
    await controller.kill();
    await printer.kill();
  }
});
