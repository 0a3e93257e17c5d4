/**
 * A certificate by ACME over its time: renewed by itself and served without a restart; and while the
 * authority refuses, the old one goes on, the shop is told, and it is asked again, ever later. Real
 * sockets and a real exchange with an authority; a clock that jumps.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { connect } from "node:tls";
import { type RunningApp, startApp } from "../app/runtime.ts";
import { loadConfig } from "../config/load-config.ts";
import { FakeClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { type AcmeAuthority, startAcmeAuthority } from "../tls/testing/acme-authority.ts";
import { Box } from "./harness/box.ts";
import { until } from "./harness/until.ts";

const NAME = "till.shop.example";
const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
const VALID_DAYS = 90;
/** Two thirds of that, less up to a twentieth. */
const RENEWED_FROM_DAYS = 55.5;
const RENEWED_BY_DAYS = 60;
const LOOK_MS = 10_000;

const box = new Box();
// So long ago that what is renewed is valid by the machine's clock too, which clients check with.
const clock = new FakeClock(Date.now() - 130 * DAY_MS);
const lines: string[] = [];
let authority: AcmeAuthority;
let app: RunningApp;
let port: number;
beforeAll(async () => {
  mkdirSync(box.stateDir);
  const portOfApp = () => Number(new URL(app.url).port);
  authority = await startAcmeAuthority({ clock, days: VALID_DAYS, port: portOfApp });
  const flags = new Map([
    ["state.dir", box.stateDir],
    ["http.listen", "127.0.0.1:0"],
    ["https.listen", "127.0.0.1:0"],
    ["https.certificate", "acme"],
    ["https.names", NAME],
    ["acme.directory", authority.directory],
    ["acme.acceptTerms", "true"],
  ] as const);
  const { config } = loadConfig({ flags, file: undefined }, { environment: {}, pid: process.pid });
  const log = createLog({ level: "info", clock, sink: { write: (line) => lines.push(line) } });
  app = await startApp(config, { version: "0.0.0-test", log, clock });
  port = await until("the port", () => {
    const line = lines.find((each) => each.includes("listening with TLS"));
    return line === undefined ? undefined : Number(/https:\/\/[^:"]*:(\d+)/.exec(line)?.[1]);
  });
});
afterAll(async () => {
  const stopping = app.stop();
  await clock.advanceAsync(MINUTE_MS);
  await stopping;
  authority.stop();
  await box.clear();
});

/** What whoever connects now is shown. */
function shown(): Promise<{ readonly fingerprint: string; readonly isTrusted: boolean }> {
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof shown>>>();
  const trust = { ca: authority.root, rejectUnauthorized: false };
  const socket = connect({ host: "127.0.0.1", port, servername: NAME, ...trust });
  socket.on("error", reject);
  socket.on("secureConnect", () => {
    const { fingerprint256 = "" } = socket.getPeerCertificate();
    resolve({ fingerprint: fingerprint256, isTrusted: socket.authorized });
    socket.destroy();
  });
  return promise;
}

async function health(): Promise<{ status: string; detail?: string }> {
  const answer = (await (await fetch(`${app.url}/health`)).json()) as {
    checks: { https: { status: string; detail?: string } };
  };
  return answer.checks.https;
}

const count = (message: string) => lines.filter((line) => line.includes(message)).length;
const obtained = () => count("certificate obtained");
const refused = () => count("no certificate was obtained");

/** Sets the clock, and has the gateway look. */
async function jump(instant: number): Promise<void> {
  clock.jumpTo(instant);
  await clock.advanceAsync(LOOK_MS);
}

describe("a certificate by ACME", () => {
  test("is renewed by itself near its end, and shown to whoever connects without a restart", async () => {
    const first = await shown();
    const madeAt = clock.now();
    await jump(madeAt + RENEWED_FROM_DAYS * DAY_MS - 2 * MINUTE_MS);
    expect([authority.orders(), (await shown()).fingerprint]).toEqual([1, first.fingerprint]);

    await jump(madeAt + RENEWED_BY_DAYS * DAY_MS);
    await until("the renewal", () => obtained() === 2);
    const second = await until("the new certificate", async () => {
      const now = await shown();
      return now.fingerprint !== first.fingerprint && now;
    });
    expect([second.isTrusted, authority.orders()]).toEqual([true, 2]);
    expect(await health()).toEqual({ status: "ok" });
  });

  test("goes on while the authority refuses, which is told, until it signs again", async () => {
    const old = await shown();
    const madeAt = clock.now();
    authority.refuse("Not today");
    await jump(madeAt + RENEWED_BY_DAYS * DAY_MS);
    await until("the refusal", () => refused() === 1);
    // A month before the end.
    const told = await until("the alarm", async () => {
      const now = await health();
      return now.status === "degraded" && now;
    });
    expect(told.detail).toMatch(/^no new certificate: .* 503: Not today; tried again 20/);
    expect((await shown()).fingerprint).toBe(old.fingerprint);

    // After 5 minutes, then 10, a quarter more or less of each.
    for (const [tries, minutes] of [
      [1, 5],
      [2, 10],
    ] as const) {
      const waitMs = await until("what is told of the try", async () => {
        const nextAt = Date.parse(
          /tried again (\S+)$/.exec((await health()).detail ?? "")?.[1] ?? "",
        );
        return nextAt > clock.now() && nextAt - clock.now();
      });
      expect(waitMs / MINUTE_MS).toBeGreaterThan(0.75 * minutes - 1);
      expect(waitMs / MINUTE_MS).toBeLessThan(1.25 * minutes);
      await clock.advanceAsync(waitMs + LOOK_MS);
      await until("the next try", () => refused() === tries + 1);
    }
    // Two that were signed, these three, and none in between.
    expect(authority.orders()).toBe(5);

    // Who was told a month ago is told by when it has to be mended, and then that it was not.
    const end = madeAt + VALID_DAYS * DAY_MS;
    await jump(end - 13 * DAY_MS);
    await until("a further try", () => refused() === 4);
    const late = await health();
    expect([late.status, late.detail]).toEqual(["degraded", expect.stringContaining("Not today")]);
    expect(late.detail).toContain(`ends ${new Date(end).toISOString().slice(0, 10)}`);
    await jump(end);
    await until("one more try", () => refused() === 5);
    const over = await health();
    expect([over.status, over.detail]).toEqual(["failed", expect.stringContaining("Not today")]);
    expect((await shown()).fingerprint).toBe(old.fingerprint);

    authority.refuse(undefined);
    await jump(end + DAY_MS);
    await until("the renewal", () => obtained() === 3);
    await until("the new certificate", async () => (await shown()).fingerprint !== old.fingerprint);
    expect(await health()).toEqual({ status: "ok" });
  });
});
