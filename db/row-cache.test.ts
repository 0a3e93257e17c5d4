import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rejection } from "#src/platform/testing/rejection.ts";
import { type Database, openDatabase } from "./connection.ts";
import { migrate } from "./migrate.ts";
import { createStores, type Stores } from "./stores/index.ts";
import { Writer } from "./writer.ts";

const KEY = {
  ...{ id: "key_1", orgId: "org", hash: "a".repeat(64), prefix: "svc", last4: "0000" },
  ...{ label: "Till", active: true, createdAt: 1, lastUsed: null, expiresAt: null },
};
const ORGANIZATION = {
  ...{ id: "org", name: "Shop", currency: "RON", timezone: "UTC" },
  ...{ createdAt: 1, updatedAt: 1 },
};

let folder: string;
let database: Database;
let stores: Stores;

function open(): { database: Database; stores: Stores } {
  const opened = openDatabase(join(folder, "a.db"));
  migrate(opened, 1);
  return { database: opened, stores: createStores(opened) };
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-rows-"));
  ({ database, stores } = open());
  stores.organizations.insert({ ...ORGANIZATION, plan: "free" });
  stores.apiKeys.insert({ ...KEY, scopes: ["all"], rotatedFromId: null, rotatedToId: null });
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

const isActive = () => stores.apiKeys.findByHash("org", KEY.hash)?.active;
const plan = () => stores.organizations.get("org")?.plan;

test("a row that is known is not read again", () => {
  expect(isActive()).toBe(true);
  const before = stores.apiKeys.findByHash("org", KEY.hash);
  expect(stores.apiKeys.findByHash("org", KEY.hash)).toBe(before);
});

test("a change of this process counts at once", () => {
  expect([isActive(), plan()]).toEqual([true, "free"]);
  stores.apiKeys.update("org", KEY.id, { active: false });
  stores.organizations.setPlan("org", "pro", 2);
  expect([isActive(), plan()]).toEqual([false, "pro"]);
  stores.apiKeys.remove("org", KEY.id);
  expect(isActive()).toBeUndefined();
});

test("a change of another process counts for whatever comes after it", async () => {
  expect(isActive()).toBe(true);
  const other = open();
  other.stores.apiKeys.update("org", KEY.id, { active: false });
  await Promise.resolve();
  expect(isActive()).toBe(false);
  other.database.close();
});

test("what runs without a break looks once for changes of others, and again when it goes on", async () => {
  const look = spyOn(database.others, "look");
  expect([isActive(), plan(), isActive()]).toEqual([true, "free", true]);
  expect(look).toHaveBeenCalledTimes(1);
  await Promise.resolve();
  expect([isActive(), plan()]).toEqual([true, "free"]);
  expect(look).toHaveBeenCalledTimes(2);
});

test("what was read of a change that was undone is forgotten", async () => {
  const writer = new Writer(database);
  expect(plan()).toBe("free");
  const undone = writer.run(() => {
    stores.organizations.setPlan("org", "enterprise", 2);
    expect(plan()).toBe("enterprise");
    throw new Error("undone");
  });
  expect((await rejection(undone)).message).toContain("undone");
  expect(plan()).toBe("free");
});

test("no more than a thousand rows are kept", () => {
  const read = spyOn({ row: (id: string) => ({ id }) }, "row");
  const cache = database.rows.over((id: string) => read(id));
  for (let index = 0; index <= 1_000; index += 1) cache.get(`id ${index}`);
  // The last one found no room, and the rest made way for it.
  cache.get("id 1000");
  expect(read).toHaveBeenCalledTimes(1_001);
  cache.get("id 0");
  expect(read).toHaveBeenCalledTimes(1_002);
});

test("rows that weigh too much make way", () => {
  const read = spyOn({ row: (id: string) => ({ id, weight: Number(id) }) }, "row");
  const bounds = { rowsMax: 10, weightMax: 100, weigh: (row: { weight: number }) => row.weight };
  const cache = database.rows.over((id: string) => read(id), bounds);
  for (const id of ["40", "50", "40", "50"]) cache.get(id);
  expect(read).toHaveBeenCalledTimes(2);
  cache.get("11");
  cache.get("11");
  expect(read).toHaveBeenCalledTimes(3);
  cache.get("40");
  expect(read).toHaveBeenCalledTimes(4);
  // One that alone is too heavy is not kept at all.
  for (const id of ["101", "101"]) cache.get(id);
  expect(read).toHaveBeenCalledTimes(6);
});

test("a transaction sees what others changed before it, and so does what follows it", async () => {
  const writer = new Writer(database);
  expect(await writer.run(() => isActive())).toBe(true);
  const other = open();
  let told = 0;
  database.others.onChange(() => {
    told += 1;
  });
  other.stores.apiKeys.update("org", KEY.id, { active: false });
  expect(await writer.run(() => [isActive(), plan(), told])).toEqual([false, "free", 1]);
  const undone = writer.run(() => {
    throw new Error("undone");
  });
  expect((await rejection(undone)).message).toContain("undone");
  other.stores.apiKeys.update("org", KEY.id, { active: true });
  expect([isActive(), told]).toEqual([true, 2]);
  other.database.close();
});
