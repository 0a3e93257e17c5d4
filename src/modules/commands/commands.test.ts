import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import type { CommandStatus } from "#core/command/command.ts";
import type { ApiAnswer } from "../../http/testing/api-client.ts";
import { CONTROLLER } from "../testing/api-bench.ts";
import {
  COMMANDS,
  type CommandsBench,
  commandIdOf,
  commandOf,
  createCommandsBench,
  SALE,
} from "./testing/commands-bench.ts";

const NOW = "2026-01-15T10:00:00.000Z";
const DONE = { success: true, data: { receiptNumber: "27" }, fiscalId: "27" };

let bench: CommandsBench;
beforeEach(async () => {
  bench = await createCommandsBench();
});
afterEach(() => bench.close());

/** A record as it is when it was just accepted. */
const fresh = (type: string, payload: unknown) => ({
  id: expect.stringMatching(/^cmd_[0-9A-HJKMNP-TV-Z]{26}$/),
  deviceId: bench.deviceId,
  type,
  payload,
  orgId: bench.orgId,
  status: "pending",
  apiKeyId: expect.stringMatching(/^key_/),
  requestedBy: null,
  source: "api",
  idempotencyKey: null,
  controllerId: null,
  createdAt: NOW,
  updatedAt: NOW,
  sentAt: null,
  processingAt: null,
  finishedAt: null,
  expiresAt: "2026-01-15T10:03:00.000Z",
  simulated: false,
  result: null,
});

describe("submitting a command", () => {
  test("for the device in the path answers 201 with the bare record", async () => {
    const path = `/api/v1/devices/${bench.deviceId}/commands`;
    const answer = await bench.till.post(path, { type: "print_receipt", payload: SALE });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual(fresh("print_receipt", SALE));
  });

  test("for the device in the body answers 202 with the record inside", async () => {
    const answer = await bench.submit("print_receipt", SALE);
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({ command: fresh("print_receipt", SALE) });
  });

  test("needs no controller: the command waits for one", async () => {
    bench.levers.connected = false;
    const id = await bench.queued();
    expect(bench.levers.sent).toEqual([]);
    bench.levers.connected = true;
    bench.queue.ready(bench.deviceId);
    await bench.atRest();
    expect(bench.levers.sent).toMatchObject([{ type: "command.dispatch", command: { id } }]);
  });

  test("by a person keeps who it was, in place of a key", async () => {
    const { client, userId } = await bench.member(bench.orgId, "operator");
    const body = { deviceId: bench.deviceId, type: "get_status", payload: {} };
    const answer = await client.post(COMMANDS, body);
    expect(answer.body).toMatchObject({
      command: { apiKeyId: null, requestedBy: userId, source: "portal" },
    });
  });

  test("keeps properties it does not know and never shows an answer to a cache", async () => {
    const answer = await bench.submit("x_report", { colour: "red" });
    expect(answer.body).toMatchObject({ command: { payload: { colour: "red" } } });
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });
});

test("a request id that comes again is another request, and is kept nowhere", async () => {
  const traced = bench.till.with({ "x-request-id": "trace-7c1" });
  const body = { deviceId: bench.deviceId, type: "get_status", payload: {} };
  const ids = [await traced.post(COMMANDS, body), await traced.post(COMMANDS, body)];
  expect(new Set(ids.map(commandIdOf)).size).toBe(2);
  await bench.atRest();
  const { sqlite } = bench.database;
  const tables = sqlite.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck();
  const kept = tables.all().map((name) => sqlite.prepare(`SELECT * FROM "${name}"`).all());
  expect(kept.flat().length).toBeGreaterThan(5);
  expect(JSON.stringify(kept)).not.toContain("trace-7c1");
});

test("both ways to submit share one bucket of commands, which reading leaves alone", async () => {
  bench.close();
  bench = await createCommandsBench({ limits: { commandsMax: 2 } });
  const bare = { type: "get_status", payload: {} };
  const ways = [
    () => bench.till.post(COMMANDS, { deviceId: bench.deviceId, ...bare }),
    () => bench.till.post(`/api/v1/devices/${bench.deviceId}/commands`, bare),
  ];
  for (const submit of ways) expect((await submit()).headers.get("ratelimit-limit")).toBe("2");
  for (const submit of ways) expect((await submit()).status).toBe(429);
  const read = await bench.till.get(COMMANDS);
  expect([read.status, read.headers.get("ratelimit-limit")]).toEqual([200, "10000"]);
  expect(bench.rows().commands).toBe(2);
});

