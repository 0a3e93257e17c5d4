/** Papers that were called not printed, and of which their controller proves later that they were made. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { CommandType } from "#core/command/catalogue.ts";
import type { CommandResult } from "#core/command/command.ts";
import {
  COMMANDS,
  type CommandsBench,
  commandIdOf,
  createCommandsBench,
  SALE,
} from "./testing/commands-bench.ts";

const NOT_PRINTED: CommandResult = {
  ...{ success: false, errorCode: "E102", data: { outcome: "not_printed" } },
};
const UNKNOWN: CommandResult = {
  ...{ success: false, errorCode: "E102", data: { outcome: "unknown" } },
};
const PRINTED: CommandResult = {
  ...{ success: true, fiscalId: "27" },
  data: { receiptNumber: "27", zReportNumber: "4" },
};
const Z_REPORT: CommandResult = {
  success: true,
  data: {
    ...{ reportNumber: 12, type: "z_report", receiptCount: 7, reversalCount: 0 },
    totals: { gross: 40, reversals: 0, cashIn: null, cashOut: null, cashBalance: null },
    vat: [{ group: "VAT1", rate: 20, turnover: 40, tax: 6.67 }],
    ...{ payments: null, openedAt: null, closedAt: null, fiscalMemorySerialNumber: "02000001" },
  },
};

let bench: CommandsBench;
beforeEach(async () => {
  bench = await createCommandsBench();
});
afterEach(() => bench.close());

const rowsOf = (table: string) => bench.database.sqlite.prepare(`SELECT * FROM ${table}`).all();
const lookUp = async (id: string) => (await bench.till.get(`${COMMANDS}/${id}`)).text;
const alerts = async () => (await bench.owner.get(`/api/v1/devices/${bench.deviceId}/alerts`)).text;
const isDispatched = (id: string) =>
  bench.levers.sent.some((sent) => sent.type === "command.dispatch" && sent.command.id === id);
/** @param handOver by which a controller has it that is not the last one */
const tell = async (
  commandId: string,
  result: CommandResult,
  handOver: { readonly epoch?: number } = {},
): Promise<void> => {
  const { deviceId } = bench;
  await bench.reported({ type: "command.result", deviceId, commandId, result, ...handOver });
  await bench.atRest();
};

/** One that went as far as its payment. @returns its id */
async function begun(type: CommandType = "print_receipt", payload: unknown = SALE) {
  const id = await bench.queued(type, payload);
  await bench.marked(id, "baseline");
  await bench.marked(id, "committing");
  return id;
}

/** One that went as far as that and then was told as not printed. @returns its id */
async function denied(type?: CommandType, payload?: unknown) {
  const id = await begun(type, payload);
  await tell(id, NOT_PRINTED);
  return id;
}

/** Minutes in which its controller says nothing. */
async function pass(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    await bench.clock.advanceAsync(60_000);
    await bench.atRest();
  }
}

/** One that went as far as that, and of which its device then could not tell. @returns its id */
async function doubted(type?: CommandType, payload?: unknown) {
  const id = await begun(type, payload);
  await tell(id, UNKNOWN);
  return id;
}

describe.each([
  ["print_receipt", SALE],
  ["z_report", {}],
  ["cash_in", { amount: 5 }],
] as const)("a %s that was made after all", (type, payload) => {
  test("is an alert, and a person is asked before anything else is printed", async () => {
    const id = await denied(type, payload);
    const before = bench.stores.commands.get(bench.orgId, id);
    bench.events.length = 0;
    await tell(id, PRINTED);
    expect(bench.stores.commands.get(bench.orgId, id)).toEqual(before);
    expect(await alerts()).toContain('"type":"late_result"');
    expect(await alerts()).toContain('"type":"outcome_unknown"');
    expect(bench.events.map((event) => event.type)).toEqual(["command.updated"]);
    const next = await bench.queued();
    expect(isDispatched(next)).toBe(false);
    expect((await bench.resolve(id, { outcome: "printed" })).status).toBe(200);
    await bench.atRest();
    expect(isDispatched(next)).toBe(true);
  });

  test("after its time was up is one too", async () => {
    const id = await bench.queued(type, payload);
    await bench.clock.advanceAsync(181_000);
    expect(await lookUp(id)).toContain('"status":"timeout"');
    await tell(id, PRINTED);
    expect(await alerts()).toContain('"type":"late_result"');
    expect((await bench.resolve(id, { outcome: "printed" })).status).toBe(200);
  });
});

