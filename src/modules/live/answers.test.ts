/** What single live routes answer: the fields that the specification shows, and what they come from. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { CommandResult } from "#core/command/command.ts";
import { createLiveBench, type LiveBench, RESULTS, rowOf } from "./testing/live-bench.ts";

let bench: LiveBench;
let place: { readonly deviceId: string; readonly timestamp: string };
beforeEach(async () => {
  bench = await createLiveBench();
  place = { deviceId: bench.deviceId, timestamp: "2026-01-15T10:00:00.000Z" };
});
afterEach(() => bench.close());

const done = (data: CommandResult["data"] = {}, fiscalId?: string): CommandResult => ({
  ...{ success: true, data },
  ...(fiscalId === undefined ? {} : { fiscalId }),
});
const answer = async (name: string, result: CommandResult, body?: object) =>
  (await bench.answered(rowOf(name), result, body)).body;

describe("a read answers with the fields of the result", () => {
  test.each([
    ["GET cash-balance", { cashBalance: 12.5, currency: "RON" }],
    ["GET datetime", { dateTime: "2026-01-15T09:59:58.000Z" }],
    ["GET header-footer", { header: ["Shop"], footer: [] }],
    ["GET vat-rates", { rates: [{ group: "VAT2", rate: 9.5, enabled: true }] }],
    ["GET operators", { operators: [{ operatorId: 1, name: "Ana" }] }],
    ["GET info", RESULTS.get_info ?? {}],
    ["GET last-receipt", RESULTS.get_last_receipt_info ?? {}],
    ["GET live-status", RESULTS.get_status ?? {}],
  ])("%s", async (name, data) => {
    expect(await answer(name, done(data))).toEqual({ ...data, ...place });
  });

  test.each([
    ["GET vat-capabilities", "get_vat_capabilities"],
    ["GET header-footer-capabilities", "get_header_footer_capabilities"],
    ["GET logo-capabilities", "get_logo_capabilities"],
    ["GET operator-capabilities", "get_operator_capabilities"],
  ] as const)("%s, as capabilities", async (name, type) => {
    const data = RESULTS[type] ?? {};
    expect(await answer(name, done(data))).toEqual({ capabilities: data, ...place });
  });

  test("GET operators, never with a password that a device tells", async () => {
    // Every object of the language has the second name.
    const operators = [{ operatorId: 1, name: "Ana", password: "0000", constructor: "0000" }];
    expect(await answer("GET operators", done({ operators }))).toEqual({
      operators: [{ operatorId: 1, name: "Ana" }],
      ...place,
    });
  });

  test("GET cash-balance, in the shop's currency where its controller names none", async () => {
    const told = await answer("GET cash-balance", done({ cashBalance: 12.5 }));
    expect(told).toEqual({ cashBalance: 12.5, currency: "RON", ...place });
  });

  test("GET cash-balance, which is 500 where the device does not tell the balance", async () => {
    const data = { cashBalance: null, currency: "RON" };
    const { refusal } = await bench.answered(rowOf("GET cash-balance"), done(data));
    expect(refusal).toBe("500 INTERNAL_ERROR");
  });
});

describe("a write says that it was done", () => {
  test.each([
    "POST print-duplicate",
    "POST non-fiscal",
    "POST vat-rates",
    "POST header-footer",
    "POST operator",
    "POST logo",
    "DELETE logo",
    "POST void-open",
  ])("%s", async (name) => {
    const message = expect.stringMatching(/^The .+ (was|is|are) \w+$/);
    // Whatever else the device tells, or does not.
    for (const data of [RESULTS[rowOf(name).type], undefined]) {
      expect(await answer(name, done(data))).toEqual({ success: true, message, ...place });
    }
  });
});

describe("set-datetime answers with the time that the clock was set to", () => {
  const NAME = "POST set-datetime";
  const read = { dateTime: "2026-01-31T10:00:01.000Z" };

  test("as the device tells it", async () => {
    const told = await answer(NAME, done(read), { datetime: "2026-01-31T12:00:00+02:00" });
    expect(told).toEqual({ success: true, datetime: read.dateTime, ...place });
  });

  test("else as it was asked for", async () => {
    const datetime = "2026-01-31T12:00:00+02:00";
    expect(await answer(NAME, done(), { datetime })).toEqual({
      ...{ success: true, datetime },
      ...place,
    });
  });

  test("else the gateway's", async () => {
    expect(await answer(NAME, done(), {})).toEqual({
      ...{ success: true, datetime: place.timestamp },
      ...place,
    });
  });
});

describe("a reversal answers with the number of what was printed", () => {
  const printed = { success: true, message: "The reversal was printed" };
  const data = RESULTS.print_reversal_receipt ?? {};

  test.each([
    ["as it stands on the paper", done(data, "9"), { receiptNumber: "8" }],
    ["else the device's own", done({ ...data, receiptNumber: null }, "9"), { receiptNumber: "9" }],
    ["also where it tells nothing else", done({ receiptNumber: "8" }), { receiptNumber: "8" }],
    ["also when only that is known", done({}, "9"), { receiptNumber: "9" }],
    ["unless the device tells none", done({}), {}],
    [
      "and so when it was found out later",
      done({ ...data, recovered: true }),
      { receiptNumber: "8" },
    ],
  ])("%s", async (_what, result, number) => {
    expect(await answer("POST reversal", result)).toEqual({ ...printed, ...number, ...place });
  });
});

describe("a report is answered as the device tells it", () => {
  test.each([
    ["POST reports/x", "x_report"],
    ["POST reports/z", "z_report"],
  ] as const)("%s", async (name, type) => {
    const report = RESULTS[type] ?? {};
    expect(await answer(name, done(report))).toEqual({ report, ...place });
  });

  test.each([
    ["POST reports/x", "x_report"],
    ["POST reports/z", "z_report"],
  ])("%s, and as it is stored where it told nothing", async (name, type) => {
    const { status, body } = await bench.answered(rowOf(name), done());
    const report = expect.objectContaining({ type, reportNumber: null, receiptCount: null });
    expect([status, body]).toEqual([201, { report, ...place }]);
    expect(body).not.toHaveProperty("report.id");
  });
});

describe("a command that failed", () => {
  test.each([
    ...(["E100", "E101", "E102", "E103", "E500", "E501", "E502"] as const).map(
      (code) => [code, "503 SERVICE_UNAVAILABLE", "409 CONFLICT"] as const,
    ),
    ...(["E200", "E201", "E202", "E203", "E301", "E306", "E400", "E900", "E901"] as const).map(
      (code) => [code, "422 UNPROCESSABLE_ENTITY", "422 UNPROCESSABLE_ENTITY"] as const,
    ),
  ])("with %s is %s for a read, and %s for what prints", async (errorCode, ofRead, ofWrite) => {
    const result = { success: false, errorCode, errorMessage: "No" };
    expect((await bench.answered(rowOf("GET info"), result)).refusal).toBe(ofRead);
    expect((await bench.answered(rowOf("POST print-duplicate"), result)).refusal).toBe(ofWrite);
  });

  test("and of which nobody knows says so, whatever the device answered", async () => {
    const data = { outcome: "unknown" };
    const result: CommandResult = { success: false, errorCode: "E902", errorMessage: "?", data };
    const { refusal, body } = await bench.answered(rowOf("POST reversal"), result);
    expect(refusal).toBe("409 CONFLICT");
    expect(body).toHaveProperty("error.details.outcome", "unknown");
  });
});

describe("a command that never left", () => {
  test("is answered with 503 when somebody takes it back", async () => {
    await bench.queued("get_info", {});
    const reply = bench.ask(rowOf("POST print-duplicate"));
    await bench.atRest();
    const list = await bench.owner.get("/api/v1/commands?type=print_duplicate");
    const [, commandId = ""] = /"id":"(cmd_\w+)"/.exec(list.text) ?? [];
    expect((await bench.owner.delete(`/api/v1/commands/${commandId}`)).status).toBe(200);
    const { refusal, body } = await reply;
    expect(refusal).toBe("503 SERVICE_UNAVAILABLE");
    expect(body).toHaveProperty("error.details.errorCode", "E903");
  });

  test("waits behind a document of which a person is asked, and is taken back then", async () => {
    const document = await bench.queued();
    await bench.finish(document, {
      ...{ success: false, errorCode: "E102", errorMessage: "The line was lost" },
      data: { outcome: "unknown" },
    });
    const reply = bench.ask(rowOf("POST print-duplicate"));
    await bench.atRest();
    await bench.clock.advanceAsync(30_000);
    expect((await reply).refusal).toBe("503 SERVICE_UNAVAILABLE");
    // A read goes on meanwhile.
    expect(await answer("GET info", done(RESULTS.get_info))).toMatchObject(RESULTS.get_info ?? {});
  });

  test("is 503 with nothing stored when it cannot be written", async () => {
    bench.levers.insertFault = Object.assign(new Error("full"), { code: "SQLITE_FULL" });
    const { refusal } = await bench.ask(rowOf("POST print-duplicate"));
    expect(refusal).toBe("503 SERVICE_UNAVAILABLE");
    expect(bench.rows().commands).toBe(0);
  });

  test.each([
    ["while it waits", () => bench.atRest()],
    ["while it is stored", () => undefined],
  ])(
    "is taken back when the gateway stops %s, so that nobody finds it printed later",
    async (...[, before]) => {
      await bench.queued("get_info", {});
      const reply = bench.ask(rowOf("POST print-duplicate"));
      await before();
      bench.stopWaiting();
      const { refusal, body } = await reply;
      expect(refusal).toBe("503 SERVICE_UNAVAILABLE");
      expect(body).toHaveProperty("error.details.errorCode", "E903");
    },
  );
});

describe("a command that cannot be taken back, because the disk is full", () => {
  test.each([
    ["POST print-duplicate", "409 CONFLICT"],
    ["GET info", "503 SERVICE_UNAVAILABLE"],
  ])("of %s is %s: it may yet be carried out", async (name, refusal) => {
    await bench.queued("get_status", {});
    const reply = bench.ask(rowOf(name));
    await bench.atRest();
    bench.database.sqlite.exec(
      "CREATE TRIGGER full BEFORE UPDATE ON commands BEGIN SELECT RAISE(ABORT, 'full'); END",
    );
    await bench.clock.advanceAsync(30_000);
    expect((await reply).refusal).toBe(refusal);
    expect(bench.lines.join()).toContain("command of a live route not cancelled");
  });
});

describe("a device that is removed meanwhile", () => {
  test("leaves a write with 409, because nobody knows", async () => {
    const { answer: reply, commandId } = await bench.begin(rowOf("POST print-duplicate"));
    expect((await bench.owner.delete(`/api/v1/devices/${bench.deviceId}`)).status).toBe(204);
    const { refusal, body } = await reply;
    expect(refusal).toBe("409 CONFLICT");
    expect(body).toHaveProperty("error.details", {
      ...{ commandId, errorCode: "E903", errorMessage: "The device was deleted" },
      outcome: "unknown",
    });
  });
});
