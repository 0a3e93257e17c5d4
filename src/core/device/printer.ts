/**
 * Which printer a device record stands for. A record may be deleted and registered anew, or lead to
 * another printer tomorrow; what was printed, and what is in doubt, belongs to the printer.
 */

import type { Command } from "../command/command.ts";
import type { Baseline } from "../command/marks.ts";
import { keptAddress, meetingOf, type ReachedAddress } from "./address.ts";
import { isBuiltin } from "./device.ts";

/** What is known of a printer. Null where its protocol does not tell, or nobody has asked yet. */
export interface Printer {
  readonly deviceId: string;
  readonly fiscalMemorySerialNumber: string | null;
  readonly serialNumber: string | null;
  /** See `keptAddress`. */
  readonly address: string | null;
}

/** A device record, as far as it tells of its printer. */
export interface PrinterRecord extends Omit<Printer, "deviceId" | "address">, ReachedAddress {
  readonly id: string;
}

/** The printer of a device record. */
export function printerOf(device: PrinterRecord): Printer {
  const { id: deviceId, fiscalMemorySerialNumber, serialNumber } = device;
  return { deviceId, fiscalMemorySerialNumber, serialNumber, address: keptAddress(device) };
}

/**
 * The printer that a command ran on. Another one may stand in its place by now, so what was read
 * before the command began counts: each baseline names the serial number of its device.
 */
export function printerBefore(device: PrinterRecord, baseline: Baseline | null): Printer {
  return readBefore(printerOf(device), baseline);
}

/** A printer, where the baseline of a command names another serial number than is known of it by now. */
export function readBefore(printer: Printer, baseline: Baseline | null): Printer {
  const { serialNumber } = baseline ?? {};
  if (typeof serialNumber !== "string" || serialNumber === printer.serialNumber) return printer;
  return { ...printer, serialNumber, fiscalMemorySerialNumber: null };
}

/** A serial number; null for what a device shows that was never given one. */
export function tellingNumber(number: string | null | undefined): string | null {
  return number && /[^0\s.-]/.test(number) ? number.trim() : null;
}

/** True where a number is known by which the printer is told from others. */
export function tellsNumber(printer: PrinterNumbers): boolean {
  const { fiscalMemorySerialNumber, serialNumber } = printer;
  return tellingNumber(fiscalMemorySerialNumber) !== null || tellingNumber(serialNumber) !== null;
}

/** The numbers by which a printer is told from others. */
export type PrinterNumbers = Omit<Printer, "deviceId" | "address">;

/**
 * True when what answers at the address of a record is another printer than the record's. One that
 * tells no number shows nothing; one that was never given a number is none that has one.
 * @param told by the printer that answers
 */
export function isOtherThan(device: PrinterRecord, told: PrinterNumbers): boolean {
  const printer = printerOf(device);
  // A simulated printer goes with its record, and its numbers with its model.
  if (isSimulatedPrinter(printer) || !tellsNumber(printer)) return false;
  if (!tellsNumber(told))
    return tellingNumber(printer.serialNumber) !== null && !!told.serialNumber?.trim();
  return !isSamePrinter(printer, { ...printer, ...told });
}

/** How a printer is called by what it tells; with the fiscal memory where its serial number is not enough. */
export function numbersText(told: PrinterNumbers, other?: PrinterNumbers): string {
  const { serialNumber, fiscalMemorySerialNumber: memory } = told;
  if (!serialNumber) return memory ? `fiscal memory ${memory}` : "one without a number";
  const isEnough = memory === null || other?.serialNumber !== serialNumber;
  return isEnough ? serialNumber : `${serialNumber} with fiscal memory ${memory}`;
}

/**
 * True when both are one printer as far as anybody knows: by the numbers that both tell, and where
 * they tell none, by record or address. What is open of one holds the other: at worst a person is asked
 * once too often.
 */
export function isSamePrinter(one: Printer, other: Printer): boolean {
  return likenessOf(one, other) !== "other";
}

