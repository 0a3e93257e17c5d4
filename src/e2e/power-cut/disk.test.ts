/** The disk that power cuts are tried on, by calls that are made up. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededDice } from "#drivers/testing/dice.ts";
import { Disk, type Leftover } from "./disk.ts";
import type { Call, Deed } from "./system-calls.ts";

const ROOT = "/disk";
const FILE = "/disk/file";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-disk-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Calls one after the other, each over before the next one begins. */
function inOrder(...deeds: readonly Deed[]): Call[] {
  return deeds.map((deed, index) => ({ begin: 2 * index, end: 2 * index + 1, deed }));
}

/** What a cut leaves of a file; undefined where it is not there. */
function leftOf(
  calls: readonly Call[],
  leftover: Leftover,
  { at = Number.POSITIVE_INFINITY, name = "file", seed = 1 } = {},
): string | undefined {
  const disk = new Disk(ROOT, calls);
  disk.advance(at);
  const place = join(folder, "left");
  rmSync(place, { recursive: true, force: true });
  disk.writeTo(place, leftover, seededDice(seed));
  const path = join(place, name);
  return existsSync(path) ? readFileSync(path, "latin1") : undefined;
}

const opened = (path: string, how = "O_WRONLY|O_CREAT"): Deed => ({
  kind: "open",
  path,
  fd: 3,
  how,
});
const written = (text: string, offset?: number, path = FILE): Deed => {
  return { kind: "write", path, fd: 3, offset, data: Buffer.from(text, "latin1") };
};
const synced = (path: string): Deed => ({ kind: "sync", path });

describe("a power cut", () => {
  test("leaves what a folder holds that took the place of another one", () => {
    const inOld = "/disk/old/file";
    const inNew = "/disk/new/file";
    const calls = inOrder(
      ...([{ kind: "mkdir", path: "/disk/old" }] as const),
      ...[opened(inOld), written("old", 0, inOld), synced(inOld), synced("/disk/old")],
      ...([{ kind: "mkdir", path: "/disk/new" }] as const),
      ...[
        opened(inNew),
        written("new", 0, inNew),
        synced(inNew),
        synced("/disk/new"),
        synced(ROOT),
      ],
      ...([{ kind: "unlink", path: inOld }] as const),
      ...([{ kind: "rmdir", path: "/disk/old" }] as const),
      ...([{ kind: "rename", from: "/disk/new", to: "/disk/old" }] as const),
      synced(ROOT),
    );
    for (const leftover of ["none", "all"] as const) {
      expect(leftOf(calls, leftover, { name: "old/file" })).toBe("new");
    }
  });

  test("leaves a copy or a link as it leaves what was written", () => {
    const copy = { from: FILE, fromFd: 3, fromOffset: undefined, offset: undefined, length: 3 };
    const calls = inOrder(
      ...[opened(FILE), written("abc"), opened("/disk/copy"), opened(FILE, "O_RDONLY")],
      ...([{ kind: "copy", ...copy, path: "/disk/copy", fd: 4 }] as const),
      ...[synced("/disk/copy"), synced(ROOT)],
      ...([{ kind: "symlink", path: "/disk/link", to: "copy" }] as const),
    );
    expect(leftOf(calls, "none", { name: "copy" })).toBe("abc");
    expect(leftOf(calls, "none", { name: "link" })).toBeUndefined();
    expect(leftOf(calls, "all", { name: "link" })).toBe("abc");
  });

  test("takes what was not synced, name and bytes each by itself", () => {
    const calls = inOrder(opened(FILE), written("abc"), synced(FILE), synced(ROOT), written("def"));
    const left = (at: number) => leftOf(calls, "none", { at });
    expect([left(3), left(5), left(7), left(9)]).toEqual([undefined, undefined, "abc", "abc"]);
    expect(leftOf(calls, "all")).toBe("abcdef");
  });

  test("leaves what was written while a sync was under way to chance", () => {
    const [open, write, , sync] = inOrder(opened(FILE), written("a"), synced(ROOT), synced(FILE));
    if (!open || !write || !sync) throw new Error("too few calls");
    const late: Call = { begin: 7, end: 8, deed: written("b") };
    const names: Call = { begin: 4, end: 5, deed: synced(ROOT) };
    const calls = [open, write, names, { ...sync, begin: 6, end: 9 }, late];
    expect(leftOf(calls, "none", { at: 8 })).toBe("");
    expect(leftOf(calls, "none", { at: 9 })).toBe("a");
  });

  test("leaves a name without its bytes, or the bytes under the name of before", () => {
    const calls = inOrder(
      ...[opened(FILE), written("old"), synced(FILE), synced(ROOT)],
      ...[opened(`${FILE}.new`), written("new", 0, `${FILE}.new`)],
      { kind: "rename", from: `${FILE}.new`, to: FILE },
    );
    expect(leftOf(calls, "new names")).toBe("");
    expect(leftOf(calls, "old names")).toBe("old");
    expect(leftOf(calls, "old names", { name: "file.new" })).toBeUndefined();
    expect(leftOf(calls, "all")).toBe("new");
  });

  test("tears a write at a sector, and leaves holes of zeros", () => {
    const calls = inOrder(opened(FILE), synced(ROOT), written("x".repeat(1_500)));
    expect(leftOf(calls, "torn")).toBe("x".repeat(512));
    const found = new Set<string>();
    for (let seed = 0; seed < 60; seed += 1) {
      const left = leftOf(calls, "some", { seed }) ?? "";
      expect(left).toMatch(/^(?:x{512}|\0{512})*(?:x{476})?$/);
      found.add(left);
    }
    // Three sectors, each there or not: whatever ends with none is shorter.
    expect(found.size).toBe(8);
  });

  test("takes a folder with all that is in it, until its own name is synced", () => {
    const inner = "/disk/folder/file";
    const made: Deed = { kind: "mkdir", path: "/disk/folder" };
    const calls = inOrder(made, opened(inner), synced("/disk/folder"), synced(ROOT));
    expect(leftOf(calls, "none", { at: 5, name: "folder/file" })).toBeUndefined();
    expect(leftOf(calls, "none", { name: "folder/file" })).toBe("");
  });

  test("gives back what was cut off, unless that was synced", () => {
    const cut: Deed = { kind: "truncate", path: FILE, size: 1 };
    const calls = inOrder(opened(FILE), written("abc"), synced(FILE), synced(ROOT), cut);
    expect([leftOf(calls, "none"), leftOf(calls, "all")]).toEqual(["abc", "a"]);
  });
});
