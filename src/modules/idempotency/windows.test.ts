/** How long an answer is kept: by time that was counted, and never shorter than its command lives. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { IDEMPOTENCY_WINDOW_MS } from "#core/limits.ts";
import {
  COMMANDS,
  type CommandsBench,
  commandIdOf,
  createCommandsBench,
  SALE,
} from "../commands/testing/commands-bench.ts";

const DAY_MS = 86_400_000;

let bench: CommandsBench;
beforeEach(async () => {
  bench = await createCommandsBench();
});
afterEach(() => bench.close());

/** Sells under the same key, however often. @returns the id of the command */
async function sell(): Promise<string> {
  const body = { deviceId: bench.deviceId, type: "print_receipt", payload: SALE };
  const headers = { "Idempotency-Key": "sale-1" };
  const id = commandIdOf(await bench.till.post(COMMANDS, body, { headers }));
  await bench.atRest();
  return id;
}
const purge = (): Promise<boolean> =>
  bench.writer.run(() => bench.stores.idempotency.purge(bench.clock.now()));

describe("a sale that was printed", () => {
  test.each([2 * DAY_MS, -2 * DAY_MS])(
    "is not printed again when the wall clock is set by %d ms",
    async (step) => {
      const first = await sell();
      await bench.finish(first, { success: true, fiscalId: "1" });
      bench.clock.jumpTo(bench.clock.now() + step);
      expect(await sell()).toBe(first);
      await bench.clock.advanceAsync(IDEMPOTENCY_WINDOW_MS - 1);
      expect(await sell()).toBe(first);
      await bench.clock.advanceAsync(1);
      expect(await sell()).not.toBe(first);
    },
  );
});

describe("a sale that is not final", () => {
  test("keeps its key for as long as that takes", async () => {
    const first = await sell();
    await bench.marked(first, "committing");
    await bench.clock.advanceAsync(IDEMPOTENCY_WINDOW_MS + 3_600_000);
    await purge();
    expect(await sell()).toBe(first);
    await bench.finish(first, { success: true, fiscalId: "1" });
    await purge();
    expect(bench.rows()).toMatchObject({ commands: 1, keys: 0 });
    expect(bench.levers.sent).toHaveLength(1);
  });
});
