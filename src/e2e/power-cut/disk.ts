/**
 * What is on a disk after a power cut, for a given order of calls.
 *
 * The least that POSIX promises, which no journaling file system falls short of: what a file held
 * when its fsync began is there once that fsync has returned, and names in a folder once an fsync of
 * the folder has. Of everything else any part may be there. Names change in order, as in a journal;
 * sectors of 512 bytes are written as a whole.
 */

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Dice } from "#drivers/testing/dice.ts";
import type { Call, Deed } from "./system-calls.ts";

const SECTOR_BYTES = 512;

/** What is left of what was not synced. */
export const LEFTOVERS = [
  /** Nothing. */
  "none",
  /** Everything: the process was killed and no more. */
  "all",
  /** Any sectors of any file, and names up to some change. */
  "some",
  /** Everything, but of each file's last write the first sectors alone. */
  "torn",
  /** What is in files, under the names of before. */
  "old names",
  /** The names, of files whose bytes never got there. */
  "new names",
] as const;
export type Leftover = (typeof LEFTOVERS)[number];

interface Change {
  readonly begin: number;
  readonly end: number;
}

/** Bytes that were written, or a length that was set. */
type ContentChange = Change &
  ({ readonly offset: number; readonly data: Buffer } | { readonly size: number });

interface Inode {
  durable: Buffer;
  pending: ContentChange[];
  /** Length with all that is pending. */
  size: number;
}

/** A link by name, which no file is behind. */
interface Pointer {
  readonly to: string;
}

/** What a write needs. */
type Written = Pick<Extract<Deed, { kind: "write" }>, "path" | "fd" | "offset" | "data">;

type Entry = Inode | Pointer | "folder";

/** Names that change together. An entry of undefined is a name that goes. */
interface NameChange extends Change {
  readonly entries: readonly (readonly [path: string, entry: Entry | undefined])[];
  /** Folders that went or took the place of others. */
  readonly folders: readonly string[];
}

/** A disk whose root is one folder; what is done elsewhere does not count. */
export class Disk {
  readonly #root: string;
  readonly #left: Call[];
  /** Names as running processes see them. */
  readonly #names: Map<string, Entry>;
  readonly #durableNames: Map<string, Entry>;
  #pendingNames: NameChange[] = [];
  /** Where the next write without an offset goes, by descriptor and path. */
  readonly #offsets = new Map<string, number>();
  /** Syncs that have begun. */
  #syncing: { readonly call: Call; readonly path: string }[] = [];

  /**
   * @param root absolute; it is there and empty at the beginning
   * @param calls in order of their beginning
   */
  constructor(root: string, calls: readonly Call[]) {
    this.#root = root;
    this.#left = calls.filter(({ deed }) => this.#concerns(deed));
    this.#left.reverse();
    this.#names = new Map([[root, "folder"]]);
    this.#durableNames = new Map(this.#names);
  }

  /** Goes on to a position: what has begun by then has been issued. */
  advance(position: number): void {
    for (;;) {
      const next = this.#left.at(-1);
      const begin = next === undefined ? Number.POSITIVE_INFINITY : next.begin;
      this.#endSyncs(Math.min(begin, position));
      if (next === undefined || begin > position) return;
      this.#left.pop();
      this.#take(next);
    }
  }

