/**
 * What the gateway does when the files of its database go away under it. From then on nothing is
 * written and nothing is taken on; what was answered before is kept:
 *
 * - removed: all that is open is copied beside the place, and the process ends after a while, so
 *   that whoever watches over it starts it anew. The next start puts the copy in the place.
 * - its log removed: the same, with what the log held brought into the database instead.
 * - replaced: the copy is kept under a dated name, and the gateway holds until a person restarts it
 *   with the database that is in the place now.
 * - put back: an older state is in the open files themselves, so there is nothing to keep. The
 *   process ends after a while, and the next start holds the printers, which know more than it does.
 * - the lock file of the state removed: the database is well, but another gateway may work on it too.
 *   The process ends like one that is asked to, but for its exit code.
 * - damaged, or corrupt: nothing is whole to be copied. The gateway holds, and a note beside the database keeps
 *   later starts from working on it before a person has looked.
 */

import { existsSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Database, damageNote } from "#db/connection.ts";
import { type DatabaseLost, FileGuard } from "#db/file-guard.ts";
import { copyPages, isDamage } from "#db/snapshot.ts";
import { type Clock, systemClock } from "../platform/clock.ts";
import { flush, makeFolder, putInPlace, writeDurably } from "../platform/durable-file.ts";
import { freePath } from "../platform/file-stamp.ts";
import type { Log } from "../platform/log.ts";
import { errorText } from "../platform/thrown.ts";
import type { TimerQueue } from "../queue/timer-queue.ts";

/**
 * How often the files are looked at while nobody writes, and whether others have written to them. Always by
 * the machine's own clock: it is the machine's files that are watched.
 */
const LOOK_MS = 1_000;
/** Between attempts to keep what was stored, where one fails. */
const RETRY_MS = 5_000;
/** How long the gateway still says what is wrong before it ends for its next start. */
const FAREWELL_MS = 10_000;

export interface LossOptions {
  readonly database: Database;
  /** Path of the database. */
  readonly file: string;
  readonly clock: Clock;
  readonly timers: TimerQueue;
  readonly log: Log;
  /** What is wrong with the lock of the state directory; undefined when nothing is. */
  readonly lookAtLock: () => Error | undefined;
}

/** The watch over the files of the database, and what follows from their loss. */
export class DatabaseLoss {
  readonly guard: FileGuard;
  /** Resolves when the process should end, for its next start to go on. */
  readonly over: Promise<Error>;
  readonly #o: LossOptions;
  #end: (lost: Error) => void = () => {};
  readonly #onLook: (() => void)[] = [];
  #cancelLook: () => void = () => {};
  #isLockMissed = false;
  #problem: string | undefined;
  #keeping: Promise<void> = Promise.resolve();

  constructor(options: LossOptions) {
    this.#o = options;
    this.over = new Promise((resolve) => {
      this.#end = resolve;
    });
    const { file, database } = options;
    this.guard = new FileGuard(file, database, {
      lost: (lost) => this.#begin(lost),
      failed: (error) => {
        options.log.error("what others wrote to the database could not be read", { error });
        this.failed(error);
      },
    });
    this.#lookRegularly();
  }

  /**
   * Looks, once for all who ask in a turn of the event loop.
   * @returns what is wrong and what is done about it; undefined when nothing is wrong
   */
  problem(): string | undefined {
    this.guard.lookOnceATurn();
    return this.#problem;
  }

  /** Something failed at the database: where that shows damage, the gateway holds. */
  failed(error: unknown): void {
    if (isDamage(error)) this.guard.lose("corrupt", error.message);
  }

  /** Calls back after each of the regular looks, until one finds that something is wrong. */
  onLook(listener: () => void): void {
    this.#onLook.push(listener);
  }

  /** Ends the watch. A database that was lost is left open: closing it would tidy up its files. */
  async close(): Promise<void> {
    this.#cancelLook();
    await this.#keeping;
    if (this.guard.look() !== undefined) return;
    this.#o.database.close();
    this.guard.close();
  }

