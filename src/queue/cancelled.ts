/** Taking back a command that is not out yet. */

import type { Command } from "#core/command/command.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Transaction } from "#db/writer.ts";
import type { CommandChanges } from "./changes.ts";

/** Who wants it, for the audit log. */
export interface Canceller {
  readonly actor: string;
  /** The network address it was said from; null at the box. */
  readonly address: string | null;
}

/**
 * Cancels a pending command, inside an operation.
 * @returns the command as it now is, and whether it was taken back; undefined where there is none
 */
export function cancelPending(
  tx: Transaction,
  { orgId, commandId }: { readonly orgId: string; readonly commandId: string },
  from: {
    readonly stores: Pick<Stores, "audit" | "commands">;
    readonly changes: CommandChanges;
    /** Nobody where a request gave up waiting. */
    readonly by: Canceller | undefined;
    /** UTC milliseconds. */
    readonly now: number;
  },
): { command: Command; cancelled: boolean } | undefined {
  const { stores, changes, by, now } = from;
  const command = stores.commands.get(orgId, commandId);
  if (!command) return undefined;
  const ended = changes.apply(tx, command, { input: { kind: "cancelled" }, now });
  if (ended !== undefined && by !== undefined) {
    const { deviceId, type } = ended;
    const entry = { orgId, at: now, action: "command.cancelled", resource: commandId } as const;
    stores.audit.append({ ...entry, ...by, details: { deviceId, type } });
  }
  return { command: ended ?? command, cancelled: ended !== undefined };
}
