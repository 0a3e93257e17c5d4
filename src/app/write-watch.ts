/**
 * Whether the database can be written. Each write that the disk refused is told here; from then on
 * nothing is taken for well before a write of this watch's own has gone through: the next small one
 * that happens to find room says nothing of a submission.
 */

import { FINDINGS, type HealthFinding } from "#core/health.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Clock } from "../platform/clock.ts";
import { errorCode, errorText } from "../platform/thrown.ts";

/** Result codes of SQLite that say the disk refused a write. A lost database has a watch of its own. */
const REFUSED_CODES = /^SQLITE_(FULL|READONLY|CANTOPEN|IOERR(?!_VNODE))/;
/** Between two tries. */
const TRY_MS = 1_000;
/** About what a submission with its key and its event needs. */
const TRIAL = "x".repeat(16_384);
const TRIAL_NAME = "write.trial";

export interface WriteWatchOptions {
  readonly stateDir: string;
  readonly stores: Pick<Stores, "appliance">;
  readonly clock: Pick<Clock, "elapsed">;
  /** Writes through the one writer. */
  readonly write: (operation: () => void) => Promise<void>;
}

export class WriteWatch {
  readonly #o: WriteWatchOptions;
  /** Of the last write that the disk refused, until one went through. */
  #message: string | undefined;
  #refused = 0;
  #tryAt = 0;
  #isTrying = false;

  constructor(options: WriteWatchOptions) {
    this.#o = options;
  }

  /** A write failed, for whatever reason. */
  failed(error: unknown): void {
    if (!REFUSED_CODES.test(errorCode(error) ?? "")) return;
    if (this.#message === undefined) this.#tryAt = this.#o.clock.elapsed() + TRY_MS;
    this.#message = errorText(error);
    this.#refused += 1;
  }

  /**
   * Tries to write, when writing failed and the last try is a second ago; its outcome is known to
   * whoever asks next.
   * @returns what is wrong and what to do; undefined when nothing is
   */
  problem(): HealthFinding | undefined {
    if (this.#message === undefined) return undefined;
    if (!this.#isTrying && this.#o.clock.elapsed() >= this.#tryAt) void this.#try();
    return FINDINGS.databaseUnwritable(this.#message, this.#o.stateDir);
  }

  async #try(): Promise<void> {
    const { clock, stores, write } = this.#o;
    const refused = this.#refused;
    this.#isTrying = true;
    this.#tryAt = clock.elapsed() + TRY_MS;
    try {
      await write(() => stores.appliance.put(TRIAL_NAME, TRIAL));
      await write(() => stores.appliance.put(TRIAL_NAME, ""));
      if (this.#refused === refused) this.#message = undefined;
    } catch (error) {
      this.failed(error);
    } finally {
      this.#isTrying = false;
    }
  }
}
