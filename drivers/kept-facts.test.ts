/**
 * What a driver keeps of a device, while another program or a person changes it on a line of their
 * own: told and sold is what the device has, not what it had when the line was opened.
 */

import { describe, expect, test } from "bun:test";
import type { CommandType } from "#core/command/catalogue.ts";
import type { DriverSession } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { smallSale } from "./testing/contract-payloads.ts";
import { EVERY_MODEL, isMute, type ModelUnderTest } from "./testing/every-model.ts";
import { RecordedProgress } from "./testing/fake-environment.ts";
import { SimulatedDevice } from "./testing/simulated-device.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** As often as the controller reads an idle device. */
const POLL_MS = 30_000;

/** More than a Z report takes, the read of its number included. */
const REPORT_FRAMES = 12;

/** Two programs at one device. */
interface Shop {
  readonly device: SimulatedDevice;
  readonly ours: DriverSession;
  readonly theirs: DriverSession;
}

async function inShop(kind: ModelUnderTest, use: (shop: Shop) => Promise<void>): Promise<void> {
  const device = await SimulatedDevice.start(kind);
  const sessions: DriverSession[] = [];
  try {
    const [ours, theirs] = [await device.connect(), await device.connect()];
    sessions.push(ours, theirs);
    await use({ device, ours, theirs });
  } finally {
    for (const session of sessions) session.close();
    await device.stop();
  }
}

async function carriedOut(session: DriverSession, type: CommandType, payload: unknown = {}) {
  const command = { id: "cmd_1", type, payload, original: undefined };
  return (await session.execute(command, new RecordedProgress())).data;
}

/** The code with which it is refused; undefined when it is carried out. */
async function refusal(session: DriverSession, type: CommandType, payload: unknown = {}) {
  try {
    await carriedOut(session, type, payload);
  } catch (error) {
    if (error instanceof FiscalError) return error.code;
    throw error;
  }
  return undefined;
}

/** Sets the rates of the first groups, in percent; the others stay as they are. */
async function program(
  session: DriverSession,
  { driver, simulated }: ModelUnderTest,
  rates: readonly number[],
): Promise<void> {
  if (driver === "vendorE.zfp") {
    const groups = simulated.books.vat.map(
      ({ rateBasisPoints }, index) => rates[index] ?? rateBasisPoints / 100,
    );
    const data = ["000000", ...groups.map((rate) => rate.toFixed(2).padStart(5, "0"))].join(";");
    await carriedOut(session, "raw_command", { command: 0x42, data });
    return;
  }
  const named = rates.map((rate, index) => ({ group: `VAT${index + 1}`, rate, enabled: true }));
  await carriedOut(session, "set_vat_rates", { rates: named });
}

/** Those of which a driver keeps anything: Shtrih-M devices tell all of it each time. */
const KEPT = EVERY_MODEL.filter((kind) => kind.driver !== "vendorF.shtrih" && !isMute(kind)).map(
  (kind) => [`${kind.driver}, ${kind.model}`, kind] as const,
);
/** Those whose groups can be switched off. */
const SWITCHES_GROUPS = new Set(["x", "ro-x", "p", "c", "c-fw3", "ro-legacy", "ed", "in"]);
/** Those of them that tell it by a rate, where the others have a question of its own. */
const OFF_BY_RATE = new Set(["x", "ro-x", "in"]);
const EXEMPT = smallSale({ vatGroup: "exempt" });
/** More frames than any command here takes. */
const MANY_FRAMES = 60;

/** The device refuses its next frames, by its state or for good. */
async function refuseNext(device: SimulatedDevice, frames: number): Promise<void> {
  for (let at = 1; at <= frames; at += 1) await device.fault({ kind: "refuse", at });
}

/** CUSTOM devices are asked for each group by itself. */
function framesOfTable({ driver, simulated }: ModelUnderTest): number {
  return driver === "custom.serial" ? simulated.books.vat.length : 1;
}

