/** What every live route does alike, row by row. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Scope } from "#core/access.ts";
import { effectOf, tellsOutcome } from "#core/command/catalogue.ts";
import type { CommandResult } from "#core/command/command.ts";
import { OFFLINE } from "../testing/api-bench.ts";
import { LIVE_ROUTES, type LiveRoute } from "./table.ts";
import {
  createLiveBench,
  exampleOf,
  type LiveBench,
  ONLINE,
  pathOf,
  RESULTS,
} from "./testing/live-bench.ts";

let bench: LiveBench;
beforeEach(async () => {
  bench = await createLiveBench();
});
afterEach(() => bench.close());

const ROWS = LIVE_ROUTES.map((row) => [`${row.method} ${row.path}`, row] as const);
const READS = ROWS.filter(([, { type }]) => effectOf(type) === "none");
const WRITES = ROWS.filter(([, { type }]) => effectOf(type) !== "none");
const BODIES = ROWS.filter(([, { body }]) => body !== undefined);

const success = ({ type }: LiveRoute): CommandResult => ({
  success: true,
  data: RESULTS[type] ?? {},
  ...(type === "print_reversal_receipt" ? { fiscalId: "9" } : {}),
});
const failure = (errorCode: CommandResult["errorCode"], outcome?: string): CommandResult => ({
  success: false,
  ...(errorCode && { errorCode }),
  errorMessage: "It said no",
  ...(outcome === undefined ? {} : { data: { outcome } }),
});

/** Scopes that do not cover a route. */
const OTHER_SCOPES: Readonly<Record<LiveRoute["scope"], readonly Scope[]>> = {
  "devices:read": ["commands", "receipts", "receipts:admin", "reports"],
  "devices:write": ["devices:read", "commands", "receipts", "receipts:admin", "reports"],
  reports: ["devices", "commands", "receipts", "receipts:admin"],
};

test("there is one for each row of the specification", () => {
  const rows = LIVE_ROUTES.map(({ method, path, scope, type, status }) =>
    [method, path, scope, type, status].join(" "),
  );
  expect(rows.toSorted()).toEqual(
    [
      "DELETE logo devices:write delete_logo 200",
      "GET cash-balance devices:read get_cash_amount 200",
      "GET datetime devices:read get_date_time 200",
      "GET header-footer devices:read get_header_footer 200",
      "GET header-footer-capabilities devices:read get_header_footer_capabilities 200",
      "GET info devices:read get_info 200",
      "GET last-receipt devices:read get_last_receipt_info 200",
      "GET live-status devices:read get_status 200",
      "GET logo-capabilities devices:read get_logo_capabilities 200",
      "GET operator-capabilities devices:read get_operator_capabilities 200",
      "GET operators devices:read get_operators 200",
      "GET vat-capabilities devices:read get_vat_capabilities 200",
      "GET vat-rates devices:read get_vat_rates 200",
      "POST header-footer devices:write set_header_footer 200",
      "POST logo devices:write set_logo 200",
      "POST non-fiscal devices:write non_fiscal_receipt 200",
      "POST operator devices:write set_operator 200",
      "POST print-duplicate devices:write print_duplicate 200",
      "POST reports/x reports x_report 201",
      "POST reports/z reports z_report 201",
      "POST reversal devices:write print_reversal_receipt 201",
      "POST set-datetime devices:write set_datetime 200",
      "POST vat-rates devices:write set_vat_rates 200",
      "POST void-open devices:write void_open_receipt 200",
    ].toSorted(),
  );
});

test("each waits for 30 seconds, and the Z report for 120", () => {
  const longer = LIVE_ROUTES.filter(({ waitMs }) => waitMs !== 30_000);
  expect(longer.map(({ path, waitMs }) => [path, waitMs])).toEqual([["reports/z", 120_000]]);
});

