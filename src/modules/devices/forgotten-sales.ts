/**
 * Printers that are registered behind a repair which has lost what keeps a receipt from being printed
 * again: nobody knows whether it is one on which tills have sold, so each waits for an owner's word.
 */

import { isSimulated } from "#core/device/device.ts";
import { addressText, printerOf } from "#core/device/printer.ts";
import type { Device } from "#db/stores/devices.ts";
import type { Stores } from "#db/stores/index.ts";

/**
 * Holds the printer of a record that is new, or leads elsewhere than before, where what tills have sent
 * was lost. Does nothing otherwise. To be called in the transaction that stores the record.
 * @param now UTC milliseconds
 * @param before the record as it was; undefined for a new one
 */
export function holdForgotten(
  { appliance, commands, restoredPrinters }: ForgottenStores,
  device: Device,
  { now, before }: { readonly now: number; readonly before?: Device },
): void {
  // A simulated printer goes with its record: there is no older one.
  if (isSimulated(device) || !appliance.hasForgotten()) return;
  if (before !== undefined && addressText(before) === addressText(device)) return;
  const seq = commands.newestPrinted(device.id);
  restoredPrinters.raise({ ...printerOf(device), orgId: device.orgId, raisedAt: now, seq });
  restoredPrinters.update(device.id, { state: "ahead" });
}

type ForgottenStores = Pick<Stores, "appliance" | "commands" | "restoredPrinters">;
