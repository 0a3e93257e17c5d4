/**
 * One device of the built-in controller: keeps its line open, carries out its commands one at a
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

import { effectOf } from "#core/command/catalogue.ts";
import type { CommandResult } from "#core/command/command.ts";
import type { DeviceConfig, DeviceStatus } from "#core/device/device.ts";
import type { DriverSession } from "#core/driver.ts";
import { DocumentInDoubt, FiscalError, isLineFault } from "#core/errors.ts";
import { RESOLUTION_LIMIT_MS } from "#core/limits.ts";
import { openSession } from "./device-line.ts";
import type { ControllerEnvironment } from "./environment.ts";
import type { Job } from "./job.ts";
import type { ControllerLink } from "./link.ts";
import { MarkRefused, Marks } from "./progress.ts";
import { failureResult, resolutionResult, successResult } from "./results.ts";
import { Wakeup } from "./wakeup.ts";

/** Waiting before the next attempt to reach a device: doubled each time between these. */
const RECONNECT_MS_MIN = 250;
const RECONNECT_MS_MAX = 5_000;
/** Waiting before a reachable device is asked again about a document in doubt. */
const RESOLVE_RETRY_MS = 1_000;

export class DeviceSession {
  readonly #device: DeviceConfig;
  readonly #link: ControllerLink;
  readonly #env: ControllerEnvironment;
  readonly #marks: Marks;
  readonly #wakeup: Wakeup;
  /** What is to be done, first to last; the gateway keeps at most one out, and a late one more. */
  readonly #jobs: Job[] = [];
  /** Results the gateway has not stored yet, by command. */
  readonly #results = new Map<string, CommandResult>();
  /** What the driver wants to know on the next line. */
  readonly #remembered = new Map<string, string>();
  #session: DriverSession | undefined;
  #status: DeviceStatus | undefined;
  #reconnectMs = RECONNECT_MS_MIN;
  /** The device has carried something out on its latest line. */
  #answered = true;
  /** By the clock's `elapsed`. */
  #nextPollAt = 0;
  #stopped = false;
  readonly #ended: Promise<void>;

  constructor(device: DeviceConfig, link: ControllerLink, environment: ControllerEnvironment) {
    this.#device = device;
    this.#link = link;
    this.#env = environment;
    this.#marks = new Marks(link);
    this.#wakeup = new Wakeup(environment.clock);
    this.#ended = this.#run();
  }

  /** True when new settings need another line to the device. */
  needsNewLine(device: DeviceConfig): boolean {
    const { id: _id, name: _name, ...wanted } = device;
    const { id: _ownId, name: _ownName, ...current } = this.#device;
    return !Bun.deepEquals(wanted, current);
  }

  /** True from the dispatch of a command until its result is stored. */
  holds(commandId: string): boolean {
    return this.#results.has(commandId) || this.#jobs.some((job) => job.command.id === commandId);
  }

  /** Takes a command; one that is known already is answered with what there is. */
  take(job: Job): void {
    const commandId = job.command.id;
    const result = this.#results.get(commandId);
    if (result) this.#link.send({ type: "command.result", commandId, result });
    if (this.holds(commandId)) return;
    this.#jobs.push(job);
    this.#wakeup.now();
  }

  markStored(...[commandId, mark]: Parameters<Marks["stored"]>): void {
    this.#marks.stored(commandId, mark);
  }

  resultStored(commandId: string): void {
    this.#results.delete(commandId);
  }

