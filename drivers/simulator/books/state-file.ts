/**
 * The file that keeps a simulated device's books.
 *
 * ```
 * {"simulator":1,"driver":"vendorA.isl","model":"x"}   which device this is
 * {"snapshot":{...}}                                   the books when the file was written anew
 * {"receipt":{...}} ...                                finished receipts of that moment
 * {"entry":"receipt_opened",...} ...                   every change since, one line each
 * ```
 *
 * A change is one line, written in one call before the answer to the command leaves the device,
 * so that killing the process at any instant leaves the change either whole or absent: a line
 * without its line feed is dropped when the file is read. There is no fsync, because what is
 * simulated is battery-backed memory that survives the process, not the computer's power: where that
 * fails, the changes that did not get to the disk are gone, and those after them. When the file has
 * grown to several times what it holds, it is written anew beside itself and renamed.
 */

import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { ReceiptArchive } from "./archive.ts";
import type { BookState, Books, PrintedDocument, ZRecord } from "./books.ts";
import { applyEntry, type BookEntry } from "./entries.ts";
import type { CancelledReceipt, ReceiptRecord } from "./receipt.ts";

const FORMAT = 1;
/** The file is written anew when it passes this and twice its size when last written. */
const COMPACT_BYTES_MIN = 64 * 1_048_576;
const WRITE_CHUNK_CHARACTERS = 1_048_576;
const LINE_FEED = 0x0a;
/** What a disk holds where a file was made longer and the bytes never came. */
const NEVER_WRITTEN = 0;

export interface StateIdentity {
  readonly driver: string;
  readonly model: string;
}

interface Snapshot {
  readonly state: BookState;
  readonly zRecords: ZRecord[];
  readonly cancelled: CancelledReceipt[];
  readonly recent: PrintedDocument[];
}

type StateLine =
  | ({ readonly simulator: number } & StateIdentity)
  | { readonly snapshot: Snapshot }
  | { readonly receipt: ReceiptRecord }
  | BookEntry;

export interface StateFileOptions {
  readonly path: string;
  readonly identity: StateIdentity;
  /** The books of a device that has no file yet. */
  readonly initial: () => BookState;
  /** Size in bytes from which the file is written anew; 64 MiB when absent. */
  readonly compactBytes?: number;
}

/** The file is not this device's, or not a state file. */
export class StateFileError extends Error {
  override readonly name = "StateFileError";
}

export class StateFile {
  readonly books: Books;
  readonly #options: StateFileOptions;
  #fd: number;
  #bytes: number;
  #compactBytes: number;

