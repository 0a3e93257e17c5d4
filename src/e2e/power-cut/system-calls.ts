/**
 * What a run of processes did to its files and said on its sockets, in order, as strace tells it.
 *
 * strace sees what reaches the kernel, whoever calls it: SQLite in a native module, the runtime's own
 * calls, which go past the C library, and child processes. A library put before the C library would
 * miss the second, and a file system of our own would need a kernel's help that a container lacks.
 */

import { closeSync, openSync, readSync } from "node:fs";
import { join, resolve } from "node:path";

/** What is asked of strace, whose output `readCalls` takes. */
export function straceWords(output: string): string[] {
  return [
    ...["strace", "--follow-forks", "--seccomp-bpf", "--decode-fds=all", "--strings-in-hex=all"],
    ...["--signal=none", "--quiet=all", `--string-limit=${DATA_BYTES_MAX}`],
    ...[`--trace=${TRACED.join(",")}`, `--output=${output}`],
  ];
}

/** Longer writes are of the reserve alone, of which nobody reads what is in it. */
const DATA_BYTES_MAX = 262_144;

const TRACED = [
  ...["open", "openat", "creat", "write", "pwrite64", "writev", "pwritev", "lseek"],
  ...["ftruncate", "truncate", "fallocate", "copy_file_range", "sendfile"],
  ...["rename", "renameat", "renameat2", "unlink", "unlinkat", "rmdir", "mkdir", "mkdirat"],
  ...["link", "linkat", "symlink", "symlinkat", "fsync", "fdatasync", "sendto", "sendmsg", "chdir"],
];

/** What one call did. Paths are absolute; sizes and offsets in bytes. */
export type Deed =
  | { readonly kind: "open"; readonly path: string; readonly fd: number; readonly how: string }
  | {
      readonly kind: "write";
      readonly path: string;
      readonly fd: number;
      /** Undefined where it goes on from the last one. */
      readonly offset: number | undefined;
      readonly data: Buffer;
    }
  | { readonly kind: "seek"; readonly path: string; readonly fd: number; readonly offset: number }
  | { readonly kind: "truncate"; readonly path: string; readonly size: number }
  | { readonly kind: "rename" | "link"; readonly from: string; readonly to: string }
  | { readonly kind: "unlink" | "rmdir" | "mkdir" | "sync"; readonly path: string }
  /** @property to what it leads to, as it was written */
  | { readonly kind: "symlink"; readonly path: string; readonly to: string }
  /** Bytes that the kernel took from another file. */
  | {
      readonly kind: "copy";
      readonly from: string;
      readonly fromFd: number;
      /** Undefined where it goes on from the last one, as the other offset. */
      readonly fromOffset: number | undefined;
      readonly path: string;
      readonly fd: number;
      readonly offset: number | undefined;
      readonly length: number;
    }
  /** What fills a file in another way. */
  | { readonly kind: "other"; readonly path: string; readonly name: string }
  /** @property port of the other side */
  | { readonly kind: "send"; readonly port: number; readonly data: Buffer };

/** A call that succeeded. Positions are lines of strace's output: what it saw first comes first. */
export interface Call {
  /** From here on it may have done something. */
  readonly begin: number;
  /** From here on it has. */
  readonly end: number;
  readonly deed: Deed;
}

interface Line {
  readonly thread: string;
  readonly begin: number;
  readonly end: number;
  readonly text: string;
}

/** Reads strace's output. */
export function readCalls(file: string): Call[] {
  const calls: Call[] = [];
  // As each thread was last seen in it.
  const folders = new Map<string, string>();
  for (const { thread, begin, end, text } of wholeCalls(file)) {
    const folder = WORKING_FOLDER.exec(text)?.[1];
    // A program that makes folders below each other goes into each.
    if (folder !== undefined)
      folders.set(thread, resolve(folders.get(thread) ?? "", decode(folder)));
    const deed = readDeed(text, folders.get(thread) ?? "");
    if (deed !== undefined) calls.push({ begin, end, deed });
  }
  return calls.sort((left, right) => left.begin - right.begin);
}

