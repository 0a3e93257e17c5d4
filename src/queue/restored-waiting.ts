/**
 * Commands that wait for a printer which may be ahead of a state that was put back from a copy. A
 * till that had no answer repeats its sale, and the copy does not know the key of what was printed
 * since: so of such a command nobody may say "not printed" before a person has compared.
 */

import type { Command, CommandResult } from "#core/command/command.ts";
import type { LifecycleInput } from "#core/command/lifecycle.ts";
import { isSamePrinter, printerOf } from "#core/device/printer.ts";
import type { Stores } from "#db/stores/index.ts";

/** What a person is told of one. */
export const MAY_REPEAT =
  "the state was put back from a copy while it waited, and it may repeat what was printed since: " +
  "compare paper and till, then say what became of it";

/** The same, where nobody knows whether a copy was put back. */
export const MAY_BE_PRINTED =
  "the printer has printed documents that are not known here, and it may be one of them: compare " +
  "paper and till, then say what became of it";

/** Ends that say of a command that has not begun that it was not printed. */
const UNBEGUN_ENDS: readonly LifecycleInput["kind"][] = ["expired", "cancelled", "device_deleted"];

type RestoredStores = Pick<Stores, "devices" | "restoredPrinters">;

/** The result of a command that ends without having begun, as it may be told. */
export function toldResult(
  stores: RestoredStores,
  command: Command,
  ended: { readonly input: LifecycleInput; readonly result: CommandResult },
): CommandResult {
  const { input, result } = ended;
  if (!UNBEGUN_ENDS.includes(input.kind) || result.data?.outcome !== "not_printed") return result;
  if (!mayBeAhead(stores, command)) return result;
  return {
    ...result,
    errorMessage: `${result.errorMessage}; ${MAY_REPEAT}`,
    data: { ...result.data, outcome: "unknown" },
  };
}

function mayBeAhead(stores: RestoredStores, { orgId, deviceId }: Command): boolean {
  const restored = stores.restoredPrinters.list();
  if (restored.length === 0) return false;
  const device = stores.devices.get(orgId, deviceId);
  return restored.some((row) =>
    device ? isSamePrinter(row, printerOf(device)) : row.deviceId === deviceId,
  );
}
