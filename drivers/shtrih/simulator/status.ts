/**
 * Mode, submode, flags and registers of the simulated device.
 * Source: Shtrih-M "KKT protocol" 2.0.
 */

import {
  type Books,
  type DayTotals,
  isDayOver,
  isMemoryFull,
  openReceiptOf,
  zRecordsLeft,
} from "../../simulator/books/books.ts";
import type { DeviceMemory } from "../../simulator/books/memory.ts";
import { taxMinor } from "../../simulator/books/reckoning.ts";
import { date, number, text, time } from "./answer.ts";
import type { Printing, VolatileState } from "./device-command.ts";
import { type ShtrihModel, TAX_GROUPS, TENDERS } from "./model.ts";

/** The setting that holds a date which waits to be confirmed; empty when none does. */
export const DATE_TO_CONFIRM = "dateToConfirm";
/** The setting that counts X reports. */
export const X_REPORTS = "xReports";

/** Numbers of documents begin anew after this. */
const DOCUMENT_NUMBERS = 10_000;
const NO_FLAGS = 0;

/** True once anything of this fiscal day is in the registers. */
export function isDayOpen({ day }: Books): boolean {
  return day.openedAt !== null || day.cashInCount + day.cashOutCount > 0;
}

/** True for the mode byte of a device on which a document is open. */
export function isDocumentMode(mode: number): boolean {
  return mode % 16 === 8;
}

/** Mode in the low four bits, kind of the open document in the high ones. */
export function modeOf(memory: DeviceMemory, volatile: VolatileState): number {
  const { books } = memory;
  const printing = printingNow(memory, volatile);
  if (printing?.mode !== undefined) return printing.mode;
  // It waits for a technician to reset it.
  if (books.conditions.broken) return 9;
  const receipt = openReceiptOf(books);
  if (receipt) return receipt.head.kind === "sale" ? 0x08 : 0x28;
  if (books.open) return 0x48;
  if (books.conditions.clockLost || (books.settings[DATE_TO_CONFIRM] ?? "") !== "") return 6;
  if (isDayOver(books, memory.clock())) return 3;
  return isDayOpen(books) ? 2 : 4;
}

function printingNow(memory: DeviceMemory, { printing }: VolatileState): Printing | undefined {
  return printing && memory.now() < printing.until ? printing : undefined;
}

function submodeOf(memory: DeviceMemory, volatile: VolatileState): number {
  const { books } = memory;
  const printing = printingNow(memory, volatile);
  if (printing && books.conditions.paper !== "out") return printing.isReport ? 4 : 5;
  if (books.conditions.paper === "out") return volatile.unfinished ? 2 : 1;
  return volatile.unfinished ? 3 : 0;
}

function flagsOf(memory: DeviceMemory, { sensors }: ShtrihModel): number {
  const { paper, cover } = memory.books.conditions;
  const bits = [
    [1, sensors.paperLow && paper === "ok"],
    [4, true],
    [7, paper !== "out" && (cover === "closed" || sensors.cover)],
    [10, sensors.cover && cover === "open"],
    [14, memory.books.conditions.memory === "near_full"],
  ] as const;
  return bits.reduce((flags, [bit, isOn]) => flags + (isOn ? 2 ** bit : 0), NO_FLAGS);
}

/** 10h: 16 bytes with code and error byte. */
export function shortStatus(memory: DeviceMemory, model: ShtrihModel, volatile: VolatileState) {
  const receipt = openReceiptOf(memory.books);
  const operations = receipt?.saleCount ?? 0;
  return [
    ...number(flagsOf(memory, model), 2),
    modeOf(memory, volatile),
    submodeOf(memory, volatile),
    operations % 256,
    // Battery and supply as converters read them.
    0x9d,
    0xd7,
    0,
    0,
    Math.floor(operations / 256),
    0,
    0,
    0,
  ];
}

/** Date and time as the clock stands without a battery. */
const NO_CLOCK = [0, 0, 0, 0, 0, 0] as const;

