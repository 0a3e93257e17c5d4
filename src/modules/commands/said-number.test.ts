/** The number that a person reads from the paper of a document in doubt. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  COMMANDS,
  type CommandsBench,
  createCommandsBench,
  UNKNOWN,
} from "./testing/commands-bench.ts";

/** The printer is two documents on: ours was the first of them, or nothing. */
const OTHER_NUMBER = { code: "other_number", params: { number: 16, own: 15 } };
const TOLD_NOTHING = { code: "not_told", params: {} };

let bench: CommandsBench;
beforeEach(async () => {
  bench = await createCommandsBench();
});
afterEach(() => bench.close());

/** A sale that the printer cannot tell of, for this reason. */
async function inDoubt(doubt: object): Promise<string> {
  const id = await bench.queued();
  await bench.marked(id, "baseline");
  await bench.marked(id, "committing");
  await bench.finish(id, { ...UNKNOWN, data: { outcome: "unknown", doubt } });
  return id;
}

/** The printer is asked for its last document. */
async function askPrinter(receiptNumber: string): Promise<void> {
  const id = await bench.queued("get_last_receipt_info", {});
  await toldOf(id, receiptNumber);
}

async function toldOf(id: string, receiptNumber: string): Promise<void> {
  const lastReceipt = {
    ...{ receiptNumber, receiptDateTime: null, receiptAmount: null },
    fiscalMemorySerialNumber: null,
  };
  const result = { success: true, data: { lastReceipt } } as const;
  await bench.reported({
    ...{ type: "command.result", deviceId: bench.deviceId, commandId: id, result },
  });
  await bench.atRest();
}

const say = (id: string, fiscalId: string) =>
  bench.till.post(`${COMMANDS}/${id}/resolve`, { outcome: "printed", fiscalId });

test.each(["15", "0000016"])("may be %s where the printer has reached 16", async (number) => {
  const id = await inDoubt(OTHER_NUMBER);
  expect((await say(id, number)).status).toBe(200);
});

test("is above those that were printed before", async () => {
  const id = await inDoubt(OTHER_NUMBER);
  const answer = await say(id, "14");
  expect(answer.refusal).toBe("409 CONFLICT");
  expect(answer.text).toContain("Number 14 is that of another receipt");
  expect(bench.stores.outcomeHolds.listOpen()).toHaveLength(1);
});

test.each(["9", "00009"])(
  "is not %s, which a person said of another one as 0009",
  async (number) => {
    expect((await say(await inDoubt(TOLD_NOTHING), "0009")).status).toBe(200);
    const id = await inDoubt(TOLD_NOTHING);
    const refused = await say(id, number);
    expect(refused.refusal).toBe("409 CONFLICT");
    expect(refused.text).toMatch(/rct_\w+ has it, as a person read it: .*leave the number out/);
    expect((await say(id, "10")).status).toBe(200);
  },
);

test("is one that the printer has reached", async () => {
  const id = await inDoubt(OTHER_NUMBER);
  const answer = await say(id, "0000017");
  expect(answer.refusal).toBe("409 CONFLICT");
  expect(answer.body).toMatchObject({ error: { details: { reached: 16 } } });
  expect(bench.stores.outcomeHolds.listOpen()).toHaveLength(1);
});

test("may be that of what was rung up by hand since, once the printer was asked", async () => {
  const id = await inDoubt(OTHER_NUMBER);
  expect((await say(id, "17")).refusal).toBe("409 CONFLICT");
  await bench.clock.advanceAsync(1_000);
  await askPrinter("0000017");
  expect((await say(id, "17")).status).toBe(200);
});

test("is held against what the printer tells when it is asked later", async () => {
  const id = await inDoubt(TOLD_NOTHING);
  await bench.clock.advanceAsync(1_000);
  await askPrinter("8");
  expect((await say(id, "9")).body).toMatchObject({ error: { details: { reached: 8 } } });
  expect((await say(id, "8")).status).toBe(200);
});

test("is not held against what the printer told before the document was over", async () => {
  const id = await bench.queued();
  await bench.marked(id, "baseline");
  const read = await bench.queued("get_last_receipt_info", {});
  await toldOf(read, "14");
  await bench.clock.advanceAsync(1_000);
  await bench.marked(id, "committing");
  await bench.finish(id, { ...UNKNOWN, data: { outcome: "unknown", doubt: TOLD_NOTHING } });
  expect((await say(id, "15")).status).toBe(200);
});

