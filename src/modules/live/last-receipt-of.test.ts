/** What a printer's numbers say of a document in doubt, however the printer counts. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { CommandType } from "#core/command/catalogue.ts";
import type { CommandResult } from "#core/command/command.ts";
import type { Mark } from "#core/command/marks.ts";
import type { DriverId } from "#core/driver-id.ts";
import { SALE, UNKNOWN } from "../commands/testing/commands-bench.ts";
import { createLiveBench, type LiveBench } from "./testing/live-bench.ts";

const MEMORY = "02000600";
/** Of the sale. */
const AMOUNT = 3;
const REVERSAL = {
  ...{ originalReceiptNumber: "1", originalReceiptDateTime: "2026-01-15T09:00:00" },
  ...{ uniqueSaleNumber: "DT000600-0001-0000001", fiscalMemorySerialNumber: MEMORY },
  reason: "refund",
  items: [{ name: "Bread", quantity: 1, price: 1.5, vatGroup: "VAT1" }],
  payments: [{ method: "cash", amount: 1.5 }],
};

let bench: LiveBench;
beforeEach(async () => {
  bench = await createLiveBench();
});
afterEach(() => bench.close());

function at(driver: DriverId): void {
  bench.stores.devices.update(bench.orgId, bench.deviceId, { driver });
}

async function done(type: CommandType, payload: unknown, data: object): Promise<void> {
  const id = await bench.queued(type, payload);
  await bench.finish(id, { success: true, data: { ...data } });
}

interface Printed {
  readonly zReportNumber?: string;
  readonly issuedAt?: string;
}

const resultOf = (receiptNumber: string | null, more: Printed = {}) => ({
  ...{ receiptNumber, fiscalMemorySerialNumber: MEMORY, zReportNumber: null, issuedAt: null },
  ...{ totalAmount: AMOUNT, change: 0 },
  ...more,
});

const sold = (number: string | null, more?: Printed) =>
  done("print_receipt", SALE, resultOf(number, more));

/** The driver has looked at the printer, and nothing stands open there. */
const LOOKED = { code: "not_told", params: {} };

async function inDoubt(
  type: CommandType = "print_receipt",
  payload: unknown = SALE,
  doubt: object = LOOKED,
): Promise<string> {
  const id = await bench.queued(type, payload);
  await endInDoubt(id, doubt);
  return id;
}

async function endInDoubt(id: string, doubt?: object, mark: Mark = "committing"): Promise<void> {
  await bench.marked(id, "baseline");
  if (mark !== "baseline") await bench.marked(id, mark);
  await bench.finish(id, { ...UNKNOWN, data: { outcome: "unknown", ...(doubt && { doubt }) } });
}

interface Told {
  readonly number: string | null;
  readonly amount?: number | null;
  readonly time?: string | null;
  readonly memory?: string;
  /** Of the last paper, and of the last Z report, where the printer tells these. */
  readonly paper?: string;
  readonly z?: number;
}

/** The printer's last receipt, and what that says of the command. */
async function says(id: string, told: Told) {
  const { number, amount = null, time = null, memory = MEMORY, paper, z } = told;
  const data: CommandResult["data"] = {
    lastReceipt: {
      ...{ receiptNumber: number, receiptDateTime: time, receiptAmount: amount },
      fiscalMemorySerialNumber: memory,
    },
    ...(paper !== undefined && { lastDocumentNumber: paper }),
    ...(z !== undefined && { lastZReportNumber: z }),
  };
  const answer = await bench.lastReceiptOf(id, data);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ commandId: id, deviceId: bench.deviceId, ...data });
  const { before, indicates } = Object(answer.body);
  return { before, indicates };
}

const NOTHING = { before: null, indicates: null };

