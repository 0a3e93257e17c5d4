/**
 * Commands of the simulated device that only read.
 * Source: Tremol protocol description, Bulgaria, rev. 1910211454.
 */

import { formatMinor } from "#core/money.ts";
import { openReceiptOf, type ReceiptRecord, restMinor } from "../../simulator/books/books.ts";
import { sumOf } from "../../simulator/books/reckoning.ts";
import { type Answer, type Call, refused } from "./call.ts";
import { clockText, receiptTime } from "./clock-text.ts";
import { statusBytes } from "./status-bytes.ts";

const CERTIFICATE = "784;04-02-2019 08:00";
const LINE_WIDTH = 40;
const COVER_OPEN = 0x20;
const PAPER_LOW = 0x02;
const PAPER_END = 0x08;

/** 20h. */
export function status(call: Call): Answer {
  call.expectNoData();
  return statusBytes(call.memory, call.powerLost);
}

/** 21h; the devices end this answer with a separator. */
export function version(call: Call): Answer {
  call.expectNoData();
  return `2;${CERTIFICATE};${call.model.name};${call.model.firmware};`;
}

/** 60h. */
export function serialNumbers(call: Call): Answer {
  call.expectNoData();
  return `${call.model.serialNumber};${call.model.fiscalMemory}`;
}

/** 62h. */
export function vatRates(call: Call): Answer {
  call.expectNoData();
  const { vat } = call.books;
  return vat.map((group) => `${formatMinor(group.rateBasisPoints).padStart(5, "0")}%`).join(";");
}

/** 66h: raw bytes between separators. */
export function sensors(call: Call): Answer {
  call.expectNoData();
  if (!call.model.sensors) throw refused("unknown_command");
  const { paper, cover } = call.books.conditions;
  const paperBits = paper === "out" ? PAPER_LOW | PAPER_END : paper === "low" ? PAPER_LOW : 0;
  const printer = [cover === "open" ? COVER_OPEN : 0, 0, paperBits, 0];
  return Uint8Array.of(0x4e, 0x3b, ...printer, 0x3b, 0x20);
}

/** 68h. */
export function clock(call: Call): Answer {
  call.expectNoData();
  return clockText(call.memory.clock());
}

/** 69h: `1..8`. */
export function line(call: Call): Answer {
  const [number] = call.match(/^([1-8])$/);
  const { header, footer } = call.books;
  return `${number};${([...header, ...footer][Number(number) - 1] ?? "").padEnd(LINE_WIDTH)}`;
}

/** 6Ah: `n`. */
export function operator(call: Call): Answer {
  const [number] = call.match(/^(\d{1,2})$/);
  const found = call.books.operators[Number(number) - 1];
  if (!found) throw refused("parameter");
  return `${number};${found.name.padEnd(20)};${found.password.padEnd(6)}`;
}

/** 6Dh: sales of each group and their sum, then the same of the stornos. */
export function vatSums(call: Call): Answer {
  call.expectNoData();
  const { sales, stornos } = call.books.day;
  return [...sales, sumOf(sales), ...stornos, sumOf(stornos)].map(formatMinor).join(";");
}

/** 6Eh: `0` cash, `5` counters. */
export function registers(call: Call): Answer {
  const [what] = call.match(/^([05])$/);
  const { books } = call;
  if (what === "5") {
    const numbers = [books.zNumber, books.zNumber, 1].map((value) => six(value).slice(2));
    return ["5", ...numbers, clockText(books.lastRecordAt)].join(";");
  }
  const sums = call.model.tenders.map((tender) =>
    tender === "cash" ? books.cashMinor : (books.day.salePayments[tender] ?? 0),
  );
  return ["0", ...sums.map(formatMinor)].join(";");
}

/** 71h. */
export function lastNumber(call: Call): Answer {
  call.expectNoData();
  return six(call.books.receipts.lastNumber);
}

/** 72h: the open receipt; `P` its payments; `B` the last one issued; `b;number` an earlier one. */
export function receipt(call: Call): Answer {
  if (call.text === "") return openReceipt(call);
  if (call.text === "P") return payments(call);
  if (call.text === "B") return issued(call, call.books.receipts.last());
  const [number] = call.match(/^b;(\d{1,6})$/);
  return issued(call, call.books.receipts.find(Number(number)));
}

function openReceipt(call: Call): string {
  const open = openReceiptOf(call.books);
  const groups = (open?.groups ?? new Array<number>(8).fill(0)).map(formatMinor);
  const started = open?.paymentStarted === true;
  const finished = started && open !== undefined && restMinor(open) === 0;
  const number = open?.head.number ?? call.books.receipts.lastNumber;
  return [
    open ? "1" : "0",
    six(open?.saleCount ?? 0).slice(3),
    ...groups.slice(0, 3),
    started ? "1" : "0",
    "1",
    "1",
    started ? "1" : "0",
    finished ? "1" : "0",
    call.powerLost ? "1" : "0",
    open?.head.kind === "storno" ? "4" : "0",
    formatMinor(open?.changeMinor ?? 0),
    "0",
    ...groups.slice(3),
    six(number),
  ].join(";");
}

function payments(call: Call): string {
  const open = openReceiptOf(call.books);
  const parts = (open ?? call.books.receipts.last())?.parts ?? [];
  const sums = call.model.tenders.map((tender) =>
    sumOf(
      parts.map((part) =>
        part.part === "payment" && part.tender === tender ? part.amountMinor : 0,
      ),
    ),
  );
  return ["P", open ? "1" : "0", ...sums.map(formatMinor)].join(";");
}

/** @throws Refused when there is no such receipt */
function issued({ model }: Call, record: ReceiptRecord | undefined): string {
  if (!record) throw refused("nothing_found");
  const { number, closedAt, totalMinor } = record;
  return [model.fiscalMemory, six(number), receiptTime(closedAt), formatMinor(totalMinor)].join(
    "*",
  );
}

function six(value: number): string {
  return String(value).padStart(6, "0");
}
