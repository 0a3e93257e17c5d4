/** How far a device's command is, on its way to the gateway. */

import { type Baseline, IS_AWAITED, type Mark } from "#core/command/marks.ts";
import type { GatewayChannel } from "./channel.ts";
import type { ControllerEnvironment } from "./environment.ts";
import type { Job } from "./job.ts";

/** The gateway did not take the mark: the command ended meanwhile, or could not be stored. */
export class MarkRefused extends Error {
  override readonly name = "MarkRefused";

  /** @param code the gateway's word, as `FINAL`, `STALE` or `NOT_STORED`; or `STOPPED`, `ENDED` */
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }

  /** True where the gateway did not take the mark, and waits for a result all the same. */
  get isOpen(): boolean {
    return this.code === "NOT_STORED" || this.code === "INVALID_MESSAGE";
  }
}

interface Waiting {
  readonly job: Job;
  readonly mark: Mark;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * What nobody waits for (that a command has begun, a mark that is not awaited) goes out after this
 * time, unless a mark that says more or the result is quicker: on a fast device each of them would
 * be a write of its own. Milliseconds.
 */
const KEPT_BACK_MS = 20;

/** The reports of one device's commands, of which one runs at a time. */
export class Marks {
  readonly #channel: GatewayChannel;
  readonly #clock: ControllerEnvironment["clock"];
  /** The mark that the driver waits for. */
  #waiting: Waiting | undefined;
  /** The command that the driver carries out. */
  #running: Job | undefined;
  /** The command of which something is still to be reported. */
  #keptBack: Job | undefined;
  #cancelTimer: (() => void) | undefined;
  #isStopped = false;

  constructor(channel: GatewayChannel, clock: ControllerEnvironment["clock"]) {
    this.#channel = channel;
    this.#clock = clock;
  }

  /** The driver begins to talk to the device for the command. */
  begun(job: Job): void {
    this.#running = job;
    if (job.begun) return;
    job.begun = true;
    this.#keepBack(job);
  }

  /**
   * Reports a mark and, for those that are awaited, resolves when it is on disk. A driver that fails
   * for another reason meanwhile need not listen any more.
   * @throws MarkRefused
   */
  report(job: Job, mark: Mark, baseline: Baseline | undefined): Promise<void> {
    if (this.#isStopped) return Promise.reject(stopped());
    job.mark = mark;
    if (baseline !== undefined) job.baseline = { ...job.baseline, ...baseline };
    if (!IS_AWAITED[mark]) {
      this.#keepBack(job);
      return Promise.resolve();
    }
    this.#refuse(ended);
    const stored = Promise.withResolvers<void>();
    const { resolve, reject } = stored;
    this.#waiting = { job, mark, resolve, reject };
    // Otherwise a refusal that comes after the driver's own failure would end the process.
    stored.promise.catch(() => undefined);
    this.#send(job, mark);
    return stored.promise;
  }

  /** The result follows. What it says by itself need not be reported before it. */
  finishing(job: Job, isSuccess: boolean): void {
    if (this.#keptBack === job && isSuccess) this.#takeKeptBack();
    this.flush();
  }

  /** Reports what was kept back, as before whatever must not overtake it. */
  flush(): void {
    const job = this.#takeKeptBack();
    if (!job) return;
    if (job.mark !== undefined) this.#send(job, job.mark);
    else {
      const { command, deviceId, epoch } = job;
      this.#channel.send({ type: "command.ack", deviceId, commandId: command.id, epoch });
    }
  }

  /** The gateway has the mark on disk. */
  stored(commandId: string, mark: Mark): void {
    if (!this.#awaits(commandId) || this.#waiting?.mark !== mark) return;
    this.#waiting.resolve();
    this.#waiting = undefined;
  }

  /** The gateway refused a report about the command. */
  refused(commandId: string, code: string, message: string): void {
    if (this.#awaits(commandId)) this.#refuse(() => new MarkRefused(code, message));
  }

  /**
   * A connection was made anew: what the driver waits for may have been answered over the one
   * before. Where the command has ended at the gateway meanwhile, nothing is handed over again, and
   * only the refusal of the mark tells so.
   */
  sayAgain(): void {
    if (this.#waiting) this.#send(this.#waiting.job, this.#waiting.mark);
  }

  /** The command was handed over anew: the answer to what was reported may never come. */
  repeat(commandId: string): void {
    if (this.#waiting && this.#awaits(commandId)) this.#send(this.#waiting.job, this.#waiting.mark);
    else if (this.#running?.command.id === commandId) this.#keepBack(this.#running);
  }

  /** The command ran its course: a mark it still waits for makes no difference any more. */
  ended(): void {
    this.#running = undefined;
    this.#refuse(ended);
  }

  /**
   * Reports what was kept back, as nothing is sent afterwards. Nobody answers any more, so every
   * mark from now on is refused at once: a driver that was between two frames stops at it.
   */
  stop(): void {
    this.#isStopped = true;
    this.flush();
    this.#refuse(stopped);
  }

  #awaits(commandId: string): boolean {
    return this.#waiting?.job.command.id === commandId;
  }

  #keepBack(job: Job): void {
    this.#keptBack = job;
    this.#cancelTimer ??= this.#clock.setTimer(KEPT_BACK_MS, () => this.flush());
  }

  #takeKeptBack(): Job | undefined {
    const job = this.#keptBack;
    this.#keptBack = undefined;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    return job;
  }

  /** A mark with everything that was read so far; it stands for all before it too. */
  #send(job: Job, mark: Mark): void {
    this.#takeKeptBack();
    const { command, deviceId, epoch, baseline } = job;
    const commandId = command.id;
    this.#channel.send({ type: "command.mark", deviceId, commandId, epoch, mark, baseline });
  }

  /** Every command comes here at its end, and hardly ever is there something to refuse. */
  #refuse(refusal: () => MarkRefused): void {
    this.#waiting?.reject(refusal());
    this.#waiting = undefined;
  }
}

function ended(): MarkRefused {
  return new MarkRefused("ENDED", "the command has ended on the device");
}

function stopped(): MarkRefused {
  return new MarkRefused("STOPPED", "the controller stops");
}
