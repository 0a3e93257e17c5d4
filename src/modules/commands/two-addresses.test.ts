/** One printer that two device records lead to: what is in doubt on one is so on the other. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import type { CommandResult } from "#core/command/command.ts";
import { deviceEvent } from "#core/events.ts";
import {
  COMMANDS,
  type CommandsBench,
  createCommandsBench,
  SALE,
} from "./testing/commands-bench.ts";

const MINUTE_MS = 60_000;
const NUMBERS = { serialNumber: "DT1", fiscalMemorySerialNumber: "F1" };
const PRINTED: CommandResult = { success: true, fiscalId: "3" };
const NOT_PRINTED: CommandResult = {
  ...{ success: false, errorCode: "E102", data: { outcome: "not_printed" } },
};

let bench: CommandsBench;
let cable: string;
beforeEach(async () => {
  bench = await createCommandsBench();
  const answer = await bench.owner.post("/api/v1/devices", {
    ...{ name: "Cable", driver: "vendorA.isl", transport: "tcp", locationId: "shop" },
    connectionParams: { host: "192.168.1.99", port: 9100 },
  });
  cable = answer.field("id");
  bench.levers.down.add(cable);
  await online(bench.deviceId);
});
afterEach(() => bench.close());

/** The line of a device comes up, and its printer tells its numbers. */
async function online(deviceId: string): Promise<void> {
  bench.levers.down.delete(deviceId);
  await bench.writer.run((tx) => {
    const change = { ...NUMBERS, lastSeenAt: bench.clock.now() };
    const device = bench.stores.devices.update(bench.orgId, deviceId, change);
    if (device) tx.emit(deviceEvent("device.online", device, "c1"));
  });
  await bench.atRest();
}

/** A document on the network line, which breaks in the middle of it. */
async function cutOff(): Promise<string> {
  const id = await bench.queued();
  await bench.marked(id, "committing", NUMBERS);
  bench.levers.down.add(bench.deviceId);
  bench.queue.lineLost(bench.deviceId);
  await bench.atRest();
  return id;
}

async function sellByCable(): Promise<string> {
  const body = { deviceId: cable, type: "print_receipt", payload: SALE };
  const answer = await bench.till.post(COMMANDS, body);
  await bench.atRest();
  return (answer.body as { command: { id: string } }).command.id;
}

const statusOf = (id: string) => bench.stores.commands.get(bench.orgId, id)?.status;
/** Devices at which a command was asked about, in that order. */
const askedAt = (id: string): string[] =>
  bench.levers.sent.flatMap((sent) =>
    sent.type === "command.resolve" && sent.command.id === id ? [sent.device.id] : [],
  );

test("what was sent for the other record and has not begun waits for the document in doubt", async () => {
  const sent = await sellByCable();
  expect(statusOf(sent)).toBe("sent");
  const id = await cutOff();
  expect(statusOf(sent)).toBe("pending");
  const message = { type: "error", code: "FINAL", commandId: sent };
  expect(bench.levers.sent).toContainEqual(expect.objectContaining(message));
  expect(statusOf(await sellByCable())).toBe("pending");
  await online(cable);
  expect(askedAt(id)).toEqual([cable]);
  expect(statusOf(sent)).toBe("pending");
  await bench.finish(id, PRINTED);
  await bench.atRest();
  expect(statusOf(id)).toBe("completed");
  expect(bench.levers.sent.at(-1)).toMatchObject({ device: { id: cable }, command: { id: sent } });
});

test("whoever is asked knows at which ports the printer may still be sent something", async () => {
  await bench.owner.patch(`/api/v1/devices/${bench.deviceId}`, {
    connectionParams: { host: "192.168.1.20", port: 4999 },
  });
  await bench.addDevice("Another printer");
  const id = await cutOff();
  await online(cable);
  const asked = bench.levers.sent.findLast(({ type }) => type === "command.resolve");
  expect(asked).toMatchObject({ command: { id }, device: { id: cable }, otherPorts: [4999] });
});

