/**
 * Watches over the files of an open database. SQLite keeps them open, and goes on writing to files
 * that were removed or replaced meanwhile: what it commits there is gone with the process. A look
 * costs a few system calls, so one fits before every answer that promises something.
 *
 * In WAL mode the database file itself is written by checkpoints alone. So a change of it that no
 * checkpoint explains is somebody else's. What checkpoints did stands in the shared index of the
 * log: https://sqlite.org/walformat.html, "The WAL-Index File Format".
 *
 * Each commit changes the head of that index. So a look also tells, without any statement, when it
 * is time to ask whether another connection has changed the database.
 */

import { closeSync, openSync, readSync, realpathSync, rmSync, type Stats, statSync } from "node:fs";
import type { Database } from "./connection.ts";

export type LossKind =
  /** The path leads nowhere. What is open is whole. */
  | "removed"
  /** The path leads to another file. What is open is whole. */
  | "replaced"
  /** The database is there, its log or the log's index is not. What is open is whole. */
  | "log_removed"
  /** Another program wrote to the database, or cut it or its log short. */
  | "damaged"
  /** What is read is not what was written: the disk, or another program. */
  | "corrupt"
  /** Another program put back an older state with SQLite's own means. */
  | "put_back";

const SENTENCES: Readonly<Record<LossKind, string>> = {
  removed: "the database file was removed while the gateway ran",
  replaced: "the database file was replaced by another one while the gateway ran",
  log_removed: "the write-ahead log of the database was removed while the gateway ran",
  damaged: "another program wrote to the database file, or cut it or its log short",
  corrupt: "the database is damaged",
  put_back: "an older state was put back into the database while the gateway ran",
};

/** The files are no longer those that were opened. */
export class DatabaseLost extends Error {
  override readonly name = "DatabaseLost";
  /** What SQLite itself calls a database whose file went away, where it notices. */
  readonly code = "SQLITE_IOERR_VNODE";

  constructor(
    readonly kind: LossKind,
    readonly file: string,
    detail?: string,
  ) {
    super(`${SENTENCES[kind]}: ${file}${detail === undefined ? "" : ` (${detail})`}`);
  }
}

/** Bytes of the index that are read: its header, the copy of that, and what checkpoints did. */
const INDEX_BYTES = 136;
const HEADER_BYTES = 48;
const WAL_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** In a frame's header: https://sqlite.org/walformat.html, "The WAL File Format". */
const FRAME_SALTS_AT = 8;
const SALTS_BYTES = 8;
/** A header that another process is writing is read again so often. */
const TORN_READS_MAX = 8;

/** What the index of the log says. */
interface LogIndex {
  /** Bytes that the log has at least. */
  readonly logBytes: number;
  /** Bytes of one frame of it. */
  readonly frameBytes: number;
  /** In each frame that was written since the log began anew. */
  readonly salts: string;
  /** Changes with each checkpoint, and when the log begins anew. */
  readonly checkpoint: string;
  /** True while a checkpoint writes, or after one that was broken off. */
  readonly isCheckpointing: boolean;
  /** True until the first checkpoint of this log. */
  readonly isUntouched: boolean;
}

/** Where the log ended at a look. */
interface LogEnd {
  readonly logBytes: number;
  readonly salts: string;
}

/** The database file as it was last explained. */
interface Known {
  readonly modifiedMs: number;
  readonly size: number;
  readonly checkpoint: string;
}

/** Who hears of what is found. */
export interface Told {
  /** Called once, at the first look that finds something. */
  lost(lost: DatabaseLost): void;
  /** It could not be found out what others have written; once, until another reason keeps it, or none. */
  failed(error: unknown): void;
}