describe.each(KEPT)("a device of %s that others use as well", (_title, kind) => {
  test("sells exempt articles in the group that has no tax now", () =>
    inShop(kind, async ({ device, ours, theirs }) => {
      await program(theirs, kind, [9, 20, 0, 20, 20]);
      await carriedOut(ours, "print_receipt", EXEMPT);
      await carriedOut(theirs, "z_report");
      await program(theirs, kind, [9, 0, 20, 20, 20]);
      await carriedOut(ours, "print_receipt", EXEMPT);
      const sold = device.books().receipts.map(({ vat }) => vat.map((row) => row.rateBasisPoints));
      expect(sold).toEqual([[0], [0]]);
    }));

  test("sells in a group that was switched off before", () =>
    inShop(kind, async ({ device, ours, theirs }) => {
      const off = { group: "VAT3", rate: 9, enabled: false };
      const isSwitched = (await refusal(ours, "set_vat_rates", { rates: [off] })) === undefined;
      expect(isSwitched).toBe(SWITCHES_GROUPS.has(kind.model));
      if (!isSwitched) return;
      const sale = smallSale({ vatGroup: "VAT3" });
      expect(await refusal(ours, "print_receipt", sale)).toBe("E403");
      await carriedOut(theirs, "set_vat_rates", { rates: [{ ...off, enabled: true }] });
      await carriedOut(ours, "print_receipt", sale);
      expect(device.books().receipts).toHaveLength(1);
    }));

  test.each([
    ["", 0],
    [", though it refused once to tell its rates", 1],
    [", though it refused once to say so", 2],
  ])("sells no exempt article in a group that is switched off%s", (_, refusedAt) =>
    inShop(kind, async ({ device, ours }) => {
      const rates = [
        { group: "VAT1", rate: 0, enabled: false },
        { group: "VAT4", rate: 0, enabled: true },
      ];
      const isSwitched = (await refusal(ours, "set_vat_rates", { rates })) === undefined;
      expect(isSwitched).toBe(SWITCHES_GROUPS.has(kind.model));
      if (!isSwitched) return;
      if (refusedAt > (OFF_BY_RATE.has(kind.model) ? 1 : 2)) return;
      if (refusedAt > 0) await device.fault({ kind: "refuse", at: refusedAt });
      await carriedOut(ours, "print_receipt", EXEMPT);
      const [{ items } = { items: [] }] = device.books().receipts;
      expect(items.map(({ group }) => group)).toEqual([4]);
    }),
  );

  test("sells exempt articles although its table of rates was refused once", () =>
    inShop(kind, async ({ device, ours }) => {
      await refuseNext(device, framesOfTable(kind));
      await carriedOut(ours, "print_receipt", EXEMPT);
      expect(device.books().receipts).toHaveLength(1);
    }));

  test("says why no exempt article is sold while its table of rates is refused", () =>
    inShop(kind, async ({ device, ours }) => {
      await refuseNext(device, MANY_FRAMES);
      const code = await refusal(ours, "print_receipt", EXEMPT);
      await device.clear();
      expect(code).toMatch(/^E30[1-7]$/);
      await carriedOut(ours, "print_receipt", EXEMPT);
      expect(device.books().receipts).toHaveLength(1);
    }));

  test("is asked again for a table of rates that it refused once", () =>
    inShop(kind, async ({ device, ours }) => {
      if (!SWITCHES_GROUPS.has(kind.model)) return;
      await carriedOut(ours, "set_vat_rates", {
        rates: [{ group: "VAT3", rate: 9, enabled: false }],
      });
      const sale = smallSale({ vatGroup: "VAT3" });
      await refuseNext(device, 1);
      // The device refuses the line itself.
      expect(await refusal(ours, "print_receipt", sale)).toMatch(/^E30[1-7]$/);
      expect(await refusal(ours, "print_receipt", sale)).toBe("E403");
    }));

  test("tells in a report the rates that it has now", () =>
    inShop(kind, async ({ ours, theirs }) => {
      await program(theirs, kind, [9, 20, 0, 20, 20]);
      await carriedOut(ours, "print_receipt", smallSale({ vatGroup: "VAT1" }));
      const { vat } = await carriedOut(ours, "x_report");
      const rates = Array.isArray(vat) ? vat : [];
      const [first] = rates.filter(({ turnover }) => turnover > 0);
      // CUSTOM devices tell no sums.
      if (kind.driver !== "custom.serial") expect(first).toMatchObject({ group: "VAT1", rate: 9 });
    }));

  test("names the day that a receipt belongs to behind a Z report of others", () =>
    inShop(kind, async ({ device, ours, theirs }) => {
      const sale = smallSale({});
      await carriedOut(ours, "print_receipt", sale);
      await carriedOut(theirs, "z_report");
      await device.time.run(device.time.sleep(POLL_MS));
      await ours.readStatus();
      const { zReportNumber } = await carriedOut(ours, "print_receipt", sale);
      expect(zReportNumber).toBe(String(device.books().receipts.at(-1)?.zNumber));
    }));

  test("names that day right behind the report, in the first receipt of a start too", () =>
    inShop(kind, async ({ device, ours, theirs }) => {
      const sale = smallSale({});
      const dayOf = async (session: DriverSession) => {
        const { zReportNumber } = await carriedOut(session, "print_receipt", sale);
        return [zReportNumber, String(device.books().receipts.at(-1)?.zNumber)];
      };
      await carriedOut(theirs, "print_receipt", sale);
      const started = await device.connect();
      for (const session of [started, started, ours]) {
        await carriedOut(theirs, "z_report");
        const [told, right] = await dayOf(session);
        expect(told).toBe(right);
      }
      started.close();
    }));

  test("names the day behind a Z report of ours that told no number", () =>
    inShop(kind, async ({ device }) => {
      const sale = smallSale({});
      for (let at = 1; at <= REPORT_FRAMES; at += 1) {
        const before = await device.connect();
        await carriedOut(before, "print_receipt", sale);
        await carriedOut(before, "z_report");
        before.close();
        // It finds the day closed, and the report that it makes has nothing to count.
        const started = await device.connect();
        await device.fault({ kind: "refuse", at });
        await carriedOut(started, "z_report").catch((error: unknown) => error);
        await device.clear();
        const { zReportNumber } = await carriedOut(started, "print_receipt", sale);
        started.close();
        const { zNumber } = device.books().receipts.at(-1) ?? {};
        expect({ at, zReportNumber }).toEqual({ at, zReportNumber: String(zNumber) });
      }
    }));

  test("is asked for no number more while only ours is printed", () =>
    inShop(kind, async ({ device, ours, theirs }) => {
      // Those are asked before each document.
      if (kind.driver === "custom.serial") return;
      const framesOf = async (type: CommandType, payload: unknown): Promise<number> => {
        const { frames } = device.books();
        await carriedOut(ours, type, payload);
        return device.books().frames - frames;
      };
      const sale = smallSale({});
      // The first ones are needed to see how the device counts.
      await framesOf("print_receipt", sale);
      const usual = await framesOf("print_receipt", sale);
      for (const [type, payload] of [
        ["cash_in", { amount: 1 }],
        ["x_report", {}],
        ["z_report", {}],
      ] as const) {
        await framesOf(type, payload);
        await framesOf("print_receipt", sale);
        expect([type, await framesOf("print_receipt", sale)]).toEqual([type, usual]);
      }
      await carriedOut(theirs, "print_receipt", sale);
      await framesOf("print_receipt", sale);
      expect(await framesOf("print_receipt", sale)).toBe(usual);
    }));

  test("names the day in an X report behind a Z report of others", () =>
    inShop(kind, async ({ device, ours, theirs }) => {
      await carriedOut(theirs, "print_receipt", smallSale({}));
      await carriedOut(theirs, "z_report");
      const { reportNumber } = await carriedOut(ours, "x_report");
      expect(reportNumber).toBe(device.books().zNumber + 1);
    }));

  test.each(["a receipt", "its state"])("shows by %s that an overdue day was closed", (by) =>
    inShop(kind, async ({ device, ours, theirs }) => {
      const sale = smallSale({});
      await carriedOut(ours, "print_receipt", sale);
      await device.fault({ kind: "day_over" });
      const code = await refusal(ours, "print_receipt", sale);
      // Others answer no more than "not permitted".
      if (code === "E303") expect((await ours.readStatus()).dayCloseRequired).toBe(true);
      await carriedOut(theirs, "z_report");
      await device.clear();
      if (by === "a receipt") await carriedOut(ours, "print_receipt", sale);
      else await device.time.run(device.time.sleep(POLL_MS));
      expect((await ours.readStatus()).dayCloseRequired).not.toBe(true);
    }),
  );

  test("is not overdue for a setting that only a closed day takes", () =>
    inShop(kind, async ({ ours }) => {
      await carriedOut(ours, "print_receipt", smallSale({}));
      const rates = [{ group: "VAT2", rate: 19, enabled: true }];
      const code = kind.driver === "vendorE.zfp" ? "E201" : "E303";
      expect(await refusal(ours, "set_vat_rates", { rates })).toBe(code);
      expect((await ours.readStatus()).dayCloseRequired).not.toBe(true);
    }));

  test("shows its cover although it refused once to tell its sensors", () =>
    inShop(kind, async ({ device, ours }) => {
      const { cover } = await ours.readStatus();
      // Elsewhere no question is given up for good.
      if (kind.driver !== "vendorE.zfp" || cover === null) return;
      // Behind the question for its state.
      await device.fault({ kind: "refuse", at: 2 });
      await ours.readStatus();
      await device.fault({ kind: "cover_open" });
      expect((await ours.readStatus()).cover).toBe("open");
    }));

  test("closes its day at the time that its clock shows now", () =>
    inShop(kind, async ({ device, ours }) => {
      await carriedOut(ours, "print_receipt", smallSale({}));
      await device.fault({ kind: "clock", shiftMs: 2 * HOUR_MS });
      await carriedOut(ours, "get_date_time");
      const { closedAt } = await carriedOut(ours, "z_report");
      const shownAt = device.time.now() + 2 * HOUR_MS;
      expect(Math.abs(Date.parse(String(closedAt)) - shownAt)).toBeLessThan(MINUTE_MS);
    }));
});

const TELLING = EVERY_MODEL.filter((kind) => !isMute(kind)).map(
  (kind) => [`${kind.driver}, ${kind.model}`, kind] as const,
);

describe.each(TELLING)("a device of %s", (_title, kind) => {
  test("tells no table of rates while it refuses to", () =>
    inShop(kind, async ({ device, ours }) => {
      const group = { group: "VAT2", rate: 19, enabled: true };
      for (const [type, payload] of [
        ["get_vat_rates", {}],
        ["set_vat_rates", { rates: [group] }],
      ] as const) {
        await refuseNext(device, MANY_FRAMES);
        const isMissing = kind.driver === "vendorE.zfp" && type === "set_vat_rates";
        expect(await refusal(ours, type, payload)).toMatch(isMissing ? /^E201$/ : /^E30[1-7]$/);
        await device.clear();
      }
    }));
});
