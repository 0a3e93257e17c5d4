/**
 * Controllers that lie, flood or fight, beside an honest one and its printer, each a process of its
 * own: whatever they say, each sale is printed once, and the API tells the truth.
 */

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { ScriptedController } from "../modules/controllers/testing/scripted-controller.ts";
import { Box } from "./harness/box.ts";
import {
  ApiClient,
  type Gateway,
  registerDevice,
  registerShop,
  type Shop,
  type ShownCommand,
  startGateway,
} from "./harness/gateway.ts";
import { MessageProxy } from "./harness/message-proxy.ts";
import type { Running } from "./harness/program.ts";
import { startRemoteController } from "./harness/remote-controller.ts";
import { type SimulatedPrinter, startPrinter } from "./harness/simulator.ts";
import { until } from "./harness/until.ts";

const DRIVER = "vendorA.isl";
const MIB = 1024 * 1024;
/** What is no message is not kept: far less than what was sent. */
const GROWTH_MAX = 48 * MIB;
const NOT_PRINTED = {
  ...{ success: false, errorCode: "E306", errorMessage: "Out of paper" },
  data: { outcome: "not_printed" },
};
const PRINTED = { success: true, fiscalId: "999", data: { receiptNumber: "999" } };

const box = new Box();
let gateway: Gateway;
let shop: Shop;
let printer: SimulatedPrinter;
/** The honest controller's line to the gateway. */
let line: MessageProxy;
let honest: Running;
let deviceId: string;
/** A device that only the liar is at. */
let phantomId: string;
let other: ApiClient;
let otherDeviceId: string;
/** Names of what was sold so far, and of nothing else. */
const sold: string[] = [];
const liars: ScriptedController[] = [];

beforeAll(async () => {
  [gateway, printer] = await Promise.all([
    startGateway(box.stateDir, { args: ["--auth-registration=open"], engine: "own" }),
    startPrinter({ stateFile: `${box.folder}/printer.json` }),
  ]);
  box.keep(gateway);
  box.keep(printer);
  shop = await registerShop(gateway.url);
  const { host, port } = printer;
  deviceId = await registerDevice(shop.till, { driver: DRIVER, host, port, managedBy: "remote" });
  const nowhere = { driver: DRIVER, host: "127.0.0.1", port: 9, managedBy: "remote" } as const;
  phantomId = await registerDevice(shop.till, nowhere, "Phantom");
  other = await otherShop();
  otherDeviceId = await registerDevice(other, nowhere, "Theirs");
  line = new MessageProxy(() => gateway.url);
  honest = await startHonest();
  await isUp();
});
afterEach(async () => {
  for (const liar of liars.splice(0)) liar.close();
  await phantomIsDown();
});
afterAll(async () => {
  line?.stop();
  await box.clear();
});

/** Another organization on the same gateway, by a key of its own. */
async function otherShop(): Promise<ApiClient> {
  const body = { email: "ann@other.example", password: "another long password", name: "Ann" };
  const { accessToken } = await new ApiClient(gateway.url).expect<{ accessToken: string }>(
    "POST",
    "/auth/register",
    { ...body, organizationName: "Other" },
  );
  const owner = new ApiClient(gateway.url, accessToken);
  await owner.expect("PUT", "/billing/plan", { plan: "enterprise" });
  const label = { label: "Other", scopes: ["all"] };
  const { key } = await owner.expect<{ key: string }>("POST", "/org/api-keys", label);
  return new ApiClient(gateway.url, key);
}

/** One that serves the printer whatever it finds, over the line. */
async function startHonest(): Promise<Running> {
  const own = { controllerId: "honest", stateDir: `${box.folder}/honest`, key: shop.key, line };
  return box.keep(await startRemoteController({ ...own, args: [`--device=${deviceId}`] }));
}
/** One that looks for printers that nobody serves. */
async function startRival(): Promise<Running> {
  const own = { controllerId: "rival", stateDir: `${box.folder}/rival`, key: shop.key };
  return box.keep(await startRemoteController({ ...own, line: gateway }));
}

async function liarOf(client: ApiClient, controllerId: string): Promise<ScriptedController> {
  const { credential = "" } = client;
  const liar = await ScriptedController.connect(gateway.url, { credential, controllerId });
  liars.push(liar);
  return liar;
}

interface ShownDevice {
  readonly controllerId: string | null;
  readonly effectiveStatus: string;
}
const deviceOf = (client: ApiClient, id: string) =>
  client.expect<ShownDevice>("GET", `/devices/${id}`);
const isUp = () =>
  until("the printer within reach", async () => {
    const device = await deviceOf(shop.till, deviceId);
    return device.effectiveStatus === "online" ? device : undefined;
  });

