/**
 * Receipt commands of the devices with short frames.
 * Sources: Datecs FP-800/FP-2000 protocol manual 1.00BG (P), DP-25/DP-35 protocol manual 2.04BG
 * (C); the old Romanian DP-25 after frames of its maker's own software.
 */

import { openReceiptOf, restMinor } from "../../simulator/books/books.ts";
import {
  type Adjustment,
  addText,
  cancelReceipt,
  closeReceipt,
  nameBuyer,
  type OpenRequest,
  openSale,
  openStorno,
  pay,
  sellLine,
  takeSubtotal,
} from "../../simulator/books/receipt-rules.ts";
import type { TextForm } from "../../simulator/paper/line.ts";
import { parseCompactClock } from "./clock-text.ts";
import { departmentGroup } from "./department-reads.ts";
import { type DeviceCommand, type RefusalWords, Refused, refused } from "./device-command.ts";
import {
  amountAdjustment,
  commaFields,
  type Fields,
  isUniqueSaleNumber,
  parseMoney,
  parseQuantity,
  percentAdjustment,
} from "./fields.ts";
import { DOCUMENT, operatorOf, TILL } from "./opening-fields.ts";
import { amountText, digits } from "./short-answer.ts";

/** `F` is how payments are refused, with clean status bits. */
const REFUSED_SILENTLY: RefusalWords = { data: "F", bits: false };
/** C says `F` to an opening as well, and shows it in the status bits. */
const REFUSED_OPENING: RefusalWords = { data: "F", bits: true };
const FISCAL_MEMORY = /^\d{8}$/;

/** `All,Fisc`: documents and receipts since the last Z report. */
export function counts(command: DeviceCommand, kind: "sale" | "storno"): string {
  const { day } = command.books;
  const receipts = kind === "sale" ? day.saleCount : day.stornoCount;
  return `${digits(day.documentCount, 4)},${digits(receipts, 4)}`;
}

/** 48 on P: `Op,Pwd,Till[,I][,USN]`. */
export function openSaleP(command: DeviceCommand): string {
  const fields = commaFields(command.text, { least: 3, most: 5 });
  const invoice = fields.text(3) === "I";
  const usnAt = invoice ? 4 : 3;
  if (fields.count > usnAt + 1) throw refused("syntax");
  return open(command, undefined, {
    ...operatorOf(command, fields),
    till: fields.integer(2, TILL),
    uniqueSaleNumber: fields.uniqueSaleNumber(usnAt),
    invoice,
  });
}

/** 48 on C: `Op,Pwd[,USN],Till[,I]`; it answers `F` to what it refuses. */
export function openSaleC(command: DeviceCommand): string {
  const fields = commaFields(command.text, { least: 3, most: 5 });
  const hasUsn = isUniqueSaleNumber(fields.text(2));
  const tillAt = hasUsn ? 3 : 2;
  if (fields.count > tillAt + 2) throw refused("syntax");
  const mark = fields.text(tillAt + 1);
  if (mark !== "" && mark !== "I") fields.fail(tillAt + 1);
  return open(command, REFUSED_OPENING, {
    ...operatorOf(command, fields),
    till: fields.integer(tillAt, TILL),
    uniqueSaleNumber: hasUsn ? fields.text(2) : undefined,
    invoice: mark === "I",
  });
}

/** 48 on the old Romanian devices: `Op,Pwd,Till`. */
export function openSaleRomaniaShort(command: DeviceCommand): string {
  const fields = commaFields(command.text, { least: 3, most: 3 });
  return open(command, undefined, {
    ...operatorOf(command, fields),
    till: fields.integer(2, TILL),
    uniqueSaleNumber: undefined,
    invoice: false,
  });
}

export function open(
  command: DeviceCommand,
  words: RefusalWords | undefined,
  request: OpenRequest,
): string {
  command.carryOut(openSale(command.memory.context(), request), words);
  return counts(command, "sale");
}

