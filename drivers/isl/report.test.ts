/** What reports tell on a device that leaves out what is not its own to tell. */

import { afterEach, describe, expect, test } from "bun:test";
import type { DriverCommand, Line } from "#core/driver.ts";
import { findDriver } from "../registry.ts";
import { RecordedProgress } from "../testing/fake-environment.ts";
import { SimulatedDevice } from "../testing/simulated-device.ts";
import { encodeReply, ReplyDecoder } from "./frame.ts";

const CASH = 70;

let device: SimulatedDevice;
afterEach(() => device.stop());

/** A line over which the answers to 70 hold the first field and no more. */
function cutShort(line: Line): Line {
  const decoder = new ReplyDecoder("short");
  return {
    write: (bytes) => line.write(bytes),
    close: () => line.close(),
    listen: (listener) =>
      line.listen({
        closed: (error) => listener.closed(error),
        data(chunk) {
          for (const event of decoder.push(chunk)) {
            if (event.kind !== "reply") throw new Error(`no answer: ${event.kind}`);
            const isCash = event.command === CASH;
            const data = isCash ? event.data.subarray(0, event.data.indexOf(0x2c)) : event.data;
            listener.data(encodeReply("short", { ...event, data }));
          }
        },
      }),
  };
}

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
