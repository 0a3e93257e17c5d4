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

/** The one form of a number of a fiscal memory, or printer: tills leave out the zeros before it. */
export function memoryForm(number: string): string {
  const text = number.trim();
  return /^\d+$/.test(text) ? text.replace(/^0+(?=\d)/, "") : text;
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
  return isOtherPrinter(printerOf(device), told);
}

/** The same, by what is known of the printer of the record. */
export function isOtherPrinter(printer: Printer, told: PrinterNumbers): boolean {
  // A simulated printer goes with its record, and its numbers with its model.
  if (isSimulatedPrinter(printer) || !tellsNumber(printer)) return false;
  if (!tellsNumber(told))
    return tellingNumber(printer.serialNumber) !== null && !!told.serialNumber?.trim();
  return !answersFor(printer, { ...printer, ...told });
}

/** How a printer is called by what it tells; with the fiscal memory where its serial number is not enough. */
export function numbersText(told: PrinterNumbers, other?: PrinterNumbers): string {
  const { serialNumber, fiscalMemorySerialNumber: memory } = told;
  if (!serialNumber) return memory ? `fiscal memory ${memory}` : "one without a number";
  const isEnough = memory === null || other?.serialNumber !== serialNumber;
  return isEnough ? serialNumber : `${serialNumber} with fiscal memory ${memory}`;
}

/** A printer as one shop knows it. `deviceId` is a record of it that may be gone, or lead elsewhere. */
export interface ShopPrinter extends Printer {
  readonly orgId: string;
}

/** The printer of a device record, as the shop of the record knows it. */
export function shopPrinterOf(device: PrinterRecord & Pick<ShopPrinter, "orgId">): ShopPrinter {
  return { ...printerOf(device), orgId: device.orgId };
}

/** A printer of which something is open. */
export interface OpenPrinter extends ShopPrinter {
  /** Since when, in UTC milliseconds; absent where a record is compared of which nothing is. */
  readonly raisedAt?: number;
  /** The command that is open, where it is one. */
  readonly commandId?: string;
}

/** A device record, and since when there is one. */
export interface RegisteredPrinter extends PrinterRecord {
  /** UTC milliseconds. */
  readonly createdAt: number;
}

/**
 * True where what is open of a printer may hold the printer of a record: it is the same one, or may be. At
 * worst a person is asked once too often, or one printer waits for another.
 */
export function mayHold(open: OpenPrinter, device: RegisteredPrinter): boolean {
  const { is, by } = likenessOf(open, printerOf(device));
  if (is === "maybe" && by === "port name") return isSince(open, device);
  return is !== "other";
}

/**
 * True where what one of them tells, or has printed, counts for the other: they surely are one. At worst the
 * answer of somebody else's printer would be taken for its own.
 */
export function answersFor(one: Printer, other: Printer): boolean {
  return likenessOf(one, other).is === "same";
}

/**
 * True where what stands open at the printer of a record may be what was called not printed: nothing may finish
 * it then. At worst a person finishes a receipt, or takes it back, which the gateway could have finished.
 */
export function mayStandOpenAt(open: OpenPrinter, device: RegisteredPrinter): boolean {
  return mayHold(open, device);
}

/**
 * Registered since, in the shop of what is open: by the clock, or by the order of ids, which goes on while the
 * clock is set back.
 */
function isSince(open: OpenPrinter, device: RegisteredPrinter): boolean {
  const { orgId, raisedAt, commandId } = open;
  if (orgId !== device.orgId || raisedAt === undefined) return false;
  if (device.createdAt >= raisedAt) return true;
  return commandId !== undefined && orderOf(device.id) > orderOf(commandId);
}

/** By which ids of all kinds sort. */
function orderOf(id: string): string {
  return id.slice(id.indexOf("_") + 1);
}

/** Whether two are one printer, and what tells it. */
interface Likeness {
  readonly is: "same" | "maybe" | "other";
  readonly by: "record" | "number" | "address" | "port name";
}

/**
 * By the numbers that both tell, and where they tell none, by record or address. Whoever asks it has a side on
 * which a mistake does less harm: the questions above are all that is to be asked.
 */
function likenessOf(one: Printer, other: Printer): Likeness {
  const isOneRecord = one.deviceId === other.deviceId;
  // A simulated printer goes with its record, and shares its numbers with whichever real one.
  if (isSimulatedPrinter(one) || isSimulatedPrinter(other)) {
    return { is: isOneRecord ? "same" : "other", by: "record" };
  }
  for (const [name, isSame] of TELLING) {
    const [mine, theirs] = [tellingNumber(one[name]), tellingNumber(other[name])];
    if (mine !== null && theirs !== null) {
      return { is: isSame(mine, theirs) ? "same" : "other", by: "number" };
    }
  }
  return isOneRecord ? { is: "same", by: "record" } : addressLikenessOf(one, other);
}

/**
 * True for one fiscal memory. Tills that take its digits for a number leave out the zeros in front, which
 * the device tells; db/stores/printer-receipts.ts compares alike.
 */
export function isSameMemory(one: string, other: string): boolean {
  const [mine, theirs] = [one, other].map((told) => /^0*(\d+)$/.exec(told)?.[1]);
  return one === other || (mine !== undefined && mine === theirs);
}

/** By what printers are told from each other, what tells it best first, and when that is the same. */
const TELLING = [
  ["fiscalMemorySerialNumber", isSameMemory],
  ["serialNumber", (one: string, other: string) => one === other],
] as const;

/** What is known of a printer, completed by its record as long as that leads to it. */
export function completed(printer: Printer, record: Printer | undefined): Printer {
  if (record === undefined || !answersFor(printer, record)) return printer;
  return {
    deviceId: printer.deviceId,
    fiscalMemorySerialNumber: printer.fiscalMemorySerialNumber ?? record.fiscalMemorySerialNumber,
    serialNumber: printer.serialNumber ?? record.serialNumber,
    address: printer.address ?? record.address,
  };
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

/** True for one that the gateway simulates. */
export function isSimulatedPrinter({ address }: Pick<Printer, "address">): boolean {
  return address?.startsWith("simulated ") ?? false;
}

const OTHER = { is: "other", by: "address" } as const;

/** As far as that can be told without a number of either. */
function addressLikenessOf(one: Printer, other: Printer): Likeness {
  if (one.address === null || other.address === null) return OTHER;
  const meeting = meetingOf(one.address, other.address);
  if (meeting === "never") return OTHER;
  if (meeting === "surely") return { is: "same", by: "address" };
  if (meeting === "formerly") return { is: "maybe", by: "address" };
  // Reached from two places: whatever tells nothing of itself is not what does.
  if (tellsNumber(one) !== tellsNumber(other)) return OTHER;
  if (meeting === "by_port_name") return { is: "maybe", by: "port name" };
  return { is: meeting === "maybe" ? "same" : "maybe", by: "address" };
}
