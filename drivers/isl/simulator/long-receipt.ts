/**
 * Receipt commands of the X devices.
 * Source: Datecs FP-700X protocol manual 2.02; the Romanian forms after frames of applications in
 * use, UNCONFIRMED on a device.
 */

import { formatMinor } from "#core/money.ts";
import { openReceiptOf, restMinor } from "../../simulator/books/books.ts";
import {
  type Adjustment,
  addText,
  cancelReceipt,
  closeReceipt,
  nameBuyer,
  openSale,
  openStorno,
  pay,
  sellLine,
  takeSubtotal,
} from "../../simulator/books/receipt-rules.ts";
import { addServiceLine } from "../../simulator/books/service-rules.ts";
import { isCodeText } from "../../simulator/paper/codes.ts";
import type { Align, Look, RulePattern, Symbology, TextForm } from "../../simulator/paper/line.ts";
import { parseDashedClock } from "./clock-text.ts";
import { type DeviceCommand, refused } from "./device-command.ts";
import { amountAdjustment, type Fields, percentAdjustment, tabbedFields } from "./fields.ts";
import { money, ok } from "./long-answer.ts";
import { DOCUMENT, operatorOf, TILL } from "./opening-fields.ts";

const UNIT_CHARACTERS = 6;

/** The number that every answer within a receipt carries. */
function documentNumber(command: DeviceCommand): number {
  return command.books.documentNumber;
}

/** 48: `Op Pwd [USN] Till Inv`; in Romania `Op Pwd Till [Inv TaxId [Airport]]`. */
export function openSaleLong(command: DeviceCommand): string {
  if (command.model.country === "ro") return openSaleRomania(command);
  const fields = tabbedFields(command, { least: 4, most: 5 });
  const till = fields.count - 2;
  command.carryOut(
    openSale(command.memory.context(), {
      ...operatorOf(command, fields),
      uniqueSaleNumber: fields.count === 5 ? usnOf(fields, 2) : undefined,
      till: fields.integer(till, TILL),
      invoice: isInvoice(fields, till + 1),
    }),
  );
  return ok(documentNumber(command));
}

function openSaleRomania(command: DeviceCommand): string {
  const fields = tabbedFields(command, { least: 3, most: 6 });
  if (fields.count === 4) throw refused("syntax");
  const invoice = isInvoice(fields, 3);
  const taxId = fields.text(4);
  if (invoice && !/^[A-Z]{0,2}\d{2,13}$/.test(taxId)) fields.fail(4);
  // A receipt for a customer with a tax number is an ordinary receipt with one more line on it,
  // not an invoice with a number of its own.
  command.carryOut(
    openSale(command.memory.context(), {
      ...operatorOf(command, fields),
      uniqueSaleNumber: undefined,
      till: fields.integer(2, TILL),
      invoice: false,
    }),
  );
  if (invoice) command.carryOut(addText(command.memory.context(), `CIF CLIENT: ${taxId}`));
  return ok(documentNumber(command));
}

/** 43: `Op Pwd Till Reason DocNo DateTime FM Inv InvNo Text USN`. */
export function openStornoLong(command: DeviceCommand): string {
  const fields = tabbedFields(command, { least: 11, most: 11 });
  const moment = parseDashedClock(fields.text(5)) ?? fields.fail(5);
  const fiscalMemory = fields.text(6);
  if (!/^\d{8}$/.test(fiscalMemory)) fields.fail(6);
  const uniqueSaleNumber = usnOf(fields, 10);
  const invoice = isInvoice(fields, 7);
  if (!(invoice ? /^\d{1,10}$/ : /^$/).test(fields.text(8))) fields.fail(8);
  command.carryOut(
    openStorno(command.memory.context(), {
      ...operatorOf(command, fields),
      till: fields.integer(2, TILL),
      reason: fields.choice(3, command.model.stornoReasons),
      original: {
        number: fields.integer(4, DOCUMENT),
        issuedAt: moment.at,
        fiscalMemory,
        uniqueSaleNumber,
      },
      ownFiscalMemory: command.model.identity.fiscalMemory,
      uniqueSaleNumber,
      invoice,
      rebuild: false,
    }),
  );
  return ok(documentNumber(command));
}

