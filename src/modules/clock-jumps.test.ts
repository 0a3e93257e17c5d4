/**
 * A table of how wall clocks jump, and of what must neither fire nor be lost by it: commands that wait,
 * answered keys, logins. Deliveries, backups, certificates, what is kept for years and the clock itself
 * have tables of their own: `webhooks/deliveries.test.ts`, `src/backup/schedule.test.ts`,
 * `src/tls/own-certificate.test.ts`, `src/app/retention.test.ts`, `src/platform/counted-time.test.ts`.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { IDEMPOTENCY_WINDOW_MS } from "#core/limits.ts";
import {
  COMMANDS,
  type CommandsBench,
  commandIdOf,
  commandOf,
  createCommandsBench,
  makeKey,
  SALE,
} from "./commands/testing/commands-bench.ts";
import { createApiBench } from "./testing/api-bench.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const OVERALL_MS = 180_000;

/** What the clock shows after a jump, by what it showed. */
const JUMPS: readonly (readonly [name: string, jump: (now: number) => number])[] = [
  ["to 1970", () => 60_000],
  ["a year back", (now) => now - 365 * DAY_MS],
  ["an hour back", (now) => now - HOUR_MS],
  ["an hour forward", (now) => now + HOUR_MS],
  ["two days forward", (now) => now + 2 * DAY_MS],
  ["from 1970 to now", (now) => now + 56 * 365 * DAY_MS],
];

describe.each(JUMPS)("a clock that is set %s", (_, jump) => {
  let bench: CommandsBench;
  beforeEach(async () => {
    bench = await createCommandsBench();
  });
  afterEach(() => bench.close());

  const setClock = (): void => bench.clock.jumpTo(jump(bench.clock.now()));

  test("leaves a waiting command the time that it had, and no more", async () => {
    const ahead = await bench.queued();
    const id = await bench.queued();
    await bench.clock.advanceAsync(OVERALL_MS - 80_000);
    setClock();
    await bench.clock.advanceAsync(1_000);
    const statusOf = async () => commandOf(await bench.till.get(`${COMMANDS}/${id}`)).status;
    expect(await statusOf()).toBe("pending");
    await bench.finish(ahead, { success: true, fiscalId: "1" });
    expect(await statusOf()).toBe("sent");
    await bench.clock.advanceAsync(78_999);
    await bench.atRest();
    expect(await statusOf()).toBe("sent");
    await bench.clock.advanceAsync(1);
    await bench.atRest();
    expect(await statusOf()).toBe("timeout");
  });

  test("prints no sale again that is repeated under its key", async () => {
    const body = { deviceId: bench.deviceId, type: "print_receipt", payload: SALE };
    const sell = async (): Promise<string> => {
      const headers = { "Idempotency-Key": "sale-1" };
      return commandIdOf(await bench.till.post(COMMANDS, body, { headers }));
    };
    const first = await sell();
    await bench.atRest();
    await bench.finish(first, { success: true, fiscalId: "1" });
    setClock();
    await bench.clock.advanceAsync(IDEMPOTENCY_WINDOW_MS - 1);
    expect(await sell()).toBe(first);
  });

  test("leaves the last receipt the only one that can be repeated", async () => {
    const office = bench.owner.as(await makeKey(bench.owner, ["receipts:read"]));
    const receiptIds: string[] = [];
    for (const fiscalId of ["1", "2"]) {
      const id = await bench.queued();
      if (fiscalId === "2") setClock();
      await bench.finish(id, { success: true, fiscalId });
      receiptIds.push(bench.stores.receipts.ofCommand(id)?.id ?? "none");
    }
    const answers = await Promise.all(receiptIds.map((id) => office.get(`/api/v1/receipts/${id}`)));
    expect(answers.map(({ body }) => body)).toMatchObject([
      { receipt: { fiscalId: "1" }, repeatable: false },
      { receipt: { fiscalId: "2" }, repeatable: true },
    ]);
  });
});

describe.each(JUMPS.slice(0, -1))("a login, where the clock is set %s,", (_, jump) => {
  test("goes on with its refresh token, and ends by its own length of time", async () => {
    const api = createApiBench();
    try {
      const { answer } = await api.owner();
      const refresh = (refreshToken: string) =>
        api.client.post("/api/v1/auth/refresh", { refreshToken });
      api.clock.jumpTo(jump(api.clock.now()));
      const again = await refresh(answer.field("refreshToken"));
      expect(again.status).toBe(200);
      const me = api.client.as(again.field("accessToken"));
      expect((await me.get("/api/v1/auth/me")).status).toBe(200);
      await api.clock.advanceAsync(16 * 60_000);
      expect((await me.get("/api/v1/auth/me")).status).toBe(401);
    } finally {
      api.close();
    }
  });
});
