/** How many commands may wait, and what becomes of those beyond. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { COMMANDS, type CommandsBench, createCommandsBench } from "./testing/commands-bench.ts";

const FULL = "503 SERVICE_UNAVAILABLE";

let bench: CommandsBench;
beforeEach(async () => {
  bench = await createCommandsBench({
    limits: { globalMax: 1_000_000, commandsMax: 1_000_000 },
  });
});
afterEach(() => bench.close());

/** Puts commands in line that nobody submitted, as many as are asked for. */
function fill(deviceId: string, count: number): void {
  const insert = bench.database.sqlite.prepare(
    `INSERT INTO commands (id, org_id, device_id, type, payload, status, source, created_at,
        updated_at, expires_at)
      VALUES (?, ?, ?, 'x_report', '{}', 'pending', 'api', 0, 0, ?)`,
  );
  bench.database.sqlite.transaction(() => {
    for (let index = 0; index < count; index += 1) {
      insert.run(`${deviceId}_${index}`, bench.orgId, deviceId, bench.clock.now() + 180_000);
    }
  })();
}
const send = (key: string, deviceId = bench.deviceId) =>
  bench.till.post(
    COMMANDS,
    { deviceId, type: "x_report", payload: {} },
    { headers: { "Idempotency-Key": key } },
  );

test("a thousand wait for one device; one more is refused, and its key stays good", async () => {
  bench.levers.connected = false;
  fill(bench.deviceId, 999);
  expect((await send("a")).status).toBe(202);
  const before = bench.rows();
  expect((await send("b")).refusal).toBe(FULL);
  expect(bench.rows()).toEqual(before);
  const other = await bench.addDevice("Other");
  expect((await send("c", other)).status).toBe(202);
  bench.database.sqlite.exec("DELETE FROM commands");
  bench.database.rows.drop();
  const again = await send("b");
  expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([202, null]);
});

test("ten thousand wait in all", async () => {
  bench.levers.connected = false;
  for (let device = 0; device < 10; device += 1) fill(`dev_${device}`, 1_000);
  const before = bench.rows();
  expect((await send("a")).refusal).toBe(FULL);
  expect(bench.rows()).toEqual(before);
});

test("a device with a thousand waiting commands goes without keeping anybody waiting", async () => {
  bench.levers.connected = false;
  const other = await bench.addDevice("Other");
  fill(bench.deviceId, 1_000);
  const left = () => bench.stores.commands.countPending(bench.deviceId);
  const removed = bench.owner.delete(`/api/v1/devices/${bench.deviceId}`);
  let leftMeanwhile = 0;
  // Somebody else's sale, submitted when the first part is over.
  while (left() === 1_000) await bench.writer.run(() => undefined);
  expect((await send("a", other)).status).toBe(202);
  leftMeanwhile = left();
  expect((await removed).status).toBe(204);
  expect(leftMeanwhile).toBeGreaterThan(0);
  expect(left()).toBe(0);
  expect(bench.stores.commands.get(bench.orgId, `${bench.deviceId}_999`)).toMatchObject({
    status: "failed",
    result: { errorCode: "E903" },
  });
});