  /**
   * Opens or creates the file and reads the books from it.
   * @throws StateFileError when it belongs to another driver or model, or is damaged
   */
  constructor(options: StateFileOptions) {
    this.#options = options;
    if (existsSync(options.path)) {
      const { books, bytes } = readBooks(options);
      this.books = books;
      this.#bytes = bytes;
      this.#fd = openSync(options.path, "a", 0o600);
      ftruncateSync(this.#fd, bytes);
    } else {
      this.books = emptyBooks(options.initial());
      this.#bytes = writeAnew(options, this.books);
      this.#fd = openSync(options.path, "a", 0o600);
    }
    this.#compactBytes = options.compactBytes ?? COMPACT_BYTES_MIN;
    if (this.#bytes > this.#compactBytes) this.#compact();
  }

  /**
   * Makes a change: first in the file, then in the books.
   * @throws the error of the file system, after which the file is as it was before
   */
  commit(entry: BookEntry): void {
    const line = `${JSON.stringify(entry)}\n`;
    const length = Buffer.byteLength(line);
    try {
      const written = writeSync(this.#fd, line);
      if (written !== length) throw new StateFileError("the state file took a part of a line");
    } catch (error) {
      ftruncateSync(this.#fd, this.#bytes);
      throw error;
    }
    this.#bytes += length;
    applyEntry(this.books, entry);
    if (this.#bytes > this.#compactBytes) this.#compact();
  }

  close(): void {
    closeSync(this.#fd);
  }

  #compact(): void {
    const bytes = writeAnew(this.#options, this.books);
    closeSync(this.#fd);
    this.#fd = openSync(this.#options.path, "a", 0o600);
    this.#bytes = bytes;
    this.#compactBytes = Math.max(this.#options.compactBytes ?? COMPACT_BYTES_MIN, 2 * bytes);
  }
}

function emptyBooks(state: BookState): Books {
  return { ...state, receipts: new ReceiptArchive(), zRecords: [], cancelled: [], recent: [] };
}

/** Writes the whole file beside the old one and puts it in its place; the bytes written. */
function writeAnew({ path, identity }: StateFileOptions, books: Books): number {
  const { receipts, zRecords, cancelled, recent, ...state } = books;
  const temporary = `${path}.new`;
  const fd = openSync(temporary, "w", 0o600);
  let pending = "";
  let bytes = 0;
  const flush = () => {
    const chunk = Buffer.from(pending);
    let at = 0;
    while (at < chunk.length) at += writeSync(fd, chunk, at);
    bytes += chunk.length;
    pending = "";
  };
  const { driver, model } = identity;
  try {
    pending += `${JSON.stringify({ simulator: FORMAT, driver, model })}\n`;
    pending += `${JSON.stringify({ snapshot: { state, zRecords, cancelled, recent } })}\n`;
    for (const text of receipts.texts()) {
      pending += `{"receipt":${text}}\n`;
      if (pending.length > WRITE_CHUNK_CHARACTERS) flush();
    }
    flush();
    // Else a power cut may leave the name of a file whose bytes never got to the disk.
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(temporary, path);
  const folder = openSync(dirname(path), "r");
  fsyncSync(folder);
  closeSync(folder);
  return bytes;
}

/** Reads the complete lines; `bytes` is where the last of them ends. */
function readBooks({ path, identity }: StateFileOptions): { books: Books; bytes: number } {
  const content = readFileSync(path);
  const hole = content.indexOf(NEVER_WRITTEN);
  let books: Books | undefined;
  let at = 0;
  for (let number = 1; ; number += 1) {
    const end = content.indexOf(LINE_FEED, at);
    if (end < 0 || (hole >= 0 && hole < end)) break;
    const line = parseLine(content.toString("utf8", at, end), `${path}, line ${number}`);
    at = end + 1;
    if (number === 1) checkIdentity(line, identity, path);
    else if (books) takeLine(books, line);
    else books = booksOf(line, path);
  }
  if (!books) throw new StateFileError(`${path} is not the state file of a simulated device`);
  return { books, bytes: at };
}

function parseLine(text: string, where: string): StateLine {
  try {
    return JSON.parse(text) as StateLine;
  } catch (error) {
    throw new StateFileError(`${where} is damaged`, { cause: error });
  }
}

function checkIdentity(line: StateLine, identity: StateIdentity, path: string): void {
  if (!("simulator" in line) || line.simulator !== FORMAT) {
    throw new StateFileError(`${path} is not the state file of a simulated device`);
  }
  if (line.driver !== identity.driver || line.model !== identity.model) {
    throw new StateFileError(
      `${path} belongs to ${line.driver} model ${line.model}, ` +
        `not to ${identity.driver} model ${identity.model}`,
    );
  }
}

function booksOf(line: StateLine, path: string): Books {
  if (!("snapshot" in line)) throw new StateFileError(`${path} has no snapshot in its second line`);
  const { state, zRecords, cancelled, recent } = line.snapshot;
  return { ...state, receipts: new ReceiptArchive(), zRecords, cancelled, recent };
}

function takeLine(books: Books, line: StateLine): void {
  if ("receipt" in line) books.receipts.append(line.receipt);
  else if ("entry" in line) applyEntry(books, line);
  else throw new StateFileError("a line of the state file is neither a receipt nor a change");
}