describe("where one row of numbers counts all papers, the last receipt", () => {
  test("speaks for a No where it is the one known before", async () => {
    await sold("5");
    await done("x_report", {}, { lastDocumentNumber: "6" });
    const id = await inDoubt();
    const told = { before: "5", indicates: "not_printed" };
    expect(await says(id, { number: "5", paper: "6" })).toEqual(told);
    // A cash movement by hand.
    expect(await says(id, { number: "5", paper: "7" })).toEqual(told);
    // The printer does not say which paper was a receipt.
    expect(await says(id, { number: null, paper: "6" })).toEqual({ ...told, before: "6" });
  });

  test("speaks for a Yes where it comes right behind, with the total of the lines", async () => {
    await sold("5");
    const id = await inDoubt("print_receipt", {
      ...SALE,
      payments: [{ method: "cash", amount: AMOUNT - 0.01 }],
    });
    const told = { number: "6", paper: "6" };
    expect(await says(id, { ...told, amount: AMOUNT })).toEqual({
      ...{ before: "5", indicates: "printed" },
    });
    expect(await says(id, { ...told, amount: 2.99 })).toMatchObject({ indicates: "another" });
    expect(await says(id, { ...told, number: "7", paper: "7", amount: AMOUNT })).toMatchObject({
      indicates: "another",
    });
    // The number alone may be that of anybody's.
    expect(await says(id, told)).toMatchObject({ indicates: "since" });
    expect(await says(id, { number: null, paper: "6" })).toMatchObject({ indicates: "since" });
  });

  test("is held against the number that the printer would have given it", async () => {
    await sold("5");
    const id = await inDoubt("print_receipt", SALE, {
      ...{ code: "other_number", params: { number: 9, own: 8 } },
    });
    const told = { number: "9", paper: "9", amount: AMOUNT };
    expect(await says(id, told)).toEqual({ before: "5", indicates: "another" });
  });

  test("counts what ours may have printed between the two", async () => {
    await sold("5");
    await done("raw_command", { command: 56 }, {});
    const id = await inDoubt();
    const told = { number: "6", paper: "6", amount: AMOUNT };
    expect(await says(id, told)).toEqual({ before: "5", indicates: "since" });
  });

  test("says of a cash movement or a Z report only that no paper came", async () => {
    await sold("5");
    for (const [type, payload] of [
      ["cash_in", { amount: 10 }],
      ["z_report", {}],
    ] as const) {
      const id = await inDoubt(type, payload);
      expect(await says(id, { number: "5", paper: "5" })).toMatchObject({
        indicates: "not_printed",
      });
      expect(await says(id, { number: "5", paper: "6" })).toMatchObject({ indicates: "since" });
      expect((await bench.resolve(id, { outcome: "not_printed" })).status).toBe(200);
    }
  });

  test("goes by the order of sales, whatever the printer's clock shows", async () => {
    await sold("5");
    // Both are accepted before the first one is printed, by a printer that is hours ahead.
    const first = await bench.queued();
    const id = await bench.queued();
    await bench.finish(first, {
      ...{ success: true, data: resultOf("6", { issuedAt: "2026-01-15T18:00:00.000Z" }) },
    });
    await endInDoubt(id, LOOKED);
    expect(await says(id, { number: "6", paper: "6", amount: AMOUNT })).toEqual({
      ...{ before: "6", indicates: "not_printed" },
    });
  });
});

describe("where each kind is counted by itself, the last sale", () => {
  beforeEach(() => at("vendorF.shtrih"));

  test("says nothing of a reversal, a cash movement or a Z report", async () => {
    await sold("5");
    for (const [type, payload] of [
      ["print_reversal_receipt", REVERSAL],
      ["cash_in", { amount: 10 }],
      ["z_report", {}],
    ] as const) {
      const id = await inDoubt(type, payload);
      expect(await says(id, { number: "5" })).toEqual(NOTHING);
      expect((await bench.resolve(id, { outcome: "not_printed" })).status).toBe(200);
    }
  });

  test("is compared with the last sale, and never by the number of a document", async () => {
    await sold("5");
    await done("print_reversal_receipt", REVERSAL, resultOf("2"));
    const id = await inDoubt();
    expect(await says(id, { number: "5" })).toEqual({ before: "5", indicates: "not_printed" });
    expect(await says(id, { number: "6" })).toEqual({ before: "5", indicates: "since" });
    expect(await says(id, { number: "7" })).toEqual({ before: "5", indicates: "another" });
    // Its count began anew.
    expect(await says(id, { number: "1" })).toEqual(NOTHING);
  });
});

describe("where receipts alone are counted, the last one issued", () => {
  beforeEach(() => at("vendorE.zfp"));

  test("is no count that may hold cancelled ones", async () => {
    await sold("5");
    await done("x_report", {}, {});
    const id = await inDoubt();
    const time = "2026-01-15T10:00:00.000Z";
    expect(await says(id, { number: "5", time })).toMatchObject({ indicates: "not_printed" });
    expect(await says(id, { number: "6", time, amount: AMOUNT })).toMatchObject({
      indicates: "printed",
    });
    expect(await says(id, { number: "7", time, amount: AMOUNT })).toMatchObject({
      indicates: "another",
    });
    expect(await says(id, { number: "6" })).toMatchObject({ indicates: "since" });
  });

  test("is not this one's for sure where the printer has shown it as maybe another's", async () => {
    await sold("5");
    const id = await inDoubt("print_receipt", SALE, { code: "maybe_theirs", params: {} });
    const time = "2026-01-15T10:00:00.000Z";
    expect(await says(id, { number: "6", time, amount: AMOUNT })).toMatchObject({
      indicates: "since",
    });
  });
});

