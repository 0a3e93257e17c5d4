/**
 * Room on the disk of the state directory. Before it is full no more commands are taken, so that what
 * was taken can still be told: results go to the disk as long as there is room, and then into the
 * room of a file that was kept for them. When there is room again, commands are taken again and the
 * file is made anew, without a start.
 */

import { randomBytes } from "node:crypto";
import { statfsSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { FINDINGS, type HealthFinding } from "#core/health.ts";
import { stateFiles } from "../config/state-files.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import {
  GIVEN_UP_BELOW,
  giveUpReserve,
  isNoRoom,
  RESERVE_BYTES,
  RESERVE_GIVEN_UP,
} from "../platform/reserve.ts";

const MEBIBYTE = 1_048_576;
/** With less than this free, no command is taken. */
const CLOSED_BELOW = 16 * MEBIBYTE;
/** With this free, besides the reserve, commands are taken again. */
const OPEN_FROM = 32 * MEBIBYTE;

/**
 * A reserve that could not be made is tried again after this, and twice as long after each further time:
 * each try may write all of it, under a limit that the free bytes do not tell.
 */
const MADE_AGAIN_MS = 5000;
const MADE_AGAIN_AT_MOST_MS = 300_000;

export interface DiskWatchOptions {
  readonly stateDir: string;
  readonly log: Log;
  readonly clock: Pick<Clock, "now" | "elapsed">;
}

export class DiskWatch {
  readonly #o: DiskWatchOptions;
  readonly #reserve: string;
  /** UTC milliseconds. */
  #closedAt: number | undefined;
  readonly #onChange: (() => void)[] = [];
  /** That nothing can be kept at the place of the reserve. */
  #isTold = false;
  /** When the reserve may be made, by the clock's `elapsed`. */
  #makeAt = 0;
  #againMs = MADE_AGAIN_MS;
  /** Something else stands at its place, so that none is waited for. */
  #isTaken = false;
  /** While the reserve is being made. */
  #making: Promise<void> | undefined;

  constructor(options: DiskWatchOptions) {
    this.#o = options;
    this.#reserve = stateFiles(options.stateDir).reserve;
  }

  /** Why no commands are taken, and what to do; undefined when they are. */
  problem(): HealthFinding | undefined {
    if (this.#closedAt === undefined) return undefined;
    const needed = Math.ceil((OPEN_FROM + RESERVE_BYTES) / MEBIBYTE);
    return FINDINGS.diskFull(this.#o.stateDir, needed);
  }

  /** Since when no commands are taken, in UTC milliseconds; undefined while they are. */
  fullSince(): number | undefined {
    return this.#closedAt;
  }

  /** Calls back when commands are taken no longer, and when they are again. */
  onChange(listener: () => void): void {
    this.#onChange.push(listener);
  }

  /**
   * A write failed, for whatever reason.
   * @returns whether the reserve was given up for it, so that there is room for the write now
   */
  makeRoom(error: unknown): boolean {
    if (!isNoRoom(error)) return false;
    this.#close();
    return this.#giveUp();
  }

  /** To be called before the first command may come. */
  begin(): void {
    if ((this.#free() ?? CLOSED_BELOW) < CLOSED_BELOW) this.#close();
  }

  /** To be called every second or so. */
  look(): void {
    const free = this.#free();
    if (free === undefined) return;
    if (free < CLOSED_BELOW) this.#close();
    if (free < GIVEN_UP_BELOW) this.#giveUp();
    if (this.#making !== undefined) return;
    const isWhole = this.#isReserveWhole();
    if ((isWhole || this.#isTaken) && free >= OPEN_FROM) this.#open();
    const mayMake = this.#o.clock.elapsed() >= this.#makeAt;
    if (!isWhole && mayMake && free >= OPEN_FROM + RESERVE_BYTES) this.#make();
  }

  /** Lets what is being made come to its end. */
  async stop(): Promise<void> {
    await this.#making;
  }

  /** Bytes; undefined for a directory that is gone, which has a watch of its own. */
  #free(): number | undefined {
    try {
      const { bavail, bsize } = statfsSync(this.#o.stateDir);
      return bavail * bsize;
    } catch {
      return undefined;
    }
  }

  #close(): void {
    if (this.#closedAt !== undefined) return;
    this.#closedAt = this.#o.clock.now();
    this.#o.log.error("the disk is full: no commands are taken until there is room");
    for (const listener of this.#onChange) listener();
  }

  #open(): void {
    if (this.#closedAt === undefined) return;
    this.#closedAt = undefined;
    this.#o.log.info("there is room on the disk again: commands are taken");
    for (const listener of this.#onChange) listener();
  }

  #giveUp(): boolean {
    try {
      if (!giveUpReserve(this.#reserve)) return false;
    } catch (error) {
      this.#tellUnusable(error);
      return false;
    }
    this.#o.log.warn(RESERVE_GIVEN_UP);
    return true;
  }

  /** As a folder of that name, which somebody else has made. */
  #tellUnusable(error: unknown): void {
    if (this.#isTold) return;
    this.#isTold = true;
    const path = this.#reserve;
    this.#o.log.warn("no room is kept on the disk for results: remove what is there", {
      path,
      error,
    });
  }

  #isReserveWhole(): boolean {
    return statSync(this.#reserve, { throwIfNoEntry: false })?.size === RESERVE_BYTES;
  }

  #make(): void {
    this.#making = this.#write()
      .then(() => {
        this.#isTaken = false;
        this.#againMs = MADE_AGAIN_MS;
      })
      .catch((error: unknown) => {
        this.#makeAt = this.#o.clock.elapsed() + this.#againMs;
        this.#againMs = Math.min(2 * this.#againMs, MADE_AGAIN_AT_MOST_MS);
        this.#isTaken = !isNoRoom(error);
        // Another limit than that of the disk, as of a user.
        this.#o.log.warn("the reserve on the disk could not be made", { error });
        giveUpReserve(this.#reserve);
      })
      .catch((error: unknown) => this.#tellUnusable(error))
      .finally(() => {
        this.#making = undefined;
      });
  }

  /** With bytes that no file system makes smaller. */
  async #write(): Promise<void> {
    const part = randomBytes(MEBIBYTE);
    const file = await open(this.#reserve, "w", 0o600);
    try {
      for (let at = 0; at < RESERVE_BYTES; at += part.length) await file.write(part);
      await file.datasync();
    } finally {
      await file.close();
    }
  }
}
