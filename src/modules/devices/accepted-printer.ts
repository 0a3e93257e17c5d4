/** A record whose printer was exchanged: an owner accepts the one that stands there now. */

import type { OtherPrinter } from "#core/device/connectivity.ts";
import { numbersText, tellsNumber } from "#core/device/printer.ts";
import { ApiError } from "#core/errors.ts";
import type { Device } from "#db/stores/devices.ts";
import type { Stores } from "#db/stores/index.ts";
import type { DeviceLive } from "./device-state.ts";
import { holdReplaced } from "./forgotten-sales.ts";

type AcceptStores = Pick<
  Stores,
  "appliance" | "commands" | "devices" | "documentChecks" | "restoredPrinters"
>;

/**
 * Gives a record the printer that stands at its address. Where no controller tells which that is, it
 * is the one that answers next. To be called in a transaction.
 * @param now UTC milliseconds
 * @returns the record, and what the audit log tells of both printers
 * @throws ApiError CONFLICT when there is none to accept, or it has a record of its own
 */
export function acceptPrinter(
  { stores, live }: { readonly stores: AcceptStores; readonly live: DeviceLive },
  device: Device,
  now: number,
) {
  const other = live.isHere ? live.connectivity(device.id).otherPrinter : undefined;
  requireAcceptable(stores, device, { other, isAsked: live.isHere });
  const { serialNumber = null, fiscalMemorySerialNumber = null } = other ?? {};
  const row = stores.devices.update(device.orgId, device.id, {
    ...{ serialNumber, fiscalMemorySerialNumber, updatedAt: now },
    ...{ model: null, firmwareVersion: null, charsPerLine: null, reversalTenders: null },
  });
  if (row === undefined) throw new Error("the device vanished inside its own transaction");
  // What is known of the numbers of the printer before says nothing of this one.
  stores.documentChecks.remove(device.id);
  holdReplaced(stores, row, now);
  const accepted = other === undefined ? null : numbersText(other, device);
  return { row, printers: { before: numbersText(device, other), accepted } };
}

function requireAcceptable(
  { devices }: Pick<Stores, "devices">,
  device: Device,
  { other, isAsked }: { readonly other: OtherPrinter | undefined; readonly isAsked: boolean },
): void {
  const isOther = isAsked ? other !== undefined : tellsNumber(device);
  if (!isOther) {
    const found = isAsked ? "no other printer was found at its address" : "it has told no number";
    throw new ApiError("CONFLICT", `There is no other printer to accept: ${found}`);
  }
  const own = other?.deviceId ? devices.get(device.orgId, other.deviceId) : undefined;
  if (other === undefined || own === undefined) return;
  throw new ApiError(
    "CONFLICT",
    `${numbersText(other, device)} is registered as "${own.name}": correct the addresses of both, ` +
      "or remove one of them first",
  );
}
