/** Doubts about a printer to which a killed process may still send: that of another record of it. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import type { ToController, ToGateway } from "#core/controller/messages.ts";
import type { DeviceConfig } from "#core/device/device.ts";
import { FINE_STATUS } from "#core/device/testing/fine-status.ts";
import type { Driver, Line } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { FakeClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { createInProcessChannel } from "./channel.ts";
import { type Controller, startController } from "./runtime.ts";

const DEVICE: DeviceConfig = {
  ...{ id: "dev_1", orgId: "org", name: "Till", driver: "vendorA.isl", transport: "tcp" },
  connectionParams: { host: "h", port: 1 },
  ...{ timezone: "UTC", currency: "RON" },
};

/** The same record at a cable, whose settings are to be found. */
const CABLE: DeviceConfig = {
  ...{ ...DEVICE, transport: "serial" },
  connectionParams: { address: "/dev/ttyUSB7" },
};

let clock: FakeClock;
let controller: Controller;
/** What a killed process has sent may arrive behind what is sent now. */
let isFollowed: boolean;
/** So may it at another address of the printer, at this port. */
let leftAt: number;
let resolved: string[];
let told: ToGateway[];
let tell: (message: ToController) => void;
/** The device ends its line. */
let hangUp: () => void;

function lookBehind(): void {
  if (isFollowed) throw new FiscalError("E101", "Waiting until it has arrived");
}

const driver: Driver = {
  id: "vendorA.isl",
  commands: new Set(),
  serialSettings: () => [{ baudRate: 115_200 }, { baudRate: 9_600 }],
  connect: (line) => {
    line.listen({ data: () => undefined, closed: () => undefined });
    return Promise.resolve({
      info: {
        ...{ serialNumber: "S", firmwareVersion: "1", fiscalMemorySerialNumber: "F" },
        ...{ manufacturer: "M", model: "X" },
      },
      execute: () => Promise.resolve({ data: {} }),
      resolve(command) {
        resolved.push(command.id);
        return Promise.resolve({ outcome: "not_printed", reason: "untouched" });
      },
      readStatus: () => Promise.resolve(FINE_STATUS),
      close: () => undefined,
    });
  },
};

beforeEach(async () => {
  clock = new FakeClock();
  [isFollowed, leftAt, resolved, told] = [false, 0, [], []];
  const channel = createInProcessChannel();
  tell = channel.gateway.send;
  channel.gateway.listen((message) => {
    told.push(message);
    if (message.type !== "device.announce" || message.link !== "up") return;
    tell({ type: "announce.accepted", deviceId: message.deviceId });
  });
  controller = startController(channel.controller, {
    clock,
    log: createLog({ level: "info", clock, sink: { write: () => undefined } }),
    random: () => 0,
    findDriver: () => driver,
    async openLine(_device, { isKnown }) {
      if (!isKnown) lookBehind();
      const listen: Line["listen"] = (listener) => {
        hangUp = () => listener.closed(new FiscalError("E102", "gone"));
      };
      return { write: () => undefined, listen, close: () => undefined, lookBehind };
    },
    isLeftSending: (ports) => ports.includes(leftAt),
    ...{ statusPollMs: 30_000, pauseLimitMs: 600_000 },
  });
  tell({
    ...{ type: "welcome", controllerId: "builtin", devices: [DEVICE], heartbeatSeconds: 15 },
  });
  await clock.advanceAsync(0);
});
afterEach(() => controller.stop());

const links = () => told.flatMap((one) => (one.type === "device.announce" ? [one.link] : []));
interface Asked {
  readonly otherPorts?: readonly number[];
  readonly device?: DeviceConfig;
}
async function ask(how: Asked = {}): Promise<void> {
  const command = { id: "cmd_1", type: "cash_in", payload: {} } as const;
  const known = { epoch: 2, mark: "committing", baseline: {} } as const;
  tell({ type: "command.resolve", command, device: DEVICE, ...known, ...how });
  await clock.advanceAsync(60_000);
}

const LINES = [
  { line: "that was up all the time", before: () => undefined },
  { line: "that was opened anew, by who knew the printer", before: () => hangUp() },
];
const ENDS = [
  { end: "it", left: () => (isFollowed = true), arrived: () => (isFollowed = false) },
  { end: "another address", left: () => (leftAt = 4_999), arrived: () => (leftAt = 0) },
];
test.each(LINES.flatMap((one) => ENDS.map((other) => ({ ...one, ...other }))))(
  "none is cleared up over a line $line, until what was sent to $end has arrived",
  async ({ before, left, arrived }) => {
    before();
    await clock.advanceAsync(1_000);
    const ups = links().filter((one) => one === "up").length;
    left();
    await ask({ otherPorts: [9_100, 4_999] });
    expect([resolved, links().at(-1)]).toEqual([[], "down"]);
    // The link does not come and go meanwhile.
    expect(links().filter((one) => one === "up")).toHaveLength(ups);
    arrived();
    await clock.advanceAsync(5_000);
    expect([resolved, links().at(-1)]).toEqual([["cmd_1"], "up"]);
  },
);

test("the link of a cable says so, whose settings are not to blame", async () => {
  tell({ type: "device.assigned", device: CABLE });
  leftAt = 4_999;
  const before = told.length;
  await ask({ device: CABLE, otherPorts: [4_999] });
  const reasons = told.slice(before).map((one) => ("reason" in one ? one.reason : undefined));
  const why = "Waiting until the printer has what was sent to another address of it";
  expect(reasons).toContainEqual(expect.stringContaining(why));
  expect(reasons).not.toContainEqual(expect.stringContaining("does not answer"));
});

test("what goes to other printers keeps none from being cleared up", async () => {
  leftAt = 4_999;
  await ask({ otherPorts: [9_100] });
  await ask();
  expect(resolved).toEqual(["cmd_1"]);
});
