/** What a printer is asked of a command that a person settled while it was out of reach. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { CommandType } from "#core/command/catalogue.ts";
import type { CommandResult } from "#core/command/command.ts";
import type { ToController } from "#core/controller/messages.ts";
import { deviceEvent } from "#core/events.ts";
import { createApiBench } from "../testing/api-bench.ts";
import {
  COMMANDS,
  type CommandsBench,
  createCommandsBench,
  SALE,
  UNKNOWN,
} from "./testing/commands-bench.ts";

const DEVICES = "/api/v1/devices";
const HOST = { host: "192.168.1.20", port: 9100 };
const ELSEWHERE = { host: "192.168.1.99", port: 9100 };
const MINUTE_MS = 60_000;
const PRINTED: CommandResult = { success: true, fiscalId: "3" };
const NOT_PRINTED: CommandResult = {
  ...{ success: false, errorCode: "E102", data: { outcome: "not_printed" } },
};
const STANDS_OPEN: CommandResult = {
  ...{ success: false, errorCode: "E301", data: { outcome: "unknown" } },
};

let bench: CommandsBench;
beforeEach(async () => {
  bench = await createCommandsBench();
});
afterEach(() => bench.close());

const lookUp = async (id: string) => (await bench.till.get(`${COMMANDS}/${id}`)).text;

/** A command in doubt that a person settled. @returns its id */
async function settled(
  word: object = { outcome: "not_printed" },
  {
    type = "print_receipt",
    payload = SALE,
    serialNumber,
  }: { type?: CommandType; payload?: unknown; serialNumber?: string } = {},
): Promise<string> {
  const id = await bench.queued(type, payload);
  await bench.marked(id, "baseline", serialNumber === undefined ? {} : { serialNumber });
  await bench.marked(id, "committing");
  bench.queue.lineLost(bench.deviceId);
  await bench.clock.advanceAsync(MINUTE_MS);
  expect((await bench.resolve(id, word)).status).toBe(200);
  await bench.atRest();
  return id;
}

/** How often the device's controller was asked about a command. */
const questions = (id: string, deviceId = bench.deviceId) =>
  bench.levers.sent.filter(
    (sent): sent is Extract<ToController, { type: "command.resolve" }> =>
      sent.type === "command.resolve" && sent.command.id === id && sent.device.id === deviceId,
  );

/** Whether a sale of the device waits. */
async function waits(deviceId: string): Promise<boolean> {
  const body = { deviceId, type: "print_receipt", payload: SALE };
  const answer = await bench.till.post(COMMANDS, body);
  expect(answer.status).toBe(202);
  await bench.atRest();
  const { type } = bench.levers.sent.at(-1) ?? {};
  return type !== "command.dispatch";
}

function audited(id: string): readonly { action: string; details: Record<string, unknown> }[] {
  const sql = "SELECT action, details FROM audit_entries WHERE resource = ? ORDER BY seq";
  const rows = bench.database.sqlite.prepare(sql).all(id) as { action: string; details: string }[];
  return rows
    .filter(({ action }) => action !== "command.resolve")
    .map(({ action, details }) => ({ action, details: JSON.parse(details) }));
}

/** The printer tells its numbers when its line comes up. */
async function identified(deviceId: string, serialNumber: string): Promise<void> {
  const { orgId } = bench;
  await bench.writer.run((tx) => {
    const lastSeenAt = bench.clock.now();
    const device = bench.stores.devices.update(orgId, deviceId, { serialNumber, lastSeenAt });
    if (device) tx.emit(deviceEvent("device.online", device, "c1"));
  });
  await bench.atRest();
}

async function registered(connectionParams: object, client = bench.owner): Promise<string> {
  const answer = await client.post(DEVICES, {
    ...{ name: "Till", driver: "vendorA.isl", transport: "tcp", locationId: "shop" },
    connectionParams,
  });
  return answer.field("id");
}