const phantomIsDown = () =>
  until("the phantom out of reach", async () => {
    return (await deviceOf(shop.till, phantomId)).effectiveStatus === "offline";
  });

/** Queues the sale of something that nothing else is called. */
async function submit(): Promise<ShownCommand> {
  const name = `Bread ${sold.length + 1}`;
  sold.push(name);
  return shop.till.submit(deviceId, "print_receipt", {
    uniqueSaleNumber: `DT000600-0001-${String(sold.length).padStart(7, "0")}`,
    items: [{ name, price: 2.5, quantity: 1, vatGroup: "VAT2" }],
    payments: [{ method: "cash", amount: 2.5 }],
  });
}

/** The sale is told as printed, and the printer's books have each sale once and nothing else. */
async function isPrinted({ id }: ShownCommand): Promise<ShownCommand> {
  const command = await shop.till.wait(id);
  expect(command).toMatchObject({ status: "completed", result: { success: true } });
  const { receipts, cancelled, openDocument } = await printer.books();
  expect(receipts.flatMap(({ items }) => items.map(({ name }) => name))).toEqual(sold);
  expect([cancelled, openDocument]).toEqual([[], null]);
  expect(command.result?.fiscalId).toBe(String(receipts.at(-1)?.number));
  return command;
}
const sells = async () => isPrinted(await submit());

/** What the API shows of commands and devices, but for when they were heard of last. */
async function shown(): Promise<unknown> {
  const [commands, theirs, ours, others] = await Promise.all([
    shop.till.list(),
    other.list(),
    deviceOf(shop.till, deviceId),
    deviceOf(other, otherDeviceId),
  ]);
  const still = [ours, others].map((device) => ({ ...device, lastSeen: null, updatedAt: null }));
  return { commands, theirs, still };
}

let before: unknown;
let done: ShownCommand;
beforeEach(async () => {
  await isUp();
  done = await sells();
  before = await shown();
});

test("a liar's words of commands and devices that are not its own change nothing", async () => {
  const theirs = await other.submit(otherDeviceId, "get_status");
  before = await shown();
  const liar = await liarOf(shop.till, "liar");
  const about = { deviceId, commandId: done.id };
  for (const lie of [
    { type: "command.result", ...about, epoch: 1, result: NOT_PRINTED },
    { type: "command.result", ...about, result: NOT_PRINTED },
    { type: "command.mark", ...about, epoch: 99, mark: "baseline", baseline: { last: 1 } },
    { type: "command.mark", ...about, mark: "committed" },
    { type: "command.ack", ...about },
    { type: "command.result", deviceId, commandId: "cmd_0", result: PRINTED },
    { type: "command.result", deviceId: otherDeviceId, commandId: theirs.id, result: PRINTED },
    { type: "device.status", deviceId, status: NO_PAPER },
    { type: "device.note", deviceId, action: "receipt.put_away", details: {} },
    { type: "device.note", deviceId: otherDeviceId, action: "receipt.put_away", details: {} },
  ]) {
    liar.say(lie);
    expect([lie, await liar.next("error")]).toMatchObject([lie, { code: "NOT_YOURS" }]);
  }
  liar.announce(deviceId);
  expect(await liar.next("announce.rejected")).toMatchObject({ code: "OWNED", ownerId: "honest" });
  for (const unknown of [otherDeviceId, "dev_0"]) {
    liar.announce(unknown);
    expect(await liar.next("announce.rejected")).toMatchObject({ code: "NOT_FOUND" });
  }
  expect(await shown()).toEqual(before);
  await sells();
  const { entries } = await shop.owner.expect<{ entries: AuditEntry[] }>("GET", "/audit?limit=100");
  const refused = entries.filter(({ actor }) => actor === "controller:liar");
  expect(new Set(refused.map(({ action }) => action))).toEqual(new Set(["command.report_refused"]));
  expect(refused.map(({ resource }) => resource)).toContain(done.id);
});

interface AuditEntry {
  readonly actor: string;
  readonly action: string;
  readonly resource: string;
}
const NO_PAPER = {
  ...{ paper: "out", cover: "open", fiscalReceiptOpen: false, nonFiscalReceiptOpen: false },
  ...{ fiscalDayOpen: true, dayCloseRequired: true, fiscalMemory: "full", clockSet: false },
  ...{ hardwareError: true, fiscalized: true, errors: [], rawHex: "" },
};

test("another organization's liar learns nothing and changes nothing", async () => {
  const liar = await liarOf(other, "honest");
  expect((await deviceOf(shop.till, deviceId)).controllerId).toBe("honest");
  liar.announce(deviceId);
  expect(await liar.next("announce.rejected")).toEqual({
    ...{ type: "announce.rejected", deviceId, code: "NOT_FOUND" },
  });
  liar.say({ type: "command.result", deviceId, commandId: done.id, result: NOT_PRINTED });
  const told = await liar.next("error");
  // As of a command that there is not.
  liar.say({ type: "command.result", deviceId, commandId: "cmd_0", result: NOT_PRINTED });
  expect(await liar.next("error")).toEqual({ ...told, commandId: "cmd_0" });
  expect(await shown()).toEqual(before);
  await sells();
});

