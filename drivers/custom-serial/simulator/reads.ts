/**
 * Commands that only read. Source: CUSTOM protocol manual for fiscal devices, rev. 6.00.
 */

import { isMemoryFull, openReceiptOf, zRecordsLeft } from "../../simulator/books/books.ts";
import type { ReceiptPart } from "../../simulator/books/receipt.ts";
import { sumOf } from "../../simulator/books/reckoning.ts";
import { dateTime } from "./clock-text.ts";
import { signedRest } from "./closing.ts";
import { type DeviceCommand, Refused, zeroFilled } from "./device-command.ts";
import {
  lastFinished,
  lastToldNumber,
  lastToldReceipt,
  type Stage,
  stageOf,
  unejected,
} from "./document.ts";
import { ERROR } from "./error-codes.ts";

const JOURNAL_LOW_SHARE = 0.95;
const MODEL_WIDTH = 32;
const NEVER = "0000000000";
/** What kind of document 1003 and 1017 tell of. */
const KIND = { none: "0", sale: "1", storno: "3" } as const;

/** 1001: `DDMMYYhhmm`. */
export function clock(command: DeviceCommand): string {
  command.fields.end();
  const { memory } = command;
  return memory.books.conditions.clockLost ? NEVER : dateTime(memory.clock());
}

/** 1002: `line1` gives the line, its type and its text. */
export function headerLine(command: DeviceCommand): string {
  const line = command.fields.number(1);
  command.fields.end();
  const text = command.memory.books.header[line - 1];
  if (text === undefined) throw new Refused(ERROR.value);
  return `${line}1${zeroFilled(text.length, 2)}${text}`;
}

interface ReceiptSums {
  readonly parts: readonly ReceiptPart[];
  readonly totalMinor: number;
}

/** 1003: the sums of the receipt that is in the device, and the number of the last finished one. */
export function receiptSums(command: DeviceCommand): string {
  command.fields.end();
  const { books } = command.memory;
  const open = openReceiptOf(books);
  const isInside = books.receipts.count > 0 && unejected(books) === books.receipts.lastNumber;
  const last = isInside ? books.receipts.last() : undefined;
  const sums: ReceiptSums = open ?? last ?? { parts: [], totalMinor: 0 };
  const kind = (open?.head ?? last)?.kind;
  const sign = "+";
  return [
    ...[surcharges(sums), discounts(sums), voids(sums), 0].map((sum) => zeroFilled(sum, 9)),
    `${sign}${zeroFilled(sums.totalMinor, 9)}`,
    signedRest(books.open),
    zeroFilled(lastToldNumber(books, command.model), 4),
    kind === undefined ? KIND.none : KIND[kind],
  ].join("");
}

function surcharges({ parts }: ReceiptSums): number {
  return sumOf(parts.map((part) => Math.max(0, adjustmentOf(part))));
}

function discounts({ parts }: ReceiptSums): number {
  return -sumOf(parts.map((part) => Math.min(0, adjustmentOf(part))));
}

function adjustmentOf(part: ReceiptPart): number {
  if (part.part === "adjustment") return part.amountMinor;
  return part.part === "subtotal" ? sumOf(part.adjustments) : 0;
}

function voids({ parts }: ReceiptSums): number {
  return -sumOf(
    parts.map((part) => (part.part === "sale" && part.priceMinor < 0 ? part.totalMinor : 0)),
  );
}

/** 1008: two characters and eight digits. */
export function serialNumber(command: DeviceCommand): string {
  command.fields.end();
  return command.model.serialNumber;
}

/** 1009: cover, paper. */
export function coverAndPaper(command: DeviceCommand): string {
  command.fields.end();
  const { paper, cover } = command.memory.books.conditions;
  return bits(cover === "open", paper === "out");
}

/** 1010: eleven digits, among them the clock, the memory and the closed day. */
export function machineStatus(command: DeviceCommand): string {
  command.fields.end();
  const { conditions, day } = command.memory.books;
  const isSerialised = true;
  const isDayClosed = day.openedAt === null;
  return bits(
    false,
    conditions.paper !== "ok",
    conditions.clockLost,
    conditions.broken,
    false,
    false,
    isSerialised,
    isDayClosed,
    false,
    false,
    false,
  );
}

/** 1011: fiscal, non-fiscal document open. */
export function openDocuments(command: DeviceCommand): string {
  command.fields.end();
  const [fiscal, text] = whatIsOpen(command);
  return bits(fiscal, text);
}

/** 1016: fiscal, non-fiscal document, invoice open. */
export function openDocumentsAndInvoice(command: DeviceCommand): string {
  command.fields.end();
  return bits(...whatIsOpen(command), false);
}

function whatIsOpen({ memory, model }: DeviceCommand): readonly [fiscal: boolean, text: boolean] {
  const stage = stageOf(memory.books);
  const isClosed = stage === "closed" || stage === "courtesy";
  const isText = stage === "text";
  const isFiscal = isClosed ? model.closedCountsAsOpen : stage !== "none" && !isText;
  return [isFiscal, isText];
}

/** A step of a document as 1012 numbers it. */
const STEPS = {
  none: "0",
  sales: "1",
  paying: "2",
  paid: "3",
  cancelling: "4",
  closed: "5",
  courtesy: "6",
  text: "8",
} as const satisfies Record<Stage, string>;
const EJECTED_STEP = "7";

