/** Changes of a command inside an operation of the writer: the lifecycle, and what goes with it. */

import { effectOf } from "#core/command/catalogue.ts";
import { type Command, type CommandResult, isFinal } from "#core/command/command.ts";
import { failure, type LifecycleInput, next } from "#core/command/lifecycle.ts";
import type { Stores } from "#db/stores/index.ts";
import type { ReceiptKeeper } from "./receipt-keeper.ts";

export interface CommandChanges {
  /**
   * Applies an input with everything that belongs to it: a completed document leaves a receipt, an
   * unknown outcome holds the device.
   * @returns the command as it then is, or undefined when its state does not accept the input
   */
  apply(command: Command, input: LifecycleInput, now: number): Command | undefined;
  /** Why a command cannot even be sent. */
  refusalOf(command: Command): CommandResult | undefined;
}

/**
 * Makes the changes over the stores.
 * @param onHold told of a device that must not print another fiscal document; may be told of one
 * whose change is undone after all, because holding back too long is harmless and too short is not
 */
export function createCommandChanges(
  stores: Stores,
  receipts: ReceiptKeeper,
  onHold: (deviceId: string) => void,
): CommandChanges {
  const holdIfUnknown = (command: Command, result: CommandResult, now: number): void => {
    if (effectOf(command.type) !== "document" || result.data?.outcome !== "unknown") return;
    const { id: commandId, orgId, deviceId } = command;
    stores.outcomeHolds.raise({ commandId, orgId, deviceId, raisedAt: now });
    onHold(deviceId);
  };
  return {
    apply(command, input, now) {
      const change = next(command, input);
      if ("refused" in change) return undefined;
      const { to, result } = change;
      if (to === "processing") {
        if (!stores.commands.markProcessing(command.id, now)) return undefined;
        return { ...command, status: to, processingAt: now, updatedAt: now };
      }
      if (!isFinal(to) || result === undefined) return undefined;
      if (!stores.commands.finish(command.id, { status: to, result, now })) return undefined;
      receipts.keep(command, result, now);
      holdIfUnknown(command, result, now);
      return { ...command, status: to, result, finishedAt: now, updatedAt: now };
    },
    refusalOf(command) {
      if (command.type !== "void_receipt" || receipts.originalOf(command)) return undefined;
      const message = "No receipt with this id is known for the device; print a reversal instead";
      return failure(command, "E401", message);
    },
  };
}
