/** A hold on a printer that tells no number: its address holds it, however that is written. */

import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DeviceAddress } from "#core/device/detection.ts";
import { printerOf } from "#core/device/printer.ts";
import { portKeys } from "#drivers/transport/same-port.ts";
import { AddressLookUps } from "../../gateway/address-look-ups.ts";
import { systemClock } from "../../platform/clock.ts";
import {
  askedOver,
  COMMANDS,
  type CommandsBench,
  commandIdOf,
  createCommandsBench,
  SALE,
  UNKNOWN,
  waits,
} from "./testing/commands-bench.ts";

const DEVICES = "/api/v1/devices";
const OWN = { host: "127.0.0.1", port: 9100 };
/** What names lead to; nothing is found while it is empty. */
const names = new Map<string, string>();
const folder = mkdtempSync(join(tmpdir(), "fiscald-held-"));
const addressKeys = async (address: DeviceAddress) => {
  const { connectionParams: params } = address;
  const led = "host" in params ? names.get(params.host) : undefined;
  const own = await portKeys(address, systemClock);
  const there = { transport: "tcp", connectionParams: { ...params, host: led ?? "" } } as const;
  return led === undefined ? own : [...own, ...(await portKeys(there, systemClock))];
};
let bench: CommandsBench;
beforeEach(async () => {
  names.clear();
  bench = await createCommandsBench({ addressKeys });
});
afterEach(() => bench.close());
afterAll(() => rmSync(folder, { recursive: true }));

/** A document is in doubt at an address, whose record is deleted. @returns its command */
async function doubtAt(place: object): Promise<string> {
  const moved = await bench.owner.patch(`${DEVICES}/${bench.deviceId}`, place);
  expect(moved.status).toBe(200);
  const id = await bench.queued();
  await bench.finish(id, UNKNOWN);
  await remove(bench.deviceId);
  return id;
}
const lookUp = () => new AddressLookUps({ ...bench, addressKeys }).all();
const serial = (address: string) => ({ transport: "serial", connectionParams: { address } });
async function registered(place: object): Promise<string> {
  const more = { name: "Till", driver: "vendorA.isl", transport: "tcp", locationId: "shop" };
  return (await bench.owner.post(DEVICES, { ...more, ...place })).field("id");
}
const at = (host: string, port = 9100): Promise<string> =>
  registered({ connectionParams: { host, port } });
const remove = (deviceId: string) => bench.owner.delete(`${DEVICES}/${deviceId}`);

test.each(["localhost", "127.1", "2130706433", "127.000.000.001", "::ffff:127.0.0.1", "::1"])(
  "as %s",
  async (host) => {
    const id = await doubtAt({ connectionParams: OWN });
    const other = await at(host);
    expect((await bench.owner.get(`${DEVICES}/${other}/alerts`)).text).toContain("outcome_unknown");
    expect(await waits(bench, other)).toBe(true);
    await bench.till.post(`${COMMANDS}/${id}/resolve`, { outcome: "printed" });
    await bench.atRest();
    expect(bench.levers.sent.at(-1)).toMatchObject({ type: "command.dispatch" });
  },
);

test("to which another record moves", async () => {
  await doubtAt({ connectionParams: OWN });
  const other = await at("127.0.0.1", 9101);
  const connectionParams = { host: "localhost", port: 9100 };
  await bench.owner.patch(`${DEVICES}/${other}`, { connectionParams });
  expect(await waits(bench, other)).toBe(true);
});

test("by a name that leads there, by now and while no name is found any more", async () => {
  names.set("till.shop", "192.168.1.20");
  await doubtAt({ connectionParams: { host: "till.shop", port: 9100 } });
  names.clear();
  expect(await lookUp()).toBe(false);
  expect(await waits(bench, await at("192.168.1.20"))).toBe(true);
  expect(await waits(bench, await at("192.168.1.21"))).toBe(false);
});

test("where its name led when it printed, and where it leads by now", async () => {
  const numbers = Array.from({ length: 12 }, (_, index) => `192.168.1.${20 + index}`);
  const [first = "", second = ""] = numbers;
  names.set("till.shop", first);
  await doubtAt({ connectionParams: { host: "till.shop", port: 9100 } });
  names.set("till.shop", second);
  expect(await lookUp()).toBe(true);
  expect(await lookUp()).toBe(false);
  expect(await waits(bench, await at(first))).toBe(true);
  expect(await waits(bench, await at(second))).toBe(true);
  expect(await waits(bench, await at("192.168.1.99"))).toBe(false);
  // However often it moves: the first one, and the latest.
  for (const number of numbers) {
    names.set("till.shop", number);
    await lookUp();
  }
  const { address } = bench.stores.outcomeHolds.listOpen()[0] ?? {};
  const kept = address?.split("\n") ?? [];
  expect(kept.length).toBeLessThanOrEqual(10);
  for (const key of [`was tcp ${first} 9100`, `tcp ${numbers.at(-1)} 9100`])
    expect(kept).toContain(key);
});

