/** How far a device's command is, on its way to the gateway. */

import { type Baseline, IS_AWAITED, type Mark } from "#core/command/marks.ts";
import type { GatewayChannel } from "./channel.ts";
import type { ControllerEnvironment } from "./environment.ts";
import type { Job } from "./job.ts";

/** The gateway did not take the mark: the command ended meanwhile, or could not be stored. */
export class MarkRefused extends Error {
  override readonly name = "MarkRefused";

  /** @param code the gateway's word, as `FINAL` or `NOT_STORED`; or `STOPPED`, `ENDED`, `SETTLED` */
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

/** What a gateway says of a report that it did not take. */
export interface Refusal {
  readonly commandId: string;
  readonly code: string;
  readonly message: string;
  /** Of the report; undefined where the gateway does not say. */
  readonly epoch?: number | undefined;
}

/** What a gateway says of a mark that it has stored. */
export interface StoredMark {
  readonly commandId: string;
  readonly mark: Mark;
  /** Of the report; undefined where the gateway is older. */
  readonly markId?: number | undefined;
}

interface Waiting {
  readonly id: number;
  readonly job: Job;
  readonly mark: Mark;
  /** The last one before it; undefined where there is none, and for what was only learned. */
  readonly before: Mark | undefined;
  readonly isLearned: boolean;
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
  /** Of the last report; each has one of its own, and keeps it where it is said again. */
  #lastId = 0;

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
    if (job.settled) return this.#ofSettled(job, mark, baseline);
    const { mark: before } = job;
    job.mark = mark;
    if (baseline !== undefined) job.baseline = { ...job.baseline, ...baseline };
    if (IS_AWAITED[mark]) return this.#storedOf({ job, mark, before, isLearned: false });
    this.#keepBack(job);
    return Promise.resolve();
  }

  /** No mark lets it go on any more; what was read behind the first one is kept for whoever is asked. */
  #ofSettled(job: Job, mark: Mark, read: Baseline | undefined): Promise<void> {
    if (mark === "baseline") return Promise.reject(settled());
    job.baseline = { ...job.baseline, ...read };
    // Said once more it asks nothing: it was allowed.
    if (mark === "committing" && mark === job.mark) return this.learn(job, mark, {});
    if (mark !== "committed") return Promise.reject(settled());
    // What is printed already goes on to its result, which says so.
    job.mark = mark;
    return Promise.resolve();
  }

  /** Reports what was seen of a document in doubt; resolves when it is on disk. @throws MarkRefused */
  learn(job: Job, mark: Mark, learned: Baseline): Promise<void> {
    if (this.#isStopped) return Promise.reject(stopped());
    job.baseline = { ...job.baseline, ...learned };
    return this.#storedOf({ job, mark, before: mark, isLearned: true });
  }

  #storedOf(report: Omit<Waiting, "id" | "resolve" | "reject">): Promise<void> {
    this.#refuse(ended);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting = { ...report, id: this.#nextId(), resolve, reject };
    // Otherwise a refusal that comes after the driver's own failure would end the process.
    promise.catch(() => undefined);
    this.#sendWaiting();
    return promise;
  }

  /**
   * A person said what became of the command: no mark of it is waited for any longer, and what the
   * driver may do after one is not done.
   * @returns false when the driver is not at it
   */
  settled(commandId: string): boolean {
    if (this.#running?.command.id !== commandId) return false;
    this.#takeKeptBack();
    const waiting = this.#waiting;
    // Of a mark at which it stands already only what was read with it is news.
    if (waiting && waiting.mark === waiting.before) this.#waiting = { ...waiting, isLearned: true };
    else this.#refuse(settled);
    return true;
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

  /** The gateway has the mark on disk. One that was said again is answered again. */
  stored({ commandId, mark, markId }: StoredMark): void {
    const waiting = this.#waiting;
    if (waiting === undefined || !this.#awaits(commandId) || waiting.mark !== mark) return;
    if (markId !== undefined && markId !== waiting.id) return;
    waiting.resolve();
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
    this.#sendWaiting();
  }

  /** The command was handed over anew: the answer to what was reported may never come. */
  repeat(commandId: string): void {
    if (this.#awaits(commandId)) this.#sendWaiting();
    else if (this.#running?.command.id === commandId && this.#running.settled === undefined) {
      this.#keepBack(this.#running);
    }
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

  #sendWaiting(): void {
    const { job, mark, ...waiting } = this.#waiting ?? {};
    if (job && mark) this.#send(job, mark, waiting);
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** A mark with everything that was read so far; it stands for all before it too. */
  #send(job: Job, mark: Mark, waiting: Partial<Waiting> = {}): void {
    this.#takeKeptBack();
    const { command, deviceId, epoch, baseline } = job;
    const { id: markId = this.#nextId(), isLearned = false } = waiting;
    const about = { deviceId, commandId: command.id, epoch };
    const learned = isLearned ? { learned: true } : {};
    this.#channel.send({ type: "command.mark", ...about, mark, markId, baseline, ...learned });
  }

  /** Every command comes here at its end, and hardly ever is there something to refuse. */
  #refuse(refusal: () => MarkRefused): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting === undefined) return;
    const refused = refusal();
    // What may not be done after a mark has not come as far.
    if (refused.code !== "ENDED") waiting.job.mark = waiting.before ?? waiting.mark;
    waiting.reject(refused);
  }
}

function ended(): MarkRefused {
  return new MarkRefused("ENDED", "the command has ended on the device");
}

function settled(): MarkRefused {
  return new MarkRefused("SETTLED", "a person said what became of the command");
}

function stopped(): MarkRefused {
  return new MarkRefused("STOPPED", "the controller stops");
}
