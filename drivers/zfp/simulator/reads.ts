/**
 * Commands of the simulated device that only read.
 * Source: Tremol protocol description, Bulgaria, rev. 1910211454.
 */

import { formatMinor } from "#core/money.ts";
import { openReceiptOf, restMinor, zRecordsLeft } from "../../simulator/books/books.ts";
import type { ReceiptRecord } from "../../simulator/books/receipt.ts";
import { sumOf } from "../../simulator/books/reckoning.ts";
import { clockText, receiptTime } from "./clock-text.ts";
import { type Answer, type DeviceCommand, refused } from "./device-command.ts";
import { statusBytes } from "./status-bytes.ts";

const CERTIFICATE = "784;04-02-2019 08:00";
const TAX_ID_WIDTH = 13;
/** The kind of tax number that companies have. */
const BULSTAT = "0";
const TENDER_NAME_WIDTH = 10;
const EXCHANGE_RATE = "1.95583";
const PARAMETER_SWITCHES = 9;
const NO_MOMENT = "00-00-0000 00:00";
/** `DD-MM-YYYY` of a moment. */
const DATE_WIDTH = 10;
const COVER_OPEN = 0x20;
const PAPER_LOW = 0x02;
const PAPER_END = 0x08;

/** 20h. */
export function status(command: DeviceCommand): Answer {
  command.expectNoData();
  return statusBytes(command.memory, command.powerLost);
}

/** 21h; the devices end this answer with a separator. */
export function version(command: DeviceCommand): Answer {
  command.expectNoData();
  return `2;${CERTIFICATE};${command.model.name};${command.model.firmware};`;
}

/** 60h. */
export function serialNumbers(command: DeviceCommand): Answer {
  command.expectNoData();
  return `${command.model.serialNumber};${command.model.fiscalMemory}`;
}

/** 61h: tax number, its kind, the number and date of registration. */
export function registration(command: DeviceCommand): Answer {
  command.expectNoData();
  const { taxId, number, at } = command.model.registration;
  return [taxId.padEnd(TAX_ID_WIDTH), BULSTAT, number, at].join(";");
}

/** 62h. */
export function vatRates(command: DeviceCommand): Answer {
  command.expectNoData();
  const { vat } = command.books;
  return vat.map((group) => `${formatMinor(group.rateBasisPoints).padStart(5, "0")}%`).join(";");
}

/** 63h. */
export function decimalPoint(command: DeviceCommand): Answer {
  command.expectNoData();
  return "2";
}

/** 64h: the names of the tenders and the rate of the last one; V2 adds what each tender is. */
export function tenderNames(command: DeviceCommand): Answer {
  command.expectNoData();
  const { tenderNames: names, tenderCodes: codes } = command.model;
  const padded = names.map((name) => name.padEnd(TENDER_NAME_WIDTH));
  return [...padded, EXCHANGE_RATE, ...codes].join(";");
}

/** 65h: the number of the till, then what is switched on; as delivered, nothing is. */
export function parameters(command: DeviceCommand): Answer {
  command.expectNoData();
  return `0001;${new Array<string>(PARAMETER_SWITCHES).fill("0").join(";")}`;
}

/** 66h: raw bytes between separators. */
export function sensors(command: DeviceCommand): Answer {
  command.expectNoData();
  if (!command.model.sensors) throw refused("unknown_command");
  const { paper, cover } = command.books.conditions;
  const paperBits = paper === "out" ? PAPER_LOW | PAPER_END : paper === "low" ? PAPER_LOW : 0;
  const printer = [cover === "open" ? COVER_OPEN : 0, 0, paperBits, 0];
  return Uint8Array.of(0x4e, 0x3b, ...printer, 0x3b, 0x20);
}

/** As the clock stands without a battery. */
const NO_CLOCK = "00-00-0000 00:00";

/** 68h. */
export function clock(command: DeviceCommand): Answer {
  command.expectNoData();
  const { memory, books } = command;
  return books.conditions.clockLost ? NO_CLOCK : clockText(memory.clock());
}

/** 69h: `1..8`. */
export function line(command: DeviceCommand): Answer {
  const [number] = command.match(/^([1-8])$/);
  const { books, model } = command;
  const text = [...books.header, ...books.footer][Number(number) - 1] ?? "";
  return `${number};${text.padEnd(model.layout.columns)}`;
}

/** 6Ah: `n`. */
export function operator(command: DeviceCommand): Answer {
  const [number] = command.match(/^(\d{1,2})$/);
  const found = command.books.operators[Number(number) - 1];
  if (!found) throw refused("parameter");
  return `${number};${found.name.padEnd(20)};${found.password.padEnd(6)}`;
}

/** 6Dh: sales of each group and their sum, then the same of the stornos. */
export function vatSums(command: DeviceCommand): Answer {
  command.expectNoData();
  const { sales, stornos } = command.books.day;
  return [...sales, sumOf(sales), ...stornos, sumOf(stornos)].map(formatMinor).join(";");
}