describe("what a printer tells of a settled command", () => {
  const NUMBERED = { outcome: "printed", fiscalId: "0003" };
  const OTHER_NUMBER = { outcome: "printed", fiscalId: "123" };
  const DENIED = { outcome: "not_printed" };
  test.each([
    { name: "the number that was named", word: NUMBERED, told: PRINTED, answer: "agrees" },
    {
      name: "that it was printed, under no number",
      word: NUMBERED,
      told: { success: true },
      answer: "agrees",
    },
    { name: "another number", word: OTHER_NUMBER, told: PRINTED, answer: "contradicts" },
    { name: "that it was not printed", word: NUMBERED, told: NOT_PRINTED, answer: "contradicts" },
    { name: "nothing of what was printed", word: NUMBERED, told: UNKNOWN, answer: "untold" },
    { name: "the same", word: DENIED, told: NOT_PRINTED, answer: "agrees" },
    { name: "that it was printed after all", word: DENIED, told: PRINTED, answer: "contradicts" },
    { name: "nothing of what was not printed", word: DENIED, told: UNKNOWN, answer: "untold" },
    { name: "that it stands open, paid", word: DENIED, told: STANDS_OPEN, answer: "stands_open" },
  ] as const)("$name", async ({ word, told, answer }) => {
    const id = await settled(word);
    const before = await lookUp(id);
    await bench.finish(id, told);
    const [entry, ...others] = audited(id);
    const isNews = answer === "contradicts";
    const action = isNews ? "command.late_result" : "command.device_asked";
    expect(entry).toMatchObject({
      ...{ action, details: { said: { success: word !== DENIED }, result: told } },
      details: isNews ? { contradicts: true } : { answer },
    });
    const number = told === PRINTED ? { fiscalId: "3" } : {};
    const missing = word === NUMBERED && isNews ? { outcome: "not_printed" as const } : {};
    const late = { commandId: id, at: bench.clock.now(), ...number, ...missing };
    expect(bench.queue.lateResults(bench.deviceId)).toEqual(isNews ? [late] : []);
    const isAskedAgain = word === DENIED && (isNews || answer === "stands_open");
    const asked = { action: "command.asked_again" };
    expect(others).toMatchObject(isAskedAgain ? [asked] : []);
    expect(await waits(bench.deviceId)).toBe(isAskedAgain);
    if (!isAskedAgain) expect(await lookUp(id)).toBe(before);
    expect(bench.stores.openQuestions.list()).toEqual([]);
  });

  test("is asked for with the operator's password, which is masked with the answer", async () => {
    const payload = { ...SALE, operatorId: 1, operatorPassword: "s3cret!" };
    const id = await settled(NUMBERED, { payload });
    expect(questions(id)).toMatchObject([{ command: { payload } }]);
    await bench.finish(id, PRINTED);
    const stored = bench.database.sqlite.prepare("SELECT payload FROM commands WHERE id = ?");
    expect(stored.pluck().get(id)).not.toContain("s3cret!");
  });

  test.each([
    ["z_report", {}],
    ["cash_out", { amount: 5 }],
  ] as const)("of a %s is held against the person's word too", async (type, payload) => {
    const id = await settled({ outcome: "not_printed" }, { type, payload });
    expect(questions(id)).toMatchObject([{ mark: "committing" }]);
    expect(questions(id)[0]).not.toHaveProperty("neverFinish");
    await bench.finish(id, { success: true });
    expect(bench.queue.lateResults(bench.deviceId)).toMatchObject([{ commandId: id }]);
    expect(await waits(bench.deviceId)).toBe(true);
    expect((await bench.resolve(id, { outcome: "printed" })).status).toBe(200);
    await bench.atRest();
    expect(bench.levers.sent.at(-1)).toMatchObject({ type: "command.dispatch" });
  });

  test("against what was called printed says what to do, as the sale stands in the books", async () => {
    const id = await settled({ outcome: "printed" });
    await bench.finish(id, NOT_PRINTED);
    const shown = async () => (await bench.owner.get(`${DEVICES}/${bench.deviceId}/alerts`)).body;
    const alert = {
      ...{ type: "late_result", commandId: id, outcome: "not_printed" },
      message: expect.stringMatching(
        /in the books as sold.*at the printer by hand, not at the till/,
      ),
    };
    const alerts = expect.arrayContaining([expect.objectContaining(alert)]);
    expect(await shown()).toMatchObject({ alerts });
    await bench.queue.recover();
    expect(await shown()).toMatchObject({ alerts });
    expect(receiptsLeft()).toMatchObject([{ command_id: id, fiscal_id: null }]);
    expect(await waits(bench.deviceId)).toBe(false);
  });

  test("of a cash movement that was not made names no receipt", async () => {
    const cash = { type: "cash_out", payload: { amount: 5 } } as const;
    const id = await settled({ outcome: "printed" }, cash);
    await bench.finish(id, NOT_PRINTED);
    const late = { commandId: id, at: bench.clock.now() };
    expect(bench.queue.lateResults(bench.deviceId)).toEqual([late]);
  });

  test("against what was called not printed lets a person set the books right", async () => {
    const id = await settled();
    await bench.finish(id, PRINTED);
    const alerts = (await bench.owner.get(`${DEVICES}/${bench.deviceId}/alerts`)).text;
    expect(alerts).toContain("The printer says that it has printed a receipt that was called not");
    expect(alerts).toContain("take it back first. The printer says number 3");
    // Who looks at the paper need not copy the number that the printer has told of it.
    const answer = await bench.resolve(id, { outcome: "printed" });
    expect(answer.body).toMatchObject({
      command: { status: "failed", resolution: { outcome: "printed", fiscalId: null } },
    });
    const again = await bench.resolve(id, { outcome: "printed" });
    expect([again.status, again.text]).toEqual([
      409,
      expect.stringContaining("settled so already"),
    ]);
    const kept = bench.database.sqlite.prepare("SELECT * FROM receipts").all();
    expect(kept).toMatchObject([{ command_id: id, fiscal_id: "3" }]);
  });

  const receiptsLeft = () =>
    bench.database.sqlite.prepare("SELECT * FROM receipts ORDER BY rowid").all();

  test("gives the receipt the number that the person did not know", async () => {
    const id = await settled({ outcome: "printed" });
    expect(receiptsLeft()).toMatchObject([{ command_id: id, fiscal_id: null }]);
    const before = await lookUp(id);
    const issuedAt = "2026-03-01T10:00:00.000Z";
    const data = { recovered: true, receiptNumber: "3", zReportNumber: "12", issuedAt };
    await bench.finish(id, { ...PRINTED, data });
    expect(receiptsLeft()).toMatchObject([
      {
        ...{ command_id: id, fiscal_id: "3", receipt_number: "3", z_report_number: "12" },
        issued_at: Date.parse(issuedAt),
      },
    ]);
    expect(await lookUp(id)).toBe(before);
    expect(bench.queue.lateResults(bench.deviceId)).toEqual([]);
  });

  test("gives it the tenders in which the printer took it with the number", async () => {
    const payload = { ...SALE, payments: [{ method: "card", amount: 3 }] };
    const id = await settled({ outcome: "printed" }, { payload });
    const payments = [
      { method: "card", amount: 1 },
      { method: "cash", amount: 2 },
    ];
    await bench.finish(id, { ...PRINTED, data: { recovered: true, payments } });
    const [{ payments: kept }] = receiptsLeft() as [{ payments: string }];
    expect(JSON.parse(kept)).toMatchObject([{ method: "card" }, { method: "cash" }]);
  });

  test("leaves the number that the person read", async () => {
    const id = await settled(OTHER_NUMBER);
    await bench.finish(id, PRINTED);
    expect(receiptsLeft()).toMatchObject([{ command_id: id, fiscal_id: "123" }]);
  });

  test("gives no receipt the number of another", async () => {
    const other = await bench.queued();
    await bench.marked(other, "baseline");
    await bench.finish(other, PRINTED);
    const id = await settled({ outcome: "printed" });
    await bench.finish(id, PRINTED);
    expect(receiptsLeft()).toMatchObject([
      { command_id: other, fiscal_id: "3" },
      { command_id: id, fiscal_id: null },
    ]);
  });

  test("gives no number where its controller tells no marks", async () => {
    const id = await settled({ outcome: "printed" });
    const { deviceId, orgId } = bench;
    const reporter = { orgId, controllerId: "c1", reportsMarks: false };
    await bench.queue.report(reporter, {
      ...{ type: "command.result", deviceId, commandId: id, result: PRINTED },
    });
    expect(receiptsLeft()).toMatchObject([{ command_id: id, fiscal_id: null }]);
  });

  test("gives no number against what was called not printed where its controller tells no marks", async () => {
    const id = await settled();
    const { deviceId, orgId } = bench;
    const reporter = { orgId, controllerId: "c1", reportsMarks: false };
    await bench.queue.report(reporter, {
      ...{ type: "command.result", deviceId, commandId: id, result: PRINTED },
    });
    await bench.atRest();
    expect((await bench.resolve(id, { outcome: "printed" })).status).toBe(200);
    expect(receiptsLeft()).toMatchObject([{ command_id: id, fiscal_id: null }]);
  });

  test("gives a receipt that was called not printed no number of another", async () => {
    const other = await bench.queued();
    await bench.marked(other, "baseline");
    await bench.finish(other, PRINTED);
    const id = await settled();
    await bench.finish(id, PRINTED);
    expect((await bench.resolve(id, { outcome: "printed" })).status).toBe(200);
    expect(receiptsLeft()).toMatchObject([
      { command_id: other, fiscal_id: "3" },
      { command_id: id, fiscal_id: null },
    ]);
  });

  test("is asked under what was learnt before the last attempt broke off", async () => {
    const id = await settled({ outcome: "printed" });
    expect(await bench.marked(id, "committing", { paid: true })).toBe("STORED");
    expect(await bench.marked(id, "committed")).toBe("FINAL");
    bench.queue.ready(bench.deviceId);
    await bench.atRest();
    expect(questions(id).at(-1)).toMatchObject({ mark: "committing", baseline: { paid: true } });
  });
});

