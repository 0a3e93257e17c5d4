import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  COMMANDS,
  type CommandsBench,
  createCommandsBench,
  UNKNOWN,
} from "./testing/commands-bench.ts";

const DEVICES = "/api/v1/devices";
const PRINTED = { outcome: "printed", fiscalId: "27" };
/** Longer than a command waits to begin. */
const WAITS_MS = 181_000;
const NOW = "2026-01-15T10:00:00.000Z";

let bench: CommandsBench;
beforeEach(async () => {
  bench = await createCommandsBench();
});
afterEach(() => bench.close());

const receipts = () => bench.database.sqlite.prepare("SELECT * FROM receipts").all();

/** A sale of which the device could not tell whether it was printed. */
async function inDoubt(): Promise<string> {
  const id = await bench.queued();
  await bench.marked(id, "baseline");
  await bench.marked(id, "committing");
  await bench.finish(id, UNKNOWN);
  return id;
}

describe("a document that was told as not printed, and then as unknown", () => {
  const asked = async (): Promise<string> => {
    const id = await bench.queued();
    await bench.marked(id, "baseline");
    await bench.marked(id, "committing");
    await bench.finish(id, { ...UNKNOWN, data: { outcome: "not_printed" } });
    await bench.finish(id, UNKNOWN);
    return id;
  };
  /** What has been told of a command's state since. */
  const updates = (id: string, since: number) =>
    bench.events
      .slice(since)
      .filter((event) => event.type === "command.updated" && event.command.id === id);
  const alerts = async () => (await bench.owner.get(`${DEVICES}/${bench.deviceId}/alerts`)).body;

  test("is a question to a person, and what prints waits", async () => {
    const id = await asked();
    const next = await bench.queued();
    expect(bench.levers.sent).toHaveLength(1);
    expect((await bench.till.get(`${COMMANDS}/${id}`)).body).toMatchObject({
      command: { result: { data: { outcome: "not_printed" } }, resolution: { outcome: null } },
    });
    const alert = expect.objectContaining({ type: "outcome_unknown", commandId: id });
    expect(await alerts()).toMatchObject({ alerts: expect.arrayContaining([alert]) });
    expect((await bench.resolve(id, PRINTED)).status).toBe(200);
    expect(receipts()).toMatchObject([{ command_id: id, fiscal_id: "27" }]);
    await bench.atRest();
    expect(bench.levers.sent.at(-1)).toMatchObject({ command: { id: next } });
  });

  test("is told to whoever listens when it becomes a question", async () => {
    const id = await bench.queued();
    await bench.marked(id, "committing");
    await bench.finish(id, { ...UNKNOWN, data: { outcome: "not_printed" } });
    const before = bench.events.length;
    await bench.finish(id, UNKNOWN);
    expect(updates(id, before)).toHaveLength(1);
    await bench.finish(id, { ...UNKNOWN, errorMessage: "The line was lost again" });
    expect(updates(id, before)).toHaveLength(1);
  });

  test.each([
    ["cash_in", { amount: 10 }],
    ["z_report", {}],
  ] as const)("is a question of a %s too", async (type, payload) => {
    const id = await bench.queued(type, payload);
    await bench.marked(id, "committing");
    await bench.finish(id, { ...UNKNOWN, data: { outcome: "not_printed" } });
    expect(bench.queue.isHeld(bench.deviceId)).toBe(false);
    await bench.finish(id, UNKNOWN);
    expect(bench.queue.isHeld(bench.deviceId)).toBe(true);
    const alert = expect.objectContaining({ type: "outcome_unknown", commandId: id });
    expect(await alerts()).toMatchObject({ alerts: expect.arrayContaining([alert]) });
    expect((await bench.resolve(id, { outcome: "not_printed" })).status).toBe(200);
    expect(bench.queue.isHeld(bench.deviceId)).toBe(false);
  });

  test("is a question also where the second failure tells no outcome", async () => {
    const id = await bench.queued();
    await bench.marked(id, "committing");
    await bench.finish(id, { ...UNKNOWN, data: { outcome: "not_printed" } });
    await bench.finish(id, { success: false, errorCode: "E501", errorMessage: "lost" });
    expect(bench.queue.isHeld(bench.deviceId)).toBe(true);
    expect((await bench.till.get(`${COMMANDS}/${id}`)).body).toMatchObject({
      command: { result: { data: { outcome: "not_printed" } }, resolution: { outcome: null } },
    });
  });

  test("is settled once, however often it is told as unknown", async () => {
    const id = await asked();
    expect((await bench.resolve(id, { outcome: "not_printed" })).status).toBe(200);
    bench.clock.advance(1_000);
    await bench.finish(id, { ...UNKNOWN, errorMessage: "The line was lost again" });
    expect(bench.queue.isHeld(bench.deviceId)).toBe(false);
    expect((await bench.resolve(id, PRINTED)).refusal).toBe("409 CONFLICT");
    const next = await bench.queued();
    expect(bench.levers.sent.at(-1)).toMatchObject({ command: { id: next } });
  });
});