describe("where the clock was set back", () => {
  const setBack = () => bench.clock.jumpTo(bench.clock.now() - 3 * 3_600_000);

  test("is what the printer told last, not what it told while the clock was ahead", async () => {
    await askPrinter("14");
    setBack();
    const id = await inDoubt(TOLD_NOTHING);
    await bench.clock.advanceAsync(1_000);
    await askPrinter("15");
    expect((await say(id, "15")).status).toBe(200);
  });

  test("is held against what the printer told after the document was over", async () => {
    const id = await inDoubt(TOLD_NOTHING);
    setBack();
    await askPrinter("8");
    expect((await say(id, "9")).body).toMatchObject({ error: { details: { reached: 8 } } });
  });
});

test.each(["vendorF.shtrih", "custom.serial"] as const)(
  "is not compared at a %s, which counts each kind or each day by itself",
  async (driver) => {
    bench.stores.devices.update(bench.orgId, bench.deviceId, { driver });
    const id = await inDoubt(TOLD_NOTHING);
    await bench.clock.advanceAsync(1_000);
    await askPrinter("8");
    expect((await say(id, "9")).status).toBe(200);
  },
);

describe("at a custom.serial, which begins anew each day,", () => {
  beforeEach(() =>
    bench.stores.devices.update(bench.orgId, bench.deviceId, { driver: "custom.serial" }),
  );

  /** A sale of which the printer tells the number: of its day, which that Z report will close. */
  async function sold(day: string, receiptNumber: string): Promise<void> {
    const id = await bench.queued();
    const told = { receiptNumber, zReportNumber: day, fiscalMemorySerialNumber: null };
    const fiscalId = `${day.padStart(4, "0")}-${receiptNumber.padStart(4, "0")}`;
    const data = { ...told, issuedAt: null, totalAmount: 3, change: 0 };
    await bench.finish(id, { success: true, fiscalId, data });
  }

  async function closeDay(reportNumber: number): Promise<void> {
    const id = await bench.queued("z_report", {});
    await bench.finish(id, { success: true, data: { type: "z_report", reportNumber } });
  }

  test.each(["2", "0002", "1-2", "0001-0002"])(
    "is not %s, that of another receipt of its day",
    async (number) => {
      await sold("1", "2");
      const id = await inDoubt(TOLD_NOTHING);
      expect((await say(id, number)).refusal).toBe("409 CONFLICT");
      expect((await say(id, "3")).status).toBe(200);
    },
  );

  test("may be one that a receipt of another day has", async () => {
    await sold("1", "2");
    await closeDay(1);
    const id = await inDoubt(TOLD_NOTHING);
    expect((await say(id, "1-2")).refusal).toBe("409 CONFLICT");
    expect((await say(id, "2")).status).toBe(200);
    const second = await inDoubt(TOLD_NOTHING);
    for (const number of ["2", "2-2", "0002-0002"]) {
      expect((await say(second, number)).refusal).toBe("409 CONFLICT");
    }
    expect((await say(second, "3")).status).toBe(200);
    await closeDay(2);
    const third = await inDoubt(TOLD_NOTHING);
    expect((await say(third, "2")).status).toBe(200);
  });
});

describe("at a vendorF.shtrih, which begins anew behind 9999,", () => {
  beforeEach(() =>
    bench.stores.devices.update(bench.orgId, bench.deviceId, { driver: "vendorF.shtrih" }),
  );

  async function sold(number: string): Promise<void> {
    const id = await bench.queued();
    const data = {
      ...{ receiptNumber: number, zReportNumber: null, fiscalMemorySerialNumber: null },
      ...{ issuedAt: null, totalAmount: 3, change: 0 },
    };
    await bench.finish(id, { success: true, fiscalId: number, data });
  }

  /** The printer comes to its numbers again. */
  async function comeRound(): Promise<void> {
    for (const number of ["122", "123", "124"]) await sold(number);
    await bench.clock.advanceAsync(90 * 86_400_000);
    await sold("9990");
  }

  test.each(["123", "0123"])(
    "may be %s, which another receipt had a round before",
    async (number) => {
      await comeRound();
      const id = await inDoubt(TOLD_NOTHING);
      expect((await say(id, number)).status).toBe(200);
    },
  );

  test.each(["9990", "122"])("is not %s, that of another receipt of this round", async (number) => {
    await comeRound();
    await sold("122");
    const id = await inDoubt(TOLD_NOTHING);
    expect((await say(id, number)).refusal).toBe("409 CONFLICT");
    expect((await say(id, "123")).status).toBe(200);
  });
});