describe("a question to a printer", () => {
  test("goes before all that prints, while reads go on", async () => {
    const id = await settled();
    expect(await waits(bench.deviceId)).toBe(true);
    await bench.queued("get_status", {});
    expect(bench.levers.sent.at(-1)).toMatchObject({ command: { type: "get_status" } });
    expect(questions(id)).toHaveLength(1);
  });

  test("waits for whoever serves its device next, and counts only in its last hand-over", async () => {
    const id = await settled();
    const [first] = questions(id);
    bench.levers.connected = false;
    bench.queue.withdrawn(bench.deviceId);
    await bench.atRest();
    bench.levers.connected = true;
    bench.queue.ready(bench.deviceId);
    await bench.atRest();
    const [, second] = questions(id);
    expect(second?.epoch).toBe(Number(first?.epoch) + 1);
    const { deviceId, orgId } = bench;
    const reporter = { orgId, controllerId: "c1", reportsMarks: true };
    const tell = (epoch: number | undefined) =>
      bench.queue.report(reporter, {
        ...{ type: "command.result", deviceId, commandId: id, result: NOT_PRINTED },
        ...(epoch === undefined ? {} : { epoch }),
      });
    expect(await tell(first?.epoch)).toBe("STALE");
    expect(bench.stores.openQuestions.list()).toHaveLength(1);
    expect(await tell(second?.epoch)).toBe("STORED");
    expect(bench.stores.openQuestions.list()).toEqual([]);
  });

  test("is asked again after a start, before anything else", async () => {
    const id = await settled();
    const again = await createCommandsBenchAfter();
    again.queue.ready(bench.deviceId);
    await again.writer.run(() => undefined);
    await again.writer.run(() => undefined);
    expect(again.levers.sent).toMatchObject([{ type: "command.resolve", command: { id } }]);
  });

  test("ends where an app that can reach the printer never answers, and then alone", async () => {
    const minutes = (many: number) => bench.clock.advanceAsync(many * MINUTE_MS);
    bench.levers.reportsMarks = false;
    const id = await settled();
    await minutes(15);
    // No outage counts, however long: of the printer, or of the app.
    await bench.outages();
    await minutes(4);
    expect(audited(id)).toEqual([]);
    expect(await waits(bench.deviceId)).toBe(true);
    await minutes(2);
    await bench.atRest();
    const details = { answer: "untold", deviceId: bench.deviceId, said: { success: false } };
    expect(audited(id)).toMatchObject([{ action: "command.device_asked", details }]);
    expect(bench.stores.openQuestions.list()).toEqual([]);
    expect(await waits(bench.deviceId)).toBe(false);
    // Whatever it says then is news.
    await bench.finish(id, PRINTED);
    expect(bench.queue.lateResults(bench.deviceId)).toMatchObject([{ commandId: id }]);
  });

  test("has no such end where the gateway itself serves the printer, which ends it", async () => {
    const id = await settled();
    await bench.clock.advanceAsync(600 * MINUTE_MS);
    await bench.atRest();
    expect(audited(id)).toEqual([]);
    expect(await waits(bench.deviceId)).toBe(true);
  });

  test("is handed out as soon as that can be written", async () => {
    const id = await settled();
    bench.database.sqlite.pragma("query_only = ON");
    bench.queue.ready(bench.deviceId);
    await bench.clock.advanceAsync(0);
    bench.database.sqlite.pragma("query_only = OFF");
    expect(questions(id)).toHaveLength(1);
    await bench.clock.advanceAsync(1_000);
    await bench.atRest();
    expect(questions(id)).toHaveLength(2);
  });

  test("is asked through the record that the printer has got anew", async () => {
    const id = await settled();
    await bench.owner.delete(`${DEVICES}/${bench.deviceId}`);
    const next = await registered(HOST);
    bench.queue.ready(next);
    await bench.atRest();
    expect(questions(id, next)).not.toEqual([]);
    expect(await waits(next)).toBe(true);
    await bench.finish(id, PRINTED);
    expect(bench.queue.lateResults(next)).toMatchObject([{ commandId: id }]);
  });

  test("finds its printer by its number, wherever it stands", async () => {
    await identified(bench.deviceId, "DT1");
    const id = await settled({ outcome: "not_printed" }, { serialNumber: "DT1" });
    await bench.owner.delete(`${DEVICES}/${bench.deviceId}`);
    const moved = await registered(ELSEWHERE);
    bench.queue.ready(moved);
    // Nobody knows yet which printer that is.
    expect(await waits(moved)).toBe(true);
    expect(questions(id, moved)).toEqual([]);
    await identified(moved, "DT1");
    expect(questions(id, moved)).toHaveLength(1);
    await bench.finish(id, NOT_PRINTED);
    expect(bench.levers.sent.at(-1)).toMatchObject({ type: "command.dispatch" });
  });

  test("is not answered by another printer in its place", async () => {
    await identified(bench.deviceId, "DT1");
    const id = await settled({ outcome: "not_printed" }, { serialNumber: "DT1" });
    await identified(bench.deviceId, "DT2");
    await bench.finish(id, UNKNOWN);
    expect(bench.stores.openQuestions.list()).toHaveLength(1);
    expect(audited(id)).toEqual([]);
    expect(await waits(bench.deviceId)).toBe(false);
    // The first one is put back.
    const asked = questions(id).length;
    await identified(bench.deviceId, "DT1");
    expect(questions(id)).toHaveLength(asked + 1);
    await bench.finish(id, PRINTED);
    expect(bench.queue.lateResults(bench.deviceId)).toMatchObject([{ commandId: id }]);
  });

  test("is nothing to another organization", async () => {
    const id = await settled();
    await bench.owner.delete(`${DEVICES}/${bench.deviceId}`);
    const { client } = await bench.otherShop();
    const theirs = await registered(ELSEWHERE, client);
    await client.patch(`${DEVICES}/${theirs}`, { connectionParams: HOST });
    bench.queue.ready(theirs);
    await bench.atRest();
    expect(questions(id, theirs)).toEqual([]);
    await client.post(COMMANDS, { deviceId: theirs, type: "z_report", payload: {} });
    await bench.atRest();
    expect(bench.levers.sent.at(-1)).toMatchObject({ type: "command.dispatch" });
  });
});

/** The gateway started anew on the same database, as after a kill. */
async function createCommandsBenchAfter() {
  const { database, clock } = bench;
  const again = createApiBench({ after: { database, clock } });
  await again.queue.recover();
  return again;
}
