/** What an owner has accepted of a printer that was ahead of this database. */

import { shopPrinterOf } from "#core/device/printer.ts";
import { ApiError } from "#core/errors.ts";
import type { Device } from "#db/stores/devices.ts";
import { NOTHING_TOLD } from "#db/stores/document-checks.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Transaction } from "#db/writer.ts";
import type { EndWaiting } from "./accepted-printer.ts";
import { type DeviceStateOptions, recordsAt, restoredOf, toldOf } from "./device-state.ts";

interface AcceptStateOptions {
  readonly stores: DeviceStateOptions["stores"] & Pick<Stores, "devices">;
  readonly endWaiting: EndWaiting;
}

/**
 * An owner accepts that the printer of a device is ahead of the state. To be called in a transaction.
 * @param accepted the device, and UTC milliseconds
 * @throws ApiError CONFLICT when there is nothing to accept
 */
export function acceptState(
  { stores, endWaiting }: AcceptStateOptions,
  accepted: { readonly tx: Transaction; readonly row: Device; readonly now: number },
): void {
  const { tx, row, now } = accepted;
  const [restored, told] = [restoredOf(stores, row), toldOf(stores, row)];
  if (restored.length + told.length === 0) {
    const reason = "There is nothing to accept: the printer is not ahead of the gateway's state";
    throw new ApiError("CONFLICT", reason);
  }
  const records = recordsAt(stores, row).map(({ id }) => id);
  // What waited for a printer that was not held is no repeat that anybody knows of.
  if (restored.length > 0) for (const id of records) endWaiting(tx, id, { now, why: "accepted" });
  for (const one of restored) stores.restoredPrinters.remove(one.deviceId);
  const ids = [row.id, ...told.map((one) => one.deviceId)];
  // Whatever its records have printed is behind what is accepted, also where this one never has.
  const seq = Math.max(...[...ids, ...records].map((id) => stores.commands.newestPrinted(id)));
  acceptDocuments(stores, { row, ids, seq, now });
}

/**
 * What the device's printer has printed is known from now on. It is asked how far that goes: what it
 * told before a state was put back, or before somebody rang up more, is less than what was accepted.
 * @param told the device, with all records of its printer that were told of, the newest command that
 * any of them has printed, and UTC milliseconds
 */
function acceptDocuments(
  stores: Pick<Stores, "documentChecks">,
  told: {
    readonly row: Device;
    readonly ids: readonly string[];
    readonly seq: number;
    readonly now: number;
  },
): void {
  const { row, ids, seq, now } = told;
  const accepted = {
    ...{ ...NOTHING_TOLD, ...stores.documentChecks.acceptance(now) },
    ...{ seq, raisedAt: now },
  };
  for (const id of ids) {
    // Another record of the same printer is asked by itself, after the next start.
    const state = id === row.id ? "asked" : "known";
    stores.documentChecks.update(id, { ...accepted, state });
  }
  // Does nothing where there is one.
  stores.documentChecks.raise({
    ...{ ...shopPrinterOf(row), ...accepted, state: "asked" },
  });
}