test("the receipt gets into the books with the number that its printer told", async () => {
  const id = await denied();
  await tell(id, PRINTED);
  expect(rowsOf("receipts")).toEqual([]);
  expect(await alerts()).toContain("The printer says number 27");
  await bench.resolve(id, { outcome: "printed" });
  expect(rowsOf("receipts")).toMatchObject([{ command_id: id, fiscal_id: "27" }]);
});

test("a number that nothing proves is left to the person", async () => {
  const id = await bench.queued();
  await bench.clock.advanceAsync(181_000);
  await tell(id, PRINTED);
  await bench.resolve(id, { outcome: "printed" });
  expect(rowsOf("receipts")).toMatchObject([{ command_id: id, fiscal_id: null }]);
});

test("a person who was asked because nobody could tell is told the number when it is known", async () => {
  const id = await denied();
  await tell(id, UNKNOWN);
  await tell(id, PRINTED);
  await bench.resolve(id, { outcome: "printed" });
  expect(rowsOf("receipts")).toMatchObject([{ command_id: id, fiscal_id: "27" }]);
});

test("a number that is proven while a person is asked is not lost", async () => {
  const id = await doubted();
  bench.events.length = 0;
  await tell(id, PRINTED);
  expect(bench.events.map((event) => event.type)).toEqual(["command.updated"]);
  expect(await alerts()).toContain("The printer says number 27");
  // What nobody could tell is still a person's to say.
  expect(isDispatched(await bench.queued())).toBe(false);
  expect((await bench.resolve(id, { outcome: "printed" })).status).toBe(200);
  const paper = { receipt_number: "27", z_report_number: "4" };
  expect(rowsOf("receipts")).toMatchObject([{ command_id: id, fiscal_id: "27", ...paper }]);
});

test("a number that is proven after an app was silent for too long is not lost", async () => {
  bench.levers.isElsewhere = true;
  const id = await begun();
  await pass(41);
  expect(await lookUp(id)).toContain('"outcome":"unknown"');
  await tell(id, PRINTED);
  expect((await bench.resolve(id, { outcome: "printed" })).status).toBe(200);
  expect(rowsOf("receipts")).toMatchObject([{ command_id: id, fiscal_id: "27" }]);
});

test("a number that was proven to a former hand-over is not lost while the next one is silent", async () => {
  bench.levers.isElsewhere = true;
  const id = await begun();
  await pass(22);
  await tell(id, PRINTED, { epoch: 1 });
  expect(await lookUp(id)).toContain('"status":"processing"');
  expect((await bench.resolve(id, { outcome: "printed" })).status).toBe(200);
  const paper = { receipt_number: "27", z_report_number: "4" };
  expect(rowsOf("receipts")).toMatchObject([{ command_id: id, fiscal_id: "27", ...paper }]);
});

test("what was proven says nothing of a receipt with another number", async () => {
  const id = await doubted();
  await tell(id, PRINTED);
  expect((await bench.resolve(id, { outcome: "printed", fiscalId: "29" })).status).toBe(200);
  expect(rowsOf("receipts")).toMatchObject([{ fiscal_id: "29", z_report_number: null }]);
});

test("a number that nothing proves is no more so while a person is asked", async () => {
  const id = await bench.queued();
  await tell(id, PRINTED);
  await tell(id, PRINTED);
  await bench.resolve(id, { outcome: "printed" });
  expect(rowsOf("receipts")).toMatchObject([{ command_id: id, fiscal_id: null }]);
});