describe("a document in doubt", () => {
  test("shows that its outcome is open", async () => {
    const id = await inDoubt();
    const resolution = { outcome: null, fiscalId: null, resolvedAt: null, resolvedBy: null };
    expect((await bench.till.get(`${COMMANDS}/${id}`)).body).toMatchObject({
      command: { status: "failed", result: UNKNOWN, resolution },
    });
    expect((await bench.till.get(COMMANDS)).body).toMatchObject({ commands: [{ resolution }] });
  });

  test("that was printed leaves its receipt and lets the next one go", async () => {
    const id = await inDoubt();
    const next = await bench.queued();
    expect(bench.levers.sent).toHaveLength(1);
    const answer = await bench.resolve(id, PRINTED);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      command: {
        id,
        status: "failed",
        result: UNKNOWN,
        resolution: {
          outcome: "printed",
          fiscalId: "27",
          resolvedAt: NOW,
          resolvedBy: expect.stringMatching(/^key:key_/),
        },
      },
    });
    expect(receipts()).toMatchObject([
      { command_id: id, type: "sale", fiscal_id: "27", total_minor: 300, source: "command" },
    ]);
    const { body } = await bench.owner.get("/api/v1/receipts");
    expect(body).toMatchObject({ receipts: [{ fiscalId: "27", receiptNumber: "27" }] });
    await bench.atRest();
    expect(bench.levers.sent.at(-1)).toMatchObject({ command: { id: next } });
  });

  test.each([
    ["0000027", { receiptNumber: "27", zReportNumber: null }],
    ["0012-0034", { receiptNumber: "34", zReportNumber: "12" }],
  ])("that was printed as number %s has its number among the receipts", async (fiscalId, said) => {
    const id = await inDoubt();
    expect((await bench.resolve(id, { outcome: "printed", fiscalId })).status).toBe(200);
    const { body } = await bench.owner.get("/api/v1/receipts");
    expect(body).toMatchObject({ receipts: [{ commandId: id, fiscalId, ...said }] });
  });

  test("that was printed can be reversed: its receipt names the fiscal memory and its time", async () => {
    bench.stores.devices.update(bench.orgId, bench.deviceId, {
      ...{ serialNumber: "DT000600", fiscalMemorySerialNumber: "02000600" },
    });
    const id = await inDoubt();
    await bench.clock.advanceAsync(3_600_000);
    expect((await bench.resolve(id, PRINTED)).status).toBe(200);
    expect(receipts()).toMatchObject([
      { fiscal_memory_serial_number: "02000600", issued_at: Date.parse(NOW) },
    ]);
  });

  test("is not settled by the number of another receipt", async () => {
    const [first, second] = [await inDoubt(), await bench.queued()];
    await bench.resolve(first, PRINTED);
    await bench.atRest();
    await bench.marked(second, "baseline");
    await bench.marked(second, "committing");
    await bench.finish(second, UNKNOWN);
    for (const fiscalId of ["27", "0000027"]) {
      const answer = await bench.resolve(second, { outcome: "printed", fiscalId });
      expect(answer.refusal).toBe("409 CONFLICT");
      expect(answer.text).toContain(`Number ${fiscalId} is that of another receipt`);
    }
    // It would stand in the books as the receipt's number for good, and no storno could name it.
    for (const fiscalId of ["abc", "0", "-1", "1e3", "0000000", "12-"]) {
      const none = await bench.resolve(second, { outcome: "printed", fiscalId });
      expect([none.refusal, none.issuePaths]).toEqual(["400 VALIDATION_ERROR", ["fiscalId"]]);
    }
    expect(bench.stores.outcomeHolds.listOpen()).toMatchObject([{ commandId: second }]);
    expect((await bench.resolve(second, { outcome: "printed", fiscalId: "28" })).status).toBe(200);
    expect(receipts()).toHaveLength(2);
  });

  test("that was not printed leaves no receipt and lets the next one go", async () => {
    const id = await inDoubt();
    const next = await bench.queued();
    const answer = await bench.resolve(id, { outcome: "not_printed" });
    expect(answer.body).toMatchObject({
      command: { resolution: { outcome: "not_printed", fiscalId: null } },
    });
    expect(receipts()).toEqual([]);
    await bench.atRest();
    expect(bench.levers.sent.at(-1)).toMatchObject({ command: { id: next } });
  });

  test("holds the device until the last of them is settled", async () => {
    const first = await inDoubt();
    // The second was out already when the gateway went down: only so can there be two.
    bench.stores.outcomeHolds.raise({
      commandId: "cmd_0",
      orgId: bench.orgId,
      deviceId: bench.deviceId,
      raisedAt: 0,
      ...{ fiscalMemorySerialNumber: null, serialNumber: null, address: null },
    });
    await bench.queued();
    await bench.resolve(first, { outcome: "not_printed" });
    await bench.atRest();
    expect(bench.levers.sent).toHaveLength(1);
  });

  test("is named by what waited for it too long", async () => {
    const id = await inDoubt();
    const next = await bench.queued();
    await bench.clock.advanceAsync(WAITS_MS);
    await bench.atRest();
    const errorMessage =
      "The command did not begin in time: a person must first say whether the document of " +
      `${id} was printed, in the portal or by fiscald command resolve`;
    expect((await bench.till.get(`${COMMANDS}/${next}`)).body).toMatchObject({
      command: { status: "timeout", result: { errorCode: "E500", errorMessage } },
    });
  });

  test("is written down with who settled it", async () => {
    const id = await inDoubt();
    await bench.resolve(id, PRINTED);
    const entries = bench.database.sqlite
      .prepare("SELECT * FROM audit_entries WHERE action = 'command.resolve'")
      .all();
    expect(entries).toMatchObject([
      {
        actor: expect.stringMatching(/^key:key_/),
        resource: id,
        details: JSON.stringify(PRINTED),
      },
    ]);
  });

  test("is settled once, even by two people at a time", async () => {
    const id = await inDoubt();
    const both = await Promise.all([
      bench.resolve(id, PRINTED),
      bench.resolve(id, { outcome: "not_printed" }),
    ]);
    expect(both.map((answer) => answer.refusal)).toEqual(["200", "409 CONFLICT"]);
    expect((await bench.resolve(id, PRINTED)).refusal).toBe("409 CONFLICT");
    expect(receipts()).toHaveLength(1);
  });
});