/**
 * True where what is read over a record of the other one tells what became of a document of the first: at
 * worst somebody else's receipt would be taken for it. A port that each machine has of its own holds both,
 * and proves nothing of the other machine's.
 */
export function answersFor(one: Printer, other: Printer): boolean {
  return likenessOf(one, other) === "same";
}

/**
 * True where a person who is asked what became of a document is asked of a record's printer too: the record
 * leads there as far as anybody knows, or was registered since for a serial port of that name. At which
 * machine a port is shows by its controller alone, which may have another name by now.
 */
export function asksOf(
  hold: ShopPrinter & { readonly raisedAt: number },
  device: PrinterRecord & { readonly createdAt: number },
): boolean {
  const printer = printerOf(device);
  if (isSamePrinter(hold, printer)) return true;
  const isSince = hold.orgId === device.orgId && device.createdAt >= hold.raisedAt;
  if (!isSince || hold.address === null || printer.address === null) return false;
  if (tellsNumber(hold) || tellsNumber(printer)) return false;
  return meetingOf(hold.address, printer.address) === "by_port_name";
}

function likenessOf(one: Printer, other: Printer): "same" | "maybe" | "other" {
  const isOneRecord = one.deviceId === other.deviceId;
  // A simulated printer goes with its record, and shares its numbers with whichever real one.
  if (isSimulatedPrinter(one) || isSimulatedPrinter(other)) return isOneRecord ? "same" : "other";
  for (const name of ["fiscalMemorySerialNumber", "serialNumber"] as const) {
    const [mine, theirs] = [tellingNumber(one[name]), tellingNumber(other[name])];
    if (mine !== null && theirs !== null) return mine === theirs ? "same" : "other";
  }
  return isOneRecord ? "same" : addressLikenessOf(one, other);
}

/** What is known of a printer, completed by its record as long as that leads to it. */
export function completed(printer: Printer, record: Printer | undefined): Printer {
  if (record === undefined || !isSamePrinter(printer, record)) return printer;
  return {
    deviceId: printer.deviceId,
    fiscalMemorySerialNumber: printer.fiscalMemorySerialNumber ?? record.fiscalMemorySerialNumber,
    serialNumber: printer.serialNumber ?? record.serialNumber,
    address: printer.address ?? record.address,
  };
}

/** A printer as one shop knows it. `deviceId` is a record of it that may be gone, or lead elsewhere. */
export interface ShopPrinter extends Printer {
  readonly orgId: string;
}

/**
 * True where what was printed for one shop counts for another one's printer of the same numbers: the
 * gateway itself drove it. What an app says of numbers nobody can look at; it may have read them off a
 * receipt.
 * @param controllerId the controller that the command was handed to
 */
export function countsFor(
  orgId: string,
  { orgId: owner, controllerId }: Pick<Command, "orgId" | "controllerId">,
): boolean {
  return orgId === owner || isBuiltin(controllerId);
}

/** True where a record leads to a printer of its shop, as far as anybody knows. */
export function leadsTo(device: PrinterRecord, printer: ShopPrinter): boolean {
  return device.orgId === printer.orgId && isSamePrinter(printer, printerOf(device));
}

/** True for one that the gateway simulates. */
export function isSimulatedPrinter({ address }: Pick<Printer, "address">): boolean {
  return address?.startsWith("simulated ") ?? false;
}

/** As far as that can be told without a number of either. */
function addressLikenessOf(one: Printer, other: Printer): "same" | "maybe" | "other" {
  if (one.address === null || other.address === null) return "other";
  const meeting = meetingOf(one.address, other.address);
  if (meeting === "surely") return "same";
  if (meeting === "never" || meeting === "by_port_name") return "other";
  // Reached from two places: whatever tells nothing of itself is not what does.
  if (tellsNumber(one) !== tellsNumber(other)) return "other";
  return meeting === "maybe" ? "same" : "maybe";
}
