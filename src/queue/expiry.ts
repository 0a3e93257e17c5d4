/** The end of a command that did not begin in time. */

import type { CommandChanges } from "./changes.ts";
import type { Awaited } from "./deadlines.ts";
import type { Dispatch } from "./dispatch.ts";
import type { QueueOptions } from "./queue-options.ts";
import { RETRY_MS } from "./timer-queue.ts";

export interface ExpiryOptions
  extends Pick<QueueOptions, "stores" | "writer" | "clock" | "log" | "timers"> {
  readonly changes: CommandChanges;
  readonly dispatch: Pick<Dispatch, "advance">;
}

/** Ends it, as soon as it can be stored. */
export function expire(command: Awaited, options: ExpiryOptions): void {
  const { stores, writer, clock, log, timers, changes, dispatch } = options;
  const now = clock.now();
  const again = (): void => expire(command, options);
  writer
    .run((tx) => {
      const current = stores.commands.get(command.orgId, command.id);
      if (current) changes.apply(tx, current, { input: { kind: "expired" }, now });
      tx.after(() => dispatch.advance(command.deviceId));
    })
    .catch((error: unknown) => {
      log.error("time-out not stored", { commandId: command.id, error });
      timers.set(`expire:${command.id}`, clock.now() + RETRY_MS, again);
    });
}