describe("what cannot be settled", () => {
  test("is any command whose outcome is known", async () => {
    const id = await bench.queued();
    expect((await bench.resolve(id, PRINTED)).refusal).toBe("409 CONFLICT");
    await bench.finish(id, { success: true, fiscalId: "27" });
    expect((await bench.resolve(id, PRINTED)).refusal).toBe("409 CONFLICT");
    expect(receipts()).toHaveLength(1);
  });

  test("is another shop's command, or none, whatever the body", async () => {
    const id = await inDoubt();
    const { client } = await bench.otherShop();
    const answer = await client.post(`${COMMANDS}/${id}/resolve`, {});
    expect(answer.refusal).toBe("404 NOT_FOUND");
    expect((await bench.resolve("cmd_0", {})).refusal).toBe("404 NOT_FOUND");
    expect(bench.stores.outcomeHolds.listOpen()).toHaveLength(1);
  });

  test.each([
    ["outcome", {}],
    ["outcome", { outcome: "unknown" }],
    ["outcome", { outcome: true }],
    ["fiscalId", { outcome: "printed", fiscalId: 27 }],
    ["fiscalId", { outcome: "printed", fiscalId: "" }],
    ["fiscalId", { outcome: "printed", fiscalId: "1".repeat(65) }],
    ["fiscalId", { outcome: "not_printed", fiscalId: "27" }],
  ])("is told by a wrong %s in %p", async (path, body) => {
    const id = await inDoubt();
    const answer = await bench.resolve(id, body);
    expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", [path]]);
    expect(bench.stores.outcomeHolds.listOpen()).toHaveLength(1);
  });
});