  #lookRegularly(): void {
    this.#cancelLook = systemClock.setTimer(LOOK_MS, () => {
      if (this.guard.look() !== undefined) return;
      this.#lookAtLock();
      for (const listener of this.#onLook) listener();
      this.#lookRegularly();
    });
  }

  /** Only the second look counts: the lock may be the first to go of a directory that is removed. */
  #lookAtLock(): void {
    const lost = this.#o.lookAtLock();
    if (lost !== undefined && this.#isLockMissed) this.#end(lost);
    this.#isLockMissed = lost !== undefined;
  }

  #begin(lost: DatabaseLost): void {
    this.#problem = lost.message;
    this.#o.log.error("database lost: nothing more is taken on", { error: lost });
    this.#keep(lost);
  }

  #keep(lost: DatabaseLost): void {
    const { clock, timers, log } = this.#o;
    this.#keeping = this.#kept(lost).then(
      (outcome) => {
        this.#problem = `${lost.message}; ${outcome}`;
        log.error("database lost: what was stored is kept", { outcome });
      },
      (error: unknown) => {
        const reason = errorText(error);
        this.#problem = `${lost.message}; what was stored is in this process alone, do not end it: ${reason}`;
        log.error("database lost: what was stored is not kept yet", { error });
        timers.set("database-loss", clock.now() + RETRY_MS, () => this.#keep(lost));
      },
    );
  }

  /** Brings to safety what is open. @returns what was done, and what comes next */
  async #kept(lost: DatabaseLost): Promise<string> {
    const { database, file, clock } = this.#o;
    switch (lost.kind) {
      case "removed": {
        const copy = rescuedCopy(file);
        await copyWhole(database, copy);
        this.#endSoon(lost);
        return `all of it is in ${copy}, which the next start puts back`;
      }
      case "log_removed":
        foldLog(database);
        this.#endSoon(lost);
        return "all of it is in the database file, with which the next start goes on";
      case "replaced": {
        const copy = datedCopy(file, clock.now());
        await copyWhole(database, copy);
        // Else the next start would apply the log of one database to the other.
        this.guard.removeLog();
        return `all of it is in ${copy}; restart the gateway to work with the other file`;
      }
      case "put_back":
        this.#endSoon(lost);
        return "the next start asks the printers what they have printed since, and holds them";
      case "damaged":
      case "corrupt": {
        const note = damageNote(file);
        writeDurably(note, `${new Date(clock.now()).toISOString()} ${lost.message}\n`);
        return `a person has to look at it: stop the gateway, put a backup back or repair it, start it; ${note} keeps it from starting before`;
      }
      default:
        return lost.kind satisfies never;
    }
  }

  #endSoon(lost: DatabaseLost): void {
    const { clock, timers } = this.#o;
    timers.set("database-loss", clock.now() + FAREWELL_MS, () => this.#end(lost));
  }
}

/**
 * Puts back what an earlier run has rescued of a database that was removed. Where there is a
 * database again, that one counts, and the copy is kept under a dated name. To be called before the
 * database is opened.
 */
export function putBackRescued(file: string, log: Log): void {
  const copy = rescuedCopy(file);
  if (!existsSync(copy)) return;
  if (existsSync(file)) {
    const kept = datedCopy(file, statSync(copy).mtimeMs);
    renameSync(copy, kept);
    flush(dirname(kept));
    log.warn("a rescued copy of the database is kept beside the one in its place", { kept });
    return;
  }
  // What is left of the log belongs to the file that was removed; the copy holds it already.
  for (const part of ["wal", "shm"]) rmSync(`${file}-${part}`, { force: true });
  renameSync(copy, file);
  flush(dirname(file));
  log.warn("the database had been removed: put back from the copy that was rescued", { file });
}

/** True where there is a database, or a copy that the next start puts in its place. */
export function hasDatabase(file: string): boolean {
  return existsSync(file) || existsSync(rescuedCopy(file));
}

function rescuedCopy(file: string): string {
  return `${file}.rescued`;
}

function datedCopy(file: string, at: number): string {
  const start = join(dirname(file), `${basename(file, ".db")}.rescued-`);
  return freePath(at, (stamp) => `${start}${stamp}.db`);
}

/**
 * Copies the database as it is open, log included, so that it outlives a power cut.
 * @throws Error when nothing was copied, or the system's error
 */
async function copyWhole({ sqlite }: Database, copy: string): Promise<void> {
  const unfinished = `${copy}.part`;
  makeFolder(dirname(copy));
  rmSync(unfinished, { force: true });
  await copyPages(sqlite, unfinished);
  putInPlace(unfinished, copy);
}

/** Writes what is in the log into the database file. @throws Error when something was left */
function foldLog({ sqlite }: Database): void {
  const [outcome] = sqlite.pragma("wal_checkpoint(FULL)") as readonly CheckpointOutcome[];
  const isWhole = outcome?.busy === 0 && outcome.log === outcome.checkpointed;
  if (!isWhole) throw new Error("the log could not be written into the database file");
}

/** As SQLite answers. */
interface CheckpointOutcome {
  readonly busy: number;
  readonly log: number;
  readonly checkpointed: number;
}
