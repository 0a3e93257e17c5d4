import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LockRemoved, lockStateDirectory, requireUnlocked, StateLocked } from "./lock.ts";

const HOLDER = `
  import { lockStateDirectory } from ${JSON.stringify(join(import.meta.dir, "lock.ts"))};
  lockStateDirectory(process.argv[1]);
  // A handle that only the lock keeps alive must survive a collection.
  Bun.gc(true);
  process.stdout.write("held");
  setInterval(() => {}, 60_000);
`;

let directory: string;
beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), "fiscald-lock-")), "state");
});
afterEach(() => {
  rmSync(join(directory, ".."), { recursive: true, force: true });
});

/** A child process that holds the lock. */
async function startHolder() {
  const child = Bun.spawn([process.execPath, "-e", HOLDER, directory], { stdout: "pipe" });
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  expect(Buffer.from(value ?? []).toString()).toBe("held");
  return child;
}

function lockError(): unknown {
  try {
    lockStateDirectory(directory).release();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe("the lock of a state directory", () => {
  test("makes the directory for its owner alone", () => {
    const lock = lockStateDirectory(directory);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    lock.release();
  });

  test("is had on a file that holds junk, unless somebody has it", async () => {
    lockStateDirectory(directory).release();
    const file = join(directory, "fiscald.lock");
    writeFileSync(file, "junk".repeat(2_000));
    requireUnlocked(directory);
    const holder = await startHolder();
    try {
      expect(lockError()).toBeInstanceOf(StateLocked);
      writeFileSync(file, "junk".repeat(2_000));
      expect(lockError()).toBeInstanceOf(StateLocked);
      expect(() => requireUnlocked(directory)).toThrow(StateLocked);
    } finally {
      holder.kill("SIGKILL");
      await holder.exited;
    }
    expect(lockError()).toBeUndefined();
  });

  test("can be asked for, which neither makes nor takes anything", async () => {
    requireUnlocked(directory);
    expect(existsSync(directory)).toBe(false);
    const holder = await startHolder();
    try {
      expect(() => requireUnlocked(directory)).toThrow(`process ${holder.pid}`);
    } finally {
      holder.kill("SIGKILL");
      await holder.exited;
    }
    requireUnlocked(directory);
    lockStateDirectory(directory).release();
  });

  test("refuses a second process, naming the first", async () => {
    const holder = await startHolder();
    try {
      const error = lockError();
      expect(error).toBeInstanceOf(StateLocked);
      expect(String(error)).toContain(`process ${holder.pid}`);
    } finally {
      holder.kill("SIGKILL");
      await holder.exited;
    }
  });

  test("is free again once its holder was killed, whatever the id file says", async () => {
    const holder = await startHolder();
    holder.kill("SIGKILL");
    await holder.exited;
    // The worst case of a reused id: the file names a process that is very much alive.
    writeFileSync(join(directory, "fiscald.pid"), `${process.pid}\n`);
    expect(lockError()).toBeUndefined();
  });

  test("is free again after release, which may be called twice", () => {
    const lock = lockStateDirectory(directory);
    expect(lockError()).toBeInstanceOf(StateLocked);
    lock.release();
    expect(existsSync(join(directory, "fiscald.pid"))).toBe(false);
    const next = lockStateDirectory(directory);
    lock.release();
    expect(lockError()).toBeInstanceOf(StateLocked);
    next.release();
  });

  test("tells when its file was removed, and leaves what is the next holder's alone", () => {
    const lock = lockStateDirectory(directory);
    expect(lock.look()).toBeUndefined();
    rmSync(join(directory, "fiscald.lock"));
    expect(lock.look()).toBeInstanceOf(LockRemoved);
    const next = lockStateDirectory(directory, 4711);
    expect(String(lock.look())).toContain("fiscald.lock was removed");
    lock.release();
    expect(readFileSync(join(directory, "fiscald.pid"), "utf8")).toBe("4711\n");
    expect(next.look()).toBeUndefined();
    next.release();
    expect(existsSync(join(directory, "fiscald.pid"))).toBe(false);
  });

  test("says so in the words that tell an upgrade on its way back that nothing was looked at", () => {
    const looked = readFileSync(join(import.meta.dir, "../../systemd/steps.sh"), "utf8");
    const [, words = ""] = /\*"([a-z ]+ by)"\*/.exec(looked) ?? [];
    expect(words).not.toBe("");
    for (const pid of [4711, undefined]) {
      expect(new StateLocked(directory, pid).message).toContain(words);
    }
  });

  test("does not name a holder it cannot know", () => {
    const lock = lockStateDirectory(directory);
    writeFileSync(join(directory, "fiscald.pid"), "garbage");
    expect(String(lockError())).toContain("in use by another process");
    lock.release();
  });

  test("tells when the directory is a file", () => {
    writeFileSync(directory, "");
    const error = lockError();
    expect(error).toBeDefined();
    expect(error).not.toBeInstanceOf(StateLocked);
  });
});
