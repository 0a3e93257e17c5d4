import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rejection } from "#src/platform/testing/rejection.ts";
import { type Database, openDatabase } from "./connection.ts";
import { FileGuard, type LossKind } from "./file-guard.ts";
import { Writer } from "./writer.ts";

let folder: string;
let file: string;
let database: Database;
let guard: FileGuard;
let told: LossKind[];
let failures: unknown[];

/** Commits of a row so large that a checkpoint comes every few hundred. */
function commit(count: number): void {
  const insert = database.sqlite.prepare("INSERT INTO entries VALUES (hex(randomblob(8000)))");
  for (let done = 0; done < count; done++) insert.run();
}

function open(): void {
  database = openDatabase(file);
  database.sqlite.exec("CREATE TABLE IF NOT EXISTS entries (text TEXT)");
  // What a test does in a moment must not wait for the disk.
  database.sqlite.pragma("synchronous = OFF");
  told = [];
  failures = [];
  guard = new FileGuard(file, database, {
    lost: ({ kind }) => told.push(kind),
    failed: (error) => failures.push(error),
  });
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-guard-"));
  file = join(folder, "guarded.db");
  open();
});
afterEach(() => {
  database.close();
  guard.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Writes the file's own bytes over it, until nothing but the time of its change differs. */
function rewrite(): void {
  const { mtimeMs } = statSync(file);
  // The disk's clock goes in ticks: a checkpoint may have fallen into this one.
  do writeFileSync(file, readFileSync(file), { flag: "r+" });
  while (statSync(file).mtimeMs === mtimeMs);
}

describe("the guard of the database's files", () => {
  test("lets every commit and checkpoint of the gateway itself pass", () => {
    for (let round = 0; round < 1_500; round++) {
      commit(1);
      expect(guard.look()).toBeUndefined();
    }
    // Only checkpoints have written there.
    expect(readFileSync(file).length).toBeGreaterThan(1_000_000);
  });

  test.each([
    ["before the first checkpoint", 1],
    ["after checkpoints, with a log that has begun anew", 700],
  ])("finds that others wrote to the database %s", (_, commits) => {
    commit(commits);
    expect(guard.look()).toBeUndefined();
    rewrite();
    expect(guard.look()?.kind).toBe("damaged");
  });

  test("finds it on a log that a crash left behind too", () => {
    commit(20);
    const copy = join(folder, "copy.db");
    for (const part of ["", "-wal", "-shm"]) copyFileSync(`${file}${part}`, `${copy}${part}`);
    database.close();
    guard.close();
    file = copy;
    open();
    expect(guard.look()).toBeUndefined();
    truncateSync(file, 4_096);
    expect(guard.look()?.kind).toBe("damaged");
  });

  test("tells once, and keeps to what it found", () => {
    rmSync(file);
    expect(guard.look()?.kind).toBe("removed");
    writeFileSync(file, "");
    expect(guard.look()?.kind).toBe("removed");
    expect(told).toEqual(["removed"]);
  });

  test("has the writer ask others' changes once it holds the lock, before any operation", async () => {
    // The other one comes after the look at the files, and before the transaction.
    const other = openDatabase(file);
    const late = {
      get lost() {
        return guard.lost;
      },
      look() {
        const found = guard.look();
        other.sqlite.exec("DELETE FROM entries");
        return found;
      },
    };
    commit(1);
    guard.look();
    database.others.onChange(() => guard.lose("put_back"));
    const writer = new Writer(database, { guard: late });
    let hasRun = false;
    const operation = () => {
      hasRun = true;
    };
    const refused = [writer.run(operation), writer.run(operation)];
    for (const one of await Promise.allSettled(refused)) {
      expect(one).toMatchObject({ status: "rejected", reason: { kind: "put_back" } });
    }
    expect([hasRun, database.sqlite.inTransaction, told]).toEqual([false, false, ["put_back"]]);
    expect(await rejection(writer.run(operation))).toMatchObject({ kind: "put_back" });
    other.close();
  });

  test("tells where it cannot be read what others wrote, and asks again", async () => {
    const writer = new Writer(database, { guard });
    const fault = new Error("disk I/O error");
    let asked = 0;
    database.others.onChange(() => {
      asked += 1;
      if (asked < 4) throw fault;
    });
    const other = openDatabase(file);
    other.sqlite.exec("INSERT INTO entries VALUES ('of another process')");
    other.close();
    // By a timer: nobody would catch it there.
    expect([guard.look(), failures]).toEqual([undefined, [fault]]);
    // Nothing is written on what could not be read.
    expect(await writer.run(() => commit(1)).catch((error: unknown) => error)).toBe(fault);
    expect([guard.look(), asked]).toEqual([undefined, 4]);
    await writer.run(() => commit(1));
    expect(told).toEqual([]);
  });

  test("tells once of what others wrote and cannot be read, until that changes", () => {
    let fault: Error | undefined = new Error("disk I/O error");
    database.others.onChange(() => {
      if (fault) throw fault;
    });
    const write = (): void => {
      const other = openDatabase(file);
      other.sqlite.exec("INSERT INTO entries VALUES ('of another process')");
      other.close();
    };
    const look = (): number => {
      for (let count = 0; count < 3; count += 1) guard.look();
      return failures.length;
    };
    write();
    expect(look()).toBe(1);
    fault = new Error("database disk image is malformed");
    expect(look()).toBe(2);
    fault = undefined;
    expect(look()).toBe(2);
    fault = new Error("database disk image is malformed");
    write();
    expect(look()).toBe(3);
  });

  test("asks for others' changes after a commit alone", () => {
    const look = spyOn(database.others, "look");
    guard.look();
    look.mockClear();
    for (let count = 0; count < 3; count += 1) guard.look();
    expect(look).not.toHaveBeenCalled();
    commit(1);
    guard.look();
    guard.look();
    expect(look).toHaveBeenCalledTimes(1);
    look.mockRestore();
  });

  test.each([
    ["nothing", 0],
    ["half of it", 0.5],
  ])("knows a log that was cut to %s right before a commit", async (_, share) => {
    const writer = new Writer(database, { guard });
    commit(1);
    guard.look();
    const written = writer.run(() => {
      const log = `${file}-wal`;
      truncateSync(log, Math.floor(statSync(log).size * share));
      commit(2);
    });
    expect(await rejection(written)).toMatchObject({ kind: "damaged" });
    expect(told).toEqual(["damaged"]);
  });

  test("has the writer refuse what was committed to a file that was gone by then", async () => {
    const writer = new Writer(database, { guard });
    let hasFollowed = false;
    const written = writer.run((tx) => {
      commit(1);
      rmSync(file);
      tx.after(() => {
        hasFollowed = true;
      });
    });
    expect(await rejection(written)).toMatchObject({ kind: "removed", code: "SQLITE_IOERR_VNODE" });
    expect(await rejection(writer.run(() => commit(1)))).toMatchObject({ kind: "removed" });
    expect(hasFollowed).toBe(false);
    const count = database.sqlite.prepare("SELECT count(*) FROM entries").pluck();
    expect(count.get()).toBe(1);
  });
});
