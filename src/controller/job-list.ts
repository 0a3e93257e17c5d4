/** What one device has to do, and the results that the gateway has not stored yet. */

import type { CommandResult } from "#core/command/command.ts";
import { FiscalError } from "#core/errors.ts";
import type { GatewayChannel } from "./channel.ts";
import type { ControllerEnvironment } from "./environment.ts";
import type { Job } from "./job.ts";
import { failureResult } from "./results.ts";

/** Waiting before a result is sent again that could not be written down. */
const RESULT_RETRY_MS = 1_000;

export class JobList {
  readonly #channel: GatewayChannel;
  readonly #clock: ControllerEnvironment["clock"];
  /** First to last; the gateway keeps at most one out, and a late one more. */
  readonly #jobs: Job[] = [];
  /** Ended jobs with their results, by command. */
  readonly #results = new Map<string, { readonly job: Job; readonly result: CommandResult }>();
  #stopped = false;

  constructor(channel: GatewayChannel, clock: ControllerEnvironment["clock"]) {
    this.#channel = channel;
    this.#clock = clock;
  }

  /** What is to be done now. */
  get first(): Job | undefined {
    return this.#jobs[0];
  }

  /** True from the dispatch of a command until its result is stored. */
  has(commandId: string): boolean {
    return this.#results.has(commandId) || this.#jobs.some((job) => job.command.id === commandId);
  }

  /** The job of a command of which nobody knows what became. */
  inDoubt(commandId: string): Job | undefined {
    return this.#jobs.find((job) => job.inDoubt && job.command.id === commandId);
  }

  /** Takes a command. @returns false for one that is known already: it is told what there is */
  take(job: Job): boolean {
    const commandId = job.command.id;
    const ended = this.#results.get(commandId)?.job;
    const known = ended ?? this.#jobs.find((one) => one.command.id === commandId);
    if (!known) {
      // The wall clock may be set while it waits.
      const { expiresAt } = job;
      if (expiresAt !== undefined) {
        job.beginBy = this.#clock.elapsed() + expiresAt - this.#clock.now();
      }
      this.#jobs.push(job);
      return true;
    }
    // From now on the gateway hears of it under the hand-over that it made last.
    known.epoch = job.epoch;
    known.disowned ||= job.disowned;
    if (ended) this.#tell(commandId);
    return false;
  }

  /** Ends a command. */
  finish(job: Job, result: CommandResult): void {
    this.forget(job);
    this.#results.set(job.command.id, { job, result });
    this.#tell(job.command.id);
  }

  /** Drops a command without a result: nothing was done, and the gateway knows. */
  forget(job: Job): void {
    const index = this.#jobs.indexOf(job);
    if (index >= 0) this.#jobs.splice(index, 1);
  }

  resultStored(commandId: string): void {
    this.#results.delete(commandId);
  }

  /** The gateway refused a result: what could not be written is sent again, any other forgotten. */
  refused(commandId: string, code: string): void {
    if (!this.#results.has(commandId)) return;
    if (code !== "NOT_STORED") {
      this.#results.delete(commandId);
      return;
    }
    this.#clock.setTimer(RESULT_RETRY_MS, () => {
      if (!this.#stopped) this.#tell(commandId);
    });
  }

  /** The line cannot be had for this reason; it is told when a command's time is over. */
  blame(fault: FiscalError): void {
    for (const job of this.#jobs) job.fault = fault;
  }

  /** Ends whatever is not in doubt: no line will ever help it. */
  failAll(fault: FiscalError): void {
    for (const job of this.#jobs.filter((one) => !one.inDoubt)) {
      this.finish(job, failureResult(job.command, fault, "not_printed"));
    }
  }

  /** What did not begin in time never begins; the gateway counts the same time. */
  dropExpired(): void {
    const now = this.#clock.elapsed();
    for (const job of [...this.#jobs]) {
      if (job.inDoubt || job.beginBy === undefined || now < job.beginBy) continue;
      const fault = job.fault ?? new FiscalError("E500", "The command did not begin in time");
      if (job.begun) this.finish(job, failureResult(job.command, fault, "not_printed"));
      else this.forget(job);
    }
  }

  /** Nothing is told from now on. */
  stop(): void {
    this.#stopped = true;
  }

  #tell(commandId: string): void {
    const ended = this.#results.get(commandId);
    if (!ended) return;
    const { job, result } = ended;
    const { deviceId, epoch } = job;
    this.#channel.send({ type: "command.result", deviceId, commandId, epoch, result });
  }
}
