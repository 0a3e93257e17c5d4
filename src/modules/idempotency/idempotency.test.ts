import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { IDEMPOTENCY_WINDOW_MS } from "#core/limits.ts";
import { startHttp } from "../../http/listen.ts";
import type { ApiAnswer, ApiClient } from "../../http/testing/api-client.ts";
import { exchange } from "../../http/testing/raw-exchange.ts";
import { systemClock } from "../../platform/clock.ts";
import {
  COMMANDS,
  type CommandsBench,
  commandIdOf,
  createCommandsBench,
  SALE,
} from "../commands/testing/commands-bench.ts";

const KEY = "till-1_0001";

let bench: CommandsBench;
beforeEach(async () => {
  bench = await createCommandsBench({ limits: { commandsMax: 20 } });
});
afterEach(() => bench.close());

const body = (change: object = {}) => ({
  deviceId: bench.deviceId,
  type: "x_report",
  payload: {},
  ...change,
});
const send = (key: string, sent: object = body(), client: ApiClient = bench.till) =>
  client.post(COMMANDS, sent, { headers: { "Idempotency-Key": key } });

/** The two headers that tell a replay, and one to another body. */
const marks = ({ headers }: ApiAnswer) => [
  headers.get("idempotent-replayed"),
  headers.get("idempotency-body-mismatch"),
];
const FIRST = [null, null];
const REPLAY = ["true", null];
const OTHER_BODY = ["true", "true"];

describe("a request with a key", () => {
  test("runs once: the same key gives the first answer again", async () => {
    const first = await send(KEY);
    expect([first.status, ...marks(first)]).toEqual([202, ...FIRST]);
    expect(first.body).toMatchObject({ command: { idempotencyKey: KEY } });
    await bench.atRest();
    const second = await send(KEY);
    expect([second.status, ...marks(second)]).toEqual([202, ...REPLAY]);
    expect(second.text).toBe(first.text);
    for (const name of ["content-type", "cache-control"]) {
      expect(second.headers.get(name)).toBe(first.headers.get(name));
    }
    expect(bench.rows()).toMatchObject({ commands: 1, keys: 1 });
    expect(bench.levers.sent).toHaveLength(1);
  });

  test("begins nothing again on a device that is idle by then", async () => {
    const first = await send(KEY);
    await bench.finish(commandIdOf(first), { success: true, data: {} });
    const again = await send(KEY);
    expect([again.text, ...marks(again)]).toEqual([first.text, ...REPLAY]);
    await bench.atRest();
    expect(bench.levers.sent.filter(({ type }) => type === "command.dispatch")).toHaveLength(1);
  });

  test("is answered as before to another body, which says so", async () => {
    const first = await send(KEY);
    const other = await send(KEY, body({ type: "z_report" }));
    expect([other.text, ...marks(other)]).toEqual([first.text, ...OTHER_BODY]);
    const wrong = await send(KEY, {});
    expect([wrong.text, ...marks(wrong)]).toEqual([first.text, ...OTHER_BODY]);
    expect(bench.rows().commands).toBe(1);
  });

  test("is the same as before, however the body is written", async () => {
    const { deviceId } = bench;
    const first = await send(KEY, {
      deviceId,
      type: "raw_command",
      payload: { command: 74, a: 1 },
    });
    const written =
      `{ "payload" : {"a":1.0,"command":7.4e1}, "type":"r\\u0061w_command",` +
      ` "deviceId":"${deviceId}" }`;
    const headers = { "Idempotency-Key": KEY, "content-type": "application/json" };
    const again = await bench.till.call("POST", COMMANDS, { rawBody: written, headers });
    expect([again.text, ...marks(again)]).toEqual([first.text, ...REPLAY]);
  });

  test("is answered as before when its device is gone", async () => {
    const first = await send(KEY);
    await bench.owner.delete(`/api/v1/devices/${bench.deviceId}`);
    expect((await send("another")).refusal).toBe("404 NOT_FOUND");
    const again = await send(KEY);
    expect([again.text, ...marks(again)]).toEqual([first.text, ...REPLAY]);
  });

  test("runs once however many come at a time", async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => send(KEY)));
    expect(new Set(all.map(commandIdOf)).size).toBe(1);
    expect(all.filter((one) => marks(one)[0] === null)).toHaveLength(1);
    expect(bench.rows()).toMatchObject({ commands: 1, keys: 1 });
    await bench.atRest();
    expect(bench.levers.sent).toHaveLength(1);
  });

  test("runs again after 24 hours, not a moment earlier", async () => {
    const first = commandIdOf(await send(KEY));
    await bench.finish(first, { success: true });
    await bench.clock.advanceAsync(IDEMPOTENCY_WINDOW_MS - 1);
    expect(commandIdOf(await send(KEY))).toBe(first);
    await bench.clock.advanceAsync(1);
    const later = await send(KEY);
    expect(marks(later)).toEqual(FIRST);
    expect(commandIdOf(later)).not.toBe(first);
    expect(commandIdOf(await send(KEY))).toBe(commandIdOf(later));
    expect(bench.rows()).toMatchObject({ commands: 2, keys: 1 });
  });

  test("means something else in another shop, and the same for every caller of one", async () => {
    const { client, deviceId } = await bench.otherShop();
    const mine = await send(KEY);
    const theirs = await send(KEY, body({ deviceId }), client);
    expect(marks(theirs)).toEqual(FIRST);
    expect(commandIdOf(theirs)).not.toBe(commandIdOf(mine));
    const owners = await send(KEY, body(), bench.owner);
    expect([owners.text, ...marks(owners)]).toEqual([mine.text, ...REPLAY]);
  });
});

