/**
 * Documents in doubt that a remote controller has and says nothing more of, though it is connected and
 * could ask the printer. It is asked anew, under a new hand-over, from which on a person may settle
 * what it is silent about; after the same time again nobody can tell.
 */

import type { Command } from "#core/command/command.ts";
import { failure } from "#core/command/lifecycle.ts";
import { isRemote } from "#core/device/device.ts";
import { UNHEARD_LIMIT_MS } from "#core/limits.ts";
import type { CommandStore } from "#db/stores/commands.ts";
import type { Writer } from "#db/writer.ts";
import type { Log } from "../platform/log.ts";
import { AnsweringTime, type AnsweringTimeOptions, type Owed } from "./answering-time.ts";
import type { CommandChanges } from "./changes.ts";
import { mayBeTold } from "./ends.ts";
import type { HandOut } from "./hand-out.ts";
import type { Lane, Lanes } from "./lanes.ts";
import { type ControllerPort, callOff } from "./ports.ts";

export interface UntoldOptions extends AnsweringTimeOptions {
  readonly stores: { readonly commands: Pick<CommandStore, "get"> };
  readonly writer: Writer;
  readonly log: Log;
  readonly controllers: Pick<ControllerPort, "controllerOf" | "mayAnswer" | "send">;
  readonly lanes: Lanes;
  readonly handOut: Pick<HandOut, "again">;
  readonly changes: CommandChanges;
  /** The lane of a device is free again; that is on disk. */
  freed(deviceId: string): void;
}

interface Out extends Owed {
  readonly lane: Lane;
}

const MESSAGE = "The controller never said what became of the command";

export class Untold extends AnsweringTime<Out> {
  readonly #o: UntoldOptions;

  constructor(options: UntoldOptions) {
    super(options, "untold");
    this.#o = options;
  }

  /** What is out at remote controllers, or is about to be; what of it is in doubt is asked. */
  protected override owed(): Out[] {
    const { lanes, controllers } = this.#o;
    return lanes.all().flatMap((lane) => {
      const { out, via, deviceId } = lane;
      if (!out) return [];
      const at = via ?? deviceId;
      const isElsewhere = isRemote(out) || (controllers.controllerOf(at)?.orgId ?? null) !== null;
      const askedAt = this.#doubtOf(lane) && at;
      return isElsewhere ? [{ commandId: out.id, askedAt, lane }] : [];
    });
  }

  protected override counted(
    one: Out,
    { now, before }: { readonly now: number; readonly before: number },
  ): void {
    if (now >= 2 * UNHEARD_LIMIT_MS) this.#end(one);
    else if (now >= UNHEARD_LIMIT_MS && before < UNHEARD_LIMIT_MS) {
      this.#o.log.warn("a controller says nothing of a command", { commandId: one.commandId });
      this.#o.handOut.again(one.lane);
    }
  }

  #doubtOf({ out }: Lane): Command | undefined {
    const command = out && this.#o.stores.commands.get(out.orgId, out.id);
    return command && mayBeTold(command) ? command : undefined;
  }

  #end({ commandId, askedAt, lane }: Out): void {
    const { writer, changes, controllers, clock, log } = this.#o;
    writer
      .run((tx) => {
        const command = this.#doubtOf(lane);
        if (command?.id !== commandId) return;
        const input = { kind: "finished", result: failure(command, "E102", MESSAGE) } as const;
        if (!changes.apply(tx, command, { input, now: clock.now() })) return;
        tx.after(() => {
          log.warn("a controller never told of a command", { commandId });
          const key = controllers.controllerOf(askedAt ?? lane.deviceId);
          callOff(controllers, key, { commandId, message: MESSAGE });
          this.#o.freed(lane.deviceId);
        });
      })
      // The next look tries again.
      .catch((error: unknown) => log.error("end of a command not stored", { commandId, error }));
  }
}