  /** Writes what a power cut now leaves into a folder, which is made. */
  writeTo(folder: string, leftover: Leftover, dice: Dice): void {
    const names = new Map(this.#durableNames);
    const kept = namesKept(this.#pendingNames.length, leftover, dice);
    for (const { entries } of this.#pendingNames.slice(0, kept)) rename(names, entries);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Folders come before what is in them.
    for (const path of [...names.keys()].sort()) {
      const entry = names.get(path);
      if (entry === undefined || !this.#isReached(names, path)) continue;
      const place = join(folder, relative(this.#root, path));
      if (entry === "folder") mkdirSync(place, { recursive: true, mode: 0o700 });
      else if ("to" in entry) symlinkSync(entry.to, place);
      else writeFileSync(place, contentAfter(entry, leftover, dice), { mode: 0o600 });
    }
  }

  /** A name is there where all the folders above it are. */
  #isReached(names: ReadonlyMap<string, Entry>, path: string): boolean {
    if (path === this.#root) return true;
    const above = dirname(path);
    return names.get(above) === "folder" && this.#isReached(names, above);
  }

  #concerns(deed: Deed): boolean {
    if (deed.kind === "send") return false;
    const paths = "path" in deed ? [deed.path] : [deed.from, deed.to];
    return paths.some((path) => path === this.#root || path.startsWith(`${this.#root}/`));
  }

  #take(call: Call): void {
    const { begin, end, deed } = call;
    switch (deed.kind) {
      case "open":
        this.#open(deed, { begin, end });
        return;
      case "write":
        this.#write(deed, { begin, end });
        return;
      case "copy":
        this.#write({ ...deed, data: this.#taken(deed) }, { begin, end });
        return;
      case "seek":
        this.#offsets.set(`${deed.fd}:${deed.path}`, deed.offset);
        return;
      case "truncate":
        this.#cut(this.#inode(deed.path), { begin, end, size: deed.size });
        return;
      case "sync":
        this.#syncing.push({ call, path: deed.path });
        return;
      case "send":
        return;
      case "other":
        throw new Error(`${deed.name} on ${deed.path} is not followed here`);
      default:
        this.#rename({
          begin,
          end,
          entries: this.#entriesOf(deed),
          folders: this.#foldersOf(deed),
        });
    }
  }

  #write({ path, fd, offset: at, data }: Written, during: Change): void {
    const inode = this.#inode(path);
    const key = `${fd}:${path}`;
    const offset = at ?? this.#offsets.get(key) ?? inode.size;
    const place = Number.isNaN(offset) ? inode.size : offset;
    // Whoever appends goes on doing so.
    const isNext = at === undefined && !Number.isNaN(offset);
    if (isNext) this.#offsets.set(key, place + data.length);
    inode.pending.push({ ...during, offset: place, data });
    inode.size = Math.max(inode.size, place + data.length);
  }

  /** What a copy takes. A file that is not on this disk is as it was then. */
  #taken({ from, fromFd, fromOffset, length }: Extract<Deed, { kind: "copy" }>): Buffer {
    const entry = this.#names.get(from);
    const isHere = entry !== undefined && entry !== "folder" && "pending" in entry;
    const content = isHere
      ? withChanges(entry.durable, entry.pending, () => true)
      : readFileSync(from);
    const key = `${fromFd}:${from}`;
    const offset = fromOffset ?? this.#offsets.get(key) ?? 0;
    if (fromOffset === undefined) this.#offsets.set(key, offset + length);
    return content.subarray(offset, offset + length);
  }

  #open({ path, fd, how }: Extract<Deed, { kind: "open" }>, during: Change): void {
    const isWritten = /O_(WRONLY|RDWR)/.test(how);
    const entry = this.#names.get(path);
    if (entry === undefined && how.includes("O_CREAT")) {
      const inode: Inode = { durable: Buffer.alloc(0), pending: [], size: 0 };
      // Of a file that had the name before; a descriptor that was duplicated is not seen opening.
      for (const key of this.#offsets.keys())
        if (key.endsWith(`:${path}`)) this.#offsets.delete(key);
      this.#rename({ ...during, entries: [[path, inode]], folders: [] });
    }
    if (!isWritten) {
      this.#offsets.set(`${fd}:${path}`, 0);
      return;
    }
    const inode = this.#inode(path);
    if (how.includes("O_TRUNC")) this.#cut(inode, { ...during, size: 0 });
    // Appending is what a write without a known offset does.
    if (how.includes("O_APPEND")) this.#offsets.set(`${fd}:${path}`, Number.NaN);
    else this.#offsets.set(`${fd}:${path}`, 0);
  }

  #cut(inode: Inode, change: ContentChange & { readonly size: number }): void {
    inode.pending.push(change);
    inode.size = change.size;
  }

  #entriesOf(deed: Deed): NameChange["entries"] {
    switch (deed.kind) {
      case "mkdir":
        return [[deed.path, "folder"]];
      case "symlink":
        return [[deed.path, { to: deed.to }]];
      case "unlink":
      case "rmdir":
        return [[deed.path, undefined]];
      case "link":
        return [[deed.to, this.#inode(deed.from)]];
      case "rename": {
        // A folder takes along what is in it.
        const moved = [...this.#names].filter(
          ([path]) => path === deed.from || path.startsWith(`${deed.from}/`),
        );
        const gone = moved.map(([path]) => [path, undefined] as const);
        return [
          ...gone,
          ...moved.map(([path, entry]) => [deed.to + path.slice(deed.from.length), entry] as const),
        ];
      }
      default:
        return [];
    }
  }

  #foldersOf(deed: Deed): NameChange["folders"] {
    if (deed.kind === "rmdir") return [deed.path];
    if (deed.kind !== "rename" || this.#names.get(deed.from) !== "folder") return [];
    return [deed.from, deed.to];
  }

  #rename(change: NameChange): void {
    rename(this.#names, change.entries);
    this.#pendingNames.push(change);
  }

  /** @throws Error when it is not known, or a folder */
  #inode(path: string): Inode {
    const entry = this.#names.get(path);
    if (entry === undefined || entry === "folder" || "to" in entry) {
      throw new Error(`${path} is no file here`);
    }
    return entry;
  }