describe("a key where none is read", () => {
  test("is told to be ignored", async () => {
    const path = `/api/v1/devices/${bench.deviceId}/commands`;
    const { deviceId: _, ...asked } = body();
    const plain = await bench.till.post(path, asked);
    expect([plain.status, plain.headers.get("idempotency-key-ignored")]).toEqual([201, null]);
    const keyed = await bench.till.post(path, asked, { headers: { "Idempotency-Key": KEY } });
    expect([keyed.status, keyed.headers.get("idempotency-key-ignored")]).toEqual([201, "true"]);
    expect(bench.rows()).toMatchObject({ commands: 2, keys: 0 });
  });
});

/** Over the wire: what the routes add there comes another way than within the process. */
test.each(["accepted", "refused"])(
  "a key that is ignored is told so when the request is %s",
  async (end) => {
    const http = startHttp(bench.client.app, {
      hostname: "127.0.0.1",
      port: 0,
      clock: systemClock,
    });
    try {
      const { type, payload } = body(end === "accepted" ? {} : { type: "none" });
      const answer = await fetch(`${http.url}/api/v1/devices/${bench.deviceId}/commands`, {
        method: "POST",
        headers: {
          ...{ "X-Api-Key": bench.tillKey, "Content-Type": "application/json" },
          "Idempotency-Key": KEY,
        },
        body: JSON.stringify({ type, payload }),
      });
      const told = answer.headers.get("idempotency-key-ignored");
      expect([answer.status, told]).toEqual([end === "accepted" ? 201 : 400, "true"]);
    } finally {
      await http.stop(0);
    }
  },
);

/** Bun answers 400 by itself then, whatever becomes of the request. */
test.each([KEY, ""])(
  "nothing is done for a request with other bytes behind it: key %j",
  async (key) => {
    const http = startHttp(bench.client.app, {
      ...{ hostname: "127.0.0.1", port: 0, clock: systemClock },
    });
    try {
      const text = JSON.stringify(body());
      const request = [
        ...["POST /api/v1/commands HTTP/1.1", "Host: x", `X-Api-Key: ${bench.tillKey}`],
        ...["Content-Type: application/json", `Content-Length: ${text.length}`],
        ...[`Idempotency-Key: ${key}`, "", text],
      ].join("\r\n");
      expect(String(await exchange(http.url, `${request}\r\n`))).toStartWith("HTTP/1.1 400 ");
      expect(bench.rows()).toMatchObject({ commands: 0, keys: 0 });
      const whole = request.replace("Host: x", "Host: x\r\nConnection: close");
      expect(String(await exchange(http.url, whole))).toStartWith("HTTP/1.1 202 ");
    } finally {
      await http.stop(0);
    }
  },
);

test("a key answers nobody with what is not theirs to read", async () => {
  const sale = { type: "sale", deviceId: bench.deviceId, fiscalId: "9", ...SALE };
  const cashier = bench.owner.as(await bench.makeKey(["receipts"]));
  const store = (key: string) =>
    cashier.post("/api/v1/receipts", sale, { headers: { "Idempotency-Key": key } });
  expect((await send("command")).status).toBe(202);
  const hidden = await store("command");
  expect(hidden.refusal).toBe("409 CONFLICT");
  expect(hidden.text).toContain("needs the scope `commands`");
  expect(hidden.text).not.toContain("cmd_");
  expect(bench.rows().receipts).toBe(0);

  expect((await store("receipt")).status).toBe(201);
  const other = await send("receipt");
  expect(other.refusal).toBe("409 CONFLICT");
  expect(other.text).toContain("needs the scope `receipts:read`");
  expect(bench.rows()).toMatchObject({ commands: 1, receipts: 1 });
  // Whoever may read both gets the first answer, as one key spans both routes.
  const both = await send("receipt", body(), bench.owner);
  expect([both.status, ...marks(both)]).toEqual([201, ...OTHER_BODY]);
});