describe.each(ROWS)("%s", (_name, row) => {
  test("sends its command as one of its own and answers when that is completed", async () => {
    const { answer, commandId } = await bench.begin(row);
    const sent = await bench.shown(commandId);
    expect(sent).toMatchObject({ type: row.type, source: "live", status: "sent" });
    await bench.clock.advanceAsync(1_500);
    await bench.finish(commandId, success(row));
    const { status, body } = await answer;
    expect(status).toBe(row.status);
    const shown = Type.Object(
      { ...row.answer.schema.properties, deviceId: Type.String(), timestamp: Type.String() },
      { additionalProperties: false },
    );
    expect([...Value.Errors(shown, body)]).toEqual([]);
    const timestamp = "2026-01-15T10:00:01.500Z";
    expect(body).toMatchObject({ deviceId: bench.deviceId, timestamp });
    expect((await bench.shown(commandId)).status).toBe("completed");
  });

  test("is refused with 401 to nobody, with 403 without its scope, whatever is asked", async () => {
    const nobody = await bench.ask(row, bench.client, "dev_none");
    expect(nobody.refusal).toBe("401 UNAUTHORIZED");
    const key = bench.owner.as(await bench.makeKey(OTHER_SCOPES[row.scope]));
    expect((await bench.ask(row, key, "dev_none")).refusal).toBe("403 FORBIDDEN");
    const operator = await bench.member(bench.orgId, "operator");
    bench.liveFacts.clear();
    const mayNot = row.scope === "devices:write";
    const refusal = mayNot ? "403 FORBIDDEN" : "503 SERVICE_UNAVAILABLE";
    expect((await bench.ask(row, operator.client)).refusal).toBe(refusal);
    expect(bench.rows().commands).toBe(0);
  });

  test("is refused with 404 for a device that is not of the organization", async () => {
    const other = await bench.otherShop();
    bench.liveFacts.set(other.deviceId, { connectivity: ONLINE });
    const key = bench.owner.as(await bench.makeKey([row.scope]));
    for (const deviceId of [other.deviceId, "dev_none"]) {
      // Before the body is looked at.
      const path = pathOf(row, deviceId);
      const answer = await key.call(row.method, path, { body: { rates: 5 } });
      expect(answer.refusal).toBe("404 NOT_FOUND");
    }
    expect(bench.rows().commands).toBe(0);
  });

  test("is refused with 503 while the device is offline, and nothing is queued", async () => {
    const reason = "Cannot reach 10.0.0.9:4999: connection refused";
    for (const connectivity of [
      OFFLINE,
      { ...ONLINE, controllerOnline: false },
      { ...ONLINE, linkUp: false, reason },
    ]) {
      bench.liveFacts.set(bench.deviceId, { connectivity });
      const answer = await bench.ask(row);
      expect(answer.refusal).toBe("503 SERVICE_UNAVAILABLE");
      expect(answer.text.includes(reason)).toBe("reason" in connectivity);
    }
    await bench.atRest();
    expect(bench.rows().commands).toBe(0);
  });

  test("answers an error of the device with 422 and what it was", async () => {
    const { answer, commandId } = await bench.begin(row);
    const outcome = tellsOutcome(row.type) ? "not_printed" : undefined;
    await bench.finish(commandId, failure("E304", outcome));
    const { refusal, body } = await answer;
    expect(refusal).toBe("422 UNPROCESSABLE_ENTITY");
    expect(body).toHaveProperty("error.details", {
      ...{ commandId, errorCode: "E304", errorMessage: "It said no" },
      ...(outcome && { outcome }),
    });
  });

  test.each(["E102", "E500"] as const)(
    "answers %s with 503 only where asking again does nothing twice",
    async (errorCode) => {
      const { answer, commandId } = await bench.begin(row);
      const outcome = tellsOutcome(row.type) ? "unknown" : undefined;
      await bench.finish(commandId, failure(errorCode, outcome));
      const isRead = effectOf(row.type) === "none";
      const { refusal, body } = await answer;
      expect(refusal).toBe(isRead ? "503 SERVICE_UNAVAILABLE" : "409 CONFLICT");
      expect(body).toHaveProperty("error.details", {
        ...{ commandId, errorCode: outcome ? "E102" : errorCode, errorMessage: "It said no" },
        ...(isRead ? {} : { outcome: "unknown" }),
      });
    },
  );

  test("takes back what still waits at the limit, and answers 503", async () => {
    await bench.queued("get_info", {});
    const known = bench.rows().commands;
    const answer = bench.ask(row);
    await bench.atRest();
    await bench.clock.advanceAsync(row.waitMs - 1);
    expect(bench.rows().commands).toBe(known + 1);
    expect(await Promise.race([answer, "waiting"])).toBe("waiting");
    await bench.clock.advanceAsync(1);
    const { refusal, body } = await answer;
    expect(refusal).toBe("503 SERVICE_UNAVAILABLE");
    const Details = Type.Object({ commandId: Type.String(), errorCode: Type.Literal("E903") });
    const error = Value.Decode(Type.Object({ error: Type.Object({ details: Details }) }), body);
    const { commandId } = error.error.details;
    expect(await bench.shown(commandId)).toMatchObject({ type: row.type, status: "failed" });
  });

  test("lets go on what was sent, and says at the limit what is not known", async () => {
    const { answer, commandId } = await bench.begin(row);
    await bench.clock.advanceAsync(row.waitMs - 1);
    expect(await Promise.race([answer, "waiting"])).toBe("waiting");
    await bench.clock.advanceAsync(1);
    const { refusal, body } = await answer;
    const isRead = effectOf(row.type) === "none";
    expect(refusal).toBe(isRead ? "503 SERVICE_UNAVAILABLE" : "409 CONFLICT");
    const details = isRead ? { commandId } : { commandId, outcome: "unknown" };
    expect(body).toHaveProperty("error.details", details);
    expect((await bench.shown(commandId)).status).toBe("sent");
    await bench.finish(commandId, success(row));
    expect((await bench.shown(commandId)).status).toBe("completed");
  });

  test("counts in the bucket of commands", async () => {
    bench.close();
    bench = await createLiveBench({ limits: { commandsMax: 1 } });
    bench.liveFacts.clear();
    const first = await bench.ask(row);
    expect([first.status, first.headers.get("ratelimit-limit")]).toEqual([503, "1"]);
    expect((await bench.ask(row)).status).toBe(429);
  });

  test("is opened by its scope, by the scopes above it, and by roles that cover it", async () => {
    const scopes: Scope[] = row.scope === "reports" ? ["reports"] : [row.scope, "devices"];
    const keys = await Promise.all([...scopes, "all" as const].map((one) => bench.makeKey([one])));
    const clients = keys.map((key) => bench.owner.as(key));
    clients.push((await bench.member(bench.orgId, "admin")).client);
    bench.liveFacts.clear();
    for (const client of clients) {
      expect((await bench.ask(row, client)).refusal).toBe("503 SERVICE_UNAVAILABLE");
    }
  });
});