/**
 * 46 on P: `Op,Pwd,Till[,I<InvNo>][,USN],<R><DocNo>[,StUSN,DDMMYYhhmmss,FM][#text]`. With the
 * document number alone the device takes the lines over from its journal.
 */
export function openStornoP(command: DeviceCommand): string {
  const [data = ""] = command.text.split("#");
  const values = data.split(",");
  const fields = commaFields(data, { least: 4, most: 9 });
  let at = 3;
  const invoice = /^I\d{1,10}$/.test(values[at] ?? "");
  if (invoice) at += 1;
  const usn = isUniqueSaleNumber(values[at] ?? "") ? values[at] : undefined;
  if (usn) at += 1;
  const named = /^([A-Z])(\d{1,7})$/.exec(fields.text(at));
  const reason = command.model.stornoReasons[named?.[1] ?? ""];
  if (!named || !reason) throw refused("syntax");
  const rebuild = fields.count === at + 1;
  if (!rebuild && fields.count !== at + 4) throw refused("syntax");
  command.carryOut(
    openStorno(command.memory.context(), {
      ...operatorOf(command, fields),
      till: fields.integer(2, TILL),
      uniqueSaleNumber: usn,
      invoice,
      reason,
      original: {
        number: Number(named[2]),
        uniqueSaleNumber: rebuild ? undefined : fields.uniqueSaleNumber(at + 1),
        issuedAt: rebuild
          ? undefined
          : (parseCompactClock(fields.text(at + 2)) ?? fields.fail(at + 2)),
        fiscalMemory: rebuild
          ? command.model.identity.fiscalMemory
          : fiscalMemoryOf(fields, at + 3),
      },
      ownFiscalMemory: command.model.identity.fiscalMemory,
      rebuild,
    }),
  );
  return counts(command, "storno");
}

/** 46 on C: `Op,Pwd,[USN],Till,Reason,DocNo,DDMMYYhhmm[ss],FM[,I,InvNo,text]`. */
export function openStornoC(command: DeviceCommand): string {
  const fields = commaFields(command.text, { least: 7, most: 11 });
  const hasUsn = fields.text(2) === "" || isUniqueSaleNumber(fields.text(2));
  const at = hasUsn ? 3 : 2;
  const tail = fields.count - at - 5;
  const mark = fields.text(at + 5);
  if (tail < 0 || tail > 3 || (mark !== "" && mark !== "I")) throw refused("syntax");
  const usn = hasUsn ? fields.uniqueSaleNumber(2) : undefined;
  command.carryOut(
    openStorno(command.memory.context(), {
      ...operatorOf(command, fields),
      till: fields.integer(at, TILL),
      uniqueSaleNumber: usn,
      invoice: mark === "I",
      reason: fields.choice(at + 1, command.model.stornoReasons),
      original: {
        number: fields.integer(at + 2, DOCUMENT),
        issuedAt: parseCompactClock(fields.text(at + 3)) ?? fields.fail(at + 3),
        fiscalMemory: fiscalMemoryOf(fields, at + 4),
        uniqueSaleNumber: usn,
      },
      ownFiscalMemory: command.model.identity.fiscalMemory,
      rebuild: false,
    }),
    REFUSED_OPENING,
  );
  return counts(command, "storno");
}

export function fiscalMemoryOf(fields: Fields, index: number): string {
  const text = fields.text(index);
  return FISCAL_MEMORY.test(text) ? text : fields.fail(index);
}