function usnOf(fields: Fields, index: number): string | undefined {
  return fields.uniqueSaleNumber(index);
}

function isInvoice(fields: Fields, index: number): boolean {
  return fields.choice(index, { "": false, I: true });
}

/** 49: `Name Vat Price [Qty] [DType] [DValue] [Dept] [Unit]`. */
export function sellLong(command: DeviceCommand): string {
  const fields = tabbedFields(command, { least: 7, most: 8 });
  const name = fields.text(0);
  if (name === "") fields.fail(0);
  const vat = fields.text(1);
  if (!/^\d$/.test(vat)) fields.fail(1);
  command.carryOut(
    sellLine(command.memory.context(), {
      name: name.slice(0, command.model.widths.name),
      group: command.model.groups.indexOf(vat) + 1,
      priceMinor: fields.money(2),
      quantityMilli: fields.quantity(3),
      adjustment: adjustmentOf(fields, 4),
      department: departmentOf(command, fields.text(6)),
      unit: fields.text(7).slice(0, UNIT_CHARACTERS) || undefined,
      groupParameter: 2,
    }),
  );
  return ok(documentNumber(command));
}

function departmentOf(command: DeviceCommand, text: string): number | undefined {
  if (text === "" || text === "0") return undefined;
  const department = Number(text);
  if (!/^\d{1,2}$/.test(text) || department > command.model.departmentMax) {
    throw refused("parameter", 7);
  }
  return department;
}

/** A type (1 +%, 2 -%, 3 +sum, 4 -sum) and its value; no value goes with no type. */
function adjustmentOf(fields: Fields, index: number): Adjustment {
  const type = fields.text(index);
  const value = fields.text(index + 1);
  if (type === "" || type === "0") {
    if (value !== "" && !/^0(\.0{1,2})?$/.test(value)) fields.fail(index + 1);
    return { kind: "none" };
  }
  if (!/^\d/.test(value)) fields.fail(index + 1);
  const sign = type === "2" || type === "4" ? "-" : "";
  if (type === "1" || type === "2") {
    return percentAdjustment(sign + value) ?? fields.fail(index + 1);
  }
  if (type !== "3" && type !== "4") fields.fail(index);
  return amountAdjustment(sign + value) ?? fields.fail(index + 1);
}

/** 51: `Print Display [DType] [DValue]`. */
export function subtotalLong(command: DeviceCommand): string {
  const fields = tabbedFields(command, { least: 4, most: 4 });
  const printed = fields.choice(0, { "0": false, "1": true });
  fields.choice(1, { "0": false, "1": true });
  command.carryOut(
    takeSubtotal(command.memory.context(), { printed, adjustment: adjustmentOf(fields, 2) }),
  );
  const receipt = openReceiptOf(command.books);
  return ok(
    documentNumber(command),
    formatMinor(receipt?.totalMinor ?? 0),
    ...money(receipt?.groups ?? []),
  );
}

/** 53: `Mode Amount [Type]`, the type of a pinpad or of change; without an amount the rest. */
export function payLong(command: DeviceCommand): string {
  const fields = tabbedFields(command, { least: 2, most: 3 });
  const isBare = fields.text(0) === "" && fields.text(1) === "";
  const tender = isBare ? "cash" : fields.choice(0, command.model.tenders);
  const amount = fields.text(1) === "" ? 0 : fields.money(1);
  if (amount < 0) fields.fail(1);
  if (!/^(?:0|1|12)?$/.test(fields.text(2))) fields.fail(2);
  command.carryOut(
    pay(command.memory.context(), { tender, amountMinor: amount === 0 ? undefined : amount }),
  );
  const receipt = openReceiptOf(command.books);
  const rest = receipt ? restMinor(receipt) : 0;
  return rest > 0 ? ok("D", formatMinor(rest)) : ok("R", formatMinor(receipt?.changeMinor ?? 0));
}

/** 54: `Text` and up to seven fields of style. */
export function textLong(command: DeviceCommand): string {
  const { text, form } = styledText(command);
  command.carryOut(addText(command.memory.context(), text, form));
  return ok();
}

