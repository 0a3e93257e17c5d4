/**
 * Backups that the gateway has made by itself and by the API, each by a process of its own: when they
 * are due, whether one is being made, and what is wrong with them.
 */

import { basename } from "node:path";
import { FINDINGS, type HealthFinding } from "#core/health.ts";
import { CLOCK_FLOOR, type Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import { STOP_GRACE_MS } from "../platform/stop-times.ts";
import { errorText } from "../platform/thrown.ts";
import { type BackupOutcome, isAhead } from "./kept-backups.ts";
import { isNightly } from "./passphrase.ts";

/** After a start: a machine that is switched off at night makes its backup in the morning. */
const FIRST_LOOK_MS = 120_000;
const LOOK_MS = 60_000;
const RETRY_MS = 3_600_000;
const DAY_MS = 86_400_000;
/**
 * One that runs for longer is told: the shop's own command has six hours to take it elsewhere. Where it
 * has not ended after as much again, its place answers no more, and it is given up.
 */
const LONG_MS = 6 * 3_600_000;
const RUN_MS_MAX = 2 * LONG_MS;
/** A backup that is older needs a person. */
const AGE_MAX_MS = 2 * DAY_MS;

/** What became of one backup, told once. */
export type BackupNews =
  | { readonly kind: "completed"; readonly name: string; readonly bytes: number }
  /** It was not made, or there has been none for two days. */
  | { readonly kind: "failed"; readonly reason: string };

/** Which backup is to be made. */
export interface BackupWish {
  /** In place of the usual place: a folder, `usb` or `usb:NAME`. */
  readonly to?: string;
  /** A person asks for it. */
  readonly isByHand: boolean;
}

/** A backup under way. */
export interface BackupProcess {
  /** What it came to: the reason of a failure; undefined when it was made. */
  readonly ended: Promise<string | undefined>;
  /** Ends it and what it has started; what waits for a disk that does not answer ends only when that does. */
  kill(signal: "SIGTERM" | "SIGKILL"): void;
}

export interface BackupScheduleOptions {
  /** `HH:MM`, by the machine's clock, or `off`. */
  readonly at: () => string;
  /** False without a passphrase to encrypt with. */
  readonly canEncrypt: () => boolean;
  /** Whether somebody has chosen the hour. */
  readonly isHourChosen: () => boolean;
  /** Why none can be made, as far as a look shows that makes nothing; undefined for no reason. */
  readonly unready: () => Promise<string | undefined>;
  readonly clock: Pick<Clock, "now" | "setTimer">;
  readonly log: Log;
  /** Starts a process that makes one. */
  readonly begin: (wish: BackupWish) => BackupProcess;
  /** What the last backups came to. */
  readonly outcome: () => BackupOutcome;
  /** Keeps why the last one at the usual place failed, for `outcome`; null once one has not. */
  readonly noteFailure: (failed: BackupOutcome["failed"]) => void;
  readonly tell: (news: BackupNews) => void;
}

/** One that is being made. */
interface UnderWay {
  /** UTC milliseconds. */
  readonly startedAt: number;
  readonly process: BackupProcess;
  readonly wish: BackupWish;
  /** It runs for longer than it should. */
  isLong: boolean;
  cancelTimer: () => void;
}

export class BackupSchedule {
  readonly #o: BackupScheduleOptions;
  #current: UnderWay | undefined;
  /** Those that were given up and whose process has not ended. */
  readonly #abandoned = new Set<UnderWay>();
  #cancel: () => void = () => {};
  #overdueToldAt: number | undefined;
  /** Why the last one failed that a person asked for elsewhere; null once one was made. */
  #failedElsewhere: BackupOutcome["failed"] = null;
  #unready: string | undefined;
  /** Why nobody knows whether one can be made. */
  #unknown: string | undefined;
  #isLookedAt = false;
  /** The look that is under way: a disk that does not answer is asked once. */
  #look: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: BackupScheduleOptions) {
    this.#o = options;
  }

  /** Whether backups are to be made by themselves. */
  get isOn(): boolean {
    const { at, canEncrypt, isHourChosen } = this.#o;
    return isNightly({ at: at(), canEncrypt: canEncrypt(), isHourChosen: isHourChosen() });
  }

  /** Whether it has been looked, since the start, if one can be made. */
  get isLookedAt(): boolean {
    return this.#isLookedAt;
  }

  /** UTC milliseconds at which the one under way began; undefined when none is. */
  get startedAt(): number | undefined {
    return this.#current?.startedAt;
  }

  /** What failed last, at whichever place; null where none did since. */
  get failed(): BackupOutcome["failed"] {
    return this.#failedElsewhere ?? this.#o.outcome().failed;
  }

  /** UTC milliseconds of the next one; undefined when none is made by itself. */
  nextAt(): number | undefined {
    return this.isOn && this.#o.canEncrypt()
      ? instantAt(this.#o.at(), this.#o.clock.now(), 1)
      : undefined;
  }

  /** Begins to look when one is due; where none are made, whether they are meanwhile. */
  start(): void {
    void this.look();
    this.#lookIn(FIRST_LOOK_MS);
  }

  /**
   * Ends what is under way: its remains go with the next one.
   * @param graceMs how long that may take. What waits for a disk then is left behind: printers are to
   * be let go of before the service manager kills the gateway
   */
  async stop(graceMs: number): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    if (this.#current === undefined) return;
    const { process, cancelTimer } = this.#current;
    cancelTimer();
    await this.#endProcess(process, graceMs);
  }

  /** Asked first: the shop's command is in a group of its own, which only its backup can end. */
  async #endProcess(process: BackupProcess, graceMs: number): Promise<void> {
    process.kill("SIGTERM");
    const { promise: isOver, resolve } = Promise.withResolvers<void>();
    const cancel = this.#o.clock.setTimer(graceMs, () => {
      process.kill("SIGKILL");
      resolve();
    });
    await Promise.race([process.ended, isOver]).finally(cancel);
  }

  /**
   * Has a backup made now, because a person asks for it.
   * @param to in place of the usual place: a folder, `usb` or `usb:NAME`
   * @returns false when one is being made already
   */
  makeNow(to?: string): boolean {
    return this.#make({ ...(to === undefined ? {} : { to }), isByHand: true });
  }

  /** What is wrong with the backups; undefined when nothing is, or none are to be made. */
  problem(): HealthFinding | undefined {
    const { usual, failed } = this.#o.outcome();
    if (this.#current?.isLong) return FINDINGS.backupUnready(notEnded(this.#current));
    if (!this.isOn) return undefined;
    for (const made of this.#abandoned) return FINDINGS.backupUnready(notEnded(made));
    if (!this.#o.canEncrypt()) return FINDINGS.backupNoPassphrase();
    if (failed !== null) return FINDINGS.backupFailed(failed.at, failed.reason);
    // Whoever has mended what a look found asks again, and need not wait for the next one.
    if (this.#unready !== undefined || this.#unknown !== undefined) void this.look();
    if (this.#unready !== undefined) return FINDINGS.backupUnready(this.#unready);
    if (this.#unknown !== undefined) return FINDINGS.backupUnknown(this.#unknown);
    return usual !== null && this.#o.clock.now() - Date.parse(usual.createdAt) > AGE_MAX_MS
      ? FINDINGS.backupOld(usual.createdAt)
      : undefined;
  }

  /** Forgets what was found, and looks anew: what a backup needs has changed. */
  lookAgain(): void {
    [this.#unready, this.#unknown, this.#isLookedAt] = [undefined, undefined, false];
    this.#look = undefined;
    void this.look();
  }

  #make(wish: BackupWish): boolean {
    if (this.#current !== undefined || this.#isStopped) return false;
    const { begin, clock } = this.#o;
    const process = begin(wish);
    const startedAt = clock.now();
    const made = { startedAt, process, wish, isLong: false, cancelTimer: () => {} };
    this.#current = made;
    const ended = (reason: string | undefined): void => {
      this.#abandoned.delete(made);
      this.#ended(made, reason);
    };
    process.ended.then(ended, (error: unknown) => ended(errorText(error)));
    made.cancelTimer = clock.setTimer(LONG_MS, () => {
      made.isLong = true;
      made.cancelTimer = clock.setTimer(RUN_MS_MAX - LONG_MS, () => {
        // How it ends is told where it is waited for.
        this.#endProcess(process, STOP_GRACE_MS).catch(() => undefined);
        this.#abandoned.add(made);
        this.#ended(made, notEnded(made));
      });
    });
    return true;
  }

  #lookIn(ms: number): void {
    this.#cancel = this.#o.clock.setTimer(ms, () => {
      if (this.isOn) {
        void this.look();
        if (this.#isDue()) this.#make({ isByHand: false });
        this.#tellOverdue();
      }
      this.#lookIn(LOOK_MS);
    });
  }

  /**
   * Finds what would keep the next one from being made while there is time to mend it, for `problem`.
   * Resolves when that is found.
   */
  look(): Promise<void> {
    if (!this.isOn || !this.#o.canEncrypt()) return Promise.resolve();
    if (this.#look !== undefined) return this.#look;
    const looked = (unready: string | undefined, unknown?: string): void => {
      // What it had begun to look at may have changed since.
      if (this.#look !== look) return;
      [this.#unready, this.#unknown] = [unready, unknown];
      [this.#isLookedAt, this.#look] = [true, undefined];
    };
    const look: Promise<void> = this.#o.unready().then(looked, (error: unknown) => {
      looked(undefined, errorText(error));
      this.#o.log.warn("backups not looked at", { error });
    });
    this.#look = look;
    return look;
  }

  #isDue(): boolean {
    const { at, canEncrypt, clock, outcome } = this.#o;
    const now = clock.now();
    if (!canEncrypt()) return false;
    // Under a name of 1970 nobody would find it, and the next one is not far.
    if (now < CLOCK_FLOOR) return false;
    // It would wait for the same disk, and each one keeps the database's log from being folded.
    if (this.#abandoned.size > 0) return false;
    // What lies on a person's stick is not there in the morning.
    const { usual, failed } = outcome();
    // Also one that was made, and that the shop's command could not take elsewhere.
    if (failed !== null) return !isWithin(RETRY_MS, Date.parse(failed.at), now);
    if (usual === null) return true;
    const madeAt = Date.parse(usual.createdAt);
    // One from the future was made before the clock was set right: it stands for no day.
    return madeAt < instantAt(at(), now, 0) || isAhead(madeAt, now);
  }

  /** Once a day, beside the failures that made it so old. */
  #tellOverdue(): void {
    const { clock, outcome, tell } = this.#o;
    const now = clock.now();
    const { usual } = outcome();
    if (usual === null || now - Date.parse(usual.createdAt) <= AGE_MAX_MS) return;
    if (this.#overdueToldAt !== undefined && isWithin(DAY_MS, this.#overdueToldAt, now)) return;
    this.#overdueToldAt = now;
    tell({ kind: "failed", reason: `the last backup is of ${usual.createdAt}` });
  }

  #ended(made: UnderWay, reason: string | undefined): void {
    const { clock, log, outcome, noteFailure, tell } = this.#o;
    // It was given up before.
    if (this.#current !== made) return;
    const isElsewhere = made.wish.to !== undefined;
    made.cancelTimer();
    this.#current = undefined;
    if (this.#isStopped) return;
    const { last } = outcome();
    if (reason !== undefined) {
      log.error("backup failed", { reason });
      const failed = { at: new Date(clock.now()).toISOString(), reason };
      // That a person's own stick is not there says nothing of those of the night.
      this.#failedElsewhere = isElsewhere ? failed : null;
      if (!isElsewhere) noteFailure(failed);
      tell({ kind: "failed", reason });
      return;
    }
    this.#failedElsewhere = null;
    // One on a person's stick says nothing of the place that could not be reached.
    if (!isElsewhere && outcome().failed !== null) noteFailure(null);
    if (last !== null) {
      log.info("backup made", { file: last.file, bytes: last.bytes });
      tell({ kind: "completed", name: basename(last.file), bytes: last.bytes });
    }
  }
}

function notEnded({ startedAt }: UnderWay): string {
  const since = new Date(startedAt).toISOString();
  return `the one begun at ${since} has not come to its end: look whether its place still answers`;
}

/** True while something is less than that ago. What is in the future has another clock's time. */
function isWithin(ms: number, instant: number, now: number): boolean {
  return instant <= now && now - instant < ms;
}

/**
 * An instant of a time of day by the machine's clock.
 * @param which 0 for the last one up to now, 1 for the next one
 */
function instantAt(at: string, now: number, which: 0 | 1): number {
  const [hours = 0, minutes = 0] = at.split(":").map(Number);
  const instant = new Date(now);
  instant.setHours(hours, minutes, 0, 0);
  const days = (instant.getTime() > now ? -1 : 0) + which;
  instant.setDate(instant.getDate() + days);
  return instant.getTime();
}
