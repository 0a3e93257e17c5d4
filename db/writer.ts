/**
 * Group commit. Every change of the database goes through one writer: the operations that arrive
 * during one turn of the event loop share one transaction, and so one flush to the disk. An
 * operation's promise resolves when its transaction is on disk, never earlier.
 *
 * What has to follow a change is named where the change is made: `tx.after` for effects in this
 * process, `tx.emit` for events, which are rows of the same transaction. Neither happens when the
 * change is undone, and both happen in order, before the promise of the operation resolves. The little
 * that operations behind it in its transaction have to find changed already is put back by `tx.undone`.
 *
 * The order of operations is the order of their effects, so whoever waits for a late one knows that
 * all earlier ones are on disk too. An operation that needs another one's work calls its function;
 * it may not add an operation, because it may have to run twice.
 */

import type { GatewayEvent, StoredEvent } from "#core/events.ts";
import type { Database } from "./connection.ts";

/** The transaction that an operation runs in. Of no use once the operation has returned. */
export interface Transaction {
  /** Calls `effect` once, as soon as the transaction is on disk. It may add operations. */
  after(effect: () => void): void;
  /**
   * Calls `effect` as soon as the transaction is undone, before anything of it runs again: puts back what
   * the operation had to change in this process, because those behind it go by that.
   */
  undone(effect: () => void): void;
  /** Stores an event with the change, and publishes it as soon as both are on disk. */
  emit(event: GatewayEvent): void;
}

/** Where events go. */
export interface EventSink {
  /** Inside the transaction. */
  store(event: GatewayEvent): StoredEvent;
  /** After it. */
  publish(stored: StoredEvent): void;
}

/** How a write is committed. */
export type Urgency =
  /** With the next turn's transaction: somebody waits for it. */
  | "now"
  /**
   * With the next transaction that somebody waits for, or after `SOON_MS`: a client waits for it,
   * and whoever asks for this knows of one that is about to come.
   */
  | "soon"
  /** With the next transaction that somebody waits for, or after `LATER_MS`. */
  | "later";

/** The delays of the writer; the computer's timers by default. */
export interface WriterTimers {
  /** For what nobody waits for. */
  setTimer(ms: number, callback: () => void): () => void;
  /** For what a client waits for, and so must pass in real time. */
  setMachineTimer(ms: number, callback: () => void): () => void;
}

