/**
 * Commands of the X devices that only read.
 * Source: Datecs FP-700X protocol manual 2.02, with the newer options of 2.11.4.
 */

import { formatMinor } from "#core/money.ts";
import { noAmounts, openReceiptOf, zRecordsLeft } from "../../simulator/books/books.ts";
import { sumOf } from "../../simulator/books/reckoning.ts";
import { dashedClock, dashedDate, NO_CLOCK } from "./clock-text.ts";
import { tendersOf } from "./day-sums.ts";
import { type Answer, type DeviceCommand, refused } from "./device-command.ts";
import { tabbedFields } from "./fields.ts";
import { money, ok } from "./long-answer.ts";
import { programmableRates } from "./long-service.ts";
import { refusalText } from "./refusal-codes.ts";

/** How rates that are off are written. */
const OFF_RATE = { bg: "100.00", ro: "100.02" } as const;
const STORNO_OPEN = { "operator-error": 2, refund: 3, "tax-base-reduction": 4 } as const;

/** 62. */
export function clockLong(command: DeviceCommand): string {
  command.expectNoData();
  const { memory, books } = command;
  if (books.conditions.clockLost) return ok(NO_CLOCK);
  return ok(`${dashedClock(memory.clock())}${books.summerTime ? " DST" : ""}`);
}

/** 74: the status bytes; option 0 the printing state, option 1 the text of the QR code. */
export function statusLong(command: DeviceCommand): Answer {
  if (command.text === "") {
    return Uint8Array.from([0x30, 0x09, ...command.status(), 0x09]);
  }
  const option = tabbedFields(command, { least: 1, most: 1 }).integer(0, { least: 0, most: 1 });
  const last = command.books.receipts.last();
  const amount = formatMinor(last?.totalMinor ?? 0);
  const number = last?.number ?? 0;
  const moment = dashedClock(last?.closedAt ?? 0);
  if (option === 1) {
    return ok(last ? `${command.model.identity.fiscalMemory}*${number}*${moment}*${amount}` : "");
  }
  const { open, documentNumber, conditions } = command.books;
  const state = open ? (open.open === "receipt" ? 1 : 5) : 0;
  // Whether 0 means an empty or a full print buffer differs between the programs that read it;
  // here 0 is empty. UNCONFIRMED.
  return ok(conditions.printingWaits ? 1 : 0, state, documentNumber, amount, number, moment);
}

/** 76: `IsOpen Number Items Amount Payed` of the open receipt or the last one. */
export function transactionLong(command: DeviceCommand): string {
  command.expectNoData();
  const { books } = command;
  const receipt = openReceiptOf(books);
  if (receipt) {
    const { kind, reason } = receipt.head;
    const state = kind === "storno" && reason ? STORNO_OPEN[reason] : 1;
    const { saleCount, totalMinor, paidMinor } = receipt;
    return ok(state, books.documentNumber, saleCount, ...money([totalMinor, paidMinor]));
  }
  const last = command.lastTransaction;
  return ok(
    0,
    books.documentNumber,
    last?.saleCount ?? 0,
    ...money([last?.totalMinor ?? 0, last?.paidMinor ?? 0]),
  );
}

/** 103: `A ... H Inv InvNo fStorno` of the open receipt. */
export function receiptSumsLong(command: DeviceCommand): string {
  command.expectNoData();
  const receipt = openReceiptOf(command.books);
  const invoice = receipt?.head.invoice;
  return ok(
    ...money(receipt?.groups ?? noAmounts()),
    invoice === undefined ? 0 : 1,
    String(invoice ?? command.books.invoiceNumber + 1).padStart(10, "0"),
    receipt?.head.kind === "storno" ? 1 : 0,
  );
}

/** 90: with a TAB a field each; `1` without one gives the comma form of the older devices. */
export function deviceLong(command: DeviceCommand): string {
  const { identity } = command.model;
  if (command.text === "1") return deviceLine(command);
  if (!["", "\t", "1\t"].includes(command.text)) throw refused("syntax");
  return ok(
    identity.name,
    identity.firmware,
    identity.firmwareDate,
    identity.firmwareTime,
    identity.checksum,
    identity.switches,
    identity.serialNumber,
    identity.fiscalMemory,
  );
}