/** 1012. */
export function step(command: DeviceCommand): string {
  command.fields.end();
  const stage = stageOf(command.memory.books);
  return stage === "none" && command.volatile.ejected ? EJECTED_STEP : STEPS[stage];
}

/** 1013: model and release. */
export function release(command: DeviceCommand): string {
  command.fields.end();
  return command.model.release.padEnd(MODEL_WIDTH).slice(0, MODEL_WIDTH);
}

/** 1015: the last error with all its digits. */
export function lastError(command: DeviceCommand): string {
  command.fields.end();
  const { lastError: number } = command.volatile;
  return `ERR${zeroFilled(number, 3)}${number === 0 ? "NO ERROR" : "SEE MANUAL"}`;
}

/** 1017: the last finished document of whatever kind. */
export function lastDocument(command: DeviceCommand): string {
  command.fields.end();
  if (!command.model.has.lastDocument) throw new Refused(ERROR.unknownCommand);
  const { books } = command.memory;
  const last = lastFinished(books, command.model);
  const fields = (at: number, number: number, rest: string) =>
    `${dateTime(at)}${zeroFilled(number, 4)}${rest}`;
  if (!last) return `${NEVER}${zeroFilled(0, 15)}`;
  switch (last.document) {
    case "receipt": {
      const { closedAt, dayNumber = 0, totalMinor, kind } = last.record;
      return fields(closedAt, dayNumber, `${zeroFilled(totalMinor, 9)}${KIND[kind]}0`);
    }
    case "cancelled": {
      const { cancelledAt, dayNumber = 0, totalMinor, kind } = last.record;
      return fields(cancelledAt, dayNumber, `${zeroFilled(totalMinor, 9)}${KIND[kind]}1`);
    }
    default:
      return fields(last.at, lastToldNumber(books, command.model), `${zeroFilled(0, 9)}00`);
  }
}

/** 1020. */
export function fiscalState(command: DeviceCommand): string {
  command.fields.end();
  if (!command.model.has.fiscalState) throw new Refused(ERROR.unknownCommand);
  return "01";
}

/** 1021: what kind of document is open. */
export function documentType(command: DeviceCommand): string {
  command.fields.end();
  if (!command.model.has.documentType) throw new Refused(ERROR.unknownCommand);
  const receipt = openReceiptOf(command.memory.books);
  if (receipt) return receipt.head.kind === "sale" ? "01" : "18";
  return stageOf(command.memory.books) === "text" ? "08" : "00";
}

/** 1104: number of the last Z report and of the memory in use. */
export function lastZReport(command: DeviceCommand): string {
  command.fields.end();
  return zeroFilled(command.memory.books.zNumber, 4) + zeroFilled(command.model.memoryNumber, 4);
}

/** 1107: when the last fiscal receipt was closed. */
export function lastReceiptTime(command: DeviceCommand): string {
  command.fields.end();
  const last = lastToldReceipt(command.memory.books, command.model);
  return last ? dateTime(last.closedAt) : NEVER;
}

/**
 * 1115: receipts, returns and cancelled receipts of the day, and the amount of the last.
 * UNCONFIRMED: the manual's layout of this answer is not known; this one is made up.
 */
export function dayCounts(command: DeviceCommand): string {
  command.fields.end();
  const { day } = command.memory.books;
  const counts = [day.saleCount, day.stornoCount, day.cancelledCount];
  return counts.map((count) => zeroFilled(count, 4)).join("") + zeroFilled(day.cancelledMinor, 9);
}

/** 1109: cover, paper end, paper near end, memory full, memory near full. */
export function sensors(command: DeviceCommand): string {
  command.fields.end();
  return sensorBits(command);
}

/** 1209: the same and the cutter. */
export function sensorsAndCutter(command: DeviceCommand): string {
  command.fields.end();
  return `${sensorBits(command)}0`;
}

function sensorBits({ memory }: DeviceCommand): string {
  const { books, model } = memory;
  const { paper, cover, memory: state } = books.conditions;
  const isFull = isMemoryFull(books, model) || books.documentNumber >= model.documentsMax;
  const isLow =
    state === "near_full" ||
    zRecordsLeft(books, model) < model.zRecordsLow ||
    books.documentNumber >= model.documentsMax * JOURNAL_LOW_SHARE;
  return bits(cover === "open", paper === "out", paper === "low", isFull, isLow);
}

/** 1309: near end, no paper. */
export function paperSensor(command: DeviceCommand): string {
  command.fields.end();
  const { paper } = command.memory.books.conditions;
  return { ok: "000", low: "010", out: "100" }[paper];
}

/** 1510 and 1513: the device has nothing to send to anybody, so it is always done with that. */
export function transmission(command: DeviceCommand): string {
  command.fields.end();
  return "1";
}

/** 7012: rates of A to E in hundredths of a percent. */
export function mainRates(command: DeviceCommand): string {
  command.fields.end();
  const { vat } = command.memory.books;
  return vat
    .slice(0, 5)
    .map(({ rateBasisPoints }) => zeroFilled(rateBasisPoints, 4))
    .join("");
}

/** 7108. */
export function drawer(command: DeviceCommand): string {
  command.fields.end();
  return command.volatile.drawerOpen ? "1" : "0";
}

function bits(...facts: readonly boolean[]): string {
  return facts.map((isTrue) => (isTrue ? "1" : "0")).join("");
}
