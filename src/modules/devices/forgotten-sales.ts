/**
 * Printers that are registered where it is not known what tills have sent: behind a repair which has
 * lost what keeps a receipt from being printed again, or on a state that was put back from a copy. One
 * of them may be a printer on which tills have sold, so each waits for an owner's word; of a copy one
 * goes on by itself that has printed no receipt, or none behind those that are known here.
 */

import { addressText } from "#core/device/address.ts";
import { isSimulated } from "#core/device/device.ts";
import { printerOf } from "#core/device/printer.ts";
import type { Forgotten } from "#db/stores/appliance.ts";
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
  const why = isSimulated(device) ? undefined : appliance.forgotten();
  if (why === undefined) return;
  if (before !== undefined && addressText(before) === addressText(device)) return;
  hold({ commands, restoredPrinters }, device, { now, why });
}

/**
 * The same for a record that gets another printer at its address: nothing is known of that one. To be
 * called in the transaction that stores it.
 * @param now UTC milliseconds
 */
export function holdReplaced(stores: ForgottenStores, device: Device, now: number): void {
  const why = stores.appliance.forgotten();
  if (why !== undefined) hold(stores, device, { now, why });
}

function hold(
  { commands, restoredPrinters }: Omit<ForgottenStores, "appliance">,
  device: Device,
  { now, why }: { readonly now: number; readonly why: Forgotten },
): void {
  // Nobody knows yet which printer that is, also where another one stood: whichever answers is asked.
  const nobodys = { fiscalMemorySerialNumber: null, serialNumber: null };
  const printer = { ...printerOf(device), ...nobodys };
  if (restoredPrinters.get(device.id) !== undefined) {
    const { address } = printer;
    restoredPrinters.update(device.id, { ...nobodys, address, questionId: null });
    return;
  }
  const seq = commands.newestPrinted(device.id);
  restoredPrinters.raise({ ...printer, orgId: device.orgId, raisedAt: now, seq });
  restoredPrinters.update(device.id, { state: why === "repaired" ? "ahead" : "asked" });
}

type ForgottenStores = Pick<Stores, "appliance" | "commands" | "restoredPrinters">;