  #endSyncs(position: number): void {
    const ended = this.#syncing.filter(({ call }) => call.end <= position);
    if (ended.length === 0) return;
    this.#syncing = this.#syncing.filter(({ call }) => call.end > position);
    for (const { call, path } of ended) {
      const entry = this.#names.get(path);
      if (entry === "folder") this.#syncNames(path, call.begin);
      else if (entry !== undefined && !("to" in entry)) syncContent(entry, call.begin);
    }
  }

  #syncNames(folder: string, before: number): void {
    const isSynced = ({ end, entries }: NameChange): boolean =>
      end < before && entries.some(([path]) => dirname(path) === folder);
    const reached = this.#pendingNames.filter(
      (change) => change.folders.length > 0 && isSynced(change),
    );
    // What was done below a name before that went or was taken by another folder is done with it.
    const isDone = (change: NameChange): boolean =>
      isSynced(change) || reached.some((later) => isBelow(change, later));
    const synced = this.#pendingNames.filter(isDone);
    this.#pendingNames = this.#pendingNames.filter((change) => !isDone(change));
    for (const { entries } of synced) rename(this.#durableNames, entries);
  }
}

function rename(names: Map<string, Entry>, entries: NameChange["entries"]): void {
  for (const [path, entry] of entries) {
    if (entry === undefined) names.delete(path);
    else names.set(path, entry);
  }
}

function isBelow({ end, entries }: NameChange, later: NameChange): boolean {
  if (end >= later.begin) return false;
  return entries.every(([path]) => later.folders.some((above) => path.startsWith(`${above}/`)));
}

function namesKept(count: number, leftover: Leftover, dice: Dice): number {
  switch (leftover) {
    case "none":
    case "old names":
      return 0;
    case "some":
      return dice(count + 1);
    default:
      return count;
  }
}

function syncContent(inode: Inode, before: number): void {
  const synced = inode.pending.filter(({ end }) => end < before);
  if (synced.length === 0) return;
  inode.durable = withChanges(inode.durable, synced, () => true);
  inode.pending = inode.pending.filter(({ end }) => end >= before);
}

function contentAfter({ durable, pending }: Inode, leftover: Leftover, dice: Dice): Buffer {
  switch (leftover) {
    case "none":
    case "new names":
      return durable;
    case "all":
    case "old names":
      return withChanges(durable, pending, () => true);
    case "torn": {
      const last = pending.at(-1);
      return withChanges(durable, pending, (change, at, of) => change !== last || at < of >> 1);
    }
    case "some":
      return withChanges(durable, pending, () => dice(2) === 0);
    default:
      return leftover satisfies never;
  }
}

/** Asked of each sector that a change touches, which it is of how many; once of a length. */
type IsThere = (change: ContentChange, at: number, of: number) => boolean;

/** A file after changes, a new buffer. What it gains without being written is zeros. */
function withChanges(content: Buffer, changes: readonly ContentChange[], isThere: IsThere): Buffer {
  const ends = changes.map((change) =>
    "size" in change ? change.size : change.offset + change.data.length,
  );
  const result = Buffer.alloc(Math.max(content.length, ...ends));
  content.copy(result);
  let size = content.length;
  for (const change of changes) {
    if ("data" in change) {
      size = Math.max(
        size,
        writeSectors(result, change, (at, of) => isThere(change, at, of)),
      );
    } else if (isThere(change, 0, 1)) {
      result.fill(0, Math.min(size, change.size));
      size = change.size;
    }
  }
  return result.subarray(0, size);
}

/** @returns where the last sector ends that was written; 0 when none was */
function writeSectors(
  file: Buffer,
  { offset, data }: { readonly offset: number; readonly data: Buffer },
  isThere: (at: number, of: number) => boolean,
): number {
  const first = Math.floor(offset / SECTOR_BYTES);
  const count = Math.ceil((offset + data.length) / SECTOR_BYTES) - first;
  let writtenTo = 0;
  for (let at = 0; at < count; at += 1) {
    if (!isThere(at, count)) continue;
    const from = Math.max(offset, (first + at) * SECTOR_BYTES);
    writtenTo = Math.min(offset + data.length, (first + at + 1) * SECTOR_BYTES);
    data.copy(file, from, from - offset, writtenTo - offset);
  }
  return writtenTo;
}
