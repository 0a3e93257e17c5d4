/** What one device has to do, and the results that the gateway has not stored yet. */

import type { CommandResult } from "#core/command/command.ts";
import { FiscalError } from "#core/errors.ts";
import type { GatewayChannel } from "./channel.ts";
import type { ControllerEnvironment } from "./environment.ts";
import type { Job } from "./job.ts";
import type { KeptResult } from "./result-keeper.ts";
import { failureResult } from "./results.ts";

/** Waiting before a result is sent again that could not be written down. */
const RESULT_RETRY_MS = 1_000;

/** What an order is, as it is taken. */
export type Taken =
  /** Of a command that is not known here. */
  | "new"
  /** Of one that has ended here: its result was told again. */
  | "ended"
  /** Of one that goes on under the new hand-over. */
  | "goes_on"
  /** Of one that a person has settled: it goes no further. */
  | "settled";

type JobListEnvironment = Pick<ControllerEnvironment, "clock" | "log" | "results">;

export class JobList {
  readonly #channel: GatewayChannel;
  readonly #env: JobListEnvironment;
  /** First to last; the gateway keeps at most one out, and a late one more. */
  readonly #jobs: Job[] = [];
  /** Of commands that have ended, by command. */
  readonly #results: Map<string, KeptResult>;
  #stopped = false;

  constructor(channel: GatewayChannel, environment: JobListEnvironment, deviceId: string) {
    this.#channel = channel;
    this.#env = environment;
    const kept = environment.results?.of(deviceId) ?? [];
    this.#results = new Map(kept.map((result) => [result.commandId, result]));
  }

  /** What is to be done now. */
  get first(): Job | undefined {
    return this.#jobs[0];
  }

  /** True from the dispatch of a command until its result is stored. */
  has(commandId: string): boolean {
    return this.#results.has(commandId) || this.#jobs.some((job) => job.command.id === commandId);
  }

  /** The job of a command that nothing is done for: it has not begun, or nobody knows its outcome. */
  atRest(commandId: string): Job | undefined {
    return this.#jobs.find((job) => (job.inDoubt || !job.begun) && job.command.id === commandId);
  }

  /** Takes a command. One that is known already is told of from now on under the new hand-over. */
  take(job: Job): Taken {
    const commandId = job.command.id;
    const ended = this.#results.get(commandId);
    // From now on the gateway hears of it under the hand-over that it made last.
    if (ended) {
      this.#keep({ ...ended, epoch: job.epoch });
      this.#tell(commandId);
      return "ended";
    }
    const known = this.#jobs.find((one) => one.command.id === commandId);
    if (known) {
      known.epoch = job.epoch;
      known.disowned ||= job.disowned;
      known.isSettled ||= job.isSettled;
      if (!known.isSettled) return "goes_on";
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
    const { command, deviceId, epoch } = job;
    this.#keep({ commandId: command.id, deviceId, epoch, result });
    this.#tell(command.id);
  }

  /** Drops a command without a result: nothing was done, and the gateway knows. */
  forget(job: Job): void {
    const index = this.#jobs.indexOf(job);
    if (index >= 0) this.#jobs.splice(index, 1);
  }

  resultStored(commandId: string): void {
    this.#results.delete(commandId);
    this.#env.results?.forget(commandId);
  }

  /** Tells every result that the gateway has not stored. */
  tellAll(): void {
    for (const commandId of this.#results.keys()) this.#tell(commandId);
  }

  /** The hand-over of a command that counts here; undefined when there is no such command. */
  epochOf(commandId: string): number | undefined {
    const job = this.#jobs.find(({ command }) => command.id === commandId);
    return job?.epoch ?? this.#results.get(commandId)?.epoch;
  }

  /** The gateway refused a result: what could not be written is sent again, any other forgotten. */
  refused(commandId: string, code: string): void {
    if (!this.#results.has(commandId)) return;
    if (code !== "NOT_STORED") {
      this.resultStored(commandId);
      return;
    }
    this.#env.clock.setTimer(RESULT_RETRY_MS, () => {
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
    const now = this.#env.clock.elapsed();
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

  #keep(kept: KeptResult): void {
    this.#results.set(kept.commandId, kept);
    try {
      this.#env.results?.keep(kept);
    } catch (error) {
      // It is told from memory; after a restart the device is asked instead.
      const { commandId } = kept;
      this.#env.log.error("result not written", { commandId, error });
    }
  }

  #tell(commandId: string): void {
    const kept = this.#results.get(commandId);
    if (kept) this.#channel.send({ type: "command.result", ...kept });
  }
}