test("where a name leads by now whose printer a state left open that was put back", async () => {
  names.set("till.shop", "192.168.1.20");
  const { stores, writer, orgId, deviceId: first } = bench;
  const connectionParams = { host: "till.shop", port: 9100 };
  await bench.owner.patch(`${DEVICES}/${first}`, { connectionParams });
  const device = stores.devices.find(first);
  if (!device) throw new Error("it is not registered");
  const row = { ...printerOf(device), orgId, raisedAt: bench.clock.now(), seq: 0 };
  await writer.run(() => {
    stores.restoredPrinters.raise(row);
    stores.restoredPrinters.update(first, { state: "ahead" });
  });
  await remove(first);
  bench.queue.holdsChanged();
  names.set("till.shop", "192.168.1.21");
  expect(await lookUp()).toBe(true);
  expect(await waits(bench, await at("192.168.1.21"))).toBe(true);
});

test("where a link to a port leads by now, and not where it led before", async () => {
  const [port, other, link] = ["tty0", "tty1", "by-number"].map((name) => join(folder, name));
  for (const path of [port, other]) writeFileSync(path ?? "", "");
  symlinkSync(port ?? "", link ?? "");
  await doubtAt(serial(link ?? ""));
  rmSync(link ?? "");
  symlinkSync(other ?? "", link ?? "");
  await lookUp();
  // Ports are numbered anew at each start of the machine.
  expect(await waits(bench, await registered(serial(port ?? "")))).toBe(false);
  expect(await waits(bench, await registered(serial(other ?? "")))).toBe(true);
});

test("until it is known that a name leads elsewhere", async () => {
  await doubtAt({ connectionParams: { host: "192.168.1.20", port: 9100 } });
  const [other, another] = [{ port: 9100 }, { port: 9101 }].map(({ port }) =>
    at(`p${port}.invalid`, port),
  );
  expect(await waits(bench, (await another) ?? "")).toBe(false);
  expect(await waits(bench, (await other) ?? "")).toBe(true);
  names.set("p9100.invalid", "192.168.1.22");
  expect(await lookUp()).toBe(true);
  bench.queue.holdsChanged();
  await bench.atRest();
  expect(bench.levers.sent.at(-1)).toMatchObject({ type: "command.dispatch" });
});

test("of a serial port by a link to it, by its own path and by its way there", async () => {
  const [port, link, second] = ["tty", "by-id", "by-path"].map((name) => join(folder, name));
  writeFileSync(port ?? "", "");
  for (const name of [link, second]) symlinkSync(port ?? "", name ?? "");
  await doubtAt(serial(link ?? ""));
  for (const path of [port, second, `${folder}/./by-id`, `/${folder}/tty?baud=9600`]) {
    const other = await registered(serial(path ?? ""));
    expect([path, await waits(bench, other)]).toEqual([path, true]);
    await remove(other);
  }
  expect(await waits(bench, await registered(serial(join(folder, "tty2"))))).toBe(false);
});

test("of a port that another controller is said to have since", async () => {
  const place = { ...serial("/dev/ttyUSB7"), managedBy: "remote" };
  const before = await registered(place);
  await bench.clock.advanceAsync(1_000);
  const id = await doubtAt(serial("/dev/ttyUSB7"));
  const [since, elsewhere] = [
    await registered(place),
    await registered({ ...place, ...serial("/dev/ttyUSB8") }),
  ];
  expect(await waits(bench, since)).toBe(true);
  expect((await bench.owner.get(`${DEVICES}/${since}/alerts`)).text).toContain("outcome_unknown");
  for (const other of [before, elsewhere]) {
    expect(await waits(bench, other)).toBe(false);
    const { text } = await bench.owner.get(`${DEVICES}/${other}/alerts`);
    expect(text).not.toContain("outcome_unknown");
  }
  await bench.till.post(`${COMMANDS}/${id}/resolve`, { outcome: "printed" });
  await bench.atRest();
  expect(bench.levers.sent.at(-1)).toMatchObject({
    type: "command.dispatch",
    device: { id: since },
  });
});