/** 42: the same in a service text. */
export function serviceLineLong(command: DeviceCommand): string {
  const { text, form } = styledText(command);
  command.carryOut(addServiceLine(command.memory.context(), text, form));
  return ok();
}

const ALIGNMENTS: Readonly<Record<string, Align>> = { "1": "centre", "2": "right" };

/** `Text Bold Italic Height Underline Align`; height 1 is double. */
function styledText(command: DeviceCommand): { text: string; form: TextForm | undefined } {
  const fields = tabbedFields(command, { least: 1, most: 8 });
  const isSet = (index: number) => fields.text(index) === "1";
  const look: Look = {
    ...(isSet(1) ? { bold: true } : {}),
    ...(isSet(2) ? { italic: true } : {}),
    ...(isSet(3) ? { doubleHeight: true } : {}),
    ...(isSet(4) ? { underline: true } : {}),
  };
  const align = ALIGNMENTS[fields.text(5)] ?? "left";
  const isPlain = align === "left" && Object.keys(look).length === 0;
  return {
    text: fields.text(0).slice(0, command.model.widths.line),
    form: isPlain ? undefined : { form: "styled", look, align },
  };
}

const SYMBOLOGIES: Readonly<Record<string, Symbology>> = {
  "1": "ean8",
  "2": "ean13",
  "3": "code128",
  "4": "qr",
  "5": "interleaved",
};
const BAR_DOTS = 3;
const QR_DOTS = 4;

/** 84: `Type Data [QrSize]`, in the document that is open; not the stacked codes of types 6 and 7. */
export function codeLong(command: DeviceCommand): string {
  const fields = tabbedFields(command, { least: 2, most: 3 });
  const symbology = SYMBOLOGIES[fields.text(0)] ?? fields.fail(0);
  const text = fields.text(1);
  if (!isCodeText(symbology, text)) fields.fail(1);
  const size = fields.text(2) === "" ? QR_DOTS : fields.integer(2, { least: 1, most: 50 });
  const moduleDots = symbology === "qr" ? size : BAR_DOTS;
  printForm(command, text, { form: "code", symbology, moduleDots });
  return ok();
}

const RULES: Readonly<Record<string, RulePattern>> = { "1": "-", "2": "- ", "3": "=" };
const NO_PAYMENT_DUE = "НЕ СЕ ДЪЛЖИ ПЛАЩАНЕ";

/** 92: a separating line, or a fixed text. */
export function ruleLong(command: DeviceCommand): string {
  const type = tabbedFields(command, { least: 1, most: 1 }).text(0);
  const pattern = RULES[type];
  if (pattern) printForm(command, pattern, { form: "rule", pattern });
  else if (type === "4") {
    printForm(command, NO_PAYMENT_DUE, { form: "styled", look: { bold: true }, align: "centre" });
  } else throw refused("parameter", 1);
  return ok();
}

function printForm(command: DeviceCommand, text: string, form: TextForm): void {
  const context = command.memory.context();
  const isService = command.books.open?.open === "service";
  command.carryOut(isService ? addServiceLine(context, text, form) : addText(context, text, form));
}

/** 56. */
export function closeLong(command: DeviceCommand): string {
  command.expectNoData();
  command.carryOut(closeReceipt(command.memory.context()));
  return ok(documentNumber(command));
}

/** 60. */
export function cancelLong(command: DeviceCommand): string {
  command.expectNoData();
  command.carryOut(cancelReceipt(command.memory.context()));
  return ok();
}

/** 57: `Seller Receiver Buyer Addr1 Addr2 IdType Id Vat`. */
export function buyerLong(command: DeviceCommand): string {
  const fields = tabbedFields(command, { least: 8, most: 8 });
  fields.integer(5, { least: 0, most: 3 });
  if (!/^\d{9,13}$/.test(fields.text(6))) fields.fail(6);
  const order = [2, 3, 4, 6, 7, 0, 1];
  command.carryOut(
    nameBuyer(
      command.memory.context(),
      order.map((index) => fields.text(index)),
    ),
  );
  return ok();
}
