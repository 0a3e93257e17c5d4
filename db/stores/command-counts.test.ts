/** How many commands wait is kept in memory, and true whoever changes it. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rejection } from "#src/platform/testing/rejection.ts";
import { type Database, openDatabase } from "../connection.ts";
import { migrate } from "../migrate.ts";
import { Writer } from "../writer.ts";
import type { NewCommand } from "./commands.ts";
import { createStores, type Stores } from "./index.ts";

const WAITING = {
  ...{ orgId: "org", type: "x_report", payload: {}, status: "pending", source: "api" },
  ...{
    apiKeyId: null,
    currency: null,
    locationId: null,
    requestedBy: null,
    idempotencyKey: null,
    controllerId: null,
    epoch: 0,
    formerControllers: [],
    sentTo: null,
  },
  ...{ createdAt: 1, updatedAt: 1, sentAt: null, processingAt: null, finishedAt: null },
  ...{ acceptedOrder: null, sentOrder: null, finishedOrder: null },
  ...{ expiresAt: 180_000, mark: null, baseline: null, result: null, simulated: false },
} as const satisfies Partial<NewCommand>;
const ENDED = { status: "failed", result: { success: false }, now: 2 } as const;

let folder: string;
let database: Database;
let stores: Stores;
let writer: Writer;

function open(): { database: Database; stores: Stores; writer: Writer } {
  const opened = openDatabase(join(folder, "a.db"));
  migrate(opened, 1);
  return { database: opened, stores: createStores(opened), writer: new Writer(opened) };
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-counts-"));
  ({ database, stores, writer } = open());
  stores.organizations.insert({
    ...{ id: "org", name: "Shop", currency: "RON", timezone: "UTC", plan: "free" },
    ...{ createdAt: 1, updatedAt: 1 },
  });
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

const insert = (id: string, deviceId: string) =>
  stores.commands.insert({ ...WAITING, id, deviceId });
/** Of one device, of the other, and of all that are not final. */
const counts = () => [
  stores.commands.countPending("dev_1"),
  stores.commands.countPending("dev_2"),
  stores.commands.countUnfinished(),
];

test("each change of a command counts at once", () => {
  expect(counts()).toEqual([0, 0, 0]);
  insert("a", "dev_1");
  insert("b", "dev_1");
  insert("c", "dev_2");
  expect(counts()).toEqual([2, 1, 3]);
  stores.commands.markSent("a", "c1", 1);
  expect(counts()).toEqual([1, 1, 3]);
  // Handed over twice, or marked, it is out as before.
  stores.commands.handOver("a", "c2");
  stores.commands.setMark("a", { mark: "baseline", baseline: undefined, now: 1 });
  expect(counts()).toEqual([1, 1, 3]);
  stores.commands.finish("a", ENDED);
  stores.commands.finish("c", ENDED);
  expect(counts()).toEqual([1, 0, 1]);
  // What is final ends only once.
  stores.commands.finish("a", ENDED);
  expect(counts()).toEqual([1, 0, 1]);
});

test("a change that was undone does not count", async () => {
  insert("a", "dev_1");
  expect(counts()).toEqual([1, 0, 1]);
  const undone = writer.run(() => {
    insert("b", "dev_1");
    stores.commands.finish("a", ENDED);
    expect(counts()).toEqual([1, 0, 1]);
    insert("c", "dev_2");
    throw new Error("undone");
  });
  expect((await rejection(undone)).message).toContain("undone");
  expect(counts()).toEqual([1, 0, 1]);
});

test("a change of another process counts, also just before one of ours", async () => {
  insert("a", "dev_1");
  expect(counts()).toEqual([1, 0, 1]);
  const other = open();
  other.stores.commands.finish("a", ENDED);
  await writer.run(() => {
    insert("b", "dev_2");
    expect(counts()).toEqual([0, 1, 1]);
  });
  other.database.close();
});

test("one that begins anew, behind what was put back, has begun then", () => {
  insert("a", "dev_1");
  stores.commands.markSent("a", "c1", 1);
  stores.commands.markProcessing("a", 2);
  stores.commands.putBack("a", 3);
  stores.commands.markSent("a", "c1", 4);
  const begun = stores.commands.setMark("a", { mark: "baseline", baseline: undefined, now: 5 });
  const stored = database.sqlite.prepare("SELECT processing_at FROM commands").get();
  expect([begun?.processingAt, stored]).toEqual([5, { processing_at: 5 }]);
});