test("of no port of that name in another shop", async () => {
  await doubtAt(serial("/dev/ttyUSB7"));
  const shop = await bench.otherShop();
  const more = { name: "Till", driver: "vendorA.isl", locationId: "shop", managedBy: "remote" };
  const answer = await shop.client.post(DEVICES, { ...more, ...serial("/dev/ttyUSB7") });
  const { text } = await shop.client.get(`${DEVICES}/${answer.field("id")}/alerts`);
  expect(text).not.toContain("outcome_unknown");
  const sale = { deviceId: answer.field("id"), type: "z_report", payload: {} };
  const before = bench.levers.sent.length;
  expect((await shop.client.post(COMMANDS, sale)).status).toBe(202);
  await bench.atRest();
  expect(bench.levers.sent.length).toBeGreaterThan(before);
});

test("kept by an older version, once it was looked up at a start", async () => {
  await doubtAt({ connectionParams: OWN });
  const { sqlite } = bench.database;
  sqlite.exec("UPDATE outcome_holds SET address = 'tcp 127.0.0.1 9100'");
  const other = await at("localhost");
  sqlite.exec("UPDATE devices SET address_keys = NULL");
  bench.database.rows.drop();
  await lookUp();
  expect(await waits(bench, other)).toBe(true);
});

/** A record of a port at a controller, which serves it. */
async function served(controllerId: string): Promise<string> {
  const id = await registered({ ...serial("/dev/ttyUSB7"), managedBy: "remote" });
  const seen = { controllerId, lastSeenAt: bench.clock.now() };
  await bench.writer.run(() => void bench.stores.devices.update(bench.orgId, id, seen));
  return id;
}
/** A receipt is sold there. @returns its command */
async function sold(deviceId: string): Promise<string> {
  const body = { deviceId, type: "print_receipt", payload: SALE };
  const id = commandIdOf(await bench.till.post(COMMANDS, body));
  await bench.atRest();
  return id;
}
/** The same, and it is being paid. */
async function paying(deviceId: string): Promise<string> {
  const id = await sold(deviceId);
  await bench.marked(id, "baseline");
  await bench.marked(id, "committing");
  return id;
}
/** Its line goes, and a minute later a person says that it was not printed; what was sent is forgotten. */
async function calledNotPrinted(id: string, deviceId: string): Promise<void> {
  bench.levers.down.add(deviceId);
  bench.queue.lineLost(deviceId);
  await bench.clock.advanceAsync(60_000);
  expect((await bench.resolve(id, { outcome: "not_printed" })).status).toBe(200);
  await bench.atRest();
  bench.levers.sent.length = 0;
}

describe.each(["pi-1", "pi-2"])("at a port whose record is made anew for %s", (name) => {
  test("nothing that was called not printed is finished, until something is printed", async () => {
    const first = await served("pi-1");
    const id = await paying(first);
    await bench.finish(id, UNKNOWN);
    await bench.clock.advanceAsync(1_000);
    await remove(first);
    const since = await served(name);
    bench.queue.holdsChanged();
    const next = await sold(since);
    await bench.resolve(id, { outcome: "not_printed" });
    await bench.atRest();
    const order = { type: "command.dispatch", command: { id: next } };
    expect(bench.levers.sent.at(-1)).toMatchObject({ ...order, neverFinish: true });
    const printed = { success: true, fiscalId: "1" } as const;
    await bench.marked(next, "committing");
    await bench.reported({
      ...{ type: "command.result", deviceId: since, commandId: next, result: printed },
    });
    await bench.atRest();
    await bench.clock.advanceAsync(1_000);
    bench.queue.holdsChanged();
    await sold(since);
    expect(bench.levers.sent.at(-1)).not.toHaveProperty("neverFinish");
  });

  test("a question is asked there, and holds it until it is answered", async () => {
    const first = await served("pi-1");
    const id = await paying(first);
    await calledNotPrinted(id, first);
    await remove(first);
    await bench.clock.advanceAsync(1_000);
    const since = await served(name);
    bench.queue.holdsChanged();
    const next = await sold(since);
    const isOut = () =>
      bench.levers.sent.some((one) => "command" in one && one.command.id === next);
    expect([askedOver(bench), isOut()]).toEqual([[since], false]);
    const { epoch } = bench.stores.openQuestions.find(id) ?? {};
    await bench.reported({
      ...{ type: "command.result", deviceId: since, commandId: id, result: UNKNOWN },
      ...(epoch === undefined ? {} : { epoch }),
    });
    await bench.atRest();
    expect(bench.stores.openQuestions.list()).toEqual([]);
    expect(bench.levers.sent.at(-1)).toMatchObject({ command: { id: next }, neverFinish: true });
  });

  test("what a state leaves open that was put back holds it, and is accepted there", async () => {
    const first = await served("pi-1");
    const { stores, writer, orgId } = bench;
    const device = stores.devices.find(first);
    if (!device) throw new Error("it is not registered");
    const row = { ...printerOf(device), orgId, raisedAt: bench.clock.now(), seq: 0 };
    await writer.run(() => {
      stores.restoredPrinters.raise(row);
      stores.restoredPrinters.update(first, { state: "ahead" });
    });
    await remove(first);
    const since = await served(name);
    bench.queue.holdsChanged();
    expect(await waits(bench, since)).toBe(true);
    expect((await bench.owner.get(`${DEVICES}/${since}/alerts`)).text).toContain("state_restored");
    expect((await bench.owner.post(`${DEVICES}/${since}/accept-state`, {})).status).toBe(200);
    expect(stores.restoredPrinters.list()).toEqual([]);
  });
});

