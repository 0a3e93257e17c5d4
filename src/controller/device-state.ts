/**
 * What a device shows of itself, as it is told to the gateway: its state as last read, what a
 * document waits for at the moment, and how far its clock is off.
 */

import type { CommandType } from "#core/command/catalogue.ts";
import { isWhole, UNKNOWN_STATUS, untoldStatus } from "#core/device/complaints.ts";
import type { DeviceStatus } from "#core/device/device.ts";
import type { CommandProgress, DriverSession } from "#core/driver.ts";
import { ClockShowsNoTime, FiscalError, isLineFault } from "#core/errors.ts";
import { MENDING_POLL_SECONDS } from "#core/limits.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";

/** Asking a device again for its clock that has refused to tell it. */
const CLOCK_RETRY_MS = 300_000;

const NO_MARKS: CommandProgress = {
  mark: () => Promise.reject(new Error("reading the clock changes nothing")),
  mayGoOn: () => true,
  hasLimit: () => true,
  paused: () => undefined,
  pauseLimitMs: 0,
};

const NOT_READ: DeviceStatus = { ...UNKNOWN_STATUS, partial: true };

type PauseReason = "paper_out" | "cover_open";

export interface DeviceStateOptions {
  readonly clock: Clock;
  /** What the driver can carry out. */
  readonly commands: ReadonlySet<CommandType>;
  /** How old what is known of an idle device may become: somebody may set its clock at the keys. */
  readonly pollMs: number;
  readonly log: Pick<Log, "warn">;
  /** Tells the gateway; without a drift the last one stands. */
  tell(status: DeviceStatus, clockDriftMs: number | undefined): void;
}

export class DeviceState {
  readonly #options: DeviceStateOptions;
  #status = NOT_READ;
  /** What the document under way waited for last. */
  #waitedFor: PauseReason | undefined;
  /** By the clock's `elapsed`. */
  #nextClockAt = 0;
  /** As last read, the clock has no time to show: not every device has a bit in its status for that. */
  #showsNoTime = false;
  /** Why it did not tell its state when it was asked last; undefined when it did. */
  #untold: string | undefined;

  constructor(options: DeviceStateOptions) {
    this.#options = options;
  }

  /** Takes and tells what was read. */
  report(status: DeviceStatus, clockDriftMs?: number): void {
    this.#status = this.#showsNoTime ? { ...status, clockSet: false } : status;
    this.#options.tell(this.#status, clockDriftMs);
  }

  /**
   * Shows the reason of a pause as the state of the device, from which alerts are made.
   * @param reason undefined when the document goes on: what it waited for is there again
   */
  paused(reason: PauseReason | undefined): void {
    const { untold, ...rest } = this.#status;
    // That it waits is its own word, whatever it told when it was asked.
    const standing = reason === undefined && untold !== undefined ? { untold } : {};
    const part = isWhole(this.#status) ? {} : { partial: true };
    const shown = { ...rest, ...standing, ...part };
    this.#options.tell({ ...shown, ...this.#paperAndCover(reason) }, undefined);
    this.#waitedFor = reason;
  }

  /** As they are with a pause, or behind one. */
  #paperAndCover(reason: PauseReason | undefined): Pick<DeviceStatus, "paper" | "cover"> {
    const { paper, cover } = this.#status;
    const isThere = (was: PauseReason): boolean =>
      this.#waitedFor === was && !isWhole(this.#status);
    const isLoaded = paper === "out" || (paper === null && isThere("paper_out"));
    const isClosed = cover === "open" || (cover === null && isThere("cover_open"));
    return {
      paper: reason === "paper_out" ? "out" : isLoaded ? "ok" : paper,
      cover: reason === "cover_open" ? "open" : isClosed ? "closed" : cover,
    };
  }

  /**
   * When an idle device is to be read, by the clock's `elapsed`, after its state was told just now:
   * what commands tell keeps that current, and not the clock. One that was not read since the device
   * was found is read with the next poll. While it cannot print, somebody stands in front of it and
   * waits for it to be ready again.
   */
  nextReadAt(): number {
    const { clock, pollMs } = this.#options;
    const pauseMs = this.#needsMending ? Math.min(pollMs, MENDING_POLL_SECONDS * 1_000) : pollMs;
    const pollAt = clock.elapsed() + pauseMs;
    return this.#nextClockAt === 0 ? pollAt : Math.min(pollAt, this.#clockDueAt);
  }

  /** A client had the clock read. @param data the result of `get_date_time` */
  clockTold(data: Record<string, unknown>): void {
    const drift = this.#driftOf(data);
    if (this.#status !== NOT_READ) this.#options.tell(this.#status, drift);
  }

  /** The clock was set, or the device was away: it is read again when the device is idle. */
  clockChanged(): void {
    this.#nextClockAt = 0;
  }

  /**
   * Reads the state, and the clock where that is due, and tells both. A device that answers and tells no
   * state is there all the same: nothing is known of it then but why, and what was wrong before.
   * @throws FiscalError a line fault
   */
  async read(session: DriverSession): Promise<void> {
    let status: DeviceStatus;
    try {
      status = await session.readStatus();
    } catch (error) {
      if (!(error instanceof FiscalError) || isLineFault(error)) throw error;
      this.#reportUntold(error);
      return;
    }
    this.#untold = undefined;
    this.report(status, await this.#readDrift(session));
  }

  /** Logged once until it changes: the device is asked with each poll. */
  #reportUntold({ code, message }: FiscalError): void {
    const why = `${code}: ${message}`;
    if (this.#untold !== why) this.#options.log.warn("the device does not tell its state", { why });
    this.#untold = why;
    const { clock, pollMs } = this.#options;
    // It is read behind the state alone, and what is due makes the device be asked at once.
    if (this.#nextClockAt !== 0) this.#nextClockAt = clock.elapsed() + pollMs;
    this.report(untoldStatus(this.#status, { code, message }));
  }

  /** As last read, it waits for a person's hand. */
  get #needsMending(): boolean {
    const { paper, cover, hardwareError } = this.#status;
    return paper === "out" || cover === "open" || hardwareError === true;
  }

  /** Infinity where it cannot be read. */
  get #clockDueAt(): number {
    return this.#options.commands.has("get_date_time")
      ? this.#nextClockAt
      : Number.POSITIVE_INFINITY;
  }

  /** Device clock minus ours; undefined when it is not due or the device does not tell. */
  async #readDrift(session: DriverSession): Promise<number | undefined> {
    const { clock } = this.#options;
    if (clock.elapsed() < this.#clockDueAt) return undefined;
    const command = {
      id: "clock",
      type: "get_date_time",
      payload: {},
      original: undefined,
    } as const;
    try {
      const { data } = await session.execute(command, NO_MARKS);
      return this.#driftOf(data);
    } catch (error) {
      // A refusal says that this device has no clock to read; so does an answer that is no time.
      if (error instanceof ClockShowsNoTime) this.#showsNoTime = true;
      else if (!(error instanceof FiscalError) || isLineFault(error)) throw error;
      this.#nextClockAt = clock.elapsed() + CLOCK_RETRY_MS;
      return undefined;
    }
  }

  /** Device clock minus ours, from a reading that was just made; undefined when it shows no time. */
  #driftOf({ dateTime }: Record<string, unknown>): number | undefined {
    const { clock, pollMs } = this.#options;
    this.#nextClockAt = clock.elapsed() + pollMs;
    this.#showsNoTime = false;
    const told = typeof dateTime === "string" ? Date.parse(dateTime) : Number.NaN;
    return Number.isNaN(told) ? undefined : told - clock.now();
  }
}