describe("where numbers begin anew each day, the last receipt", () => {
  beforeEach(() => at("custom.serial"));

  test("is compared within the day", async () => {
    await sold("2", { zReportNumber: "7" });
    const id = await inDoubt();
    expect(await says(id, { number: "2", z: 6 })).toEqual({
      ...{ before: "2", indicates: "not_printed" },
    });
    expect(await says(id, { number: "3", z: 6, amount: AMOUNT })).toEqual({
      ...{ before: "2", indicates: "printed" },
    });
    expect(await says(id, { number: "4", z: 6, amount: AMOUNT })).toMatchObject({
      indicates: "another",
    });
    // It may have been cancelled.
    expect(await says(id, { number: "3", z: 6 })).toMatchObject({ indicates: "since" });
    // By hand the day was closed.
    expect(await says(id, { number: "1", z: 7 })).toEqual(NOTHING);
    expect(await says(id, { number: null, z: 7 })).toEqual(NOTHING);
    // Of which day it is, is not told.
    expect(await says(id, { number: "2" })).toEqual(NOTHING);
  });

  test("is the first of the day behind our Z report", async () => {
    await sold("34", { zReportNumber: "7" });
    await done("z_report", {}, { type: "z_report", reportNumber: 7 });
    const id = await inDoubt();
    expect(await says(id, { number: null, z: 7 })).toEqual({
      ...{ before: "0", indicates: "not_printed" },
    });
    expect(await says(id, { number: "1", z: 7, amount: AMOUNT })).toEqual({
      ...{ before: "0", indicates: "printed" },
    });
  });

  test("is compared with nothing where the day is not known", async () => {
    await sold("34");
    const id = await inDoubt();
    expect(await says(id, { number: "1", z: 7 })).toEqual(NOTHING);
    expect(await says(id, { number: "34", z: 7 })).toEqual(NOTHING);
  });
});

describe("nothing is said", () => {
  test("of a receipt that is still open at the printer, or stands on another one", async () => {
    await sold("5");
    for (const code of ["stays_open", "not_told_in_time", "other_device"]) {
      const id = await inDoubt("print_receipt", SALE, { code, params: {} });
      expect(await says(id, { number: "5", paper: "5" })).toEqual(NOTHING);
      expect((await bench.resolve(id, { outcome: "not_printed" })).status).toBe(200);
    }
  });

  test("for a No of what was paid, and nobody has looked at the printer since", async () => {
    await sold("5");
    const id = await bench.queued();
    await endInDoubt(id);
    const open = { before: "5", indicates: null };
    expect(await says(id, { number: "5", paper: "5" })).toEqual(open);
    expect(await says(id, { number: "5", paper: "6" })).toEqual(open);
    expect(await says(id, { number: "6", paper: "6", amount: AMOUNT })).toMatchObject({
      indicates: "printed",
    });
    expect((await bench.resolve(id, { outcome: "not_printed" })).status).toBe(200);
    const unpaid = await bench.queued();
    await endInDoubt(unpaid, undefined, "baseline");
    expect(await says(unpaid, { number: "5", paper: "5" })).toMatchObject({
      indicates: "not_printed",
    });
  });

  test("by another printer", async () => {
    await sold("5");
    const id = await inDoubt();
    expect(await says(id, { number: "5", paper: "5", memory: "02999999" })).toEqual(NOTHING);
  });

  test("of what nobody is asked of, nor where nothing is known before", async () => {
    const id = await inDoubt();
    expect(await says(id, { number: "1", paper: "1" })).toEqual(NOTHING);
    expect((await bench.resolve(id, { outcome: "printed" })).status).toBe(200);
    await sold("2");
    const settled = await inDoubt();
    expect((await bench.resolve(settled, { outcome: "not_printed" })).status).toBe(200);
    expect(await says(settled, { number: "2", paper: "2" })).toEqual(NOTHING);
  });

  test("of a command that is not there, or another shop's", async () => {
    const id = await inDoubt();
    const path = `/api/v1/commands/${id}/last-receipt`;
    expect((await bench.owner.get(path.replace(id, "cmd_none"))).refusal).toBe("404 NOT_FOUND");
    const { client } = await bench.otherShop();
    expect((await client.get(path)).refusal).toBe("404 NOT_FOUND");
    bench.liveFacts.set(bench.deviceId, {});
    expect((await bench.owner.get(path)).status).toBe(503);
  });
});