const WORKING_FOLDER = /^(?:\w+\(AT_FDCWD<|chdir\(")((?:\\x[0-9a-f]{2})+)/;
const UNFINISHED = " <unfinished ...>";
const RESUMED = /^<\.\.\. \w+ resumed>/;

/** Lines, those of a call that another thread's came between put together. */
function* wholeCalls(file: string): Generator<Line> {
  const begun = new Map<string, { begin: number; head: string }>();
  let at = 0;
  for (const line of linesOf(file)) {
    at += 1;
    const gap = line.indexOf(" ");
    const thread = line.slice(0, gap);
    const text = line.slice(gap).trimStart();
    if (text.endsWith(UNFINISHED)) {
      begun.set(thread, { begin: at, head: text.slice(0, -UNFINISHED.length) });
      continue;
    }
    const resumed = RESUMED.exec(text);
    if (resumed === null) {
      yield { thread, begin: at, end: at, text };
      continue;
    }
    const { begin, head } = begun.get(thread) ?? { begin: at, head: "" };
    begun.delete(thread);
    yield { thread, begin, end: at, text: head + text.slice(resumed[0].length) };
  }
}

const CHUNK_BYTES = 4 * 1_048_576;

function* linesOf(file: string): Generator<string> {
  const descriptor = openSync(file, "r");
  try {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    let rest = "";
    for (let length = 1; length > 0; ) {
      length = readSync(descriptor, chunk, 0, CHUNK_BYTES, null);
      const lines = (rest + chunk.toString("latin1", 0, length)).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Name, arguments, and what it returned. Of an error the number is -1, of no return it is `?`. */
const CALL = /^(\w+)\(([\s\S]*)\)\s+= (\d+)(<[^>]*>)?/;
/** A socket's name has an arrow in it. */
const DESCRIPTOR = /^(\d+)<([\w-]+:\[[^\]]*\](?:->[^\]]*\])?|[^>]*)>(\(deleted\))?/;
const TCP = /^TCP(?:v6)?:\[.*->.*:(\d+)\]/;
const OFFSET = /, (\d+)$/;

function readDeed(text: string, workingFolder: string): Deed | undefined {
  const match = CALL.exec(text);
  if (match === null) return undefined;
  const [, name = "", args = "", returned = "", opened] = match;
  const result = Number(returned);
  switch (name) {
    case "open":
    case "openat":
    case "creat":
      if (opened === undefined) return undefined;
      return { kind: "open", path: decode(opened.slice(1, -1)), fd: result, how: args };
    case "write":
    case "writev":
    case "sendto":
    case "sendmsg":
      return written(args, undefined, result);
    case "pwrite64":
    case "pwritev":
      return written(args, Number(OFFSET.exec(args)?.[1]), result);
    case "lseek":
      return onFile(args, (path, fd) => ({ kind: "seek", path, fd, offset: result }));
    case "ftruncate":
      return onFile(args, (path) => ({ kind: "truncate", path, size: lastNumber(args) }));
    case "fsync":
    case "fdatasync":
      return onFile(args, (path) => ({ kind: "sync", path }));
    case "copy_file_range":
      return copied(args, result);
    default:
      return ofNames(name, args, workingFolder);
  }
}

function ofNames(name: string, args: string, workingFolder: string): Deed | undefined {
  const [path = "", to = ""] = pathsOf(args, workingFolder);
  switch (name) {
    case "chdir":
      return undefined;
    case "rename":
    case "renameat":
    case "renameat2":
      return { kind: "rename", from: path, to };
    case "link":
    case "linkat":
      return { kind: "link", from: path, to };
    case "symlink":
    case "symlinkat":
      return linkTo(args, workingFolder);
    case "mkdir":
    case "mkdirat":
      return { kind: "mkdir", path };
    case "rmdir":
      return { kind: "rmdir", path };
    case "unlink":
      return { kind: "unlink", path };
    case "unlinkat":
      return { kind: args.includes("AT_REMOVEDIR") ? "rmdir" : "unlink", path };
    case "truncate":
      return { kind: "truncate", path, size: lastNumber(args) };
    default:
      return { kind: "other", path: lastPath(args), name };
  }
}

/** The two names mean different things, so that only the second one is a path from the folder. */
function linkTo(args: string, workingFolder: string): Deed {
  const [, to = ""] = /^"((?:\\x[0-9a-f]{2})*)"/.exec(args) ?? [];
  const [path = ""] = pathsOf(args.slice(args.indexOf(",") + 1), workingFolder);
  return { kind: "symlink", path, to: decode(to) };
}

/** Where it takes from and where it puts: NULL, or the place that is given. */
const COPIED =
  /^(\d+)<((?:\\x[0-9a-f]{2})*)>, (?:NULL|\[(\d+)\])[^,]*, (\d+)<((?:\\x[0-9a-f]{2})*)>, (?:NULL|\[(\d+)\])/;

function copied(args: string, length: number): Deed {
  const found = COPIED.exec(args);
  if (found === null) return { kind: "other", path: lastPath(args), name: "copy_file_range" };
  const [, fromFd, from = "", fromOffset, fd, path = "", offset] = found;
  const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));
  return {
    ...{ kind: "copy", length, offset: numberOf(offset), fromOffset: numberOf(fromOffset) },
    ...{ from: decode(from), fromFd: Number(fromFd), path: decode(path), fd: Number(fd) },
  };
}

function written(args: string, offset: number | undefined, length: number): Deed | undefined {
  const found = DESCRIPTOR.exec(args);
  if (found === null) return undefined;
  const [whole, fd = "", place = "", deleted] = found;
  if (deleted !== undefined) return undefined;
  const port = TCP.exec(place)?.[1];
  if (port === undefined && !place.startsWith("\\x2f")) return undefined;
  // What strace left out, or what was not taken, is not known or was not written.
  const data = Buffer.alloc(length);
  bytesOf(args.slice(whole.length)).copy(data);
  if (port !== undefined) return { kind: "send", port: Number(port), data };
  return { kind: "write", path: decode(place), fd: Number(fd), offset, data };
}

function onFile(args: string, make: (path: string, fd: number) => Deed): Deed | undefined {
  const [, fd = "", place = "", deleted] = DESCRIPTOR.exec(args) ?? [];
  if (!place.startsWith("\\x2f") || deleted !== undefined) return undefined;
  return make(decode(place), Number(fd));
}

const lastNumber = (args: string): number => Number(/(\d+)$/.exec(args)?.[1]);

/** All that stands between quotation marks, one after the other: the parts of a vector are one. */
function bytesOf(text: string): Buffer {
  const parts: Buffer[] = [];
  for (let from = text.indexOf('"'); from >= 0; ) {
    const to = text.indexOf('"', from + 1);
    parts.push(Buffer.from(text.slice(from + 1, to).replaceAll("\\x", ""), "hex"));
    from = text.indexOf('"', to + 1);
  }
  return Buffer.concat(parts);
}

const NAMED = /(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:\\x[0-9a-f]{2})*)"/g;

function pathsOf(args: string, workingFolder: string): string[] {
  return [...args.matchAll(NAMED)].map(([, folder, name = ""]) => {
    const path = decode(name);
    if (path.startsWith("/")) return path;
    return join(folder === undefined ? workingFolder : decode(folder), path);
  });
}

const lastPath = (args: string): string =>
  decode([...args.matchAll(/\d<(\\x2f[^>]*)>/g)].at(-1)?.[1] ?? "");

const decode = (hex: string): string =>
  Buffer.from(hex.replaceAll("\\x", ""), "hex").toString("utf8");