export class FileGuard {
  readonly #file: string;
  readonly #log: string;
  readonly #index: string;
  readonly #identity: readonly [database: string, log: string, index: string];
  readonly #indexDescriptor: number;
  readonly #logDescriptor: number;
  readonly #bytes = Buffer.alloc(INDEX_BYTES);
  readonly #frameHeader = Buffer.alloc(FRAME_HEADER_BYTES);
  #known: Known;
  /** Head of the index at the last look that told of no loss. */
  readonly #seen = Buffer.alloc(HEADER_BYTES);
  /** At that look. */
  #logEnd: LogEnd = { logBytes: 0, salts: "" };
  #lost: DatabaseLost | undefined;
  /** In this turn of the event loop. */
  #hasLooked = false;
  readonly #others;
  /** Why it could not be found out what others have written; undefined when it could. */
  #unread: string | undefined;
  readonly #told: Told;

  /**
   * Begins to watch.
   * @param file path of the database
   * @param database the same one, open and in WAL mode
   * @param told whom it tells what
   * @throws the system's error when the files cannot be read
   */
  constructor(file: string, { sqlite, others }: Pick<Database, "sqlite" | "others">, told: Told) {
    this.#file = file;
    this.#others = others;
    // Behind a symbolic link they lie beside the database itself.
    const real = realpathSync(file);
    this.#log = `${real}-wal`;
    this.#index = `${real}-shm`;
    this.#told = told;
    // Makes log and index where there are none. After a crash the index tells of a checkpoint that
    // was begun: this one ends it.
    sqlite.pragma("wal_checkpoint(PASSIVE)");
    const status = statSync(file);
    this.#identity = [identityOf(status), identityOf(statSync(this.#log)), this.#indexIdentity()];
    this.#indexDescriptor = openSync(this.#index, "r");
    this.#logDescriptor = openSync(this.#log, "r");
    this.#known = knownOf(status, this.#readIndex()?.checkpoint ?? "");
  }

  /** What was found to be wrong up to now. */
  get lost(): DatabaseLost | undefined {
    return this.#lost;
  }

