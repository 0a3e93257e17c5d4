/**
 * Lines of receipts. No command opens a receipt: its first line does, in the same change of the
 * books. Source: CUSTOM protocol manual for fiscal devices, rev. 6.00.
 */

import { lineTotalMinor } from "#core/money.ts";
import { openReceiptOf } from "../../simulator/books/books.ts";
import type { SaleLine } from "../../simulator/books/receipt.ts";
import {
  addText,
  cancelReceipt,
  openSale,
  type SaleRequest,
  sellLine,
  takeSubtotal,
} from "../../simulator/books/receipt-rules.ts";
import { adjust, voidAmount, voidLast } from "./corrections.ts";
import { allowed, carryOut, type DeviceCommand, Refused } from "./device-command.ts";
import { CANCELLING, lastDayNumber, refuseUnejected, stageOf } from "./document.ts";
import { ERROR } from "./error-codes.ts";
import { formOf, PITCHES } from "./letters.ts";
import { AMOUNT_MINOR_MAX, groupOf, LINE_TYPES, type LineFields } from "./line-fields.ts";
import { DEPARTMENTS } from "./model.ts";

const ONE_MILLI = 1_000;
const TEXT_MAX = 32;
const OPERATOR = 1;
const TILL = 1;

/** 3301: `type1 quantity9 department3 LL description amount9 vatId2`. */
export function line(command: DeviceCommand): string {
  const { fields } = command;
  return register(command, {
    type: fields.choice(LINE_TYPES),
    quantityMilli: fields.number(9) || ONE_MILLI,
    department: fields.number(3),
    name: fields.text({ most: 44 }),
    amount: fields.number(9),
    vatId: fields.number(2),
    ejectsWhenCancelled: true,
  });
}

/** 3101: `type1 department2 LL description amount9`. */
export function lineOfDepartment(command: DeviceCommand): string {
  const { fields } = command;
  return register(command, {
    type: fields.choice(LINE_TYPES),
    quantityMilli: ONE_MILLI,
    department: fields.number(2),
    name: fields.text({ least: 1, most: 22 }),
    amount: fields.number(9),
    vatId: 0,
    ejectsWhenCancelled: true,
  });
}

/** 3001: `type1 LL description amount9`, in department 1. */
export function lineOfFirstDepartment(command: DeviceCommand): string {
  const { fields } = command;
  return register(command, {
    type: fields.choice(LINE_TYPES),
    quantityMilli: ONE_MILLI,
    department: 1,
    name: fields.text({ most: 22 }),
    amount: fields.number(9),
    vatId: 0,
    ejectsWhenCancelled: false,
  });
}

function register(command: DeviceCommand, given: LineFields): string {
  command.fields.end();
  refuseTotalWord(given.name);
  if (given.department < 1 || given.department > DEPARTMENTS) throw new Refused(ERROR.value);
  if ((given.type === "B" || given.type === "C") && !command.model.has.percent) {
    throw new Refused(ERROR.value);
  }
  refuseUnejected(command);
  if (stageOf(command.memory.books) === "cancelling") throw new Refused(ERROR.notNow);
  switch (given.type) {
    case "1":
      sell(command, given);
      break;
    case "2":
    case "3":
    case "B":
    case "C":
      adjust(command, given);
      break;
    case "4":
      voidAmount(command, given);
      break;
    case "5":
      voidLast(command);
      break;
    case "8":
      cancel(command, given);
      break;
    default:
      given.type satisfies never;
  }
  return "";
}

/** The device keeps this word for itself, so that nothing looks like a total that is none. */
export function refuseTotalWord(text: string): void {
  if (text.toUpperCase().includes("TOTALE")) throw new Refused(ERROR.totalWord);
}

function sell(command: DeviceCommand, given: LineFields): void {
  const request: SaleRequest = {
    name: given.name,
    group: groupOf(command.model, given),
    priceMinor: given.amount,
    quantityMilli: given.quantityMilli,
    adjustment: { kind: "none" },
    department: given.department,
    unit: undefined,
    groupParameter: 1,
  };
  const context = command.memory.context();
  const receipt = openReceiptOf(command.memory.books);
  const totalMinor = lineTotalMinor(request.priceMinor, request.quantityMilli);
  if ((receipt?.totalMinor ?? 0) + totalMinor > AMOUNT_MINOR_MAX) {
    throw new Refused(ERROR.overflow);
  }
  if (receipt) {
    carryOut(command, sellLine(context, request));
    return;
  }
  const opening = allowed(
    command,
    openSale(context, {
      operator: OPERATOR,
      password: "",
      till: TILL,
      uniqueSaleNumber: undefined,
      invoice: false,
    }),
  );
  if (!command.memory.books.vat[request.group - 1]?.enabled) throw new Refused(ERROR.value);
  if (opening.entry !== "receipt_opened") throw new Error("opening a sale opens a receipt");
  const { name, group, priceMinor, quantityMilli } = request;
  const first: SaleLine = {
    part: "sale",
    name,
    group,
    priceMinor,
    quantityMilli,
    adjustmentMinor: 0,
    totalMinor,
    department: given.department,
  };
  command.memory.commit({ ...opening, head: numbered(command, opening.head), parts: [first] });
  begun(command);
}

/** The head with its number within the day. */
export function numbered<Head>(
  command: Pick<DeviceCommand, "memory" | "model">,
  head: Head,
): Head & { readonly dayNumber: number } {
  return { ...head, dayNumber: lastDayNumber(command.memory.books, command.model) + 1 };
}

/** A document has begun: what was true of the one before is no more. */
export function begun({ volatile }: DeviceCommand): void {
  volatile.ejected = false;
  volatile.drawerOpen = false;
}

function cancel(command: DeviceCommand, { ejectsWhenCancelled }: LineFields): void {
  const cancelled = allowed(command, cancelReceipt(command.memory.context()));
  const receipt = openReceiptOf(command.memory.books);
  if (ejectsWhenCancelled) {
    command.memory.commit(cancelled);
    command.volatile.ejected = true;
  } else if (receipt) {
    const value = String(receipt.head.number);
    command.memory.commit({ entry: "setting", name: CANCELLING, value });
  }
}

/** 3003. */
export function subtotal(command: DeviceCommand): string {
  command.fields.end();
  refuseCancelling(command);
  carryOut(
    command,
    takeSubtotal(command.memory.context(), { printed: true, adjustment: { kind: "none" } }),
  );
  return "";
}

/** 3002: `pitch1 LL text`, a line in the open receipt. */
export function text(command: DeviceCommand): string {
  const pitch = command.fields.choice(PITCHES);
  const line = command.fields.text({ most: TEXT_MAX });
  command.fields.end();
  refuseCancelling(command);
  carryOut(command, addText(command.memory.context(), line, formOf(pitch)));
  return "";
}

/** Refuses what a receipt on its way to being cancelled does not take. */
export function refuseCancelling({ memory }: DeviceCommand): void {
  if (stageOf(memory.books) === "cancelling") throw new Refused(ERROR.notNow);
}
