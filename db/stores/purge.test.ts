import { afterEach, beforeEach, expect, test } from "bun:test";
import { type Database, openDatabase } from "../connection.ts";
import { migrate } from "../migrate.ts";
import { HISTORY, seedHistory } from "../testing/seed-history.ts";
import { createStores, type Stores } from "./index.ts";
import { PURGE_ROWS_MAX } from "./purge.ts";

const EXPIRY = 5_000;
const KEYS = 2 * PURGE_ROWS_MAX + 1;

let database: Database;
let stores: Stores;
function begin(commands: number): void {
  database = openDatabase(":memory:");
  migrate(database, 1);
  seedHistory(database, { commands, keys: { count: KEYS, at: EXPIRY } });
  stores = createStores(database);
}
beforeEach(() => begin(100));
afterEach(() => database.close());

const count = (table: string) =>
  Number(database.sqlite.prepare(`SELECT count(*) FROM ${table}`).pluck().get());

test("expired answers go in parts, and only those", () => {
  expect(stores.idempotency.purge(EXPIRY - 1)).toBe(false);
  expect(count("idempotency_keys")).toBe(KEYS);
  const left: number[] = [];
  let hasMore: boolean;
  do {
    hasMore = stores.idempotency.purge(EXPIRY);
    left.push(count("idempotency_keys"));
  } while (hasMore);
  expect(left).toEqual([KEYS - PURGE_ROWS_MAX, 1, 0]);
});

test("expired tokens go in parts before their sessions", () => {
  // The tokens of the history expire at 901 to 1900, its sessions at 1001 to 1200.
  const left: [number, number][] = [];
  let hasMore: boolean;
  do {
    hasMore = stores.users.purgeSessions(1_901);
    left.push([count("refresh_tokens"), count("user_sessions")]);
  } while (hasMore);
  const leftOf = (total: number) =>
    Array.from(
      { length: total / PURGE_ROWS_MAX },
      (_, part) => total - (part + 1) * PURGE_ROWS_MAX,
    );
  expect(left).toEqual([
    ...leftOf(1_000).map((count): [number, number] => [count, 200]),
    ...leftOf(200).map((count): [number, number] => [0, count]),
    // The last part was full: that nothing is left shows with the next.
    [0, 0],
  ]);
});

test("expired codes for passwords go in parts, and only those", () => {
  const total = PURGE_ROWS_MAX + 5;
  for (let index = 1; index <= total; index += 1) {
    const code = { hash: `h${index}`, userId: "usr_1", createdAt: 0, expiresAt: index };
    stores.passwordCodes.insert(code);
  }
  expect(stores.passwordCodes.purge(1)).toBe(false);
  expect(stores.passwordCodes.purge(total)).toBe(true);
  expect(stores.passwordCodes.purge(total)).toBe(false);
  expect(count("password_codes")).toBe(1);
  expect(stores.passwordCodes.find(`h${total}`)?.user.id).toBe("usr_1");
});

test("old events go in parts, oldest first, and only those", () => {
  const total = PURGE_ROWS_MAX + 20;
  for (let index = 1; index <= total; index += 1) {
    const event = { id: `evt_${index}`, orgId: "org_1", type: "device.updated" } as const;
    stores.events.insert({ ...event, subjectId: "dev_1", data: {}, createdAt: index });
  }
  const until = (until: number) => ({ until, now: total });
  expect(stores.events.purge(until(0))).toBe(false);
  expect(stores.events.purge(until(total - 10))).toBe(true);
  expect(count("events")).toBe(20);
  expect(stores.events.purge(until(total - 10))).toBe(false);
  expect(stores.events.listAfter(0, 100).map(({ createdAt }) => createdAt)).toEqual(
    Array.from({ length: 10 }, (_, index) => total - 9 + index),
  );
  expect(stores.events.lastSeq()).toBe(total);
});

test("the newest event stays, so that no later one gets its number", () => {
  const event = { orgId: "org_1", type: "device.updated", subjectId: "dev_1", data: {} } as const;
  for (const id of ["evt_1", "evt_2"]) stores.events.insert({ ...event, id, createdAt: 1 });
  expect(stores.events.purge({ until: 1_000, now: 1_000 })).toBe(false);
  expect(count("events")).toBe(1);
  expect(stores.events.insert({ ...event, id: "evt_3", createdAt: 2 })).toBe(3);
});

test("a session that goes takes its tokens along", () => {
  database.sqlite.exec("UPDATE refresh_tokens SET expires_at = 2000");
  expect(stores.users.purgeSessions(1_031)).toBe(false);
  expect([count("refresh_tokens"), count("user_sessions")]).toEqual([850, 170]);
});

test("old commands go in parts, but for those that are not settled", () => {
  const total = PURGE_ROWS_MAX + HISTORY.unfinished + 60;
  database.close();
  begin(total);
  const [held, asked] = [HISTORY.commandId(7), HISTORY.commandId(8)];
  const printer = { fiscalMemorySerialNumber: null, serialNumber: null, address: null };
  const about = { ...printer, orgId: HISTORY.orgId, deviceId: HISTORY.deviceId(1), raisedAt: 1 };
  stores.outcomeHolds.raise({ ...about, commandId: held });
  const question = { commandId: asked, controllerId: null, epoch: 1, baseline: null };
  stores.openQuestions.raise({ ...about, ...question });
  const until = (seq: number) => ({ until: HISTORY.createdAt(seq), now: HISTORY.createdAt(total) });
  expect(stores.commands.purge({ ...until(0), until: HISTORY.createdAt(0) - 1 })).toBe(false);
  expect(count("commands")).toBe(total);
  const last = PURGE_ROWS_MAX + 31;
  expect(stores.commands.purge(until(last))).toBe(true);
  expect(count("commands")).toBe(total - PURGE_ROWS_MAX);
  expect(stores.commands.purge(until(last))).toBe(false);
  expect(count("commands")).toBe(total - last + 2);
  expect(stores.commands.get(HISTORY.orgId, held)?.id).toBe(held);
  // What is not final stays, however old it is.
  const never = Number.MAX_SAFE_INTEGER;
  while (stores.commands.purge({ until: never, now: never }));
  expect(count("commands")).toBe(HISTORY.unfinished + 2);
  expect(stores.commands.countUnfinished()).toBe(HISTORY.unfinished);
});

test("where the clock is behind all that is stored, a purge looks at some rows at a time", () => {
  const total = 2_500;
  const event = { orgId: "org_1", type: "device.updated", subjectId: "dev_1", data: {} } as const;
  database.sqlite.transaction(() => {
    for (let index = 1; index <= total; index += 1) {
      stores.events.insert({ ...event, id: `evt_${index}`, createdAt: 1_000 });
    }
  })();
  const purge = (now: number) => stores.events.purge({ until: now - 1, now });
  expect([purge(999), purge(999), purge(999), purge(999)]).toEqual([true, true, false, true]);
  // What it has passed over goes once the clock is right, with what is found behind that.
  database.sqlite.exec("UPDATE events SET created_at = 1 WHERE seq > 2400");
  while (purge(999));
  expect(count("events")).toBe(1);
});
