/**
 * The end of what a remote controller began and never told of: it does not end with the gateway, and
 * may be gone for good. What may stand printed on a device that can still be asked is another matter:
 * see `Untold`.
 */

import type { Command } from "#core/command/command.ts";
import { UNHEARD_LIMIT_MS } from "#core/limits.ts";
import type { QueueTimes } from "./ports.ts";
import { abandonedOf, isRemote } from "./recovery.ts";
import { RETRY_MS } from "./timer-queue.ts";
import { Untold, type UntoldOptions } from "./untold.ts";

export interface UnheardOptions extends UntoldOptions {
  readonly times: Pick<QueueTimes, "overallMs">;
}

type Known = Pick<Command, "id" | "orgId" | "deviceId" | "controllerId">;

const MESSAGE = "The controller went away, or never said what became of the command";

export class Unheard {
  readonly #o: UnheardOptions;
  readonly #untold: Untold;

  constructor(options: UnheardOptions) {
    this.#o = options;
    this.#untold = new Untold(options);
  }

  /** Another controller serves the device of a command that is out. */
  handedOver(): void {
    this.#untold.watch();
  }

  /** A command has begun. */
  begun(command: Known): void {
    this.#untold.watch();
    if (!isRemote(command)) return;
    this.#wait(`unheard:${command.id}`, UNHEARD_LIMIT_MS, () => this.#end(command));
  }

  /** Its controller went, as at a start. */
  lost(command: Known): void {
    const { controllers, times } = this.#o;
    if (!isRemote(command)) return;
    this.#wait(`away:${command.id}`, times.overallMs, () => {
      if (controllers.controllerOf(command.deviceId) === undefined) this.#end(command);
    });
  }

  /** It is final. */
  forget({ id }: Pick<Command, "id">): void {
    this.#o.timers.cancel(`unheard:${id}`);
    this.#o.timers.cancel(`away:${id}`);
  }

  #wait(key: string, ms: number, over: () => void): void {
    this.#o.timers.set(key, this.#o.clock.now() + ms, over);
  }

  #end(known: Known): void {
    const { stores, writer, clock, changes, log } = this.#o;
    const now = clock.now();
    writer
      .run((tx) => {
        const command = stores.commands.get(known.orgId, known.id);
        const input = command && abandonedOf(command, MESSAGE);
        if (input) changes.apply(tx, command, { input, now });
        tx.after(() => this.#o.freed(known.deviceId));
      })
      .catch((error: unknown) => {
        log.error("end of a command not stored", { commandId: known.id, error });
        this.#wait(`unheard:${known.id}`, RETRY_MS, () => this.#end(known));
      });
  }
}
