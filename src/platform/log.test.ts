import { describe, expect, test } from "bun:test";
import { FakeClock } from "./clock.ts";
import { createLog } from "./log.ts";
import type { LogLevel } from "./log-level.ts";

function recordingLog(level: LogLevel = "debug") {
  const lines: string[] = [];
  const log = createLog({
    level,
    clock: new FakeClock(0),
    sink: { write: (line) => lines.push(line) },
  });
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? "null") };
}

describe("a log line", () => {
  test("is one JSON object with level, time, sentence and fields", () => {
    const { log, lines, last } = recordingLog();
    log.info("command sent", { commandId: "cmd_1", ms: 3 });
    expect(lines).toHaveLength(1);
    expect(lines[0]?.endsWith("}\n")).toBe(true);
    expect(last()).toEqual({
      level: "info",
      time: "1970-01-01T00:00:00.000Z",
      msg: "command sent",
      commandId: "cmd_1",
      ms: 3,
    });
  });

  test("carries its priority where it goes to the journal", () => {
    const prefixes: string[] = [];
    const log = createLog({
      level: "debug",
      clock: new FakeClock(0),
      sink: { write: (line) => prefixes.push(line.slice(0, line.indexOf("{"))) },
      forJournal: true,
    });
    for (const level of ["debug", "info", "warn", "error"] as const) log[level]("sentence");
    expect(prefixes).toEqual(["<7>", "<6>", "<4>", "<3>"]);
  });

  test("is urgent from a warning on", () => {
    const urgent: (boolean | undefined)[] = [];
    const log = createLog({
      level: "debug",
      clock: new FakeClock(0),
      sink: { write: (_line, isUrgent) => urgent.push(isUrgent) },
    });
    for (const level of ["debug", "info", "warn", "error"] as const) log[level]("sentence");
    expect(urgent).toEqual([false, false, true, true]);
  });

  test("below the level is not written, and its fields are not even read", () => {
    const { log, lines } = recordingLog("warn");
    const fields = {
      get costly(): string {
        throw new Error("was read");
      },
    };
    log.info("quiet", fields);
    log.warn("loud");
    expect(lines).toHaveLength(1);
  });

  test("of a child carries the child's fields", () => {
    const { log, last } = recordingLog();
    log.child({ deviceId: "dev_1", token: "abc" }).error("gone", { ms: 1 });
    expect(last()).toMatchObject({ level: "error", deviceId: "dev_1", token: "[secret]", ms: 1 });
  });
});

describe("secrets", () => {
  test.each([
    "password",
    "operatorPassword",
    "newPassword",
    "refreshToken",
    "refresh_token",
    "Authorization",
    "x-api-key",
    "apiKey",
    "secret",
    "push.relayKey",
    "customerCif",
  ])("under the name %s are masked at any depth", (name) => {
    const { log, lines, last } = recordingLog();
    log.info("request", { [name]: "hush1", body: { inner: [{ [name]: "hush2" }] } });
    expect(lines[0]).not.toContain("hush");
    expect(last()[name]).toBe("[secret]");
  });

  test("that carry their own mark are masked inside texts", () => {
    const { log, lines } = recordingLog();
    const key = "svc_live_0123456789ab_0123456789abcdef0123456789abcdef";
    log.warn("refused", {
      error: new Error(`bad key ${key}`),
      header: "Bearer eyJhbGciOi.abc.def",
      hook: "whsec_c2VjcmV0",
    });
    expect(lines[0]).not.toContain("0123456789abcdef0123456789abcdef");
    expect(lines[0]).not.toContain("eyJhbGciOi");
    expect(lines[0]).not.toContain("c2VjcmV0");
  });

  test("leave the names of ordinary fields alone", () => {
    const { log, last } = recordingLog();
    log.info("x", { key: "idempotency-1", tokens: 3, passwordChanged: true });
    expect(last()).toMatchObject({ key: "idempotency-1", tokens: 3, passwordChanged: true });
  });
});

describe("fields", () => {
  test("spell out errors with code and cause", () => {
    const { log, last } = recordingLog();
    const cause = Object.assign(new Error("no route"), { code: "EHOSTUNREACH" });
    log.error("line lost", { error: new Error("outer", { cause }), err: new Error("named err") });
    expect(last().error).toMatchObject({
      message: "outer",
      cause: { message: "no route", code: "EHOSTUNREACH" },
    });
    expect(last().err.message).toBe("named err");
  });

  test("show bytes as hex", () => {
    const { log, last } = recordingLog();
    log.debug("frame", { sent: Uint8Array.of(1, 0x24, 255) });
    expect(last().sent).toBe("0124ff");
  });

  test("are cut to a bound, cycles included", () => {
    const { log, lines, last } = recordingLog();
    const cycle: Record<string, unknown> = { long: "x".repeat(100_000) };
    cycle.self = cycle;
    cycle.list = Array.from({ length: 5_000 }, (_, index) => index);
    log.info("big", cycle);
    expect(last().msg).toBe("big");
    expect(lines[0]?.length).toBeLessThan(100_000);
  });
});