describe("reading a command", () => {
  test("shows each step of it", async () => {
    const id = await bench.queued();
    bench.clock.advance(1_000);
    await bench.marked(id, "baseline");
    bench.clock.advance(1_000);
    await bench.finish(id, DONE);
    expect((await bench.till.get(`${COMMANDS}/${id}`)).body).toEqual({
      command: {
        ...fresh("print_receipt", SALE),
        currency: "RON",
        id,
        status: "completed",
        controllerId: CONTROLLER,
        sentAt: NOW,
        processingAt: "2026-01-15T10:00:01.000Z",
        finishedAt: "2026-01-15T10:00:02.000Z",
        updatedAt: "2026-01-15T10:00:02.000Z",
        result: { ...DONE, data: expect.objectContaining(DONE.data) },
      },
    });
  });

  test("shows why it failed", async () => {
    const result = {
      success: false,
      errorCode: "E304",
      errorMessage: "The printing head is hot",
      data: { outcome: "not_printed" },
    } as const;
    const id = await bench.queued();
    await bench.finish(id, result);
    const { body } = await bench.till.get(`${COMMANDS}/${id}`);
    expect(body).toMatchObject({ command: { status: "failed", result } });
  });

  test.each(["GET", "DELETE"])("%s of another shop's command answers 404", async (method) => {
    const { client } = await bench.otherShop();
    const id = await bench.queued();
    expect((await client.call(method, `${COMMANDS}/${id}`)).refusal).toBe("404 NOT_FOUND");
    expect((await bench.till.call(method, `${COMMANDS}/cmd_0`)).refusal).toBe("404 NOT_FOUND");
    expect(bench.stores.commands.get(bench.orgId, id)?.status).toBe("sent");
  });
});

describe("waiting for the end of a command", () => {
  /** Asks, and tells whether there is an answer yet. */
  const ask = async (id: string, seconds: number) => {
    let isAnswered = false;
    const answer = bench.till.get(`${COMMANDS}/${id}?wait=${seconds}`).then((given) => {
      isAnswered = true;
      return given;
    });
    await bench.atRest();
    return { answer, isAnswered: () => isAnswered };
  };

  test("answers as soon as it is final", async () => {
    const id = await bench.queued();
    const { answer, isAnswered } = await ask(id, 60);
    await bench.marked(id, "baseline");
    await bench.atRest();
    expect(isAnswered()).toBe(false);
    await bench.finish(id, DONE);
    expect(commandOf(await answer).status).toBe("completed");
  });

  test("answers with what it is when the wait ends", async () => {
    const id = await bench.queued();
    const { answer, isAnswered } = await ask(id, 10);
    bench.clock.advance(9_999);
    await bench.atRest();
    expect(isAnswered()).toBe(false);
    bench.clock.advance(1);
    expect(commandOf(await answer).status).toBe("sent");
  });

  test("answers at once when it is final, and without a wait", async () => {
    const id = await bench.queued();
    expect(commandOf(await bench.till.get(`${COMMANDS}/${id}?wait=0`)).status).toBe("sent");
    await bench.finish(id, DONE);
    expect(commandOf(await bench.till.get(`${COMMANDS}/${id}?wait=60`)).status).toBe("completed");
  });

  test.each(["61", "-1", "1.5", "soon"])("for %s seconds answers 400", async (seconds) => {
    const id = await bench.queued();
    const answer = await bench.till.get(`${COMMANDS}/${id}?wait=${seconds}`);
    expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", ["wait"]]);
  });

  test("for an unknown command answers 404 before the query is looked at", async () => {
    const answer = await bench.till.get(`${COMMANDS}/cmd_0?wait=soon`);
    expect(answer.refusal).toBe("404 NOT_FOUND");
  });
});

