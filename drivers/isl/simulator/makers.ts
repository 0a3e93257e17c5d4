/**
 * Commands in which the devices of other makers differ from those of the first one.
 * Sources: Daisy protocol manual 1.0 of 2019 (DY), Eltrade protocol manual 1.1.6 (ED), Incotex
 * protocol manual of 20 February 2019 (IN).
 */

import { formatMinor } from "#core/money.ts";
import { openReceiptOf } from "../../simulator/books/books.ts";
import { cancelReceipt, closeReceipt, sellLine } from "../../simulator/books/receipt-rules.ts";
import {
  closeDay,
  openServiceText,
  printReport,
  setVat,
} from "../../simulator/books/service-rules.ts";
import { compactDate, dashedClock } from "./clock-text.ts";
import { type DeviceCommand, type RefusalWords, refused } from "./device-command.ts";
import { commaFields, parseMoney, parseQuantity } from "./fields.ts";
import { digits } from "./short-answer.ts";
import { adjustmentOf, counts } from "./short-receipt.ts";

/** `F`, and the status bits as well. */
const REFUSED: RefusalWords = { data: "F", bits: true };
/** Kinds of a storno in command 116 of DY. */
const QR_KINDS = { refund: 1, "operator-error": 2, "tax-base-reduction": 3 } as const;
const DISABLED_RATE = "-1.00";
const RATE_BASIS_POINTS_MAX = 10_000;

/** 90 on DY: `Model Fw Date Time,Chk,Sw,Country,Serial,FM`. */
export function deviceDy({ model: { identity } }: DeviceCommand): string {
  const { name, firmware, firmwareDate, firmwareTime, checksum, switches } = identity;
  const about = `${name} ${firmware} ${firmwareDate} ${firmwareTime}`;
  return [about, checksum, switches, "6", identity.serialNumber, identity.fiscalMemory].join(",");
}

/** 90 on ED: `Model,Type,Fw Date Time,Chk,Sw,Serial,FM`. */
export function deviceEd({ model: { identity } }: DeviceCommand): string {
  const { name, firmware, firmwareDate, firmwareTime, checksum, switches } = identity;
  const about = `${firmware} ${firmwareDate} ${firmwareTime}`;
  const { serialNumber, fiscalMemory } = identity;
  return [name, "KL", about, checksum, switches, serialNumber, fiscalMemory].join(",");
}

/** 90 on IN: `Fw Date Time,Chk,0000,06,Serial,FM,IMSI`. */
export function deviceIn({ model: { identity } }: DeviceCommand): string {
  const { firmware, firmwareDate, firmwareTime, checksum, switches } = identity;
  const about = `${firmware} ${firmwareDate} ${firmwareTime}`;
  const { serialNumber, fiscalMemory } = identity;
  return [about, checksum, switches, "06", serialNumber, fiscalMemory, "284013400000000"].join(",");
}

/** 128: what the device is built for; P1 and P2 the logo, P9 to P11 the widths. */
export function constants(command: DeviceCommand): string {
  command.expectNoData();
  const { logo, layout, widths } = command.model;
  const size = [logo.rowBytes * 8, logo.rows, 5, 8, 0, 0, 0, 9];
  return [...size, layout.columns, widths.line, widths.name, 8, 8, 0, 14, 99, ""].join(",");
}

/** 38 on ED: documents of the day and 0; 2 while a receipt is open, 3 while a text is. */
export function openServiceEd(command: DeviceCommand): string {
  command.expectNoData();
  const { open: document, day } = command.books;
  const number = document?.open === "service" ? 3 : 2;
  const data = `${digits(day.documentCount, 4)},${number}`;
  command.carryOut(
    openServiceText(command.memory.context()),
    document ? { data, bits: true } : undefined,
  );
  return `${digits(day.documentCount, 4)},0`;
}

/** 138: `[±]Dept@Price[*Qty]...` on DY, `[±]Dept[*Qty]...[@Price]` on IN; no text. */
export function sellDepartment(command: DeviceCommand): string {
  const match =
    /^([-+]?)(\d{1,2})(?:@([\d.]+))?(?:\*([\d.]+))?(?:,([-+]?[\d.]+)|([;$][-+]?[\d.]+))?(?:@([\d.]+))?$/.exec(
      command.text,
    );
  const [, sign = "", department = "", priceFirst, quantity, percent, amount, priceLast] =
    match ?? [];
  const priceMinor = parseMoney(`${sign}${priceFirst ?? priceLast ?? ""}`);
  const quantityMilli = quantity === undefined ? 1000 : parseQuantity(quantity);
  const number = Number(department);
  if (!match || priceMinor === undefined || quantityMilli === undefined) throw refused("syntax");
  if (number < 1 || number > command.model.departmentMax) throw refused("syntax");
  command.carryOut(
    sellLine(command.memory.context(), {
      name: `ДЕПАРТАМЕНТ ${number}`,
      // As delivered, departments sell in the second group.
      group: 2,
      priceMinor,
      quantityMilli,
      adjustment: adjustmentOf(command, percent, amount),
      department: number,
      unit: undefined,
      groupParameter: 1,
    }),
  );
  return "";
}