  /**
   * The gateway refused what was said of a command. A mark is then not waited for any longer; a
   * result that could not be written is sent again, any other is forgotten.
   */
  refused(commandId: string, code: string, message: string): void {
    this.#marks.refused(commandId, code, message);
    const result = this.#results.get(commandId);
    if (result === undefined) return;
    if (code !== "NOT_STORED") this.#results.delete(commandId);
    else {
      this.#env.clock.setTimer(RESOLVE_RETRY_MS, () => {
        if (!this.#stopped && this.#results.has(commandId)) {
          this.#link.send({ type: "command.result", commandId, result });
        }
      });
    }
  }

  /** Ends the session; a command under way stays as its marks say. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const session = this.#session;
    this.#session = undefined;
    session?.close();
    this.#marks.stop();
    this.#wakeup.now();
    await this.#ended;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      this.#dropExpired();
      const session = this.#session ?? (await this.#connect());
      if (!session) continue;
      const [job] = this.#jobs;
      if (job) await this.#perform(session, job);
      else await this.#idle(session);
    }
  }

  async #connect(): Promise<DriverSession | undefined> {
    // A line that is there but carries nothing is no better than none.
    if (!this.#answered) await this.#backOff();
    if (this.#stopped) return undefined;
    let session: DriverSession | undefined;
    try {
      session = await openSession(this.#device, this.#env, {
        onLost: () => this.#lost(session),
        note: (action, details) =>
          this.#link.send({ type: "device.note", deviceId: this.#device.id, action, details }),
        remembered: this.#remembered,
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
    this.#announce("up", { info: session.info });
    return session;
  }

  async #notConnected(error: unknown): Promise<void> {
    // Another session may serve the device by now, and have what was to be done here.
    if (this.#stopped) return;
    const fault =
      error instanceof FiscalError ? error : new FiscalError("E901", "The driver failed");
    if (fault !== error) this.#env.log.error("driver failed to connect", { error });
    for (const job of this.#jobs) job.fault = fault;
    this.#announce("down", { reason: `${fault.code}: ${fault.message}` });
    // No line will ever help these: the device speaks another protocol, or nothing here speaks it.
    if (fault.code === "E200" || fault.code === "E201") {
      for (const job of this.#jobs.filter((one) => !one.inDoubt)) {
        this.#finish(job, failureResult(job.command, fault, "not_printed"));
      }
    }
    const since = this.#env.clock.elapsed();
    await this.#backOff();
    // Something answers there, but nothing that could tell: that does not go on for ever.
    const [job] = this.#jobs;
    if (job?.inDoubt && !isLineFault(fault)) this.#countDoubt(job, since);
  }

  async #backOff(): Promise<void> {
    const waitMs = this.#reconnectMs;
    this.#reconnectMs = Math.min(2 * waitMs, RECONNECT_MS_MAX);
    this.#answered = true;
    const endWatch = this.#env.watchArrival?.(this.#device, () => this.#wakeup.now());
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
    this.#announce("down", { reason });
  }

  async #idle(session: DriverSession): Promise<void> {
    const waitMs = this.#nextPollAt - this.#env.clock.elapsed();
    if (waitMs > 0) {
      await this.#wakeup.wait(waitMs);
      return;
    }
    try {
      this.#report(await session.readStatus());
      this.#works();
    } catch (error) {
      this.#faulted(session, error);
    }
  }

  async #perform(session: DriverSession, job: Job): Promise<void> {
    if (job.inDoubt) await this.#resolve(session, job);
    else await this.#execute(session, job);
  }

  async #execute(session: DriverSession, job: Job): Promise<void> {
    const { command } = job;
    if (!job.begun) {
      job.begun = true;
      this.#link.send({ type: "command.ack", commandId: command.id });
    }
    try {
      const success = await session.execute(command, {
        mark: (mark, baseline) => this.#marks.report(job, mark, baseline),
        paused: (reason) => this.#paused(reason),
        pauseLimitMs: this.#env.pauseLimitMs,
      });
      this.#finish(job, successResult(success));
      this.#afterCommand(success.status);
    } catch (error) {
      this.#failed(session, job, error);
    } finally {
      this.#marks.ended();
    }
  }

  #failed(session: DriverSession, job: Job, error: unknown): void {
    const { command } = job;
    if (this.#stopped) return;
    if (error instanceof MarkRefused) {
      // A driver stops at a refused mark and leaves nothing on the device.
      this.#env.log.info("command not begun", { commandId: command.id, reason: error.message });
      const cause = new FiscalError("E901", error.message);
      if (error.code === "NOT_STORED")
        this.#finish(job, failureResult(command, cause, "not_printed"));
      else this.#forget(job);
      return;
    }
    const effect = effectOf(command.type);
    const guarded = effect === "document" || effect === "ledger";
    const isDefect = !(error instanceof FiscalError) && !(error instanceof DocumentInDoubt);
    if (isDefect) this.#env.log.error("driver failed", { commandId: command.id, error });
    if (error instanceof DocumentInDoubt || (isDefect && guarded && job.mark !== undefined)) {
      job.inDoubt = true;
      this.#env.log.warn("outcome in doubt", { commandId: command.id, mark: job.mark, error });
      this.#faulted(session, error);
      return;
    }
    if (isLineFault(error)) {
      job.fault = error;
      this.#faulted(session, error);
      // Nothing was changed yet: it is done on the next line, if that comes in time.
      if (job.mark === undefined) return;
      this.#finish(job, failureResult(command, error, guarded ? "not_printed" : "unknown"));
      return;
    }
    this.#finish(job, failureResult(command, error, "not_printed"));
    this.#afterCommand(undefined);
  }

  async #resolve(session: DriverSession, job: Job): Promise<void> {
    const { command, mark, baseline } = job;
    const since = this.#env.clock.elapsed();
    try {
      if (mark === undefined) throw new Error("a command in doubt has a mark");
      const resolution = await session.resolve(command, { mark, baseline });
      this.#env.log.info("outcome resolved", {
        commandId: command.id,
        outcome: resolution.outcome,
      });
      this.#finish(job, resolutionResult(command, resolution));
      this.#afterCommand(undefined);
    } catch (error) {
      if (this.#stopped) return;
      this.#env.log.warn("outcome not resolved yet", { commandId: command.id, error });
      if (isLineFault(error)) this.#faulted(session, error);
      else await this.#wakeup.wait(RESOLVE_RETRY_MS);
      this.#countDoubt(job, since);
    }
  }

  /** Adds an attempt to resolve that told nothing; gives up when that goes on for too long. */
  #countDoubt(job: Job, since: number): void {
    job.doubtMs += this.#env.clock.elapsed() - since;
    if (this.#stopped || job.doubtMs < RESOLUTION_LIMIT_MS) return;
    const reason = "The device could not tell in time whether the document was printed";
    this.#finish(job, resolutionResult(job.command, { outcome: "unknown", reason }));
  }

  /** A fault after which the line is not to be trusted. */
  #faulted(session: DriverSession, error: unknown): void {
    if (this.#session !== session) return;
    const reason = error instanceof Error ? error.message : "The driver failed";
    this.#disconnect(reason);
  }

  /** Keeps the device's state current: from the last answer, or by asking before the next idle. */
  #afterCommand(status: DeviceStatus | undefined): void {
    this.#works();
    if (status) this.#report(status);
    else this.#nextPollAt = 0;
  }

  /** The line is good: when it breaks, the next one is opened at once. */
  #works(): void {
    this.#answered = true;
    this.#reconnectMs = RECONNECT_MS_MIN;
  }

  #report(status: DeviceStatus): void {
    this.#status = status;
    this.#nextPollAt = this.#env.clock.elapsed() + this.#env.statusPollMs;
    this.#link.send({ type: "device.status", deviceId: this.#device.id, status });
  }

  /** Shows the reason of a pause as the state of the device, from which alerts are made. */
  #paused(reason: "paper_out" | "cover_open" | undefined): void {
    if (!this.#status) return;
    const paper = reason === "paper_out" ? "out" : reason === undefined ? "ok" : undefined;
    const cover = reason === "cover_open" ? "open" : reason === undefined ? "closed" : undefined;
    this.#report({
      ...this.#status,
      ...(paper === undefined ? {} : { paper }),
      ...(cover === undefined ? {} : { cover }),
    });
  }

  #finish(job: Job, result: CommandResult): void {
    const commandId = job.command.id;
    this.#forget(job);
    this.#results.set(commandId, result);
    this.#link.send({ type: "command.result", commandId, result });
  }

  #forget(job: Job): void {
    const index = this.#jobs.indexOf(job);
    if (index >= 0) this.#jobs.splice(index, 1);
  }

  /** What did not begin in time never begins; the gateway counts the same time. */
  #dropExpired(): void {
    const now = this.#env.clock.now();
    for (const job of [...this.#jobs]) {
      if (job.inDoubt || job.expiresAt === undefined || now < job.expiresAt) continue;
      const fault = job.fault ?? new FiscalError("E500", "The command did not begin in time");
      if (job.begun) this.#finish(job, failureResult(job.command, fault, "not_printed"));
      else this.#forget(job);
    }
  }

  #announce(link: "up" | "down", details: { info?: DriverSession["info"]; reason?: string }): void {
    this.#link.send({ type: "device.announce", deviceId: this.#device.id, link, ...details });
  }
}
