/** Marks on their way to the gateway. */

import { type Baseline, IS_AWAITED, type Mark } from "#core/command/marks.ts";
import type { Job } from "./job.ts";
import type { ControllerLink } from "./link.ts";

/** The gateway did not take the mark: the command ended meanwhile, or could not be stored. */
export class MarkRefused extends Error {
  override readonly name = "MarkRefused";

  /** @param code the gateway's word: `FINAL`, `NOT_YOURS`, `NOT_STORED`; or `STOPPED`, `ENDED` */
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

interface Waiting {
  readonly commandId: string;
  readonly mark: Mark;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** The marks of one device's commands; one at most is waited for. */
export class Marks {
  #waiting: Waiting | undefined;

  constructor(private readonly link: ControllerLink) {}

  /**
   * Sends a mark and, for those that count, resolves when it is on disk. A driver that fails for
   * another reason meanwhile need not listen any more.
   * @throws MarkRefused
   */
  report(job: Job, mark: Mark, baseline: Baseline | undefined): Promise<void> {
    const { epoch, deviceId } = job;
    const commandId = job.command.id;
    job.mark = mark;
    if (baseline !== undefined) job.baseline = { ...job.baseline, ...baseline };
    this.link.send({
      type: "command.mark",
      ...{ deviceId, commandId, epoch, mark },
      ...(baseline === undefined ? {} : { baseline: job.baseline }),
    });
    if (!IS_AWAITED[mark]) return Promise.resolve();
    this.ended();
    const stored = Promise.withResolvers<void>();
    this.#waiting = { commandId, mark, resolve: stored.resolve, reject: stored.reject };
    // Otherwise a refusal that comes after the driver's own failure would end the process.
    stored.promise.catch(() => undefined);
    return stored.promise;
  }

  /** The gateway has the mark on disk. */
  stored(commandId: string, mark: Mark): void {
    if (this.#waiting?.commandId !== commandId || this.#waiting.mark !== mark) return;
    this.#waiting.resolve();
    this.#waiting = undefined;
  }

  /** The gateway refused a report about the command. */
  refused(commandId: string, code: string, message: string): void {
    if (this.#waiting?.commandId === commandId) this.#refuse(code, message);
  }

  /** The command ran its course: a mark it still waits for makes no difference any more. */
  ended(): void {
    this.#refuse("ENDED", "the command has ended on the device");
  }

  /** Nobody answers any more. */
  stop(): void {
    this.#refuse("STOPPED", "the controller stops");
  }

  #refuse(code: string, message: string): void {
    this.#waiting?.reject(new MarkRefused(code, message));
    this.#waiting = undefined;
  }
}