/** The one record is moved to another address, at which the printer is reached then. */
async function move(change: object): Promise<void> {
  const { status } = await bench.owner.patch(`/api/v1/devices/${bench.deviceId}`, change);
  expect(status).toBe(200);
  await online(bench.deviceId);
  bench.queue.ready(bench.deviceId);
  await bench.atRest();
}
const BY_CABLE = { transport: "serial", connectionParams: { address: "/dev/ttyUSB7" } };
const lastAsked = () => bench.levers.sent.findLast(({ type }) => type === "command.resolve");

test.each([
  { where: "to a cable", change: BY_CABLE },
  { where: "to another host", change: { connectionParams: { host: "192.168.1.21", port: 4999 } } },
])("so does who is asked behind a record that was moved $where", async ({ change }) => {
  await move({ connectionParams: { host: "192.168.1.20", port: 4999 } });
  const id = await cutOff();
  await move(change);
  expect(lastAsked()).toMatchObject({ command: { id }, otherPorts: [4999] });
  // Where it was asked, something may have been sent too.
  await move({ connectionParams: { host: "192.168.1.22", port: 5000 }, transport: "tcp" });
  const { otherPorts } = lastAsked() as { otherPorts?: number[] };
  expect(otherPorts).toEqual([4999]);
  await move(BY_CABLE);
  expect(lastAsked()).toMatchObject({ otherPorts: [5000, 4999] });
});

test("so does who is asked of what a person settled before the record was moved", async () => {
  await move({ connectionParams: { host: "192.168.1.20", port: 4999 } });
  const id = await cutOff();
  await bench.clock.advanceAsync(MINUTE_MS);
  expect((await bench.resolve(id, { outcome: "not_printed" })).status).toBe(200);
  await move({ connectionParams: { host: "192.168.1.22", port: 5000 } });
  expect(lastAsked()).toMatchObject({ command: { id }, otherPorts: [4999] });
  await move(BY_CABLE);
  expect(lastAsked()).toMatchObject({ command: { id }, otherPorts: [5000, 4999] });
});

test("at the address of before alone nothing else is looked at", async () => {
  await move({ connectionParams: { host: "192.168.1.20", port: 4999 } });
  const id = await cutOff();
  await move({ name: "Till" });
  expect(lastAsked()).toMatchObject({ command: { id } });
  expect(lastAsked()).not.toHaveProperty("otherPorts");
});

test("a printer is asked over whichever line works last", async () => {
  const id = await cutOff();
  await online(cable);
  bench.levers.down.add(cable);
  bench.queue.lineLost(cable);
  await online(bench.deviceId);
  expect(askedAt(id)).toEqual([cable, bench.deviceId]);
});

test("one that cannot tell is held at both records, with the alert at both", async () => {
  const id = await cutOff();
  await online(cable);
  await bench.finish(id, { ...NOT_PRINTED, data: { outcome: "unknown" } });
  await bench.atRest();
  expect(statusOf(await sellByCable())).toBe("pending");
  for (const deviceId of [bench.deviceId, cable]) {
    const alerts = await bench.owner.get(`/api/v1/devices/${deviceId}/alerts`);
    expect(alerts.text).toContain("outcome_unknown");
  }
});

test("what a person settled is asked over the line that works, and sales wait for the answer", async () => {
  const sent = await sellByCable();
  const id = await cutOff();
  await bench.clock.advanceAsync(MINUTE_MS);
  expect((await bench.resolve(id, { outcome: "not_printed" })).status).toBe(200);
  await bench.atRest();
  expect(statusOf(await sellByCable())).toBe("pending");
  await online(cable);
  expect(askedAt(id).at(-1)).toBe(cable);
  expect(statusOf(sent)).toBe("pending");
  await bench.finish(id, NOT_PRINTED);
  await bench.atRest();
  expect(statusOf(sent)).toBe("sent");
});