/** `Name,Fw Date Time,Chk,Sw,Serial,FM`. */
export function deviceLine({ model: { identity } }: DeviceCommand): string {
  const firmware = `${identity.firmware} ${identity.firmwareDate} ${identity.firmwareTime}`;
  return [
    identity.name,
    firmware,
    identity.checksum,
    identity.switches,
    identity.serialNumber,
    identity.fiscalMemory,
  ].join(",");
}

/** 123: 1 numbers and header, 2 batteries, 3 the last receipt and Z report. */
export function deviceStateLong(command: DeviceCommand): string {
  const option = command.text.endsWith("\t") ? command.text.slice(0, -1) : command.text;
  const { books, model } = command;
  switch (option) {
    case "1": {
      const [first = "", second = "", third = "", fourth = ""] = books.header;
      const { serialNumber, fiscalMemory, taxId } = model.identity;
      return ok(serialNumber, fiscalMemory, first, second, taxId, third, fourth);
    }
    case "2":
      return ok("8400", "3050");
    case "3": {
      const last = books.receipts.last();
      const inDay = last?.zNumber === books.zNumber + 1;
      const z = books.zRecords[books.zNumber - 1];
      return ok(
        inDay ? books.day.saleCount + books.day.stornoCount : 0,
        inDay ? dashedClock(last.closedAt) : "",
        books.zNumber,
        z ? dashedClock(z.closedAt) : "",
      );
    }
    default:
      throw refused("parameter", 1);
  }
}

/** 50: `n A ... H date`, n the rates' generation. */
export function vatLong(command: DeviceCommand): string {
  command.expectNoData();
  const { books, model } = command;
  const rates = books.vat
    .slice(0, programmableRates(command))
    .map(({ rateBasisPoints, enabled }) =>
      enabled ? formatMinor(rateBasisPoints) : OFF_RATE[model.country],
    );
  const generation = command.memory.model.vatChanges - books.vatChangesLeft + 1;
  return ok(generation, ...rates, dashedDate(books.vatSetAt));
}

/** 99. */
export function taxNumberLong(command: DeviceCommand): string {
  command.expectNoData();
  return ok(command.model.identity.taxId);
}

/** 100: the text of an error number. */
export function errorTextLong(command: DeviceCommand): string {
  const text = tabbedFields(command, { least: 1, most: 1 }).text(0);
  if (!/^-?\d{1,6}$/.test(text)) throw refused("parameter", 1);
  return ok(text, refusalText(Number(text)));
}

/** 64: the last Z record; 0 turnover and 1 tax of sales, 2 and 3 the same of stornos. */
export function lastFiscalRecordLong(command: DeviceCommand): string {
  const fields = tabbedFields(command, { least: 0, most: 1 });
  const type = fields.text(0) === "" ? 0 : fields.integer(0, { least: 0, most: 3 });
  const z = command.books.zRecords[command.books.zNumber - 1];
  if (!z) throw refused("nothing_found");
  const turnover = type < 2 ? z.sales : z.stornos;
  return ok(z.zNumber, ...money(turnover), dashedDate(z.closedAt));
}

/** 68: Z records that still fit. */
export function recordsLeftLong(command: DeviceCommand): string {
  command.expectNoData();
  return ok(zRecordsLeft(command.books, command.memory.model));
}

/** 86: the instant of the last fiscal record. */
export function lastRecordDateLong(command: DeviceCommand): string {
  command.expectNoData();
  return ok(dashedClock(command.books.lastRecordAt));
}

/** 110: registers of the day by kind, 0 to 5. */
export function dayRegistersLong(command: DeviceCommand): string {
  const { day } = command.books;
  const kind = tabbedFields(command, { least: 1, most: 1 }).integer(0, { least: 0, most: 5 });
  switch (kind) {
    case 0:
      return ok(...money(tendersOf(command, day.salePayments)));
    case 1:
      return ok(...money(tendersOf(command, day.stornoPayments)));
    case 2:
      return ok(day.saleCount, formatMinor(sumOf(day.sales)));
    case 3:
      return ok(
        day.surchargeCount,
        formatMinor(day.surchargeMinor),
        day.discountCount,
        formatMinor(day.discountMinor),
      );
    case 4:
      return ok(
        day.voidCount,
        formatMinor(day.voidMinor),
        day.cancelledCount,
        formatMinor(day.cancelledMinor),
      );
    default:
      return ok(
        day.cashInCount,
        formatMinor(day.cashInMinor),
        day.cashOutCount,
        formatMinor(day.cashOutMinor),
        ...[0, "0.00", 0, "0.00"],
      );
  }
}