describe("cancelling a command", () => {
  const cancel = (id: string) => bench.till.delete(`${COMMANDS}/${id}`);

  test("that is pending fails it with E903, and it never reaches the device", async () => {
    const first = await bench.queued();
    const second = await bench.queued();
    const answer = await cancel(second);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      command: {
        id: second,
        status: "failed",
        finishedAt: NOW,
        result: { success: false, errorCode: "E903", data: { outcome: "not_printed" } },
      },
    });
    await bench.finish(first, DONE);
    expect(bench.levers.sent).toHaveLength(1);
    const log = (await bench.owner.get(`/api/v1/audit?resource=${second}`)).body;
    expect(log).toMatchObject({
      entries: [{ action: "command.cancelled", actor: expect.stringMatching(/^key:/) }],
    });
  });

  test("that was sent, runs or is final answers 409 and changes nothing", async () => {
    const id = await bench.queued();
    const refusedAs = async (status: CommandStatus, words: string) => {
      const answer = await cancel(id);
      expect([answer.refusal, answer.text]).toEqual([
        "409 CONFLICT",
        expect.stringContaining(words),
      ]);
      expect(bench.stores.commands.get(bench.orgId, id)?.status).toBe(status);
    };
    await refusedAs(
      "sent",
      "If the device does not begin it, it ends by itself at 2026-01-15T10:03",
    );
    await refusedAs("sent", "or sooner where its controller was only woken and does not come");
    await bench.marked(id, "baseline");
    await refusedAs("processing", "the device has begun it");
    await bench.finish(id, DONE);
    await refusedAs("completed", "has ended: it is completed");
  });

  test("twice answers 409 the second time", async () => {
    bench.levers.connected = false;
    const id = await bench.queued();
    expect((await cancel(id)).status).toBe(200);
    expect((await cancel(id)).refusal).toBe("409 CONFLICT");
  });
});

const Page = Type.Object({
  commands: Type.Array(Type.Object({ id: Type.String() })),
  hasMore: Type.Boolean(),
  lastId: Type.String(),
});