describe.each(WRITES.filter(([, { type }]) => tellsOutcome(type)))("%s", (_name, row) => {
  test("answers any error with 409 where nobody knows whether it was done", async () => {
    const { answer, commandId } = await bench.begin(row);
    await bench.finish(commandId, failure("E305", "unknown"));
    const { refusal, body } = await answer;
    expect(refusal).toBe("409 CONFLICT");
    expect(body).toHaveProperty("error.details.outcome", "unknown");
  });
});

describe.each(WRITES)("%s", (_name, row) => {
  test("answers a lost line with 503 where the device says that nothing happened", async () => {
    if (!tellsOutcome(row.type)) return;
    const { answer, commandId } = await bench.begin(row);
    await bench.finish(commandId, failure("E102", "not_printed"));
    const { refusal, body } = await answer;
    expect(refusal).toBe("503 SERVICE_UNAVAILABLE");
    expect(body).toHaveProperty("error.details.outcome", "not_printed");
  });

  test("tells whoever sends an Idempotency-Key that it means nothing here", async () => {
    const headers = { "idempotency-key": "k1" };
    bench.liveFacts.clear();
    const answer = await bench.ask(row, bench.owner.with(headers));
    expect([answer.status, answer.headers.get("idempotency-key-ignored")]).toEqual([503, "true"]);
    expect((await bench.ask(row)).headers.has("idempotency-key-ignored")).toBe(false);
    const unknown = await bench.ask(row, bench.owner.with(headers), "dev_none");
    const told = row.method === "GET" ? null : "true";
    expect([unknown.status, unknown.headers.get("idempotency-key-ignored")]).toEqual([404, told]);
    bench.liveFacts.set(bench.deviceId, { connectivity: ONLINE });
    const once = bench.rows();
    await bench.answered(row, success(row));
    await bench.answered(row, success(row));
    expect(bench.rows()).toMatchObject({ commands: once.commands + 2, keys: once.keys });
  });
});

describe.each(READS)("%s", (_name, row) => {
  test.each([
    ["nothing", undefined],
    ["nothing of it", {}],
    ["it in another form", { info: null, cashBalance: null, operators: [{}], rates: [5] }],
  ])("answers 500 when the device said %s", async (_what, data) => {
    const { answer, commandId } = await bench.begin(row);
    await bench.finish(commandId, { success: true, ...(data && { data }) });
    const { refusal, body } = await answer;
    expect(refusal).toBe("500 INTERNAL_ERROR");
    expect(body).toHaveProperty("error.details", { commandId });
  });

  test("shows of the result what its document names, and nothing else", async () => {
    const data = { ...RESULTS[row.type], password: "secret", recovered: true };
    const { text, status } = await bench.answered(row, { success: true, data });
    expect([status, text.includes("secret"), text.includes("recovered")]).toEqual([
      200,
      false,
      false,
    ]);
  });
});

describe.each(BODIES)("%s", (_name, row) => {
  test("refuses a body that is none before it looks for the device's line", async () => {
    bench.liveFacts.clear();
    const path = pathOf(row, bench.deviceId);
    const send = (rawBody: string, type = "application/json") =>
      bench.owner.call(row.method, path, { rawBody, headers: { "content-type": type } });
    const example = JSON.stringify(exampleOf(row));
    expect((await send("{")).refusal).toBe("400 BAD_REQUEST");
    expect((await send(example, "text/plain")).refusal).toBe("400 BAD_REQUEST");
    for (const body of ["[]", "5", "null"]) {
      expect((await send(body)).refusal).toBe("400 VALIDATION_ERROR");
    }
    const nested = (levels: number) =>
      JSON.stringify({ ...exampleOf(row), x: 0 }).replace(
        '"x":0',
        `"x":${"[".repeat(levels)}${"]".repeat(levels)}`,
      );
    expect((await send(nested(32))).refusal).toBe("400 BAD_REQUEST");
    expect((await send(nested(31))).refusal).toBe("503 SERVICE_UNAVAILABLE");
    expect(bench.rows().commands).toBe(0);
  });
});