/** A date that waits to be confirmed is shown already. */
function clockOf({ settings, conditions }: Books, at: number): readonly number[] {
  const waiting = settings[DATE_TO_CONFIRM] ?? "";
  if (waiting !== "") return [...date(Date.parse(waiting)), ...time(at)];
  return conditions.clockLost ? NO_CLOCK : [...date(at), ...time(at)];
}

/** 11h. */
export function fullStatus(memory: DeviceMemory, model: ShtrihModel, volatile: VolatileState) {
  const { books } = memory;
  const { identity } = model;
  const at = memory.clock();
  const isFull = isMemoryFull(books, memory.model);
  const memoryFlags =
    0x27 + (isFull ? 8 : 0) + (isDayOpen(books) ? 64 : 0) + (isDayOver(books, at) ? 128 : 0);
  return [
    ...text("A4", 2),
    ...number(20_043, 2),
    ...[14, 11, 18],
    1,
    ...number(books.documentNumber % DOCUMENT_NUMBERS, 2),
    ...number(flagsOf(memory, model), 2),
    modeOf(memory, volatile),
    submodeOf(memory, volatile),
    128,
    ...text("10", 2),
    ...number(57, 2),
    ...[1, 1, 16],
    ...clockOf(books, at),
    memoryFlags,
    ...number(identity.serial, 4),
    ...number(books.zNumber, 2),
    ...number(isFull ? 0 : zRecordsLeft(books, memory.model), 2),
    1,
    15,
    ...number(identity.taxId, 6),
  ];
}

/** A count over all days, as a number that begins anew like those of documents. */
function total(books: Books, count: (day: Readonly<DayTotals>) => number): number {
  const sum = books.zRecords.reduce((so, record) => so + count(record), count(books.day));
  return sum % DOCUMENT_NUMBERS;
}

/** 1Bh; undefined for registers that the simulator does not keep. */
export function countRegister(books: Books, register: number): number | undefined {
  switch (register) {
    case 144:
      return books.day.saleCount;
    case 146:
      return books.day.stornoCount;
    case 145:
    case 147:
    case 149:
    case 151:
      return 0;
    case 148:
      return total(books, (day) => day.saleCount);
    case 150:
      return total(books, (day) => day.stornoCount);
    case 152:
      return books.documentNumber % DOCUMENT_NUMBERS;
    case 153:
      return books.day.cashInCount;
    case 154:
      return books.day.cashOutCount;
    case 155:
      return total(books, (day) => day.cashInCount);
    case 156:
      return total(books, (day) => day.cashOutCount);
    case 157:
      return books.day.cancelledCount;
    case 158:
      return Number(books.settings[X_REPORTS] ?? 0);
    case 166:
      return total(books, (day) => day.cancelledCount);
    default:
      return undefined;
  }
}

/** 1Ah; undefined for registers that the simulator does not keep. */
export function moneyRegister(books: Books, register: number): number | undefined {
  const { day } = books;
  if (register === 241) return books.cashMinor;
  if (register === 242) return day.cashInMinor;
  if (register === 243) return day.cashOutMinor;
  // Four kinds of receipts to each tender and tax group: sale, buy, and the returns of both.
  const kind = (register - 193) % 4;
  const row = Math.floor((register - 193) / 4);
  const isSale = kind === 0;
  if (register < 193 || register > 240) return undefined;
  if (kind % 2 === 1) return 0;
  if (row < TENDERS.length) {
    const payments = isSale ? day.salePayments : day.stornoPayments;
    return payments[TENDERS[row] ?? ""] ?? 0;
  }
  const group = row % TAX_GROUPS;
  const turnover = (isSale ? day.sales : day.stornos)[group] ?? 0;
  if (row < TENDERS.length + TAX_GROUPS) return turnover;
  return taxMinor(turnover, books.vat[group]?.rateBasisPoints ?? 0);
}