  /**
   * What is wrong, now or since an earlier look; undefined when nothing is, and where those who are told
   * of other writers could not find out: they are asked again at the next look.
   */
  look(): DatabaseLost | undefined {
    if (this.#lost !== undefined) return this.#lost;
    const kind = this.#find();
    if (kind === undefined) this.#lookAtOthers();
    else this.lose(kind);
    return this.#lost;
  }

  /** Somebody found out what no look at the files shows. @param detail in the finder's words */
  lose(kind: LossKind, detail?: string): void {
    if (this.#lost !== undefined) return;
    this.#lost = new DatabaseLost(kind, this.#file, detail);
    this.#told.lost(this.#lost);
  }

  /** The same, but looks only once in a turn of the event loop: for whoever asks very often. */
  lookOnceATurn(): DatabaseLost | undefined {
    if (this.#hasLooked) return this.#lost;
    this.#hasLooked = true;
    setImmediate(() => {
      this.#hasLooked = false;
    });
    return this.look();
  }

  /** Removes log and index where they are still those of the database that was opened. */
  removeLog(): void {
    const [, log, index] = this.#identity;
    const logStatus = statusOf(this.#log);
    if (logStatus !== undefined && identityOf(logStatus) === log) rmSync(this.#log);
    if (this.#indexIdentity() === index) rmSync(this.#index);
  }

  /**
   * Ends the watch, after the database was closed: closing a file lets go of all locks that this
   * process has on it.
   */
  close(): void {
    closeSync(this.#indexDescriptor);
    closeSync(this.#logDescriptor);
  }

  #find(): LossKind | undefined {
    const [database, log, index] = this.#identity;
    // In this order: a checkpoint is told of before its first write, and a log has at least what
    // was told of it before.
    const status = statusOf(this.#file);
    if (status === undefined) return "removed";
    if (identityOf(status) !== database) return "replaced";
    const told = this.#readIndex();
    const logStatus = statusOf(this.#log);
    const isLogThere = logStatus !== undefined && identityOf(logStatus) === log;
    if (!isLogThere || this.#indexIdentity() !== index) return "log_removed";
    // Undefined while others keep writing the index: they are at work, and the next look tells.
    if (told === undefined) return undefined;
    const isWhole =
      this.#isExplained(status, told) && this.#isLogWhole(told, logStatus) && !this.#hasHole(told);
    if (!isWhole) return "damaged";
    this.#logEnd = told;
    return undefined;
  }

  /** After a commit, which may have been somebody else's. */
  #lookAtOthers(): void {
    const head = this.#bytes.subarray(0, HEADER_BYTES);
    if (head.equals(this.#seen)) return;
    try {
      this.#others.look();
      head.copy(this.#seen);
      this.#unread = undefined;
    } catch (error) {
      // As when the database cannot be read. Looks come by a timer too, where nobody would catch it, and
      // with each write.
      const why = String(error);
      if (this.#unread === why) return;
      this.#unread = why;
      this.#told.failed(error);
    }
  }

  #isExplained(status: Stats, index: LogIndex): boolean {
    if (index.isCheckpointing) return true;
    const isSame = status.mtimeMs === this.#known.modifiedMs && status.size === this.#known.size;
    if (!isSame && index.checkpoint === this.#known.checkpoint) return false;
    if (!isSame || index.isUntouched) this.#known = knownOf(status, index.checkpoint);
    return true;
  }

  #isLogWhole(told: LogIndex, { size }: Stats): boolean {
    if (size >= told.logBytes) return true;
    // Another process may have emptied it, and said so, between the two readings.
    const now = this.#readIndex();
    return now === undefined || (statusOf(this.#log)?.size ?? 0) >= now.logBytes;
  }

  /**
   * A log that was cut right before a commit is as long as ever behind it, with a hole where the
   * frames of before stood: the last one of them tells, unless the log began anew.
   */
  #hasHole({ logBytes, frameBytes, salts }: LogIndex): boolean {
    const { logBytes: before, salts: saltsBefore } = this.#logEnd;
    if (before === 0 || logBytes <= before || salts !== saltsBefore) return false;
    const header = this.#frameHeader;
    readSync(this.#logDescriptor, header, 0, FRAME_HEADER_BYTES, before - frameBytes);
    return header.toString("latin1", FRAME_SALTS_AT, FRAME_SALTS_AT + SALTS_BYTES) !== salts;
  }

  #indexIdentity(): string {
    const status = statusOf(this.#index);
    return status === undefined ? "" : identityOf(status);
  }

  /** Undefined while others keep writing it. Numbers stand in the machine's byte order. */
  #readIndex(): LogIndex | undefined {
    const bytes = this.#bytes;
    for (let read = 0; read < TORN_READS_MAX; read++) {
      if (readSync(this.#indexDescriptor, bytes, 0, INDEX_BYTES, 0) < INDEX_BYTES) return undefined;
      const isWhole = bytes.compare(bytes, HEADER_BYTES, 2 * HEADER_BYTES, 0, HEADER_BYTES) === 0;
      if (isWhole) return logIndexOf(bytes);
    }
    return undefined;
  }
}

function logIndexOf(bytes: Buffer): LogIndex {
  const pageSize = bytes.readUInt16LE(14);
  const frames = bytes.readUInt32LE(16);
  const salts = bytes.toString("latin1", 32, 40);
  const copied = bytes.readUInt32LE(96);
  const attempted = bytes.readUInt32LE(128);
  // The largest page does not fit into the field, which then says 1.
  const frameBytes = FRAME_HEADER_BYTES + (pageSize === 1 ? 65_536 : pageSize);
  return {
    logBytes: frames === 0 ? 0 : WAL_HEADER_BYTES + frames * frameBytes,
    ...{ frameBytes, salts },
    checkpoint: `${salts}${copied}`,
    isCheckpointing: attempted > copied,
    isUntouched: attempted === 0,
  };
}

function knownOf({ mtimeMs, size }: Stats, checkpoint: string): Known {
  return { modifiedMs: mtimeMs, size, checkpoint };
}

function statusOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

function identityOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}