/** What stands behind the text of a sale: group or department, price, quantity, adjustment. */
const SALE =
  /^([-+]?)(\d[\d.]*)(?:\*([\d.]+)(?:#([^,;$@]*))?)?(?:,([-+]?[\d.]+)|([;$][-+]?[\d.]+))?(?:@(.+))?$/;

/** 49: `[L1][LF L2] TAB V[-]Price[*Qty[#Unit]][,Perc|;Abs]`, or with `Dept TAB` instead of `V`. */
export function sellShort(command: DeviceCommand): string {
  const [name = "", first = "", second] = command.text.split("\t");
  const isDepartment = second !== undefined;
  if (command.text.split("\t").length !== (isDepartment ? 3 : 2)) throw refused("syntax");
  const match = SALE.exec(isDepartment ? second : first.slice(1));
  if (!match) throw refused("syntax");
  const [, sign, price = "", quantity, unitBefore, percent, amount, unitBehind] = match;
  const unit = unitBefore ?? unitBehind;
  // A unit of measure is known to the printers only.
  if (unit !== undefined && !command.model.unitOfMeasure) throw refused("syntax");
  const priceMinor = parseMoney(`${sign}${price}`);
  const quantityMilli = quantity === undefined ? 1000 : parseQuantity(quantity);
  const adjustment = adjustmentOf(command, percent, amount);
  if (priceMinor === undefined || quantityMilli === undefined) throw refused("syntax");
  const { group, department } = isDepartment
    ? departmentOf(command, first)
    : { group: command.model.groups.indexOf(first.charAt(0)) + 1, department: undefined };
  command.carryOut(
    sellLine(command.memory.context(), {
      name: name
        .split("\n")
        .slice(0, 2)
        .map((line) => line.slice(0, command.model.widths.name))
        .join(" "),
      group,
      priceMinor,
      quantityMilli,
      adjustment,
      department,
      unit,
      groupParameter: 1,
    }),
  );
  return "";
}

/** Departments sell in the VAT group that they are programmed for; as delivered, the second. */
function departmentOf(command: DeviceCommand, text: string): { group: number; department: number } {
  const department = Number(text);
  if (!/^\d{1,2}$/.test(text) || department < 1 || department > command.model.departmentMax) {
    throw refused("syntax");
  }
  return { group: departmentGroup(command), department };
}

/** @param amount with the mark that says that it is one, and not a percentage */
export function adjustmentOf(
  { model }: DeviceCommand,
  percent: string | undefined,
  amount: string | undefined,
): Adjustment {
  if (percent === undefined && amount === undefined) return { kind: "none" };
  const adjustment =
    percent === undefined ? amountAdjustment(amount?.slice(1) ?? "") : percentAdjustment(percent);
  const isMarked = amount === undefined || amount.startsWith(model.adjustmentMark);
  if (!adjustment || !isMarked) throw refused("syntax");
  return adjustment;
}

/** 51: `PrintDisplay[,Perc|;Abs]` with two digits 0 or 1. */
export function subtotalShort(command: DeviceCommand): string {
  const match = /^([01])[01](?:,([-+]?[\d.]+)|([;$][-+]?[\d.]+))?$/.exec(command.text);
  if (!match) throw refused("syntax");
  const [, print, percent, amount] = match;
  const adjustment = adjustmentOf(command, percent, amount);
  command.carryOut(takeSubtotal(command.memory.context(), { printed: print === "1", adjustment }));
  const receipt = openReceiptOf(command.books);
  const sums = [receipt?.totalMinor ?? 0, ...(receipt?.groups ?? [])];
  return sums.map((sum) => amountText(command, sum, 10)).join(",");
}

/**
 * 53: `[L1][LF L2] TAB [Mode][Amount]` gives `D` and the rest or `R` and the change, `F` when
 * nothing was taken. A bare TAB, or on the old Romanian devices no data, pays the rest in cash.
 */
export function payShort(command: DeviceCommand): string {
  const { text, model } = command;
  const coded = text === "" && model.country === "ro" ? "" : textAfterTab(text);
  const match = /^([A-Za-z]?)([-+]?[\d.]*)$/.exec(coded);
  if (!match) throw refused("syntax");
  const [, mode = "", amount = ""] = match;
  const tender = mode === "" ? "cash" : (model.tenders[mode] ?? model.otherTender);
  const amountMinor = amount === "" ? undefined : parseMoney(amount);
  if (!tender || (amount !== "" && (amountMinor === undefined || amountMinor <= 0))) {
    throw new Refused({ refused: "payment_forbidden" }, REFUSED_SILENTLY);
  }
  const isStorno = openReceiptOf(command.books)?.head.kind === "storno";
  if (model.stornoInCashOnly && isStorno && tender !== "cash") {
    throw new Refused({ refused: "payment_forbidden" }, REFUSED_SILENTLY);
  }
  command.carryOut(pay(command.memory.context(), { tender, amountMinor }), REFUSED_SILENTLY);
  const receipt = openReceiptOf(command.books);
  const rest = receipt ? restMinor(receipt) : 0;
  const change = receipt?.changeMinor ?? 0;
  return change > 0 ? `R${amountText(command, change, 9)}` : `D${amountText(command, rest, 9)}`;
}

function textAfterTab(text: string): string {
  const at = text.indexOf("\t");
  if (at < 0) throw refused("syntax");
  return text.slice(at + 1);
}

/** 54. */
export function textShort(command: DeviceCommand): string {
  command.carryOut(addText(command.memory.context(), plainText(command), formOf(command)));
  return "";
}

/** The text without what sets its size: `TAB Font[Flags]` on P, `Height TAB` on C. */
export function plainText({ text, model }: DeviceCommand): string {
  const plain =
    model.style === "font" ? text.replace(/^\t[A-Za-z0-9]{1,3}/, "") : text.replace(/^\d\t/, "");
  return plain.slice(0, model.widths.line);
}

/**
 * How the text is printed. UNCONFIRMED on a device: that height 2 of C is double. The fonts of P are
 * letters whose looks its manual does not tell, so those print plain.
 */
export function formOf({ text, model }: DeviceCommand): TextForm | undefined {
  if (model.style !== "height" || !/^2\t/.test(text)) return undefined;
  return { form: "styled", look: { doubleHeight: true }, align: "left" };
}

/** 56. */
export function closeShort(command: DeviceCommand): string {
  command.expectNoData();
  const kind = openReceiptOf(command.books)?.head.kind ?? "sale";
  command.carryOut(closeReceipt(command.memory.context()));
  return counts(command, kind);
}

/** 60. */
export function cancelShort(command: DeviceCommand): string {
  command.expectNoData();
  command.carryOut(cancelReceipt(command.memory.context()));
  return "";
}

/** 57 on P: `[#]Id[TAB Seller[TAB Receiver[TAB Client[TAB VatNo[TAB Addr]]]]]`. */
export function buyerP(command: DeviceCommand): string {
  return nameBuyerOf(command, { number: /^#?\d{9,14}$/, least: 1, most: 6 });
}

/** 57 on ED: the same, with shorter numbers. */
export function buyerEd(command: DeviceCommand): string {
  return nameBuyerOf(command, { number: /^#?\d{9,10}$/, least: 1, most: 6 });
}

/** 57 on DY: `Id[TAB VatNo[TAB Seller[TAB Receiver[TAB Client[TAB Addr ...]]]]]`. */
export function buyerDy(command: DeviceCommand): string {
  return nameBuyerOf(command, { number: /^\d{9,14}$/, least: 1, most: 8 });
}

/** 57 on C: `Id TAB IdType[TAB Seller[TAB Receiver[TAB Client[TAB VatNo[TAB Addr]]]]]` gives `P`. */
export function buyerC(command: DeviceCommand): string {
  const [, type = ""] = command.text.split("\t");
  if (!/^[0-3]$/.test(type)) throw refused("syntax");
  nameBuyerOf(command, { number: /^\d{9,14}$/, least: 2, most: 7 }, REFUSED_SILENTLY);
  return "P";
}

/** What stands behind the number may be left out, from the end. */
function nameBuyerOf(
  command: DeviceCommand,
  form: { readonly number: RegExp; readonly least: number; readonly most: number },
  words?: RefusalWords,
): string {
  const values = command.text.split("\t");
  const isForm = values.length >= form.least && values.length <= form.most;
  if (!isForm || !form.number.test(values[0] ?? "")) throw refused("syntax");
  command.carryOut(nameBuyer(command.memory.context(), values), words);
  return "";
}
