/**
 * One device of a controller: keeps its line open, carries out its commands one at a
 * time, and resolves what is in doubt before anything else.
 *
 *   connecting --> idle --> running --> idle
 *       ^           |          |
 *       +-- line lost, or fault of the line (the job in doubt stays first in the list)
 *
 * A command that reported no mark has changed nothing, so after a fault of the line it is tried
 * again on the next one until its time is over. A document or ledger entry that reported a mark is
 * never tried again: the driver finds out what became of it.
 */

import type { CommandResult } from "#core/command/command.ts";
import { DOUBTS } from "#core/command/doubt.ts";
import type { Baseline } from "#core/command/marks.ts";
import type { DeviceConfig, DeviceStatus } from "#core/device/device.ts";
import type { DriverSession } from "#core/driver.ts";
import { FiscalError, isLineFault } from "#core/errors.ts";
import { RESOLUTION_LIMIT_MS } from "#core/limits.ts";
import type { GatewayChannel } from "./channel.ts";
import { faultWords, openSession } from "./device-line.ts";
import { DeviceSettings } from "./device-settings.ts";
import { DeviceState } from "./device-state.ts";
import { DeviceVoice } from "./device-voice.ts";
import type { ControllerEnvironment } from "./environment.ts";
import { failureOf, unresolvedOf } from "./failed-job.ts";
import { hasLimit, type Job, mayFinish, mayGoOn } from "./job.ts";
import { JobList } from "./job-list.ts";
import { JobLog } from "./job-log.ts";
import type { LineTrace } from "./line-trace.ts";
import type { OwedNotes } from "./owed-notes.ts";
import type { OwedResults } from "./owed-results.ts";
import { MarkRefused, Marks, type Refusal } from "./progress.ts";
import { doubtResult, resolutionResult, successResult } from "./results.ts";
import { Wakeup } from "./wakeup.ts";

/** Waiting before the next attempt to reach a device: doubled each time between these. */
const RECONNECT_MS_MIN = 250;
const RECONNECT_MS_MAX = 5_000;
/** Waiting before a reachable device is asked again about a document in doubt. */
const RESOLVE_RETRY_MS = 1_000;
/** One attempt to find out counts for no more than this. */
const ATTEMPT_COUNTED_MS_MAX = 60_000;

/** What a session works with. */
export interface DeviceSessionOptions {
  readonly channel: GatewayChannel;
  readonly environment: ControllerEnvironment;
  /** Where results go. */
  readonly owed: OwedResults;
  /** Where that goes which was done unasked. */
  readonly notes: OwedNotes;
  readonly trace: LineTrace;
}

export class DeviceSession {
  readonly #settings: DeviceSettings;
  readonly #env: ControllerEnvironment;
  readonly #trace: LineTrace;
  readonly #marks: Marks;
  readonly #wakeup: Wakeup;
  readonly #jobs: JobList;
  readonly #notes: OwedNotes;
  readonly #log: JobLog;
  /** What the driver wants to know on the next line. */
  readonly #remembered = new Map<string, string>();
  #session: DriverSession | undefined;
  readonly #state: DeviceState;
  /** What the gateway is told of the device. */
  readonly voice: DeviceVoice;
  #reconnectMs = RECONNECT_MS_MIN;
  /** The device has carried something out on its latest line. */
  #answered = true;
  /** By the clock's `elapsed`. */
  #nextPollAt = 0;
  #stopped = false;
  readonly #ended: Promise<void>;