describe("what is no key", () => {
  test.each([
    ["with a space", "till 1"],
    ["with a dot", "till.1"],
    ["with a letter beyond ASCII", "cheie-\u00e9"],
    ["of 129 characters", "x".repeat(129)],
  ])("%s is refused, and nothing runs or is kept", async (_what, key) => {
    for (let time = 0; time < 2; time++) {
      const answer = await send(key);
      expect([answer.refusal, answer.issuePaths]).toEqual([
        "400 VALIDATION_ERROR",
        ["Idempotency-Key"],
      ]);
      expect(marks(answer)).toEqual(FIRST);
    }
    expect(bench.rows()).toMatchObject({ commands: 0, keys: 0 });
  });

  test("is an empty one, as of a variable that was not set: it runs, and says so", async () => {
    for (const expected of [1, 2]) {
      const answer = await send("");
      expect([answer.status, answer.headers.get("idempotency-key-ignored")]).toEqual([202, "true"]);
      expect(marks(answer)).toEqual(FIRST);
      expect(answer.body).toMatchObject({ command: { idempotencyKey: null } });
      expect(bench.rows()).toMatchObject({ commands: expected, keys: 0 });
    }
  });

  test.each(["a", "x".repeat(128), "AZaz09_-"])("is not %p", async (key) => {
    expect((await send(key)).status).toBe(202);
    expect(bench.rows().keys).toBe(1);
  });

  test("is any header on the route below a device", async () => {
    const path = `/api/v1/devices/${bench.deviceId}/commands`;
    for (const key of [KEY, KEY, "not a key"]) {
      const headers = { "Idempotency-Key": key };
      const answer = await bench.till.post(path, { type: "x_report", payload: {} }, { headers });
      expect([answer.status, ...marks(answer)]).toEqual([201, ...FIRST]);
      expect(answer.body).toMatchObject({ idempotencyKey: null });
    }
    expect(bench.rows()).toMatchObject({ commands: 3, keys: 0 });
  });
});

describe("a refusal by the handler is kept like any answer", () => {
  test.each([
    ["400 VALIDATION_ERROR", () => body({ payload: [] })],
    ["400 VALIDATION_ERROR", () => body({ type: "print_receipt" })],
    ["404 NOT_FOUND", () => body({ deviceId: "dev_0" })],
  ])("%s", async (refusal, wrong) => {
    const first = await send(KEY, wrong());
    expect([first.refusal, ...marks(first)]).toEqual([refusal, ...FIRST]);
    const again = await send(KEY, wrong());
    expect([again.text, ...marks(again)]).toEqual([first.text, ...REPLAY]);
    const right = await send(KEY);
    expect([right.status, right.text, ...marks(right)]).toEqual([
      first.status,
      first.text,
      ...OTHER_BODY,
    ]);
    expect(bench.rows()).toMatchObject({ commands: 0, keys: 1 });
  });

  test("400 BAD_REQUEST for a body that is no JSON", async () => {
    const options = { rawBody: "{", headers: { "Idempotency-Key": KEY } };
    const first = await bench.till.call("POST", COMMANDS, options);
    const again = await bench.till.call("POST", COMMANDS, options);
    expect([again.refusal, again.text, ...marks(again)]).toEqual([
      "400 BAD_REQUEST",
      first.text,
      ...REPLAY,
    ]);
  });

  test("one that comes only inside the transaction", async () => {
    // The device goes away between the check and the insertion: both wait for the same commit.
    const removed = bench.writer.run(() =>
      bench.stores.devices.remove(bench.orgId, bench.deviceId),
    );
    const first = await send(KEY);
    await removed;
    expect([first.refusal, ...marks(first)]).toEqual(["404 NOT_FOUND", ...FIRST]);
    const again = await send(KEY);
    expect([again.text, ...marks(again)]).toEqual([first.text, ...REPLAY]);
  });
});

