/**
 * Payments, and the end of receipts: closing, lines behind it, and ejecting.
 * Source: CUSTOM protocol manual for fiscal devices, rev. 6.00.
 */

import { openReceiptOf, restMinor } from "../../simulator/books/books.ts";
import type { Tender } from "../../simulator/books/receipt.ts";
import { closeReceipt, pay } from "../../simulator/books/receipt-rules.ts";
import {
  addServiceLine,
  closeServiceText,
  openServiceText,
} from "../../simulator/books/service-rules.ts";
import { carryOut, type DeviceCommand, Refused, zeroFilled } from "./device-command.ts";
import { EJECTED, stageOf } from "./document.ts";
import { ERROR } from "./error-codes.ts";
import { formOf, PITCHES } from "./letters.ts";
import { refuseCancelling, refuseTotalWord } from "./receipt.ts";

const TEXT_MAX = 32;

/** Tenders by their code in 3007, with the names that the books give them. */
const TENDERS: ReadonlyMap<number, Tender> = new Map([
  [1, "cash"],
  [2, "check"],
  [3, "card"],
  [4, "generic"],
  [5, "coupons"],
  [6, "suspended"],
  [7, "unpaid-goods"],
  [8, "debit-card"],
  [9, "generic2"],
  [10, "generic3"],
  [50, "unpaid-services"],
  [51, "unpaid-invoices"],
  [52, "health-service"],
  [53, "discount"],
]);
const MEAL_TICKET = 5;

/** 3007: `code2 quantity2 LL description amount9`; no amount pays all the rest. */
export function payment(command: DeviceCommand): string {
  const { fields } = command;
  const code = fields.number(2);
  const quantity = fields.number(2);
  const tender = TENDERS.get(code);
  if (tender === undefined || (code === MEAL_TICKET && quantity === 0)) {
    throw new Refused(ERROR.value);
  }
  return take(command, tender);
}

/** 3004 to 3006: `LL description amount9`. */
export function paymentBy(tender: Tender): (command: DeviceCommand) => string {
  return (command) => take(command, tender);
}

/** @returns sign and nine digits of what is still to be paid; negative is change, or nothing */
function take(command: DeviceCommand, tender: Tender): string {
  const description = command.fields.text({ most: 22 });
  const amountMinor = command.fields.number(9);
  command.fields.end();
  refuseTotalWord(description);
  refuseCancelling(command);
  const { memory } = command;
  const receipt = openReceiptOf(memory.books);
  const restBefore = receipt ? restMinor(receipt) : 0;
  // Only cash is handed back as cash.
  if (tender !== "cash" && restBefore > 0 && amountMinor > restBefore) {
    throw new Refused(ERROR.noChange);
  }
  carryOut(
    command,
    pay(memory.context(), { tender, amountMinor: amountMinor === 0 ? undefined : amountMinor }),
  );
  return signedRest(memory.books.open);
}

/** Sign and nine digits of what an open receipt still wants. */
export function signedRest(open: DeviceCommand["memory"]["books"]["open"]): string {
  if (open?.open !== "receipt") return `+${zeroFilled(0, 9)}`;
  const rest = open.totalMinor - open.paidMinor;
  return `${rest > 0 ? "+" : "-"}${zeroFilled(Math.abs(rest), 9)}`;
}

/** 3011: closes a paid receipt, or one that 3001 has cancelled. */
export function close(command: DeviceCommand): string {
  if (!command.fields.isEnd) command.fields.number(1);
  if (!command.fields.isEnd) command.fields.number(1);
  command.fields.end();
  const { memory } = command;
  if (stageOf(memory.books) === "cancelling") {
    memory.commit({ entry: "receipt_cancelled", at: memory.clock() });
    return "";
  }
  const receipt = openReceiptOf(memory.books);
  if (receipt && receipt.saleCount > 0 && !receipt.paymentStarted) {
    throw new Refused(ERROR.notFullyPaid);
  }
  carryOut(command, closeReceipt(memory.context()));
  return "";
}

/** 3012: `pitch1 LL text`, a line between closing and ejecting. */
export function courtesyLine(command: DeviceCommand): string {
  const pitch = command.fields.choice(PITCHES);
  const line = command.fields.text({ most: TEXT_MAX });
  command.fields.end();
  const { memory } = command;
  const stage = stageOf(memory.books);
  if (stage !== "closed" && stage !== "courtesy") throw new Refused(ERROR.notNow);
  if (stage === "closed") carryOut(command, openServiceText(memory.context()));
  carryOut(command, addServiceLine(memory.context(), line, formOf(pitch)));
  return "";
}

/** 3013 and 3015: `{wait}`, ejects the finished receipt. */
export function eject(command: DeviceCommand): string {
  if (!command.fields.isEnd) command.fields.number(1);
  command.fields.end();
  const { memory, volatile } = command;
  const stage = stageOf(memory.books);
  if (stage !== "closed" && stage !== "courtesy") throw new Refused(ERROR.notNow);
  if (stage === "courtesy") carryOut(command, closeServiceText(memory.context()));
  const value = String(memory.books.documentNumber);
  memory.commit({ entry: "setting", name: EJECTED, value });
  volatile.ejected = true;
  return "";
}