test("what a till that is off is still to be asked holds no other till's port of the same name", async () => {
  const off = await served("pi-1");
  const { stores, orgId } = bench;
  const device = stores.devices.find(off);
  if (!device) throw new Error("it is not registered");
  const nothing = {
    number: null,
    day: null,
    acceptedAt: null,
    acceptedOrder: null,
    documents: null,
    since: null,
  };
  const asked = { state: "asked", questionId: null, raisedAt: bench.clock.now(), seq: 0 } as const;
  const row = { ...printerOf(device), ...nothing, ...asked, orgId };
  await bench.writer.run(() => void stores.documentChecks.raise(row));
  await bench.clock.advanceAsync(1_000);
  const other = await served("pi-2");
  bench.queue.holdsChanged();
  expect([await waits(bench, off), await waits(bench, other)]).toEqual([true, false]);
  await remove(off);
  bench.queue.holdsChanged();
  // Nobody else can be asked any more.
  expect(await waits(bench, other)).toBe(true);
});

test("at the ports of two printers that were exchanged nothing is finished of either", async () => {
  const numbers = (number: string) => ({
    ...{ serialNumber: `S${number}`, fiscalMemorySerialNumber: `FS${number}` },
    ...{ controllerId: "builtin", lastSeenAt: bench.clock.now() },
  });
  const made = async (number: string): Promise<string> => {
    const id = await registered(serial(`/dev/ttyACM${number}`));
    await bench.writer.run(
      () => void bench.stores.devices.update(bench.orgId, id, numbers(number)),
    );
    return id;
  };
  const [first, second] = [await made("1"), await made("2")];
  for (const [deviceId, outcome] of [
    [first, { outcome: "not_printed" }],
    [second, { outcome: "printed", fiscalId: "7" }],
  ] as const) {
    const id = await paying(deviceId);
    await bench.finish(id, UNKNOWN);
    expect((await bench.resolve(id, outcome)).status).toBe(200);
    await bench.clock.advanceAsync(1_000);
  }
  for (const deviceId of [first, second]) await remove(deviceId);
  // Which of the two printers is there now nobody has read yet.
  const since = await registered(serial("/dev/ttyACM2"));
  bench.queue.holdsChanged();
  const next = await sold(since);
  const order = { type: "command.dispatch", command: { id: next } };
  expect(bench.levers.sent.at(-1)).toMatchObject({ ...order, neverFinish: true });
});

/** What was called not printed is of a printer whose name leads elsewhere by now. @returns who has its number */
async function atOldNumber(): Promise<string> {
  names.set("till.shop", "192.168.1.20");
  const connectionParams = { host: "till.shop", port: 9100 };
  await bench.owner.patch(`${DEVICES}/${bench.deviceId}`, { connectionParams });
  const id = await paying(bench.deviceId);
  await calledNotPrinted(id, bench.deviceId);
  names.set("till.shop", "192.168.1.21");
  await lookUp();
  return at("192.168.1.20");
}

test("of whoever has the old number of a name nothing is asked while its own record is there", async () => {
  const other = await atOldNumber();
  bench.queue.holdsChanged();
  await bench.atRest();
  expect(askedOver(bench)).toEqual([]);
  expect(await waits(bench, other)).toBe(true);
  bench.levers.down.delete(bench.deviceId);
  bench.queue.ready(bench.deviceId);
  await bench.atRest();
  expect(askedOver(bench)).toEqual([bench.deviceId]);
});

test("of whoever has the old number of a name it is asked once nobody else is there", async () => {
  const other = await atOldNumber();
  await remove(bench.deviceId);
  bench.queue.holdsChanged();
  await bench.atRest();
  expect(askedOver(bench)).toEqual([other]);
});