describe("the figures of a Z report that its device proves later", () => {
  const figures = {
    ...{ report_number: 12, receipt_count: 7 },
    totals: expect.stringContaining('"grossMinor":4000'),
    vat: expect.stringContaining('"turnoverMinor":4000'),
    fiscal_memory_serial_number: "02000001",
  };
  /** The report as it then is, for who keeps books by webhooks; the command, for who looks at it. */
  const told = (id: string) => [
    { type: "report.generated", report: { commandId: id, reportNumber: 12, receiptCount: 7 } },
    { type: "command.updated", command: { id } },
  ];

  test("are stored with what a person said after them", async () => {
    const id = await doubted("z_report", {});
    await tell(id, Z_REPORT);
    await bench.resolve(id, { outcome: "printed" });
    expect(rowsOf("reports")).toMatchObject([{ command_id: id, ...figures }]);
  });

  test("are stored with what is asked again", async () => {
    const id = await denied("z_report", {});
    await tell(id, Z_REPORT);
    await bench.resolve(id, { outcome: "printed", fiscalId: "12" });
    expect(rowsOf("reports")).toMatchObject([{ command_id: id, ...figures }]);
  });

  test.each([{}, { fiscalId: "12" }])("are added to what a person has said: %j", async (word) => {
    const id = await doubted("z_report", {});
    await bench.resolve(id, { outcome: "printed", ...word });
    expect(rowsOf("reports")).toMatchObject([{ receipt_count: null }]);
    bench.events.length = 0;
    await tell(id, Z_REPORT);
    expect(rowsOf("reports")).toMatchObject([{ command_id: id, ...figures }]);
    expect(bench.events).toMatchObject(told(id));
    bench.events.length = 0;
    await tell(id, { ...Z_REPORT, data: { ...Z_REPORT.data, receiptCount: 8 } });
    expect(bench.events).toEqual([]);
  });

  test("are added where the printer is asked after a person", async () => {
    const id = await bench.queued("z_report", {});
    await bench.marked(id, "baseline");
    await bench.marked(id, "committing");
    bench.queue.lineLost(bench.deviceId);
    await bench.clock.advanceAsync(60_000);
    expect((await bench.resolve(id, { outcome: "printed" })).status).toBe(200);
    await bench.atRest();
    expect(rowsOf("reports")).toMatchObject([{ receipt_count: null }]);
    bench.events.length = 0;
    await tell(id, Z_REPORT);
    expect(rowsOf("reports")).toMatchObject([{ command_id: id, ...figures }]);
    expect(bench.events).toMatchObject(told(id));
  });

  test("are not those of another report", async () => {
    const id = await doubted("z_report", {});
    await bench.resolve(id, { outcome: "printed", fiscalId: "11" });
    bench.events.length = 0;
    await tell(id, Z_REPORT);
    expect(bench.events).toEqual([]);
    const next = await doubted("z_report", {});
    await tell(next, Z_REPORT);
    await bench.resolve(next, { outcome: "printed", fiscalId: "13" });
    expect(rowsOf("reports")).toMatchObject([
      { report_number: 11, receipt_count: null },
      { report_number: 13, receipt_count: null },
    ]);
  });

  test("are not those that nothing proves", async () => {
    const id = await bench.queued("z_report", {});
    await bench.clock.advanceAsync(181_000);
    await tell(id, Z_REPORT);
    await bench.resolve(id, { outcome: "printed" });
    expect(rowsOf("reports")).toMatchObject([{ report_number: null, receipt_count: null }]);
  });
});

test("a person is not asked again for the same word", async () => {
  const id = await denied();
  await tell(id, PRINTED);
  await bench.resolve(id, { outcome: "not_printed" });
  await tell(id, PRINTED);
  expect((await bench.resolve(id, { outcome: "printed" })).status).toBe(409);
  const next = await bench.queued();
  expect(isDispatched(next)).toBe(true);
});

/** A sale of which the printer could not tell, and a person has. */
async function settled(outcome: "printed" | "not_printed"): Promise<string> {
  const id = await doubted();
  await bench.resolve(id, { outcome });
  return id;
}

test("what a person called not printed when nobody could tell is asked again", async () => {
  const id = await settled("not_printed");
  await tell(id, PRINTED);
  expect(isDispatched(await bench.queued())).toBe(false);
  await bench.resolve(id, { outcome: "printed" });
  expect(rowsOf("receipts")).toMatchObject([{ command_id: id, fiscal_id: "27" }]);
});

test("what a person called printed takes the number that its printer tells later", async () => {
  const id = await settled("printed");
  bench.events.length = 0;
  await tell(id, PRINTED);
  expect(rowsOf("receipts")).toMatchObject([{ command_id: id, fiscal_id: "27" }]);
  expect(bench.events).toMatchObject([{ type: "command.updated", command: { id } }]);
  expect(isDispatched(await bench.queued())).toBe(true);
});

test("a storno that was made after all counts against its sale again", async () => {
  const sale = await bench.queued();
  const data = { fiscalMemorySerialNumber: "02000001", receiptNumber: "3" };
  await bench.finish(sale, { success: true, fiscalId: "3", data });
  const [{ id: receiptId } = { id: "" }] = bench.database.sqlite
    .prepare<[], { id: string }>("SELECT id FROM receipts")
    .all();
  const reverse = async () => {
    const path = `/api/v1/receipts/${receiptId}/storno`;
    const answer = await bench.owner.post(path, { reason: "operator-error" });
    await bench.atRest();
    return answer;
  };
  const id = commandIdOf(await reverse());
  await bench.marked(id, "baseline");
  await bench.marked(id, "committing");
  await tell(id, NOT_PRINTED);
  await tell(id, PRINTED);
  expect((await reverse()).status).toBe(422);
});
