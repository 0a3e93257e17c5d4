/**
 * The end of what a remote controller began and never told of: it does not end with the gateway, and
 * may be gone for good. What may stand printed on a device that can still be asked is another matter:
 * see `Untold`.
 */

import type { Command } from "#core/command/command.ts";
import { isRemote } from "#core/device/device.ts";
import { UNHEARD_LIMIT_MS } from "#core/limits.ts";
import { abandonedOf } from "./ends.ts";
import type { Lane } from "./lanes.ts";
import type { QueueTimes } from "./ports.ts";
import { Untold, type UntoldOptions } from "./untold.ts";

export interface UnheardOptions extends UntoldOptions {
  readonly times: Pick<QueueTimes, "overallMs">;
}

type Known = Pick<Command, "id" | "orgId" | "deviceId" | "controllerId">;

const unheardKey = ({ id }: Pick<Command, "id">): string => `unheard:${id}`;

const MESSAGE = "The controller went away, or never said what became of the command";

export class Unheard {
  readonly #o: UnheardOptions;
  readonly #untold: Untold;

  constructor(options: UnheardOptions) {
    this.#o = options;
    this.#untold = new Untold(options);
  }

  /** A controller serves the device of a lane: what is out there may be another one's from now on. */
  handedOver({ out, deviceId }: Lane): void {
    this.#untold.watch();
    const server = this.#o.controllers.controllerOf(deviceId);
    if (!out || server === undefined) return;
    const key = unheardKey(out);
    // The built-in controller has limits of its own; a remote one that connects anew puts nothing off.
    if (server.orgId === null) this.#o.timers.cancel(key);
    else if (!this.#o.timers.has(key)) this.#waitFor(out);
  }

  /** A command has begun. */
  begun(command: Known): void {
    this.#untold.watch();
    if (!isRemote(command)) return;
    this.#waitFor(command);
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
    this.#o.timers.cancel(unheardKey({ id }));
    this.#o.timers.cancel(`away:${id}`);
  }

  #waitFor(command: Known): void {
    this.#wait(unheardKey(command), UNHEARD_LIMIT_MS, () => this.#end(command));
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
        this.#o.timers.again(unheardKey(known), () => this.#end(known));
      });
  }
}
