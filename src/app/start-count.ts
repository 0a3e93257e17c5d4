/**
 * Tells a state directory that was put back from a copy. What `fiscald restore` and `repair` put there
 * is noted in it; a copy that others put back is told by counting. Each start is counted in the
 * database and in a second place beside the state directory, which a copy of that directory does not
 * bring back. The second place also holds the number of the newest event: one start after the copy is
 * one too few to be told from a crash, but nothing is printed without events. A start that can keep
 * nothing there is not counted in the database either, so that the two tell the same once it can.
 */

import {
  closeSync,
  constants,
  fsyncSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { FINDINGS, type HealthFinding } from "#core/health.ts";
import type { Stores } from "#db/stores/index.ts";
import { startsFile } from "../config/state-files.ts";
import { flush, makeFolder } from "../platform/durable-file.ts";
import type { Log } from "../platform/log.ts";
import { deniedFolder } from "../platform/strange-owner.ts";
import { errorCode, errorText } from "../platform/thrown.ts";

interface Counted {
  readonly starts: number;
  /** Number of the newest event. */
  readonly event: number;
}

/** What the second place holds. */
type Known = Counted | "begun" | undefined;

export interface StartCountOptions {
  readonly stateDir: string;
  readonly stores: Pick<Stores, "appliance" | "events" | "organizations">;
  readonly log: Log;
}

/** Both numbers are written in one go over those before them, so their places are fixed. */
const DIGITS = 16;
const FORM = /^(\d+) (\d+)\n$/;
/** What stands there where an installer has made the place for a gateway that had run without it. */
const BEGUN = "begun\n";
const DENIED: readonly string[] = ["EACCES", "EPERM"];
/** A crash between the two places leaves them one apart. */
const LAG_MAX = 1;

export class StartCount {
  readonly #o: StartCountOptions;
  readonly #path: string;
  #file: number | undefined;
  #starts = 0;
  #event = 0;
  #isWaiting = false;
  /** What the database held as it was started, while the second place has not been looked at since. */
  #unlooked: Counted | undefined;
  /** Why nothing is kept. */
  #reason: string | undefined;

  constructor(options: StartCountOptions) {
    this.#o = options;
    this.#path = startsFile(options.stateDir);
  }

  /**
   * Counts this start.
   * @returns true when the state is noted as put back, or older than what the second place knows of it;
   * noted then, so that a start after one that is cut off knows it too
   */
  count(): boolean {
    const { appliance, events } = this.#o.stores;
    const ours = { starts: appliance.starts(), event: events.lastSeq() };
    const known = this.#open();
    const isNoted = appliance.isPutBack();
    const isPutBack = isNoted || this.#isOlder(ours, known);
    if (isPutBack && !isNoted) this.#notePutBack(known);
    this.#event = ours.event;
    if (this.#file === undefined) this.#unlooked = this.#uncounted(ours);
    else this.#keep(ours, known);
    return isPutBack;
  }

  #notePutBack(known: Known): void {
    const { stores, log } = this.#o;
    stores.appliance.notePutBack();
    if (known !== undefined) return;
    // Else each new container holds printers, and nobody knows why.
    const message =
      "beside a state that was counted there is no count: in a container both folders are to be volumes";
    log.warn(message, { folder: dirname(this.#path) });
  }

  /** What a place that comes later is compared with. Where there is none, no earlier start was kept in it. */
  #uncounted(ours: Counted): Counted {
    if (!this.#isPlaceMissing()) return ours;
    this.#o.stores.appliance.forgetStarts();
    return { ...ours, starts: 0 };
  }

  /** False also where nobody may look. */
  #isPlaceMissing(): boolean {
    try {
      return !statSync(dirname(this.#path)).isDirectory();
    } catch (error) {
      return errorCode(error) === "ENOENT";
    }
  }

  /** The second place first, so that it is never behind. */
  #keep(ours: Counted, known: Known): void {
    this.#starts = Math.max(ours.starts, isCounted(known) ? known.starts : 0) + 1;
    this.#write({ starts: this.#starts, event: this.#event }, "durably");
    if (this.#file !== undefined) this.#o.stores.appliance.putStartsBeside(this.#starts);
  }

  #isOlder(ours: Counted, known: Known): boolean {
    const { appliance, organizations } = this.#o.stores;
    // An unused database has nothing to lose.
    if (organizations.list().length === 0 || known === "begun") return false;
    // Where nothing can be kept nothing else can be told than that it was, beside this database.
    if (this.#file === undefined) return appliance.areStartsBeside() && this.#isPlaceMissing();
    // A database that was never counted there is not one that was put back.
    if (known === undefined) return ours.starts > 0;
    if (known.event > ours.event) return true;
    // One that is ahead came from elsewhere: the second place is always written first.
    return ours.starts > 0 && Math.abs(known.starts - ours.starts) > LAG_MAX;
  }

  /** Keeps the number of the newest event: soon, once for all that come in this turn. */
  noteEvent(seq: number): void {
    this.#event = Math.max(this.#event, seq);
    if (this.#isWaiting || this.#file === undefined) return;
    this.#isWaiting = true;
    setImmediate(() => {
      this.#isWaiting = false;
      this.#write({ starts: this.#starts, event: this.#event }, "soon");
    });
  }

  /**
   * Tries again where nothing could be kept, so that the cure helps at once.
   * @returns why a state that is put back would not be noticed; undefined when it would be
   */
  problem(): HealthFinding | undefined {
    if (this.#reason !== undefined) this.#goOn();
    return this.#reason === undefined ? undefined : FINDINGS.startsUncounted(this.#reason);
  }

  #goOn(): void {
    this.stop();
    const known = this.#open("quietly");
    if (this.#file === undefined) return;
    if (this.#unlooked !== undefined && this.#isOlder(this.#unlooked, known)) {
      // Noted now, for its own events may have grown past what shows it. A start alone says what follows.
      this.#o.stores.appliance.notePutBack();
      this.stop();
      this.#reason = `${dirname(this.#path)} shows that it was: start the gateway anew`;
      return;
    }
    const { appliance } = this.#o.stores;
    this.#keep({ starts: appliance.starts(), event: this.#event }, known);
    if (this.#file === undefined) return;
    this.#unlooked = undefined;
    this.#reason = undefined;
  }

  /** Nothing is kept any more. */
  stop(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  /** @returns what it holds; undefined when there is nothing */
  #open(how: "telling" | "quietly" = "telling"): Known {
    try {
      makeFolder(dirname(this.#path));
      this.#file = openSync(this.#path, constants.O_RDWR | constants.O_CREAT, 0o600);
    } catch (error) {
      this.#giveUp(error, how);
      return undefined;
    }
    const text = readFileSync(this.#path, "utf8");
    if (text === BEGUN) return "begun";
    const [, starts, event] = FORM.exec(text) ?? [];
    if (starts === undefined || event === undefined) return undefined;
    return { starts: Number(starts), event: Number(event) };
  }

  /** What was not written durably only a loss of power loses, and then too little is told. */
  #write({ starts, event }: Counted, how: "durably" | "soon"): void {
    if (this.#file === undefined) return;
    const text = [starts, event].map((number) => String(number).padStart(DIGITS, "0")).join(" ");
    try {
      writeSync(this.#file, `${text}\n`, 0);
      if (how === "soon") return;
      fsyncSync(this.#file);
      flush(dirname(this.#path));
    } catch (error) {
      this.#giveUp(error);
    }
  }

  #giveUp(error: unknown, how: "telling" | "quietly" = "telling"): void {
    this.stop();
    this.#reason = this.#reasonOf(error);
    if (how === "quietly") return;
    const message = "starts cannot be counted: a state put back from a copy goes unnoticed";
    this.#o.log.warn(message, { file: this.#path, error });
  }

  /** With the line that helps, where a permission is the reason. */
  #reasonOf(error: unknown): string {
    if (!DENIED.includes(errorCode(error) ?? "")) return errorText(error);
    return deniedFolder(dirname(this.#path));
  }
}

function isCounted(known: Known): known is Counted {
  return typeof known === "object";
}
