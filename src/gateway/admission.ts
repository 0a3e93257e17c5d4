/**
 * Whether a device whose line has come up may be used: a printer that is not the record's, that has
 * another device record already, or of which somebody else is asked, stays out of reach.
 */

import { addressText, isOneAddress, namesOf } from "#core/device/address.ts";
import type { OtherPrinter } from "#core/device/connectivity.ts";
import { type DeviceInfo, isSimulated } from "#core/device/device.ts";
import {
  answersFor,
  countsFor,
  isOtherThan,
  mayHold,
  numbersText,
  type Printer,
  type PrinterNumbers,
  printerOf,
  tellingNumber,
  tellsNumber,
} from "#core/device/printer.ts";
import type { Device } from "#db/stores/devices.ts";
import type { Stores } from "#db/stores/index.ts";
import type { LiveDevice } from "./live-device.ts";

/** Why a device may not be used. */
export interface AdmissionRefusal {
  /** In words for its organization. */
  readonly reason: string;
  /** The printer that answers, where it is not the one of the record. */
  readonly other?: OtherPrinter;
}

export interface AdmissionOptions {
  readonly stores: Pick<Stores, "devices" | "outcomeHolds">;
  /** What is known of a device right now. */
  live(deviceId: string): Readonly<LiveDevice> | undefined;
}

export class Admission {
  readonly #o: AdmissionOptions;

  constructor(options: AdmissionOptions) {
    this.#o = options;
  }

  /**
   * Why a device may not be used; undefined when it may.
   * @param info what the printer has just told of itself
   */
  refusalOf(device: Device, info: DeviceInfo | undefined): AdmissionRefusal | undefined {
    if (info && isOtherThan(device, info)) return this.#other(device, info);
    const printer = { ...printerOf(device), ...numbersOf(info) };
    const reason =
      this.#there(device, printer) ??
      this.#elsewhere(device, printer) ??
      this.#asked({ ...device, ...numbersOf(info) });
    return reason === undefined ? undefined : { reason };
  }

  /** Its receipts, its day and its numbers are not those of the record's printer. */
  #other(device: Device, { serialNumber, fiscalMemorySerialNumber }: DeviceInfo): AdmissionRefusal {
    const told = { serialNumber, fiscalMemorySerialNumber };
    const own = this.#recordOf(device, told);
    const known = own === undefined ? "" : `, which is registered as "${own.name}"`;
    const reason =
      `Another printer stands there: ${numbersText(told, device)} instead of ` +
      `${numbersText(device, told)}${known}`;
    return { reason, other: { ...told, deviceId: own?.id ?? null, address: addressText(device) } };
  }

  /** The record of a printer in the organization of another one. */
  #recordOf({ id, orgId }: Device, told: PrinterNumbers): Device | undefined {
    if (!tellsNumber(told)) return undefined;
    const isIts = (one: Device): boolean =>
      tellsNumber(one) && !isOtherThan(one, told) && !isSimulated(one);
    return this.#o.stores.devices.list(orgId).find((one) => one.id !== id && isIts(one));
  }

  /**
   * One address is one device: two queues would print into each other's receipts. Registering sees to
   * that, but for records of versions that did not, and names that have come to lead to one address.
   * Where a name led is known from when its line came up last; what both printers tell of themselves
   * counts before that: two that were switched on in another order have changed their ports.
   */
  #there(device: Device, printer: Printer): string | undefined {
    if (device.managedBy !== "builtin" || isSimulated(device)) return undefined;
    const other = this.#o.stores.devices.listBuiltin().find((one) => {
      if (one.id === device.id || isSimulated(one)) return false;
      if (this.#o.live(one.id)?.link !== "up") return false;
      return isOneAddress(namesOf(one), namesOf(device)) && answersFor(printerOf(one), printer);
    });
    return other && `A printer is reached at this address already, ${calledBy(device, other)}`;
  }

  /** The one that is up stays up. */
  #elsewhere(device: Device, printer: Printer): string | undefined {
    // Simulated printers have the numbers of their models, and each is a printer of its own.
    if (isSimulated(device) || tellingNumber(printer.serialNumber) === null) return undefined;
    const other = this.#o.stores.devices.listAll().find((one) => {
      const live = this.#o.live(one.id);
      if (one.id === device.id || isSimulated(one) || live?.link !== "up") return false;
      // What another shop's app says of numbers nobody can look at: it may have read them off a receipt.
      const isRead = device.managedBy === "builtin" && live.owner.orgId === null;
      if (one.orgId !== device.orgId && !isRead) return false;
      // Printers that were never put into service may all have the same numbers.
      if (live.reading?.status.fiscalized === false) return false;
      return tellingNumber(one.serialNumber) !== null && isTwice(printerOf(one), printer);
    });
    return (
      other && `This printer is reached at another address already, ${calledBy(device, other)}`
    );
  }

  /** A person of another organization is asked what this printer printed. */
  #asked(device: Device): string | undefined {
    const open = this.#o.stores.outcomeHolds.listOpen();
    const isAsked = open.some(
      (hold) =>
        hold.orgId !== device.orgId && countsFor(device.orgId, hold) && mayHold(hold, device),
    );
    if (!isAsked) return undefined;
    return (
      "A receipt of this printer is in doubt in another organization: settle it at the box with " +
      "fiscald command resolve"
    );
  }
}

/** Another organization's device is not named. */
function calledBy({ orgId }: Device, other: Device): string {
  return other.orgId === orgId ? `as "${other.name}"` : "as another device";
}

/** Both numbers count here: makers use the same serial numbers. */
function isTwice(one: Printer, other: Printer): boolean {
  const [mine, theirs] = [one, other].map((printer) =>
    tellingNumber(printer.fiscalMemorySerialNumber),
  );
  return tellingNumber(one.serialNumber) === tellingNumber(other.serialNumber) && mine === theirs;
}

function numbersOf(info: DeviceInfo | undefined): Partial<Printer> {
  if (!info) return {};
  const { serialNumber, fiscalMemorySerialNumber } = info;
  return {
    ...(serialNumber === null ? {} : { serialNumber }),
    ...(fiscalMemorySerialNumber === null ? {} : { fiscalMemorySerialNumber }),
  };
}