/** 130: takes all sales back, pays 0.00 in cash and closes. DY answers the counts, IN the USN. */
export function voidDy(command: DeviceCommand): string {
  voidReceipt(command);
  return counts(command, "sale");
}

export function voidIn(command: DeviceCommand): string {
  const usn = openReceiptOf(command.books)?.head.uniqueSaleNumber;
  voidReceipt(command);
  return usn ?? "0";
}

function voidReceipt(command: DeviceCommand): void {
  command.expectNoData();
  command.carryOut(cancelReceipt(command.memory.context()));
}

/** 56 on IN: `All,Fisc,USN`. */
export function closeIn(command: DeviceCommand): string {
  command.expectNoData();
  const head = openReceiptOf(command.books)?.head;
  command.carryOut(closeReceipt(command.memory.context()));
  return `${counts(command, head?.kind ?? "sale")},${head?.uniqueSaleNumber ?? "0"}`;
}

/** 76 `T`: `Open,Items,Amount,Tender` with decimal points, on DY the rest to pay besides. */
export function transactionDy(command: DeviceCommand): string {
  const { fields, amountMinor, paidMinor } = transaction(command);
  return [...fields, formatMinor(Math.max(0, amountMinor - paidMinor))].join(",");
}

export function transactionIn(command: DeviceCommand): string {
  return transaction(command).fields.join(",");
}

function transaction(command: DeviceCommand) {
  if (command.text !== "" && command.text !== "T") throw refused("syntax");
  const receipt = openReceiptOf(command.books);
  const { saleCount, totalMinor, paidMinor } = receipt ??
    command.lastTransaction ?? { saleCount: 0, totalMinor: 0, paidMinor: 0 };
  // A cancelled receipt was closed over nothing: its sales are taken back.
  const amountMinor = receipt || paidMinor > 0 ? totalMinor : 0;
  const fields = [
    receipt ? "1" : "0",
    String(saleCount),
    formatMinor(amountMinor),
    formatMinor(paidMinor),
  ];
  return { fields, amountMinor, paidMinor };
}

/** 69: `0` or `1` Z report, `2` or `3` X report; turnover and reversals of each group. */
export function reportDy(command: DeviceCommand): string {
  const { number, sales, stornos } = report(command);
  return [number, ...sales.map(formatMinor), ...stornos.map(formatMinor)].join(",");
}

/** 69 on IN: the same, with the sum before either block. */
export function reportIn(command: DeviceCommand): string {
  const { number, sales, stornos } = report(command);
  const blocks = [sales, stornos].flatMap((block) => [sumOf(block), ...block]);
  return [number, ...blocks.map(formatMinor)].join(",");
}

