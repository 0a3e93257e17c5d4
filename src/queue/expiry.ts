/** The end of a command that did not begin in time. */

import type { CommandChanges } from "./changes.ts";
import type { Awaited } from "./deadlines.ts";
import type { Dispatch } from "./dispatch.ts";
import type { QueueOptions } from "./queue-options.ts";

export interface ExpiryOptions
  extends Pick<QueueOptions, "stores" | "writer" | "clock" | "log" | "timers"> {
  readonly changes: CommandChanges;
  readonly dispatch: Pick<Dispatch, "advance">;
}

/** Ends it, as soon as it can be stored. */
export function expire(command: Awaited, options: ExpiryOptions): void {
  const { stores, writer, clock, log, timers, changes, dispatch } = options;
  const now = clock.now();
  writer
    .run((tx) => {
      const current = stores.commands.get(command.orgId, command.id);
      if (current) changes.apply(tx, current, { input: { kind: "expired" }, now });
      tx.after(() => dispatch.advance(command.deviceId));
    })
    .catch((error: unknown) => {
      log.error("time-out not stored", { commandId: command.id, error });
      timers.again(`expire:${command.id}`, () => expire(command, options));
    });
}