describe("a refusal before the handler keeps nothing", () => {
  test("401 without a credential", async () => {
    expect((await send(KEY, body(), bench.client)).refusal).toBe("401 UNAUTHORIZED");
    expect((await send(KEY)).status).toBe(202);
  });

  test("403 without the scope", async () => {
    const reader = bench.owner.as(await bench.makeKey(["devices:read"]));
    expect((await send(KEY, body(), reader)).refusal).toBe("403 FORBIDDEN");
    expect(bench.rows().keys).toBe(0);
    expect((await send(KEY)).status).toBe(202);
  });

  test("another content type and a body that is too long keep nothing", async () => {
    const wrong = [
      { rawBody: JSON.stringify(body()), headers: { "content-type": "text/plain" } },
      { rawBody: JSON.stringify("x".repeat(1_048_576)), headers: {} },
    ];
    for (const { rawBody, headers } of wrong) {
      const options = { rawBody, headers: { ...headers, "Idempotency-Key": KEY } };
      const answer = await bench.till.call("POST", COMMANDS, options);
      expect([answer.refusal, ...marks(answer)]).toEqual(["400 BAD_REQUEST", ...FIRST]);
    }
    expect(bench.rows().keys).toBe(0);
    expect((await send(KEY)).status).toBe(202);
  });

  test("429 when the bucket is empty", async () => {
    let answer = await send("first");
    for (let count = 1; answer.status === 202; count++) answer = await send(`more-${count}`);
    expect(answer.status).toBe(429);
    expect((await send(KEY)).status).toBe(429);
    expect(bench.stores.idempotency.get(bench.orgId, KEY)).toBeUndefined();
    bench.clock.advance(600_000);
    expect((await send(KEY)).status).toBe(202);
  });
});

describe("a failure", () => {
  /** Leaves the database no page more than it has. */
  const fillDisk = () => {
    const pages = bench.database.sqlite.pragma("page_count", { simple: true });
    bench.database.sqlite.pragma(`max_page_count = ${Number(pages)}`);
  };
  const freeDisk = () => bench.database.sqlite.pragma("max_page_count = 1000000");
  /** More than fits into what is free on the last pages. */
  const LARGE = { lines: Array.from({ length: 1000 }, () => "x".repeat(48)) };

  test("that is a defect keeps nothing: the key is good for the next try", async () => {
    bench.levers.insertFault = new Error("defect");
    const first = await send(KEY);
    expect([first.refusal, ...marks(first)]).toEqual(["500 INTERNAL_ERROR", ...FIRST]);
    expect(bench.rows()).toMatchObject({ commands: 0, keys: 0 });
    bench.levers.insertFault = undefined;
    const again = await send(KEY);
    expect([again.status, ...marks(again)]).toEqual([202, ...FIRST]);
    expect(bench.rows()).toMatchObject({ commands: 1, keys: 1 });
  });

  test("that is a defect is logged once, with the id of its request", async () => {
    bench.levers.insertFault = new Error("defect");
    const first = await send(KEY);
    const logged = bench.lines.filter((line) => line.includes("request failed"));
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain(first.headers.get("x-request-id") ?? "missing");
  });

  test("of a constraint is a defect too", async () => {
    bench.levers.insertFault = Object.assign(new Error("UNIQUE constraint failed"), {
      code: "SQLITE_CONSTRAINT_UNIQUE",
    });
    expect((await send(KEY)).refusal).toBe("500 INTERNAL_ERROR");
    expect(bench.rows().keys).toBe(0);
  });

  test("of a full disk is not kept: the key is good once there is room", async () => {
    const large = body({ type: "non_fiscal_receipt", payload: LARGE });
    fillDisk();
    expect((await send(KEY, large)).refusal).toBe("503 SERVICE_UNAVAILABLE");
    expect((await send(KEY, large)).refusal).toBe("503 SERVICE_UNAVAILABLE");
    expect(bench.rows()).toMatchObject({ commands: 0, keys: 0 });
    freeDisk();
    const answer = await send(KEY, large);
    expect([answer.status, ...marks(answer)]).toEqual([202, ...FIRST]);
  });

  test("of one of several requests at a time is no failure of the others", async () => {
    const large = body({ type: "non_fiscal_receipt", payload: LARGE });
    await send("before");
    fillDisk();
    const [failed, ...rest] = await Promise.all([send(KEY, large), send("before"), send("before")]);
    expect(failed?.refusal).toBe("503 SERVICE_UNAVAILABLE");
    expect(rest.map(marks)).toEqual([REPLAY, REPLAY]);
  });
});
