/**
 * Receipt commands of the simulated device. Payment and closing are one command, and one change
 * of the books: an open receipt holds no payment.
 */

import { openReceiptOf } from "../../simulator/books/books.ts";
import type { ReceiptPart } from "../../simulator/books/receipt.ts";
import {
  addText,
  cancelReceipt,
  openSale,
  sellLine,
  takeSubtotal,
} from "../../simulator/books/receipt-rules.ts";
import {
  percentOfMinor,
  REGISTER_MINOR_MAX,
  spreadMinor,
} from "../../simulator/books/reckoning.ts";
import { refuseNewReceipt, refuseUnprintable } from "../../simulator/books/rules.ts";
import { addServiceLine } from "../../simulator/books/service-rules.ts";
import { eanCheckDigit } from "../../simulator/paper/codes.ts";
import type { TextForm } from "../../simulator/paper/line.ts";
import { number } from "./answer.ts";
import { carryOut, type DeviceCommand, Refused, refused } from "./device-command.ts";
import { TAX_GROUPS, TENDERS, UNTAXED_GROUP } from "./model.ts";
import { ERROR } from "./refusal-bytes.ts";

const TILL = 1;
type Kind = "sale" | "storno";
const KINDS: ReadonlyMap<number, Kind> = new Map([
  [0, "sale"],
  [2, "storno"],
]);

/** 8Dh. */
export function open(command: DeviceCommand): number[] {
  const kind = KINDS.get(command.parameters.integer(1));
  command.parameters.end();
  if (!kind) throw refused("parameter");
  begin(command, kind);
  return [];
}

function begin(command: DeviceCommand, kind: Kind): void {
  const context = command.memory.context();
  const { operator } = command;
  if (kind === "sale") {
    const password = context.books.operators[operator - 1]?.password ?? "";
    const head = { operator, password, till: TILL, uniqueSaleNumber: undefined, invoice: false };
    carryOut(command, openSale(context, head));
    return;
  }
  // A return names no original: that is printed as text.
  const refusal = refuseNewReceipt(context);
  if (refusal) throw refused(refusal.refused);
  const { books, at } = context;
  const head = { number: books.documentNumber + 1, kind, openedAt: at, operator, till: TILL };
  carryOut(command, { entry: { entry: "receipt_opened", head } });
}

/** 80h, 82h and 84h: an item, or the correction of one within the open receipt. */
export function item(command: DeviceCommand, kind: Kind | "correction"): number[] {
  const { parameters, model } = command;
  const quantityMilli = parameters.integer(5);
  const price = parameters.integer(5);
  const department = parameters.integer(1);
  const tax = parameters.integer(1);
  parameters.bytes(3);
  const name = parameters.text();
  if (department > 16 || tax > TAX_GROUPS) throw refused("parameter");
  if (kind !== "correction" && !command.memory.books.open && !model.has.opening)
    begin(command, kind);
  const receipt = openReceiptOf(command.memory.books);
  if (!receipt) throw new Refused(ERROR.wrongMode);
  if (kind !== "correction" && receipt.head.kind !== kind) throw new Refused(ERROR.wrongKind);
  carryOut(
    command,
    sellLine(command.memory.context(), {
      name,
      group: tax === 0 ? UNTAXED_GROUP : tax,
      priceMinor: kind === "correction" ? -price : price,
      quantityMilli,
      adjustment: { kind: "none" },
      department: department === 0 ? undefined : department,
      unit: undefined,
      groupParameter: 1,
    }),
  );
  return [];
}

/** 86h and 87h: an amount, four taxes and text. */
export function adjust(command: DeviceCommand, sign: 1 | -1): number[] {
  const amountMinor = sign * command.parameters.integer(5);
  const taxes = command.parameters.bytes(4);
  if (taxes.some((tax) => tax > TAX_GROUPS)) throw refused("parameter");
  carryOut(
    command,
    takeSubtotal(command.memory.context(), {
      printed: false,
      adjustment: { kind: "amount", amountMinor },
    }),
  );
  return [];
}

/** 89h. */
export function subtotal(command: DeviceCommand): number[] {
  command.parameters.end();
  const receipt = openReceiptOf(command.memory.books);
  if (!receipt) throw refused("no_receipt_open");
  return number(receipt.totalMinor, 5);
}