test("lies about a sale that is being printed are refused while it is printed, once", async () => {
  const liar = await liarOf(shop.till, "meddler");
  const frames = (await printer.books()).frames;
  await printer.fault({ kind: "hold", count: 1, at: frames + 6 });
  const sale = await submit();
  await until("the sale under way", async () => {
    const { command } = await shop.till.expect<{ command: ShownCommand }>(
      "GET",
      `/commands/${sale.id}`,
    );
    return command.status === "processing";
  });
  const about = { deviceId, commandId: sale.id };
  // Each again, in the wrong order, and of every hand-over there may be.
  for (const epoch of [1, 1, 2, 0x7fff_ffff]) {
    for (const lie of [
      { type: "command.result", ...about, epoch, result: PRINTED },
      { type: "command.mark", ...about, epoch, mark: "committed" },
      { type: "command.mark", ...about, epoch, mark: "baseline", baseline: { last: 0 } },
      { type: "command.result", ...about, epoch, result: NOT_PRINTED },
    ]) {
      liar.say(lie);
      expect(await liar.next("error")).toMatchObject({ code: "NOT_YOURS", commandId: sale.id });
    }
  }
  await printer.release();
  await printer.clear();
  await isPrinted(sale);
});

test("who contradicts itself about its own device is not believed, and harms no other", async () => {
  const liar = await liarOf(shop.till, "contrary");
  liar.announce(phantomId);
  await liar.next("announce.accepted");
  const sale = await shop.till.submit(phantomId, "print_receipt", {
    items: [{ name: "Air", price: 1, quantity: 1, vatGroup: "VAT2" }],
    payments: [{ method: "cash", amount: 1 }],
  });
  const { epoch } = await liar.next("command.dispatch");
  const about = { deviceId: phantomId, commandId: sale.id, epoch };
  // Printed, though nothing was ever paid.
  liar.say({ type: "command.result", ...about, result: PRINTED });
  await liar.next("result.stored");
  const ended = await shop.till.wait(sale.id);
  expect(ended).toMatchObject({ status: "failed", result: { data: { outcome: "unknown" } } });
  liar.say({ type: "command.result", ...about, result: NOT_PRINTED });
  liar.say({ type: "command.mark", ...about, mark: "committed" });
  expect(await liar.next("error")).toMatchObject({ code: "FINAL" });
  expect(await shop.till.wait(sale.id)).toEqual(ended);
  await shop.till.expect("POST", `/commands/${sale.id}/resolve`, { outcome: "not_printed" });
  await sells();
});

test("a success that says otherwise too is nobody's knowledge, and its words are stored as they are", async () => {
  const liar = await liarOf(shop.till, "contrary");
  liar.announce(phantomId);
  await liar.next("announce.accepted");
  for (const [outcome, said] of [
    ["unknown", "printed"],
    ["not_printed", "not_printed"],
  ] as const) {
    const sale = await shop.till.submit(phantomId, "print_receipt", {
      items: [{ name: "Air", price: 1, quantity: 1, vatGroup: "VAT2" }],
      payments: [{ method: "cash", amount: 1 }],
    });
    const { epoch } = await liar.next("command.dispatch");
    const about = { deviceId: phantomId, commandId: sale.id, epoch };
    for (const mark of ["baseline", "opened", "committing", "committed"] as const) {
      liar.say({ type: "command.mark", ...about, mark });
      await liar.next("mark.stored");
    }
    // Names that every object has.
    const data = JSON.parse(`{ "outcome": "${outcome}", "constructor": "x", "__proto__": "y" }`);
    liar.say({ type: "command.result", ...about, result: { success: true, fiscalId: "5", data } });
    await liar.next("result.stored");
    const ended = await shop.till.wait(sale.id);
    expect(ended).toMatchObject({ status: "failed", result: { data: { outcome: "unknown" } } });
    expect(ended.result?.data).toHaveProperty("constructor", "x");
    const seen = { outcome: said, ...(said === "printed" ? { fiscalId: "5" } : {}) };
    await shop.till.expect("POST", `/commands/${sale.id}/resolve`, seen);
    const { receipts } = await shop.till.expect<{ receipts: { commandId: string }[] }>(
      "GET",
      "/receipts?limit=100",
    );
    const stored = receipts.filter(({ commandId }) => commandId === sale.id);
    expect(stored).toHaveLength(said === "printed" ? 1 : 0);
  }
  await sells();
});