describe("listing commands", () => {
  const list = (query = "") => bench.till.get(`${COMMANDS}?${query}`);
  const ids = (answer: ApiAnswer) => answer.as(Page).commands.map((command) => command.id);

  /** Five commands, a second apart, oldest first. */
  const five = async (): Promise<string[]> => {
    const made: string[] = [];
    for (let count = 0; count < 5; count++) {
      made.push(await bench.queued("get_status", {}));
      bench.clock.advance(1_000);
    }
    return made;
  };

  test("of an empty shop is an empty page", async () => {
    const answer = await list();
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ commands: [], hasMore: false, lastId: "" });
  });

  test("shows whole records, newest first", async () => {
    const made = await five();
    const answer = await list();
    expect(ids(answer)).toEqual(made.toReversed());
    const [newest]: unknown[] = answer.as(Page).commands;
    expect(newest).toEqual({
      ...fresh("get_status", {}),
      currency: "RON",
      createdAt: "2026-01-15T10:00:04.000Z",
      updatedAt: "2026-01-15T10:00:04.000Z",
      expiresAt: "2026-01-15T10:03:04.000Z",
    });
  });

  test.each(["asc", "desc"])("pages through all of them once, %s", async (order) => {
    const made = await five();
    const expected = order === "asc" ? made : made.toReversed();
    const pages: string[][] = [];
    for (let after = "", hasMore = true; hasMore; ) {
      const page = (await list(`limit=2&sortOrder=${order}&startAfter=${after}`)).as(Page);
      pages.push(page.commands.map((command) => command.id));
      ({ hasMore, lastId: after } = page);
      expect(after).toBe(pages.at(-1)?.at(-1) ?? "missing");
    }
    expect(pages).toEqual([expected.slice(0, 2), expected.slice(2, 4), expected.slice(4)]);
  });

  test("says that there is no more when the last page is exactly full", async () => {
    await five();
    expect((await list("limit=5")).as(Page).hasMore).toBe(false);
    expect((await list("limit=4")).as(Page).hasMore).toBe(true);
  });

  test("of one instant keeps the order of acceptance", async () => {
    const made = [await bench.queued(), await bench.queued(), await bench.queued()];
    expect(ids(await list("sortOrder=asc"))).toEqual(made);
    const [, second = "", third = ""] = made;
    expect(ids(await list(`sortOrder=asc&startAfter=${second}`))).toEqual([third]);
  });

  test("beyond the last one is an empty page", async () => {
    const [first = ""] = await five();
    expect((await list(`startAfter=${first}`)).body).toEqual({
      commands: [],
      hasMore: false,
      lastId: "",
    });
  });

  test("sorts by the last change", async () => {
    const [first = "", ...rest] = await five();
    await bench.finish(first, DONE);
    expect(ids(await list("sortBy=updatedAt"))[0]).toBe(rest[0] ?? "");
    expect(ids(await list("sortBy=updatedAt&sortOrder=asc")).slice(-2)).toEqual([
      first,
      rest[0] ?? "",
    ]);
    expect(ids(await list("sortBy=createdAt"))[4]).toBe(first);
  });

  test("by the last change shows what changed while pages were read", async () => {
    const [running = ""] = await five();
    const query = "sortBy=updatedAt&sortOrder=asc";
    const all = ids(await list(query));
    const before = (await list(`${query}&limit=${all.indexOf(running) + 1}`)).as(Page);
    expect(before.commands.at(-1)?.id).toBe(running);
    bench.clock.advance(1_000);
    // The last one that was shown moves behind all that are still to be shown.
    await bench.finish(running, DONE);
    const next = (await list(`${query}&startAfter=${before.lastId}`)).as(Page);
    const left = all.slice(all.indexOf(running) + 1);
    expect(next.commands.map(({ id }) => id).toSorted()).toEqual([running, ...left].toSorted());
    const end = (await list(`${query}&startAfter=${next.lastId}`)).as(Page);
    expect(end).toEqual({ commands: [], hasMore: false, lastId: "" });
  });

  test("filters by device, status, type and time of acceptance", async () => {
    const [first, second, third, fourth, fifth] = await five();
    const elsewhere = await bench.addDevice("Second till");
    const other = commandIdOf(
      await bench.till.post(COMMANDS, { deviceId: elsewhere, type: "x_report", payload: {} }),
    );
    await bench.atRest();
    const found = async (query: string) => ids(await list(`sortOrder=asc&${query}`));
    expect(await found(`deviceId=${elsewhere}`)).toEqual([other]);
    expect(await found("type=x_report")).toEqual([other]);
    expect(await found(`status=sent&deviceId=${bench.deviceId}`)).toEqual([first ?? ""]);
    expect(await found("status=pending&type=get_status")).toEqual(
      [second, third, fourth, fifth].map(String),
    );
    expect(await found("from=2026-01-15T10:00:01Z&to=2026-01-15T10:00:03Z")).toEqual(
      [second, third].map(String),
    );
    expect(await found("deviceId=dev_0")).toEqual([]);
  });

  test("of several types shows those of any of them, in one order", async () => {
    const types = ["cash_in", "get_status", "x_report", "cash_in", "z_report"] as const;
    const made: Record<string, string> = {};
    for (const [at, type] of types.entries()) {
      made[`${at} ${type}`] = await bench.queued(type, type === "cash_in" ? { amount: 5 } : {});
      bench.clock.advance(1_000);
    }
    const nameOf = (id: string) => Object.keys(made).find((name) => made[name] === id);
    const found = async (query: string) => ids(await list(query)).map(nameOf);
    const wanted = ["4 z_report", "3 cash_in", "0 cash_in"];
    expect(await found("type=z_report,cash_in")).toEqual(wanted);
    expect(await found("type=cash_in,z_report,cash_in&sortOrder=asc")).toEqual(wanted.toReversed());
    expect(await found("type=z_report%2Ccash_in&limit=2")).toEqual(wanted.slice(0, 2));
    const after = made["3 cash_in"];
    expect(await found(`type=z_report,cash_in&startAfter=${after}`)).toEqual(["0 cash_in"]);
    expect(await found("type=z_report,cash_in&sortBy=updatedAt&status=pending")).toEqual(
      wanted.slice(0, 2),
    );
    expect(await found("type=set_logo,cash_out")).toEqual([]);
  });

  test("never shows another shop's", async () => {
    const [first] = await five();
    const { client } = await bench.otherShop();
    expect((await client.get(COMMANDS)).as(Page).commands).toEqual([]);
    const answer = await client.get(`${COMMANDS}?startAfter=${first}`);
    expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", ["startAfter"]]);
  });

  test.each([
    ["limit", "limit=0"],
    ["limit", "limit=101"],
    ["limit", "limit=ten"],
    ["status", "status=done"],
    ["type", "type=print"],
    ["type", "type="],
    ["type", "type=x_report,"],
    ["type", "type=x_report, z_report"],
    ["type", "type=x_report,print"],
    ["type", "type=x_report&type=z_report"],
    ["sortBy", "sortBy=total"],
    ["sortOrder", "sortOrder=up"],
    ["from", "from=yesterday"],
    ["to", "to=2026-02-31"],
    ["startAfter", "startAfter=cmd_0"],
  ])("refuses %s in %s", async (path, query) => {
    const answer = await list(query);
    expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", [path]]);
  });
});
