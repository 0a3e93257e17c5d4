/** What reports tell on a device that leaves out what is not its own to tell. */

import { afterEach, describe, expect, test } from "bun:test";
import type { DriverCommand } from "#core/driver.ts";
import { findDriver } from "../registry.ts";
import { RecordedProgress } from "../testing/fake-environment.ts";
import { SimulatedDevice } from "../testing/simulated-device.ts";
import { changedReplies } from "./testing/changed-replies.ts";

const CASH = 70;

let device: SimulatedDevice;
afterEach(() => device.stop());

/** The answers to 70 hold the first field and no more. */
const cutShort = changedReplies({
  generation: "short",
  change(reply) {
    const isCash = reply.command === CASH;
    return isCash ? { ...reply, data: reply.data.subarray(0, reply.data.indexOf(0x2c)) } : reply;
  },
});

async function report(type: "x_report" | "z_report") {
  device = await SimulatedDevice.start({
    driver: "vendorD.isl",
    model: "in",
    timezone: "Europe/Sofia",
  });
  await device.run({ type: "cash_in", payload: { amount: 10 } });
  const driver = findDriver("vendorD.isl");
  if (!driver) throw new RangeError("no driver vendorD.isl");
  const line = cutShort(await device.openLine());
  const session = await device.time.run(driver.connect(line, device.environment()));
  const command: DriverCommand = { id: "cmd_1", type, payload: {}, original: undefined };
  const success = await device.time.run(session.execute(command, new RecordedProgress()));
  session.close();
  return success.data;
}

describe("where the device tells nothing of its cash", () => {
  test.each(["x_report", "z_report"] as const)("a %s is made, and says so", async (type) => {
    expect(await report(type)).toMatchObject({
      reportNumber: 1,
      totals: { gross: 0, cashIn: null, cashOut: null, cashBalance: null },
    });
    expect(device.books().zNumber).toBe(type === "z_report" ? 1 : 0);
  });
});