test("a frame of 100 MB ends its connection, and is kept nowhere", async () => {
  const liar = await liarOf(shop.till, "large");
  liar.announce(phantomId);
  await liar.next("announce.accepted");
  await until("the phantom online", async () => {
    return (await deviceOf(shop.till, phantomId)).effectiveStatus === "online";
  });
  const peak = peakMemory();
  liar.sayText(`{"type":"pong","x":"${"x".repeat(100 * MIB)}"}`);
  const [code] = await liar.ended();
  // The gateway hangs up before all of it was sent: then the end does not get through.
  expect([1006, 1009]).toContain(code);
  expect(peakMemory() - peak).toBeLessThan(GROWTH_MAX);
  await phantomIsDown();
  expect(await lastConnectionEvent()).toMatchObject({ type: "disconnected" });
  await sells();
});

test("10,000 announcements end the connection, and nothing else", async () => {
  const liar = await liarOf(shop.till, "flood");
  liar.announce(phantomId);
  await liar.next("announce.accepted");
  const sale = await submit();
  for (let count = 0; count < 10_000; count += 1) liar.announce(deviceId);
  expect((await liar.ended())[0]).toBe(4429);
  await isPrinted(sale);
  expect(await lastConnectionEvent()).toMatchObject({ type: "disconnected", code: 4429 });
  expect((await deviceOf(shop.till, deviceId)).controllerId).toBe("honest");
});

interface ConnectionEvent {
  readonly type: string;
  readonly code: number | null;
}

/** Of the device that only liars are at. */
async function lastConnectionEvent(): Promise<ConnectionEvent | undefined> {
  const path = `/devices/${phantomId}/connection-history`;
  const { events } = await shop.till.expect<{ events: ConnectionEvent[] }>("GET", path);
  return events[0];
}

/** The most that the gateway has had in memory so far, in bytes. */
function peakMemory(): number {
  const status = readFileSync(`/proc/${gateway.pid}/status`, "utf8");
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
  if (kilobytes === undefined) throw new Error(`no VmHWM in ${status}`);
  return Number(kilobytes) * 1024;
}

test("controllers that fight for a device by the protocol: each hand-over is one's alone", async () => {
  const fighters = [await liarOf(shop.till, "red"), await liarOf(shop.till, "blue")] as const;
  const [red, blue] = fighters;
  const ROUNDS = 5;
  const ANNOUNCEMENTS = 10;
  let owner = red;
  red.announce(phantomId);
  await red.next("announce.accepted");
  for (let round = 0; round < ROUNDS; round += 1) {
    const rival = owner === red ? blue : red;
    const { id: commandId } = await shop.till.submit(phantomId, "open_drawer");
    for (let again = 0; again < ANNOUNCEMENTS; again += 1) {
      rival.announce(phantomId);
      owner.announce(phantomId);
    }
    const { command, epoch } = await owner.next("command.dispatch");
    expect(command.id).toBe(commandId);
    for (let again = 0; again < ANNOUNCEMENTS; again += 1) {
      expect(await rival.next("announce.rejected")).toMatchObject({ code: "OWNED" });
    }
    // It loses the printer before it has begun; whoever takes the device is given the command.
    const about = { deviceId: phantomId, commandId };
    owner.announce(phantomId, { link: "down", reason: "cut" });
    await phantomIsDown();
    rival.announce(phantomId);
    await owner.next("device.released");
    const again = await rival.next("command.dispatch");
    expect([again.command.id, again.epoch > epoch]).toEqual([commandId, true]);
    owner.say({ type: "command.result", ...about, epoch, result: { success: true, data: {} } });
    expect(await owner.next("error")).toMatchObject({ commandId });
    const result = { success: false, errorCode: "E200", errorMessage: `round ${round}` };
    rival.say({ type: "command.result", ...about, epoch: again.epoch, result });
    await rival.next("result.stored");
    expect(await shop.till.wait(commandId)).toMatchObject({ status: "failed", result });
    owner = rival;
  }
  await sells();
});

test("two controllers at one printer: cut, killed and started, each sale is printed once", async () => {
  let rival = await startRival();
  // The line breaks in the middle of a sale, before a message gets through and after.
  for (const { at, side } of [
    { at: 2, side: "before" },
    { at: 5, side: "after" },
  ] as const) {
    line.cut({ at, side });
    await isPrinted(await submit());
    line.clear();
  }
  // The one that has the printer is gone while a sale waits for it: the other one finds it.
  await honest.kill();
  await isPrinted(await submit());
  expect((await isUp()).controllerId).toBe("rival");
  // Both are gone, and come back together.
  await rival.kill();
  const waiting = await submit();
  [rival, honest] = await Promise.all([startRival(), startHonest()]);
  await isPrinted(waiting);
});
