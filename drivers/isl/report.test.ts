/** What reports tell on a device that leaves out what is not its own to tell. */

import { afterEach, describe, expect, test } from "bun:test";
import type { DriverCommand } from "#core/driver.ts";
import type { DriverId } from "#core/driver-id.ts";
import { findDriver } from "../registry.ts";
import { RecordedProgress } from "../testing/fake-environment.ts";
import { SimulatedDevice } from "../testing/simulated-device.ts";
import type { Generation } from "./frame.ts";
import { changedReplies } from "./testing/changed-replies.ts";

const CASH = 70;
const REPORT = 69;

interface Kind {
  readonly driver: DriverId;
  readonly model: string;
  readonly generation: Generation;
  readonly separator: string;
}
const SHORT: Kind = { driver: "vendorD.isl", model: "in", generation: "short", separator: "," };
const LONG: Kind = { driver: "vendorA.isl", model: "x", generation: "long", separator: "\t" };

let device: SimulatedDevice;
afterEach(() => device.stop());

/** What is heard in place of the fields of the answers to a command. */
const changed = (
  command: number,
  change: (fields: string[]) => readonly string[],
  kind: Kind = SHORT,
) =>
  changedReplies({
    generation: kind.generation,
    change(reply) {
      if (reply.command !== command) return reply;
      const fields = new TextDecoder().decode(reply.data).split(kind.separator);
      return { ...reply, data: new TextEncoder().encode(change(fields).join(kind.separator)) };
    },
  });
/** The answers hold the first field and no more. */
const cutShort = changed(CASH, (fields) => fields.slice(0, 1));

async function report(type: "x_report" | "z_report", changing = cutShort, kind: Kind = SHORT) {
  const { driver: id, model } = kind;
  device = await SimulatedDevice.start({ driver: id, model, timezone: "Europe/Sofia" });
  await device.run({ type: "cash_in", payload: { amount: 10 } });
  const driver = findDriver(id);
  if (!driver) throw new RangeError(`no driver ${id}`);
  const line = changing(await device.openLine());
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

describe("where a report's answer holds other sums than it is known to,", () => {
  const SUMS = 9;
  test.each([
    ["none", (fields: string[]) => fields.slice(0, 1)],
    ["those of sales alone", (fields: string[]) => fields.slice(0, 1 + SUMS)],
    ["one too few", (fields: string[]) => fields.slice(0, -1)],
    ["those of two groups twice", (fields: string[]) => fields.slice(0, 1 + 6)],
    ["one that is no amount", (fields: string[]) => fields.with(3, "?")],
    ["one that is left out", (fields: string[]) => fields.with(3, "")],
  ])("as %s, it is made, and they are not told", async (...[, change]) => {
    for (const type of ["x_report", "z_report"] as const) {
      const told = await report(type, changed(REPORT, change));
      expect(told).toMatchObject({ reportNumber: 1, totals: { gross: null }, vat: null });
      expect(device.books().zNumber).toBe(type === "z_report" ? 1 : 0);
      if (type === "x_report") await device.stop();
    }
  });

  test("as those of sales alone on a long answer, they are not shared out", async () => {
    const salesAlone = (fields: string[]) => [...fields.slice(0, 2 + 8), ""];
    const told = await report("x_report", changed(REPORT, salesAlone, LONG), LONG);
    expect(told).toMatchObject({ totals: { gross: null, reversals: null }, vat: null });
    await device.stop();
    const asItIs = (fields: string[]) => fields;
    const whole = await report("x_report", changed(REPORT, asItIs, LONG), LONG);
    expect(whole).toMatchObject({ totals: { gross: 0, reversals: 0 } });
  });

  test("reversals that are no amount leave the sales told", async () => {
    const isOff = (fields: string[]) => fields.with(-1, "?");
    expect(await report("x_report", changed(REPORT, isOff))).toMatchObject({
      totals: { gross: 0, reversals: null },
      vat: expect.any(Array),
    });
  });

  test("a separator behind the last one is none", async () => {
    const more = (fields: string[]) => [...fields, ""];
    expect(await report("x_report", changed(REPORT, more))).toMatchObject({
      totals: { gross: 0, reversals: 0 },
    });
  });
});
