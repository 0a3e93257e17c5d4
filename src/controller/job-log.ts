/** What the log says of a device's commands: who reads it knows the device by its name. */

import type { DeviceConfig } from "#core/device/device.ts";
import type { Log } from "../platform/log.ts";
import { faultWords } from "./device-line.ts";
import { type Failure, isDefect, type Unresolved } from "./failed-job.ts";
import type { Job } from "./job.ts";
import { MarkRefused } from "./progress.ts";

export class JobLog {
  /** Of the device itself. */
  readonly device: Log;

  constructor(log: Log, { id: deviceId, name: device }: DeviceConfig) {
    this.device = log.child({ device, deviceId });
  }

  /** The log of one command. */
  of({ command }: Job): Log {
    return this.device.child({ commandId: command.id });
  }

  /** One line for each reason for which a document waits: it is looked at twice a second. */
  waits(job: Job, reason: "paper_out" | "cover_open"): void {
    if (!isNew(job, reason)) return;
    const missing = reason === "paper_out" ? "paper" : "a closed cover";
    this.of(job).warn("a document waits for a person", { missing });
  }

  /** Its driver did not carry it out. */
  failed(job: Job, { kind }: Failure, error: unknown): void {
    const log = this.of(job);
    if (error instanceof MarkRefused) log.info("command not begun", { reason: error.message });
    if (isDefect(error)) log.error("driver failed", { error });
    if (kind === "doubt") log.warn("outcome in doubt", { mark: job.mark, error });
  }

  /** One line for each fault that keeps an outcome open, not for each attempt. */
  unresolved(job: Job, unresolved: Unresolved, error: unknown): void {
    if (unresolved.kind === "given_up") return;
    if (unresolved.kind === "waits") this.waits(job, unresolved.reason);
    else if (isNew(job, faultWords(error))) {
      this.of(job).warn("outcome not resolved yet", { error });
    }
  }
}

function isNew(job: Job, words: string): boolean {
  const isSaid = job.logged === words;
  job.logged = words;
  return !isSaid;
}