interface Waiting {
  /** Runs the operation and keeps its value. */
  readonly run: (tx: Transaction) => void;
  /** What follows once the transaction is on disk. */
  effects: (() => void)[];
  /** What puts back what it changed beside the database. */
  backward: (() => void)[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export interface WriterOptions {
  /** The computer's timers when absent. */
  readonly timers?: WriterTimers;
  /** Absent where nothing emits events, as in tests of the writer itself. */
  readonly events?: EventSink;
  /**
   * Asked before each transaction and after it, before anybody hears of it: what was committed to
   * files that are gone is not on disk. What it has found counts inside the transaction too, where
   * nobody else can change the database any more. Absent where that is in memory.
   */
  readonly guard?: { readonly lost: Error | undefined; look(): Error | undefined };
  /**
   * Asked when an operation fails on its own. Whether it has made the room on the disk that was wanted,
   * so that the operation is worth running once more.
   */
  readonly makeRoom?: (error: unknown) => boolean;
  /**
   * Runs all that is in a transaction once before, and undoes it: whatever an operation changes beside the
   * database and does not put back is then wrong at once, and not only where another one fails beside it.
   * For tests.
   */
  readonly rehearses?: boolean;
  /** Told of each failure that an operation's promise is rejected with. */
  readonly onFailure?: (error: unknown) => void;
  /** Told of an effect that threw; those after it happen all the same. Thrown when absent. */
  readonly onEffectError?: (error: unknown) => void;
}

/** How long an operation that nobody waits for may wait for company. Milliseconds. */
const LATER_MS = 20;
/** How long one may wait that a client waits for. Milliseconds. */
const SOON_MS = 2;
/** Operations in one transaction; the rest goes into the next, so that nobody waits for long. */
const BATCH_MAX = 512;

export class Writer {
  readonly #sqlite: Database["sqlite"];
  readonly #rows: Database["rows"];
  readonly #others: Database["others"];
  #waiting: Waiting[] = [];
  #scheduled = false;
  readonly #timers: WriterTimers;
  readonly #events: EventSink | undefined;
  readonly #makeRoom;
  readonly #onFailure;
  readonly #onEffectError;
  readonly #guard;
  readonly #rehearses: boolean;
  #cancelLater: (() => void) | undefined;
  #cancelSoon: (() => void) | undefined;
  #closed = false;
  #running = false;
  readonly #begin;
  readonly #commit;
  readonly #rollback;

  constructor(database: Database, options: WriterOptions = {}) {
    this.#sqlite = database.sqlite;
    this.#rows = database.rows;
    this.#others = database.others;
    this.#timers = options.timers ?? COMPUTER_TIMERS;
    this.#events = options.events;
    this.#makeRoom = options.makeRoom ?? (() => false);
    this.#onFailure = options.onFailure;
    this.#onEffectError = options.onEffectError ?? rethrow;
    this.#guard = options.guard;
    this.#rehearses = options.rehearses ?? false;
    this.#begin = database.sqlite.prepare("BEGIN IMMEDIATE");
    this.#commit = database.sqlite.prepare("COMMIT");
    this.#rollback = database.sqlite.prepare("ROLLBACK");
  }

  /**
   * Runs `operation` inside the next transaction.
   * @param operation synchronous; only database work and values of its own, because it runs a
   * second time, alone, when another operation of its transaction fails. What else belongs to the
   * change goes through `tx`, the way back of whatever it changes beside the database included
   * @param urgency what is not `now` saves a commit, where this one may wait for another's
   * @returns what the operation returned, once it is on disk
   * @throws what the operation threw, its own changes undone; or the database's error; or what the
   * guard found, and then the operation may have been written to a file that is gone
   */
  run<T>(operation: (tx: Transaction) => T, urgency: Urgency = "now"): Promise<T> {
    if (this.#closed) return Promise.reject(new Error("the database is closed"));
    if (this.#running) throw new Error("an operation may not add another one");
    return new Promise<T>((resolve, reject) => {
      let value: T;
      this.#waiting.push({
        run: (tx) => {
          value = operation(tx);
        },
        effects: [],
        backward: [],
        resolve: () => resolve(value),
        reject,
      });
      this.#scheduleBy(urgency);
    });
  }

  /**
   * Folds the log back into the file now: for work that writes much at intervals, so that no commit
   * that somebody waits for has to fold all of it at once. A database that is lost is left alone.
   * @throws the database's error
   */
  foldLog(): void {
    if (this.#guard?.look() === undefined) this.#sqlite.pragma("wal_checkpoint(PASSIVE)");
  }

  /** Writes what is waiting and refuses everything after it. */
  close(): void {
    while (this.#waiting.length > 0) this.#flush();
    this.#closed = true;
  }

  #scheduleBy(urgency: Urgency): void {
    if (this.#scheduled) return;
    switch (urgency) {
      case "now":
        this.#schedule();
        return;
      case "soon":
        this.#cancelSoon ??= this.#timers.setMachineTimer(SOON_MS, () => this.#schedule());
        return;
      case "later":
        this.#cancelLater ??= this.#timers.setTimer(LATER_MS, () => this.#schedule());
        return;
      default:
        urgency satisfies never;
    }
  }

  /** After the turn's input was handled: what arrived together is committed together. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      if (!this.#closed) this.#flush();
    });
  }

  #flush(): void {
    this.#scheduled = false;
    this.#cancelLater?.();
    this.#cancelLater = undefined;
    this.#cancelSoon?.();
    this.#cancelSoon = undefined;
    const lost = this.#guard?.look();
    if (lost !== undefined) {
      this.#rejectAll(lost);
      return;
    }
    if (this.#rehearses) this.#rehearse();
    const done: Waiting[] = [];
    try {
      this.#open();
      for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
        done.push(next);
        this.#perform(next);
        if (done.length === BATCH_MAX) break;
      }
      this.#commit.run();
      this.#others.letIn();
    } catch (error) {
      this.#undo(done);
      if (done.length > 1 || this.#makeRoom(error)) for (const each of done) this.#runAlone(each);
      else if (done[0]) this.#reject(done[0], error);
      else this.#rejectAll(error);
      this.#continue();
      return;
    }
    this.#conclude(done);
    this.#continue();
  }

  #rehearse(): void {
    const performed: Waiting[] = [];
    let knowAgain = (): void => undefined;
    try {
      this.#open();
      knowAgain = this.#rows.wayBack();
      for (const operation of this.#waiting.slice(0, BATCH_MAX)) {
        performed.push(operation);
        this.#perform(operation);
      }
    } catch {
      // It fails in earnest in a moment, and is told of then.
    }
    this.#undo(performed);
    // Rows that were known before are known in earnest too: who writes past their cache shall be found out.
    knowAgain();
  }

  /** The rest of a full batch. */
  #continue(): void {
    if (this.#waiting.length > 0) this.#schedule();
  }

  /** One of several failed: each gets a transaction of its own, so only the faulty one fails. */
  #runAlone(operation: Waiting): void {
    let failed = this.#failureOf(operation);
    if (failed && this.#makeRoom(failed.error)) failed = this.#failureOf(operation);
    if (failed) this.#reject(operation, failed.error);
    else this.#conclude([operation]);
  }

  /** @returns what undid the operation's transaction; undefined once it is committed */
  #failureOf(operation: Waiting): { readonly error: unknown } | undefined {
    try {
      this.#open();
      this.#perform(operation);
      this.#commit.run();
      this.#others.letIn();
      return undefined;
    } catch (error) {
      this.#undo([operation]);
      return { error };
    }
  }

  /** Begins a transaction, unless what other connections did up to now forbids it. */
  #open(): void {
    this.#begin.run();
    this.#others.keepOut();
    if (this.#guard?.lost !== undefined) throw this.#guard.lost;
  }

  #perform(operation: Waiting): void {
    operation.effects = [];
    operation.backward = [];
    this.#running = true;
    try {
      operation.run({
        after: (effect) => operation.effects.push(effect),
        undone: (effect) => operation.backward.push(effect),
        emit: (event) => {
          const events = this.#events;
          if (!events) throw new Error("this writer stores no events");
          const stored = events.store(event);
          operation.effects.push(() => events.publish(stored));
        },
      });
    } finally {
      this.#running = false;
    }
  }

  /** The transaction is on disk, unless its files went away meanwhile. */
  #conclude(operations: readonly Waiting[]): void {
    const lost = this.#guard?.look();
    if (lost !== undefined) this.#rows.drop();
    for (const { effects, resolve, reject } of operations) {
      if (lost === undefined) this.#follow(effects);
      if (lost === undefined) resolve();
      else reject(lost);
    }
  }

  #follow(effects: readonly (() => void)[]): void {
    for (const effect of effects) {
      try {
        effect();
      } catch (error) {
        this.#onEffectError(error);
      }
    }
  }

  #undo(operations: readonly Waiting[]): void {
    if (this.#sqlite.inTransaction) this.#rollback.run();
    this.#others.letIn();
    this.#rows.drop();
    for (const { backward } of operations.toReversed()) {
      for (const effect of backward.splice(0).toReversed()) effect();
    }
  }

  /** The transaction could not even begin, or has no file to be written to. */
  #rejectAll(error: unknown): void {
    for (const operation of this.#waiting.splice(0)) this.#reject(operation, error);
  }

  #reject(operation: Waiting, error: unknown): void {
    this.#onFailure?.(error);
    operation.reject(error);
  }
}

function setComputerTimer(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}

const COMPUTER_TIMERS: WriterTimers = {
  setTimer: setComputerTimer,
  setMachineTimer: setComputerTimer,
};

function rethrow(error: unknown): never {
  throw error;
}