/** 85h: four tenders, a discount in hundredths of a percent, taxes, text. */
export function close(command: DeviceCommand): number[] {
  const { parameters, memory } = command;
  const tenders = TENDERS.map((tender) => ({ tender, amountMinor: parameters.integer(5) }));
  const encoded = parameters.integer(2);
  const basisPoints = encoded >= 0x8000 ? encoded - 0x1_0000 : encoded;
  parameters.bytes(4);
  const context = memory.context();
  const unprintable = refuseUnprintable(context.books, context.model);
  if (unprintable) throw refused(unprintable.refused);
  const receipt = openReceiptOf(memory.books);
  if (!receipt) throw refused("no_receipt_open");
  if (receipt.saleCount === 0) throw refused("no_sales");
  const adjustmentMinor = -percentOfMinor(receipt.totalMinor, basisPoints);
  const totalMinor = receipt.totalMinor + adjustmentMinor;
  const { payments, changeMinor } = takeTenders(command, totalMinor, tenders);
  const adjustment: ReceiptPart[] =
    adjustmentMinor === 0
      ? []
      : [
          {
            part: "subtotal",
            totalMinor,
            adjustments: spreadMinor(adjustmentMinor, receipt.groups),
            printed: true,
          },
        ];
  carryOut(command, {
    entry: { entry: "receipt_closed", at: context.at, parts: [...adjustment, ...payments] },
  });
  return number(changeMinor, 5);
}

function takeTenders(
  { memory }: DeviceCommand,
  totalMinor: number,
  tenders: readonly { readonly tender: (typeof TENDERS)[number]; readonly amountMinor: number }[],
): { payments: ReceiptPart[]; changeMinor: number } {
  const paidMinor = tenders.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const cashMinor = tenders[0]?.amountMinor ?? 0;
  if (tenders.some(({ amountMinor }) => amountMinor > REGISTER_MINOR_MAX))
    throw refused("overflow");
  const isStorno = openReceiptOf(memory.books)?.head.kind === "storno";
  const changeMinor = paidMinor - totalMinor;
  if (totalMinor <= 0) throw refused("zero_total");
  if (changeMinor < 0) throw refused("not_fully_paid");
  if (paidMinor - cashMinor > totalMinor) throw refused("payment_forbidden");
  if (isStorno && changeMinor > 0) throw refused("payment_forbidden");
  if (isStorno && cashMinor > memory.books.cashMinor) throw refused("not_enough_cash");
  const payments = tenders
    .filter(({ amountMinor }) => amountMinor > 0)
    .map(({ tender, amountMinor }) => ({
      part: "payment" as const,
      tender,
      amountMinor,
      changeMinor: tender === "cash" ? changeMinor : 0,
    }));
  return { payments, changeMinor };
}

/** 88h. */
export function cancel(command: DeviceCommand): number[] {
  command.parameters.end();
  carryOut(command, cancelReceipt(command.memory.context()));
  return [];
}

/** 17h: a line of text. */
export function textLine(command: DeviceCommand): number[] {
  command.parameters.bytes(1);
  return printLine(command, command.parameters.text());
}

/** 12h: a line in the second font, in which a character takes two columns. */
export function wideLine(command: DeviceCommand): number[] {
  command.parameters.bytes(1);
  const look = { bold: true, doubleWidth: true } as const;
  return printLine(command, command.parameters.text(), { form: "styled", look, align: "left" });
}

/** C2h: twelve digits as EAN-13; the device adds the check digit. */
export function eanCode(command: DeviceCommand): number[] {
  const digits = String(command.parameters.integer(5)).padStart(12, "0");
  command.parameters.end();
  if (digits.length > 12) throw refused("parameter");
  const text = digits + String(eanCheckDigit(digits));
  return printLine(command, text, { form: "code", symbology: "ean13", moduleDots: 3 });
}

/** Prints in whatever is open, or loose. */
function printLine(command: DeviceCommand, text: string, form?: TextForm): number[] {
  const { memory, volatile } = command;
  const context = memory.context();
  if (memory.books.open?.open === "receipt") carryOut(command, addText(context, text, form));
  else if (memory.books.open) carryOut(command, addServiceLine(context, text, form));
  else if (volatile.loose.length < LOOSE_LINES_MAX) {
    volatile.loose.push(form === undefined ? text : { text, form });
  }
  return [];
}

/** Lines of paper that hang out of a printer before somebody tears them off. */
const LOOSE_LINES_MAX = 2_000;