/** 6Eh: `0` cash, `2` and `3` what came in and went out apart from receipts, `5` counters. */
export function registers(command: DeviceCommand): Answer {
  const [what] = command.match(/^([0235])$/);
  const { books } = command;
  const { day } = books;
  if (what === "2") return moved(command, { what, minor: day.cashInMinor, count: day.cashInCount });
  if (what === "3") {
    return moved(command, { what, minor: day.cashOutMinor, count: day.cashOutCount });
  }
  if (what === "5") {
    const numbers = [books.zNumber, books.zNumber, 1].map((value) => six(value).slice(2));
    return ["5", ...numbers, clockText(books.lastRecordAt)].join(";");
  }
  const sums = command.model.tenders.map((tender) =>
    tender === "cash" ? books.cashMinor : (books.day.salePayments[tender] ?? 0),
  );
  return ["0", ...sums.map(formatMinor)].join(";");
}

/** The sum of each tender, the number of operations, and the sum of all tenders. */
function moved(
  { model }: DeviceCommand,
  { what, minor, count }: { readonly what: string; readonly minor: number; readonly count: number },
): string {
  const sums = model.tenders.map((tender) => formatMinor(tender === "cash" ? minor : 0));
  return [what, ...sums, String(count), formatMinor(minor)].join(";");
}

/** 71h. */
export function lastNumber(command: DeviceCommand): Answer {
  command.expectNoData();
  return six(command.books.receipts.lastNumber);
}

/** 73h: the last Z report and the last receipt. UNCONFIRMED: dates of zeros where there is none. */
export function lastReport(command: DeviceCommand): Answer {
  command.expectNoData();
  const { books } = command;
  const z = books.zRecords[books.zNumber - 1];
  const last = books.receipts.last();
  return [
    (z ? clockText(z.closedAt) : NO_MOMENT).slice(0, DATE_WIDTH),
    six(books.zNumber).slice(2),
    "0000",
    six(books.receipts.lastNumber),
    last ? clockText(last.closedAt) : NO_MOMENT,
    "01",
    lastKind(command),
  ].join(";");
}

/** What was printed last: `0` a sale, `2` a text, `4` a storno. */
function lastKind({ books }: DeviceCommand): string {
  const last = books.recent.findLast(
    ({ document }) => document === "receipt" || document === "text",
  );
  if (last?.document === "text") return "2";
  return last?.document === "receipt" && last.record.kind === "storno" ? "4" : "0";
}

/** 74h: Z reports that still fit. */
export function recordsLeft(command: DeviceCommand): Answer {
  command.expectNoData();
  return six(zRecordsLeft(command.books, command.memory.model)).slice(2);
}

/** 72h: the open receipt; `P` its payments; `B` the last one issued; `b;number` an earlier one. */
export function receipt(command: DeviceCommand): Answer {
  if (command.text === "") return openReceipt(command);
  if (command.text === "P") return payments(command);
  if (command.text === "B") return issued(command, command.books.receipts.last());
  const [number] = command.match(/^b;(\d{1,6})$/);
  return issued(command, command.books.receipts.find(Number(number)));
}

function openReceipt(command: DeviceCommand): string {
  const open = openReceiptOf(command.books);
  const groups = (open?.groups ?? new Array<number>(8).fill(0)).map(formatMinor);
  const started = open?.paymentStarted === true;
  const finished = started && open !== undefined && restMinor(open) === 0;
  const number = open?.head.number ?? command.books.receipts.lastNumber;
  return [
    open ? "1" : "0",
    six(open?.saleCount ?? 0).slice(3),
    ...groups.slice(0, 3),
    started ? "1" : "0",
    "1",
    "1",
    started ? "1" : "0",
    finished ? "1" : "0",
    command.powerLost ? "1" : "0",
    open?.head.kind === "storno" ? "4" : "0",
    formatMinor(open?.changeMinor ?? 0),
    "0",
    ...groups.slice(3),
    six(number),
  ].join(";");
}

function payments(command: DeviceCommand): string {
  const open = openReceiptOf(command.books);
  const parts = (open ?? command.books.receipts.last())?.parts ?? [];
  const sums = command.model.tenders.map((tender) =>
    sumOf(
      parts.map((part) =>
        part.part === "payment" && part.tender === tender ? part.amountMinor : 0,
      ),
    ),
  );
  return ["P", open ? "1" : "0", ...sums.map(formatMinor)].join(";");
}

/** @throws Refused when there is no such receipt */
function issued({ model }: DeviceCommand, record: ReceiptRecord | undefined): string {
  if (!record) throw refused("nothing_found");
  const { number, closedAt, totalMinor } = record;
  return [model.fiscalMemory, six(number), receiptTime(closedAt), formatMinor(totalMinor)].join(
    "*",
  );
}

function six(value: number): string {
  return String(value).padStart(6, "0");
}
