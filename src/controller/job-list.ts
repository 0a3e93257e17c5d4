/** What one device has to do. */

import { isCommandType } from "#core/command/catalogue.ts";
import type { CommandResult } from "#core/command/command.ts";
import { FiscalError } from "#core/errors.ts";
import type { ControllerEnvironment } from "./environment.ts";
import type { Job } from "./job.ts";
import type { OwedResults } from "./owed-results.ts";
import { failureResult, unknownTypeResult } from "./results.ts";

/** What an order is, as it is taken. */
export type Taken =
  /** Of a command that is not known here. */
  | "new"
  /** Of one that has ended here: its result was told. */
  | "ended"
  /** Of one that goes on under the new hand-over. */
  | "goes_on"
  /** Of one that a person has settled: it goes no further. */
  | "settled";

type JobListEnvironment = Pick<ControllerEnvironment, "clock">;

export class JobList {
  readonly #env: JobListEnvironment;
  readonly #owed: OwedResults;
  /** First to last; the gateway keeps at most one out, and a late one more. */
  readonly #jobs: Job[] = [];

  constructor(environment: JobListEnvironment, owed: OwedResults) {
    this.#env = environment;
    this.#owed = owed;
  }

  /** What is to be done now. */
  get first(): Job | undefined {
    return this.#jobs[0];
  }

  /** True from the dispatch of a command until it has ended here. */
  has(commandId: string): boolean {
    return this.#jobs.some((job) => job.command.id === commandId);
  }

  /** The job of a command that nothing is done for: it has not begun, or nobody knows its outcome. */
  atRest(commandId: string): Job | undefined {
    return this.#jobs.find((job) => (job.inDoubt || !job.begun) && job.command.id === commandId);
  }

  /** Takes a command. One that is known already is told of from now on under the new hand-over. */
  take(job: Job): Taken {
    const commandId = job.command.id;
    if (this.#owed.handedOver(commandId, job.epoch)) return "ended";
    job.owedTo = this.#owed.installationId;
    // A later gateway may know more than this version.
    if (!isCommandType(job.command.type)) {
      this.finish(job, unknownTypeResult(job.command, job.begun ? "unknown" : "not_printed"));
      return "ended";
    }
    const known = this.#jobs.find((one) => one.command.id === commandId);
    if (known) {
      Object.assign(known, { epoch: job.epoch, owedTo: job.owedTo });
      known.settled = job.settled ?? known.settled;
      if (known.settled === undefined) return "goes_on";
      if (known.mark === undefined)
        Object.assign(known, { mark: job.mark, baseline: job.baseline });
      return "settled";
    }
    if (job.expiresInMs !== undefined) {
      // The wall clock may be set while it waits.
      job.beginBy = this.#env.clock.elapsed() + job.expiresInMs;
    }
    this.#jobs.push(job);
    return "new";
  }

  /** A command goes no further: what became of it is asked of the device. */
  doubt(commandId: string): void {
    const job = this.#jobs.find(({ command }) => command.id === commandId);
    if (job) job.inDoubt = true;
  }

  /** Ends a command. */
  finish(job: Job, result: CommandResult): void {
    this.forget(job);
    const { command, deviceId, epoch, owedTo } = job;
    this.#owed.add({ commandId: command.id, deviceId, epoch, result, owedTo, answered: null });
  }

  /** Drops a command without a result: nothing was done, and the gateway knows. */
  forget(job: Job): void {
    const index = this.#jobs.indexOf(job);
    if (index >= 0) this.#jobs.splice(index, 1);
  }

  /** The hand-over of a command that counts here; undefined when there is no such command. */
  epochOf(commandId: string): number | undefined {
    const job = this.#jobs.find(({ command }) => command.id === commandId);
    return job?.epoch;
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
    const now = this.#env.clock.elapsed();
    for (const job of [...this.#jobs]) {
      if (job.inDoubt || job.beginBy === undefined || now < job.beginBy) continue;
      const fault = job.fault ?? new FiscalError("E500", "The command did not begin in time");
      if (job.begun) this.finish(job, failureResult(job.command, fault, "not_printed"));
      else this.forget(job);
    }
  }
}
