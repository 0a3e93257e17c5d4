/** A record whose printer was exchanged: an owner accepts the one that stands there now. */

import { addressText } from "#core/device/address.ts";
import type { OtherPrinter } from "#core/device/connectivity.ts";
import { isOtherThan, mayHold, numbersText, tellsNumber } from "#core/device/printer.ts";
import { ApiError } from "#core/errors.ts";
import type { Device } from "#db/stores/devices.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Transaction } from "#db/writer.ts";
import type { Random } from "../../platform/random.ts";
import type { DeviceLive, DeviceStateOptions } from "./device-state.ts";
import { holdForgotten, holdReplaced } from "./forgotten-sales.ts";
import { changesOf } from "./place.ts";

type AcceptStores = DeviceStateOptions["stores"] &
  Pick<Stores, "appliance" | "commands" | "devices">;

/**
 * Ends what waited for a printer until a state put back from a copy was accepted, or what may have
 * changed one that is replaced.
 */
export type EndWaiting = (
  tx: Transaction,
  deviceId: string,
  meant: { readonly now: number; readonly why: "accepted" },
) => void;

/**
 * A record is about to get another printer: what is open of the one before is ended, or kept with it.
 * @param as an id that is of no record, and UTC milliseconds
 */
export type LeavePrinter = (
  tx: Transaction,
  device: Device,
  as: { readonly id: string; readonly now: number },
) => void;

/** Ends what may have changed the printer that a record had. */
export type EndDoubts = (tx: Transaction, deviceId: string, now: number) => void;

interface AcceptOptions {
  readonly stores: AcceptStores;
  readonly live: DeviceLive;
  readonly random: Pick<Random, "id">;
  readonly endDoubts: EndDoubts;
  readonly endWaiting: EndWaiting;
  readonly leavePrinter: LeavePrinter;
}

/** A record that was changed, and what the audit log tells of it. */
interface Deed {
  readonly row: Device;
  readonly action: "device.printer_accepted" | "device.updated";
  readonly more: object;
}

/**
 * Gives a record the printer that stands at its address. Where no controller tells which that is, it
 * is the one that answers next; where that one has a record of its own, both exchange their addresses.
 * To be called in a transaction.
 * @param now UTC milliseconds
 * @throws ApiError CONFLICT when there is none to accept, or the two are not reached alike
 */
export function acceptPrinter(
  { stores, live, random, endDoubts, endWaiting, leavePrinter }: AcceptOptions,
  { tx, device }: { readonly tx: Transaction; readonly device: Device },
  now: number,
): readonly Deed[] {
  const other = live.isHere ? live.connectivity(device.id).otherPrinter : undefined;
  requireOther(device, live.isHere ? { other } : undefined);
  const own = other?.deviceId ? stores.devices.get(device.orgId, other.deviceId) : undefined;
  if (own !== undefined) return exchange(stores, [device, own], now);
  // What a person is asked of the printer before holds that, which the record still names.
  endDoubts(tx, device.id, now);
  // It may repeat what that one has printed since a state that was put back: nobody has told.
  if (
    stores.restoredPrinters.list().some((row) => row.orgId === device.orgId && mayHold(row, device))
  ) {
    endWaiting(tx, device.id, { now, why: "accepted" });
  }
  leavePrinter(tx, device, { id: random.id("dev"), now });
  // Its open day and its Z reports are not those of the one that is there now.
  stores.closings.note(device.id, { dayOpenSince: null, lastZNumber: null });
  const { serialNumber = null, fiscalMemorySerialNumber = null } = other ?? {};
  const row = changed(stores, device, {
    ...{ serialNumber, fiscalMemorySerialNumber, updatedAt: now },
    ...{ model: null, firmwareVersion: null, charsPerLine: null, reversalTenders: null },
  });
  holdReplaced(stores, row, now);
  const accepted = other === undefined ? null : numbersText(other, device);
  const more = { before: numbersText(device, other), accepted };
  return [{ row, action: "device.printer_accepted", more }];
}

/**
 * What was found counts once: the record may have been led elsewhere since, or given that printer, as by
 * the other half of a double click. Its line is identified anew then, which takes a moment.
 * @param found undefined where no controller tells which printer answers
 */
function requireOther(
  device: Device,
  found: { readonly other: OtherPrinter | undefined } | undefined,
): void {
  const because = (why: string): ApiError =>
    new ApiError("CONFLICT", `There is no other printer to accept: ${why}`);
  if (found === undefined) {
    if (tellsNumber(device)) return;
    throw because("it has told no number");
  }
  const { other } = found;
  if (other === undefined) throw because("no other printer was found there");
  if (other.address === addressText(device) && isOtherThan(device, other)) return;
  throw because("which one is at its address now is still being found out");
}

/** Each is reached at the other's address from now on, as after a router gave addresses anew. */
function exchange(stores: AcceptStores, pair: [Device, Device], now: number): Deed[] {
  const [one, other] = pair;
  if (one.managedBy !== other.managedBy || one.controllerId !== other.controllerId) {
    throw new ApiError(
      "CONFLICT",
      `The printer is registered as "${other.name}", which another controller serves: correct the ` +
        "addresses of both, or remove one of them first",
    );
  }
  const move = (before: Device, at: Device): Deed => {
    const { transport, addressKeys } = at;
    const place = { transport, connectionParams: placeWithin(before, at), addressKeys };
    const row = changed(stores, before, { ...place, updatedAt: now });
    holdForgotten(stores, row, { now, before });
    return { row, action: "device.updated", more: { changes: changesOf(before, row) } };
  };
  return [move(one, other), move(other, one)];
}

/** The address of another record; the profile goes with the printer. */
function placeWithin(
  { connectionParams: { profile } }: Device,
  { connectionParams: { profile: _theirs, ...address } }: Device,
): Device["connectionParams"] {
  return {
    ...address,
    ...(profile === undefined ? {} : { profile }),
  } as Device["connectionParams"];
}

function changed(stores: AcceptStores, { orgId, id }: Device, change: Partial<Device>): Device {
  const row = stores.devices.update(orgId, id, change);
  if (row === undefined) throw new Error("the device vanished inside its own transaction");
  return row;
}
