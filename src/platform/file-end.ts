/** Reading what a file, or the output of a program, ends with, however long it is. */

import { closeSync, fstatSync, openSync, readSync } from "node:fs";

const LF = 0x0a;
/** The hundred newest lines of a log fit into one of these. */
const STEP_BYTES = 65_536;

/** How much of a file is wanted. */
export interface FileEndLimits {
  /** So many of the newest lines, 1 or more; empty ones do not count. */
  readonly lines: number;
  /** Not more of its end than that is held, however few lines it has; 1 or more. */
  readonly bytesMax: number;
}

/** The end of a file. */
export interface FileEnd {
  /** The newest last. */
  readonly lines: readonly string[];
  /** The file has more of the lines that are wanted, before the bytes that may be held. */
  readonly isCut: boolean;
}

/** Bytes up to the end, and whether there are none before them. */
interface Tail {
  readonly bytes: Buffer;
  readonly isWhole: boolean;
}

/**
 * Reads the newest lines: of a file from its end on, of a pipe by reading it to its end.
 * @throws the system's error, or an Error for what has no newest line, as a device
 */
export function readFileEnd(path: string, limits: FileEndLimits): FileEnd {
  const descriptor = openSync(path, "r");
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile() && !status.isFIFO()) throw new Error(`${path} is neither file nor pipe`);
    const tail = status.isFile()
      ? tailOfFile(descriptor, status.size, limits)
      : tailOfPipe(descriptor, limits.bytesMax);
    return linesOf(path, tail, limits);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * The same of what a program writes until it ends.
 * @param name for messages
 */
export async function readOutputEnd(
  name: string,
  output: ReadableStream<Uint8Array>,
  limits: FileEndLimits,
): Promise<FileEnd> {
  const newest = new Newest(limits.bytesMax);
  for await (const chunk of output) {
    for (let done = 0; done < chunk.length; ) {
      const part = chunk.subarray(done, done + newest.room.length);
      newest.room.set(part);
      newest.took(part.length);
      done += part.length;
    }
  }
  return linesOf(name, newest.tail(), limits);
}

function linesOf(path: string, { bytes, isWhole }: Tail, limits: FileEndLimits): FileEnd {
  // Before its first line end there may be half a line.
  const start = isWhole ? 0 : bytes.indexOf(LF) + 1;
  if (start === 0 && !isWhole) {
    throw new Error(`${path} is no log: its newest ${bytes.length} bytes have no end of a line`);
  }
  const lines = bytes
    .toString("utf8", start)
    .split("\n")
    .filter((line) => line !== "")
    .slice(-limits.lines);
  return { lines, isCut: !isWhole && lines.length < limits.lines };
}

/** Goes back in steps until the lines are there. */
function tailOfFile(descriptor: number, size: number, { lines, bytesMax }: FileEndLimits): Tail {
  const held = Buffer.allocUnsafe(Math.min(size, bytesMax));
  const heldFrom = size - held.length;
  let from = held.length;
  let begun = 0;
  while (from > 0 && begun < lines) {
    const to = from;
    from = Math.max(0, to - STEP_BYTES);
    readFully(descriptor, held.subarray(from, to), heldFrom + from);
    for (let at = to - 1; at >= from; at -= 1) {
      const next = held[at + 1];
      if (held[at] === LF && next !== undefined && next !== LF) begun += 1;
    }
  }
  return { bytes: held.subarray(from), isWhole: heldFrom + from === 0 };
}

function readFully(descriptor: number, into: Buffer, position: number): void {
  for (let done = 0; done < into.length; ) {
    const count = readSync(descriptor, into, done, into.length - done, position + done);
    if (count === 0) throw new Error("the file was cut short while it was read");
    done += count;
  }
}

/** A pipe has no position: what came first is dropped as more comes. */
function tailOfPipe(descriptor: number, bytesMax: number): Tail {
  const newest = new Newest(bytesMax);
  for (;;) {
    const { room } = newest;
    const count = readSync(descriptor, room, 0, room.length, null);
    if (count === 0) return newest.tail();
    newest.took(count);
  }
}

/** The newest bytes of what comes piece by piece. */
class Newest {
  readonly #bytesMax: number;
  // Twice as much, so that what is kept is moved once for each time it is filled anew.
  readonly #held: Buffer;
  #length = 0;
  #isWhole = true;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
    this.#held = Buffer.allocUnsafe(2 * bytesMax);
  }

  /** Where the next bytes are to be written; never empty. */
  get room(): Buffer {
    return this.#held.subarray(this.#length);
  }

  /** So many were written there. */
  took(count: number): void {
    this.#length += count;
    if (this.#length < this.#held.length) return;
    this.#held.copyWithin(0, this.#bytesMax);
    this.#length = this.#bytesMax;
    this.#isWhole = false;
  }

  tail(): Tail {
    const from = Math.max(0, this.#length - this.#bytesMax);
    const bytes = this.#held.subarray(from, this.#length);
    return { bytes, isWhole: this.#isWhole && from === 0 };
  }
}