  constructor(device: DeviceConfig, options: DeviceSessionOptions) {
    const { channel, environment, owed, notes, trace } = options;
    this.#settings = new DeviceSettings(device);
    this.#trace = trace;
    this.#notes = notes;
    this.voice = new DeviceVoice(channel, environment.clock, device.id);
    this.#env = environment;
    this.#marks = new Marks(channel, environment.clock);
    this.#jobs = new JobList(environment, owed);
    this.#log = new JobLog(environment.log, device);
    this.#wakeup = new Wakeup(environment.clock);
    const { clock, statusPollMs: pollMs, findDriver } = environment;
    this.#state = new DeviceState({
      ...{
        clock,
        pollMs,
        log: this.#log.device,
        commands: findDriver(device.driver)?.commands ?? new Set(),
      },
      tell: (status, clockDriftMs) => {
        this.#nextPollAt = this.#state.nextReadAt();
        this.voice.status(status, clockDriftMs);
      },
    });
    this.#ended = this.#run();
  }

  /** Takes new settings. @returns false when they need another session */
  takes(device: DeviceConfig): boolean {
    const isTaken = this.#settings.take(device);
    if (isTaken && this.#settings.isMoving) this.#wakeup.now();
    return isTaken;
  }

  /** True from the dispatch of a command until it has ended here. */
  has(commandId: string): boolean {
    return this.#jobs.has(commandId);
  }

  /** Takes a command; one that is known already is answered with what there is. */
  take(job: Job): void {
    const commandId = job.command.id;
    const taken = this.#jobs.take(job);
    if (taken === "settled" && !this.#marks.settled(commandId)) this.#jobs.doubt(commandId);
    if (taken !== "new") this.#marks.repeat(commandId);
    this.#wakeup.now();
  }

  /** Says once more how things stand, to a gateway that may have heard nothing of it. */
  sayAgain(): void {
    this.voice.again();
    this.#marks.sayAgain();
  }

  markStored(...[answer]: Parameters<Marks["stored"]>): void {
    this.#marks.stored(answer);
  }

  /**
   * The gateway refused what was said of a command: a mark is then not waited for any longer. What
   * was said under an older hand-over was said again.
   */
  refused({ commandId, code, message, epoch }: Refusal): void {
    if (epoch !== undefined && epoch < (this.#jobs.epochOf(commandId) ?? epoch)) return;
    this.#marks.refused(commandId, code, message);
    if (code === "FINAL") this.#settled(commandId);
  }

  /** Settled by a person, asked over another line, or to wait: nothing is done for it here any more. */
  #settled(commandId: string): void {
    const job = this.#jobs.atRest(commandId);
    if (!job) return;
    const isAsked = job.inDoubt && job === this.#jobs.first;
    this.#jobs.forget(job);
    // Ends an attempt to find out, before it finishes what was said not to be printed.
    if (isAsked) this.#disconnect("The document in doubt was settled");
    this.#wakeup.now();
  }

  /** Ends the session; a command under way stays as its marks say. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const session = this.#session;
    this.#session = undefined;
    session?.close();
    this.voice.stop();
    this.#marks.stop();
    this.#wakeup.now();
    await this.#ended;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      this.#jobs.dropExpired();
      const session = this.#session ?? (await this.#connect());
      if (!session || this.#moves()) continue;
      const job = this.#jobs.first;
      if (!job) await this.#idle(session);
      else if (job.inDoubt) await this.#resolve(session, job);
      else await this.#execute(session, job);
    }
  }

  async #connect(): Promise<DriverSession | undefined> {
    // A line that is there but carries nothing is no better than none.
    if (!this.#answered) await this.#backOff();
    if (this.#stopped) return undefined;
    this.#moves();
    const { id: deviceId } = this.#settings.current;
    let session: DriverSession | undefined;
    try {
      session = await openSession(this.#settings.current, this.#env, {
        onLost: () => this.#lost(session),
        note: (action, details) => this.#notes.say({ deviceId, action, details }),
        mayFinish: () => this.#jobs.first === undefined || mayFinish(this.#jobs.first),
        remembered: this.#remembered,
        inDoubt: () => (this.#jobs.first?.inDoubt === true ? this.#jobs.first : undefined),
        trace: this.#trace,
      });
    } catch (error) {
      await this.#notConnected(error);
      return undefined;
    }
    if (this.#stopped) {
      session.close();
      return undefined;
    }
    this.#session = session;
    this.#answered = false;
    this.#nextPollAt = 0;
    this.#state.clockChanged();
    await this.voice.announceUp(session.info);
    // The line may be gone again, or not to be used.
    return this.#session;
  }

  /** Takes a new place up between two documents, with another line: drivers are told it as they connect. */
  #moves(): boolean {
    if (!this.#settings.moveBefore(this.#jobs.first)) return false;
    const session = this.#session;
    this.#session = undefined;
    session?.close();
    return true;
  }

  async #notConnected(error: unknown): Promise<void> {
    // Another session may serve the device by now, and have what was to be done here.
    if (this.#stopped) return;
    const fault =
      error instanceof FiscalError ? error : new FiscalError("E901", "The driver failed");
    if (fault !== error) this.#env.log.error("driver failed to connect", { error });
    this.#jobs.blame(fault);
    this.voice.announce({ link: "down", reason: fault.message });
    // No line will ever help these: the device speaks another protocol, or nothing here speaks it.
    if (fault.code === "E200" || fault.code === "E201") this.#jobs.failAll(fault);
    const since = this.#env.clock.elapsed();
    await this.#backOff();
    // Something answers there, but nothing that could tell: that does not go on for ever.
    const job = this.#jobs.first;
    if (job?.inDoubt && !isLineFault(fault)) this.#countDoubt(job, since);
  }

  async #backOff(): Promise<void> {
    const waitMs = this.#reconnectMs;
    this.#reconnectMs = Math.min(2 * waitMs, RECONNECT_MS_MAX);
    this.#answered = true;
    const endWatch = this.#env.watchArrival?.(this.#settings.current, () => this.#wakeup.now());
    await this.#wakeup.wait(waitMs);
    endWatch?.();
  }

  /** The line broke while nothing was asked of it, or under a command that hears it itself. */
  #lost(session: DriverSession | undefined): void {
    if (session === undefined || this.#session !== session) return;
    this.#disconnect("E102: The connection to the device was lost");
    this.#wakeup.now();
  }

  #disconnect(reason: string): void {
    if (!this.#session) return;
    this.#session.close();
    this.#session = undefined;
    this.voice.announce({ link: "down", reason });
  }

  async #idle(session: DriverSession): Promise<void> {
    const waitMs = this.#nextPollAt - this.#env.clock.elapsed();
    if (waitMs > 0) await this.#wakeup.wait(waitMs);
    else if (await this.#showState(session)) this.#works();
  }

  async #execute(session: DriverSession, job: Job): Promise<void> {
    const { command } = job;
    this.#marks.begun(job);
    try {
      const success = await session.execute(command, {
        mark: (mark, baseline) => this.#marks.report(job, mark, baseline),
        mayGoOn: () => mayGoOn(job),
        hasLimit: () => hasLimit(job),
        paused: (reason) => {
          this.#state.paused(reason);
          if (reason) this.#log.waits(job, reason);
        },
        pauseLimitMs: this.#env.pauseLimitMs,
      });
      this.#finish(job, successResult(success));
      const setsClock = command.type === "set_datetime";
      if (setsClock) this.#state.clockChanged();
      this.#afterCommand(setsClock ? undefined : success.status);
      if (command.type === "get_date_time") this.#state.clockTold(success.data);
    } catch (error) {
      this.#failed(session, job, error);
    } finally {
      this.#marks.ended();
    }
  }

  #finish(job: Job, result: CommandResult): void {
    this.#marks.finishing(job, result.success);
    this.#jobs.finish(job, result);
  }

  #failed(session: DriverSession, job: Job, error: unknown): void {
    if (this.#stopped) return;
    const failure = failureOf(job, error);
    this.#log.failed(job, failure, error);
    const isRefused = error instanceof MarkRefused;
    if (isLineFault(error)) job.fault = error;
    if (failure.kind === "doubt") job.inDoubt = true;
    const isLineBad = isLineFault(error) || failure.kind === "doubt";
    if (isLineBad && !isRefused) this.#faulted(session, error);
    if (failure.kind === "nothing") this.#jobs.forget(job);
    if (failure.kind !== "ended") return;
    this.#finish(job, failure.result);
    if (!isLineBad && !isRefused) this.#afterCommand(undefined);
  }

  async #resolve(session: DriverSession, job: Job): Promise<void> {
    const { command, mark, baseline, mayBeFurther } = job;
    const since = this.#env.clock.elapsed();
    try {
      if (mark === undefined) throw new Error("a command in doubt has a mark");
      const keep = (learned: Baseline) => this.#marks.learn(job, mark, learned);
      const resolution = await session.resolve(command, { mark, baseline, mayBeFurther }, keep);
      this.#log.of(job).info("outcome resolved", { outcome: resolution.outcome });
      this.#finish(job, resolutionResult(command, resolution));
      this.#afterCommand(undefined);
    } catch (error) {
      if (this.#stopped || this.#jobs.first !== job) return;
      const unresolved = unresolvedOf(job, error);
      const { kind } = unresolved;
      this.#log.unresolved(job, unresolved, error);
      if (kind === "given_up") {
        this.#finish(job, unresolved.result);
        this.#afterCommand(undefined);
        return;
      }
      if (isLineFault(error)) this.#faulted(session, error);
      else {
        if (kind === "waits") await this.#showState(session);
        await this.#wakeup.wait(RESOLVE_RETRY_MS);
      }
      // What was paid can only be finished, and for that somebody must load paper: whoever is asked
      // instead what became of the receipt would look for one that is still to come.
      if (kind !== "waits") this.#countDoubt(job, since);
    }
  }

  /** Reads the device's state and tells it. @returns false when the line failed instead */
  async #showState(session: DriverSession): Promise<boolean> {
    try {
      await this.#state.read(session);
      return true;
    } catch (error) {
      const isDefect = !(error instanceof FiscalError);
      if (isDefect) this.#env.log.error("driver failed to read the state", { error });
      this.#faulted(session, error);
      return false;
    }
  }

  /** Adds an attempt to resolve that told nothing; gives up when that goes on for too long. */
  #countDoubt(job: Job, since: number): void {
    // A machine that slept has not asked all that time.
    job.doubtMs += Math.min(this.#env.clock.elapsed() - since, ATTEMPT_COUNTED_MS_MAX);
    if (this.#stopped || job.doubtMs < RESOLUTION_LIMIT_MS) return;
    this.#finish(job, doubtResult(job.command, DOUBTS.notToldInTime()));
  }

  /** A fault after which the line is not to be trusted. */
  #faulted(session: DriverSession, error: unknown): void {
    if (this.#session !== session) return;
    const reason = faultWords(error);
    this.#trace.event("failed", reason);
    this.#disconnect(reason);
  }

  /** Keeps the device's state current: from the last answer, or by asking before the next idle. */
  #afterCommand(status: DeviceStatus | undefined): void {
    this.#works();
    if (status) this.#state.report(status);
    else this.#nextPollAt = 0;
  }

  /** The line is good: when it breaks, the next one is opened at once. */
  #works(): void {
    this.#answered = true;
    this.#reconnectMs = RECONNECT_MS_MIN;
  }
}