function report(command: DeviceCommand) {
  const match = /^([0-3]?)$/.exec(command.text);
  if (!match) throw refused("syntax");
  const closes = match[1] !== "2" && match[1] !== "3";
  const { sales, stornos } = { ...command.books.day };
  const context = command.memory.context();
  command.carryOut(closes ? closeDay(context) : printReport(context, "x_report"));
  const number = digits(closes ? command.books.zNumber : command.books.zNumber + 1, 4);
  return { number, sales, stornos };
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

/** 64 on DY: `[T|N]`, the last Z record: its number, turnover and reversals in minor units. */
export function lastFiscalRecordDy(command: DeviceCommand): string {
  if (!/^[TN]?$/.test(command.text)) throw refused("syntax");
  const { books } = command;
  const z = books.zRecords[books.zNumber - 1];
  const sums = z ? [...z.sales, ...z.stornos] : new Array<number>(16).fill(0);
  return [digits(books.zNumber, 4), ...sums, z ? compactDate(z.closedAt) : "000000"].join(",");
}

/** 64 on IN: the last Z record: its number, an unused sum, turnover in units, its date. */
export function lastFiscalRecordIn(command: DeviceCommand): string {
  command.expectNoData();
  const { books } = command;
  const z = books.zRecords[books.zNumber - 1];
  const sums = [0, ...(z?.sales ?? new Array<number>(8).fill(0))].map(formatMinor);
  return [digits(books.zNumber, 4), ...sums, z ? compactDate(z.closedAt) : "000000"].join(",");
}

/** 86 on ED: when the last receipt was issued, `T` with the time. */
export function lastReceiptDateEd(command: DeviceCommand): string {
  if (command.text !== "" && command.text !== "T") throw refused("syntax");
  const { books } = command;
  const last = books.receipts.find(books.receipts.lastNumber);
  if (!last) throw refused("nothing_found");
  const [date = "", time = ""] = dashedClock(last.closedAt).split(" ");
  const withCentury = date.replace(/(\d\d)$/, "20$1");
  return command.text === "T" ? `${withCentury} ${time}` : withCentury;
}

/** 96: `A,B,...` sets the rates; on IN -1.00 switches a group off. */
export function setRates(command: DeviceCommand): string {
  const { vat } = command.books;
  const fields = commaFields(command.text, { least: 1, most: vat.length });
  const rates = vat.map((group, index) => {
    if (index >= fields.count) return group;
    if (command.model.tellsDisabledRates && fields.text(index) === DISABLED_RATE) {
      return { rateBasisPoints: 0, enabled: false };
    }
    const rateBasisPoints = fields.money(index);
    if (rateBasisPoints < 0 || rateBasisPoints >= RATE_BASIS_POINTS_MAX) fields.fail(index);
    return { rateBasisPoints, enabled: group.enabled || command.model.tellsDisabledRates };
  });
  command.carryOut(setVat(command.memory.context(), rates), REFUSED);
  return "P";
}

/** 97 on IN: the rates, -1.00 for a group that is switched off. */
export function ratesIn(command: DeviceCommand): string {
  command.expectNoData();
  const rate = ({ enabled, rateBasisPoints }: (typeof command.books.vat)[number]) =>
    enabled ? formatMinor(rateBasisPoints) : DISABLED_RATE;
  return command.books.vat.map(rate).join(",");
}

/** 103: `CanVd,A,...,H,Inv,InvNo` with decimal points. */
export function receiptSumsDecimal(command: DeviceCommand): string {
  command.expectNoData();
  const receipt = openReceiptOf(command.books);
  const invoice = receipt?.head.invoice;
  return [
    receipt && !receipt.paymentStarted ? 1 : 0,
    ...(receipt?.groups ?? new Array<number>(8).fill(0)).map(formatMinor),
    invoice === undefined ? 0 : 1,
    digits(invoice ?? command.books.invoiceNumber + 1, 10),
  ].join(",");
}

/** 99 on IN: `Serial,Tax`. */
export function taxNumberIn(command: DeviceCommand): string {
  command.expectNoData();
  const { serialNumber, taxId } = command.model.identity;
  return `${serialNumber},${taxId}`;
}

/**
 * 116 on DY: the QR code of the last document, `PF,kind,code`, or `PS,XXXXX` of one that has none.
 * The code is that of the law. A cancelled receipt was closed over nothing.
 */
export function lastQrCodeDy(command: DeviceCommand): string {
  command.expectNoData();
  const last = command.books.recent.at(-1);
  if (!last) return "F";
  if (last.document !== "receipt" && last.document !== "cancelled") return "PS,XXXXX";
  const { kind, reason } = last.record;
  const isReceipt = last.document === "receipt";
  const at = isReceipt ? last.record.closedAt : last.record.cancelledAt;
  const [date = "", time = ""] = new Date(at).toISOString().slice(0, 19).split("T");
  const amount = formatMinor(isReceipt ? last.record.totalMinor : 0);
  const { fiscalMemory } = command.model.identity;
  const code = [fiscalMemory, digits(last.number, 7), date, time, amount].join("*");
  return `PF,${kind === "storno" && reason ? QR_KINDS[reason] : 0},${code}`;
}

/** 110 on IN: `Cash,Pay1,Pay2,Pay3,Closure,Receipt`, the last fiscal record and receipt. */
export function dayPaymentsIn({ books, model }: DeviceCommand): string {
  const sums = Object.values(model.tenders)
    .slice(0, 4)
    .map((tender) => formatMinor(books.day.salePayments[tender] ?? 0));
  return [...sums, digits(books.zNumber, 4), digits(books.receipts.lastNumber, 7)].join(",");
}

/** 113 on DY has six digits. */
export function lastDocumentDy(command: DeviceCommand): string {
  command.expectNoData();
  return digits(command.books.documentNumber, 6);
}
