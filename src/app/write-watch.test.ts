import { afterEach, beforeEach, expect, test } from "bun:test";
import { type Database, openDatabase } from "#db/connection.ts";
import { migrate } from "#db/migrate.ts";
import { createStores, type Stores } from "#db/stores/index.ts";
import { Writer } from "#db/writer.ts";
import { FakeClock } from "../platform/clock.ts";
import { rejection } from "../platform/testing/rejection.ts";
import { WriteWatch } from "./write-watch.ts";

let database: Database;
let stores: Stores;
let clock: FakeClock;
let writer: Writer;
let watch: WriteWatch;
let tries: number;

beforeEach(() => {
  database = openDatabase(":memory:");
  migrate(database, 1);
  stores = createStores(database);
  clock = new FakeClock();
  tries = 0;
  writer = new Writer(database, { onFailure: (error) => watch.failed(error) });
  watch = new WriteWatch({
    ...{ stores, clock, stateDir: "/state" },
    write: (operation) => {
      tries += 1;
      return writer.run(operation);
    },
  });
});
afterEach(() => database.close());

const fillDisk = () => {
  const pages = database.sqlite.pragma("page_count", { simple: true });
  database.sqlite.pragma(`max_page_count = ${Number(pages)}`);
};
const freeDisk = () => database.sqlite.pragma("max_page_count = 1000000");
/** As a receipt with many lines does. */
const submit = () =>
  writer.run(() => stores.appliance.put(`value ${clock.now()}`, "x".repeat(65_536)));
const settle = () => submit().catch(() => undefined);
/** What is told, once a try that it may have begun has ended. */
async function told(): Promise<string | undefined> {
  const problem = watch.problem();
  await clock.advanceAsync(0);
  await writer.run(() => undefined);
  await writer.run(() => undefined);
  return problem?.text;
}

test("nothing is tried while nothing failed, nor for what is not the disk's fault", async () => {
  await submit();
  const faulty = writer.run(() => {
    throw Object.assign(new Error("UNIQUE"), { code: "SQLITE_CONSTRAINT_UNIQUE" });
  });
  expect((await rejection(faulty)).message).toContain("UNIQUE");
  watch.failed(Object.assign(new Error("lost"), { code: "SQLITE_IOERR_VNODE" }));
  clock.advance(10_000);
  expect([await told(), tries]).toEqual([undefined, 0]);
});

test("a full disk is told until a write of its own went through, tried once a second", async () => {
  fillDisk();
  expect(await rejection(submit())).toMatchObject({ code: "SQLITE_FULL" });
  expect(await told()).toContain("make room on the disk of /state");
  clock.advance(999);
  await told();
  expect(tries).toBe(0);
  for (const expected of [1, 2, 3]) {
    clock.advance(expected === 1 ? 1 : 1_000);
    expect([await told(), await told(), tries]).toEqual([
      expect.stringContaining("full"),
      expect.stringContaining("full"),
      expected,
    ]);
  }
  freeDisk();
  // Nobody asks: nothing is tried. Other writes that go through say nothing.
  clock.advance(60_000);
  await submit();
  expect(tries).toBe(3);
  expect(await told()).toContain("full");
  expect(await told()).toBeUndefined();
  // The try leaves nothing behind that takes room.
  expect([stores.appliance.find("write.trial"), tries]).toEqual(["", 5]);
});

test("a refusal that comes while it tries counts", async () => {
  fillDisk();
  await settle();
  freeDisk();
  clock.advance(1_000);
  watch.problem();
  watch.failed(Object.assign(new Error("disk I/O error"), { code: "SQLITE_IOERR_WRITE" }));
  await told();
  expect(await told()).toContain("disk I/O error");
  clock.advance(1_000);
  await told();
  expect(await told()).toBeUndefined();
});
