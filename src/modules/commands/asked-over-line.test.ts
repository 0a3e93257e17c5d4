/** Over which other record's line the printer of a document in doubt is asked, where it tells no number. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { printerOf } from "#core/device/printer.ts";
import { portKeys } from "#drivers/transport/same-port.ts";
import { systemClock } from "../../platform/clock.ts";
import {
  askedOver,
  COMMANDS,
  type CommandsBench,
  commandIdOf,
  createCommandsBench,
  SALE,
  waits,
} from "./testing/commands-bench.ts";

const DEVICES = "/api/v1/devices";

let bench: CommandsBench;
beforeEach(async () => {
  bench = await createCommandsBench({ addressKeys: (address) => portKeys(address, systemClock) });
});
afterEach(() => bench.close());

const at = (host: string) => ({ connectionParams: { host, port: 9100 } });

/** A record of a printer that a controller elsewhere reaches at that host. */
async function beside(host: string): Promise<string> {
  const more = { name: "Bar", driver: "vendorA.isl", transport: "tcp", locationId: "shop" };
  const body = { ...more, managedBy: "remote", ...at(host) };
  const id = (await bench.owner.post(DEVICES, body)).field("id");
  const seen = { controllerId: "bar-pi", lastSeenAt: bench.clock.now() };
  await bench.writer.run(() => bench.stores.devices.update(bench.orgId, id, seen));
  return id;
}

/** A receipt is being paid at a printer that the gateway itself reaches at that host. */
async function payingAt(host: string): Promise<void> {
  expect((await bench.owner.patch(`${DEVICES}/${bench.deviceId}`, at(host))).status).toBe(200);
  const id = await bench.queued();
  await bench.marked(id, "baseline");
  await bench.marked(id, "committing");
}

/** The gateway's own line to it goes then. */
async function doubtAt(host: string): Promise<void> {
  await payingAt(host);
  bench.levers.down.add(bench.deviceId);
  bench.queue.lineLost(bench.deviceId);
  bench.queue.holdsChanged();
  await bench.atRest();
}

/** Its own line comes up, and it is asked there alone. */
async function ownIsAsked(): Promise<void> {
  bench.levers.down.delete(bench.deviceId);
  bench.queue.ready(bench.deviceId);
  await bench.atRest();
  expect(askedOver(bench)).toEqual([bench.deviceId]);
}

test("it is asked over that of a controller that reaches the same address of the network", async () => {
  const other = await beside("192.168.1.20");
  await doubtAt("192.168.1.20");
  expect(askedOver(bench)).toEqual([other]);
});

test.each([
  ["localhost", "127.0.0.1"],
  ["127.0.0.1", "::1"],
])(
  "%s of the gateway's machine is not asked over %s of another one, which waits all the same",
  async (own, others) => {
    const other = await beside(others);
    await doubtAt(own);
    expect(askedOver(bench)).toEqual([]);
    expect(await waits(bench, other)).toBe(true);
    await ownIsAsked();
  },
);

test("what a person has settled is not asked over another machine's own port either", async () => {
  const other = await beside("127.0.0.1");
  await doubtAt("localhost");
  await bench.clock.advanceAsync(60_000);
  const [{ id = "" } = {}] = bench.stores.commands.listUnfinished();
  expect((await bench.resolve(id, { outcome: "not_printed" })).status).toBe(200);
  await bench.atRest();
  bench.levers.sent.length = 0;
  bench.queue.holdsChanged();
  await bench.atRest();
  expect(askedOver(bench)).toEqual([]);
  expect(await waits(bench, other)).toBe(true);
  await ownIsAsked();
});

test("a question is asked over another machine's own port once nobody else is there", async () => {
  const other = await beside("127.0.0.1");
  await doubtAt("localhost");
  await bench.clock.advanceAsync(60_000);
  const [{ id = "" } = {}] = bench.stores.commands.listUnfinished();
  await bench.resolve(id, { outcome: "not_printed" });
  await bench.atRest();
  bench.levers.sent.length = 0;
  await bench.owner.delete(`${DEVICES}/${bench.deviceId}`);
  await bench.atRest();
  expect(askedOver(bench)).toEqual([other]);
});

test("what a state leaves open that was put back is not accepted at another machine's own port", async () => {
  const other = await beside("127.0.0.1");
  await bench.owner.patch(`${DEVICES}/${bench.deviceId}`, at("localhost"));
  const { stores, orgId, deviceId } = bench;
  const device = stores.devices.find(deviceId);
  if (!device) throw new Error("it is not registered");
  await bench.writer.run(() => {
    const raisedAt = bench.clock.now();
    stores.restoredPrinters.raise({ ...printerOf(device), orgId, raisedAt, seq: 0 });
    stores.restoredPrinters.update(deviceId, { state: "ahead" });
  });
  const accept = async (id: string) =>
    (await bench.owner.post(`${DEVICES}/${id}/accept-state`, {})).status;
  bench.queue.holdsChanged();
  expect(await waits(bench, other)).toBe(true);
  expect(await accept(other)).toBe(409);
  expect(stores.restoredPrinters.list()).toHaveLength(1);
  expect(await accept(deviceId)).toBe(200);
  expect(stores.restoredPrinters.list()).toEqual([]);
});

test("the number of a receipt at another machine's own port is another one's", async () => {
  const other = await beside("127.0.0.1");
  const sale = { deviceId: other, type: "print_receipt", payload: SALE };
  const commandId = commandIdOf(await bench.till.post(COMMANDS, sale));
  await bench.atRest();
  const result = { success: true, fiscalId: "0000005" } as const;
  await bench.reported({
    ...{ type: "command.mark", deviceId: other, commandId, mark: "committing", baseline: {} },
  });
  await bench.reported({ type: "command.result", deviceId: other, commandId, result });
  await bench.atRest();
  await doubtAt("localhost");
  await bench.clock.advanceAsync(60_000);
  const [{ id = "" } = {}] = bench.stores.commands.listUnfinished();
  const said = await bench.resolve(id, { outcome: "printed", fiscalId: "0000005" });
  expect(said.status).toBe(200);
});

describe("while the database cannot be read", () => {
  const away = () => {
    bench.database.sqlite.exec("ALTER TABLE outcome_holds RENAME TO away");
    bench.database.rows.drop();
  };
  const back = () => {
    bench.database.sqlite.exec("ALTER TABLE away RENAME TO outcome_holds");
    bench.database.rows.drop();
  };

  test("a line that goes is noted, and its printer held over other records once it can", async () => {
    const other = await beside("192.168.1.20");
    await payingAt("192.168.1.20");
    bench.levers.down.add(bench.deviceId);
    away();
    bench.queue.lineLost(bench.deviceId);
    await bench.clock.advanceAsync(1_000);
    back();
    await bench.clock.advanceAsync(1_000);
    expect(await waits(bench, other)).toBe(true);
  });

  test("a line that is back by then holds nothing", async () => {
    const other = await beside("192.168.1.20");
    await payingAt("192.168.1.20");
    away();
    bench.queue.lineLost(bench.deviceId);
    back();
    const [{ id = "" } = {}] = bench.stores.commands.listUnfinished();
    await bench.marked(id, "committed");
    await bench.clock.advanceAsync(1_000);
    expect(await waits(bench, other)).toBe(false);
  });
});
