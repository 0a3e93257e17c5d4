/**
 * Returns and annulments. Source: CUSTOM protocol manual for fiscal devices, rev. 6.00.
 */

import { openReceiptOf } from "../../simulator/books/books.ts";
import type {
  ReceiptPart,
  ReceiptRecord,
  StornoOriginal,
  StornoReason,
} from "../../simulator/books/receipt.ts";
import { sumOf } from "../../simulator/books/reckoning.ts";
import { refuseNewReceipt } from "../../simulator/books/rules.ts";
import { date, parseDateTime } from "./clock-text.ts";
import { type DeviceCommand, Refused, refused } from "./device-command.ts";
import { EJECTED, refuseUnejected } from "./document.ts";
import { ERROR } from "./error-codes.ts";
import { begun, numbered } from "./receipt.ts";

const OPERATOR = 1;
const TILL = 1;
/** What a return without an original names instead: a card terminal, a voucher, no document. */
const INSTEAD = ["POS", "VR", "ND"];

/** What the answer says of the original. */
const FLAG = { notFound: "0", found: "1", notAllowed: "2" } as const;
type Flag = (typeof FLAG)[keyof typeof FLAG];

interface Named {
  readonly zNumber: number;
  readonly dayNumber: number;
  readonly day: string;
  /** That of another device, where one is given. */
  readonly serialNumber: string;
}

/**
 * 7101: `R` or `A`, `Z4 number4 DDMMYY operation1`, then serial and lottery number where wanted;
 * `0` gives a return up that has no line yet.
 */
export function withOriginal(command: DeviceCommand): string {
  const { fields, model } = command;
  const kind = fields.choice(["R", "A", "0"]);
  if (kind === "0") return giveUp(command);
  const zNumber = fields.number(4);
  const dayNumber = fields.number(4);
  const day = dayOf(fields.take(6));
  const operation = fields.choice(["0", "1", "8", "9"]);
  const serialNumber = fields.isEnd ? "" : fields.text({ most: 11 });
  if (serialNumber !== "" && serialNumber.length < 9) throw new Refused(ERROR.length);
  if (!fields.isEnd) fields.text({ least: 8, most: 8 });
  fields.end();
  const named = { zNumber, dayNumber, day, serialNumber: serialNumber || model.serialNumber };
  refuseUnejected(command);
  return kind === "R" ? takeBack(command, named, operation) : annul(command, named, operation);
}

/** 7114: `R` or `A`, `LL` what it is without, `DDMMYY`; `0` gives it up. */
export function withoutOriginal(command: DeviceCommand): string {
  const { fields } = command;
  const kind = fields.choice(["R", "A", "0"]);
  if (kind === "0") return giveUp(command);
  const instead = fields.text({ least: 2, most: 3 });
  const day = dayOf(fields.take(6));
  fields.end();
  if (!INSTEAD.includes(instead)) throw new Refused(ERROR.value);
  refuseUnejected(command);
  open(command, kind === "R" ? "refund" : "operator-error", {
    number: 0,
    issuedAt: parseDateTime(`${day}0000`),
    fiscalMemory: instead,
    uniqueSaleNumber: undefined,
  });
  return "";
}

function dayOf(text: string): string {
  if (parseDateTime(`${text}0000`) === undefined) throw new Refused(ERROR.date);
  return text;
}

function takeBack(command: DeviceCommand, named: Named, operation: "0" | "1" | "8" | "9"): Flag {
  const original = find(command, named);
  const flag = flagOf(command, original);
  if (operation === "0" || operation === "9" || flag === FLAG.notAllowed) return flag;
  if (!original && !command.model.opensUnknownReturn) return flag;
  open(command, "refund", {
    number: original?.number ?? named.dayNumber,
    issuedAt: original?.closedAt ?? parseDateTime(`${named.day}0000`),
    fiscalMemory: named.serialNumber,
    uniqueSaleNumber: undefined,
  });
  return flag;
}

function find({ memory, model }: DeviceCommand, named: Named): ReceiptRecord | undefined {
  if (named.serialNumber !== model.serialNumber) return undefined;
  const began = memory.books.zRecords[named.zNumber - 2]?.documentNumber ?? 0;
  for (const record of memory.books.receipts.after(began)) {
    if (record.zNumber > named.zNumber) return undefined;
    const isIt = record.zNumber === named.zNumber && record.dayNumber === named.dayNumber;
    if (isIt) return date(record.closedAt) === named.day ? record : undefined;
  }
  return undefined;
}

function flagOf({ memory }: DeviceCommand, original: ReceiptRecord | undefined): Flag {
  if (!original) return FLAG.notFound;
  if (original.kind === "storno") return FLAG.notAllowed;
  return memory.books.receipts.isAnnulled(original.number) ? FLAG.notAllowed : FLAG.found;
}

function open(command: DeviceCommand, reason: StornoReason, original: StornoOriginal): void {
  const context = command.memory.context();
  const refusal = refuseNewReceipt(context);
  if (refusal) throw refused(refusal.refused, command.model);
  command.memory.commit({
    entry: "receipt_opened",
    head: numbered(command, {
      number: context.books.documentNumber + 1,
      kind: "storno",
      openedAt: context.at,
      operator: OPERATOR,
      till: TILL,
      reason,
      original,
    }),
  });
  begun(command);
}

/** An annulment must be checked first; then the device prints the whole of it by itself. */
function annul(command: DeviceCommand, named: Named, operation: "0" | "1" | "8" | "9"): Flag {
  const { memory, volatile } = command;
  const original = find(command, named);
  const flag = flagOf(command, original);
  const key = JSON.stringify(named);
  if (operation !== "1") {
    volatile.annulment = flag === FLAG.found ? key : undefined;
    return flag;
  }
  if (volatile.annulment !== key) throw new Refused(ERROR.notNow);
  if (!original || flag !== FLAG.found) return flag;
  const payments = returnedPayments(original);
  const cashMinor = sumOf(payments.map((part) => (part.tender === "cash" ? part.amountMinor : 0)));
  if (cashMinor > memory.books.cashMinor) throw new Refused(ERROR.notEnoughCash);
  const { number } = original;
  open(command, "operator-error", {
    number,
    issuedAt: original.closedAt,
    fiscalMemory: named.serialNumber,
    uniqueSaleNumber: undefined,
  });
  volatile.annulment = undefined;
  const value = String(memory.books.documentNumber);
  // It leaves the device by itself, so it never waits to be ejected.
  memory.commit({ entry: "setting", name: EJECTED, value });
  const lines = original.parts.filter(({ part }) => part !== "payment");
  memory.commit({ entry: "receipt_closed", at: memory.clock(), parts: [...lines, ...payments] });
  volatile.ejected = true;
  return flag;
}

type Payment = Extract<ReceiptPart, { part: "payment" }>;

/** What was kept of each tender goes back. Change was given in cash, whatever was paid with. */
function returnedPayments({ parts }: ReceiptRecord): Payment[] {
  return parts
    .filter((part): part is Payment => part.part === "payment")
    .map(({ tender, amountMinor, changeMinor }) => ({
      part: "payment",
      tender,
      amountMinor: amountMinor - changeMinor,
      changeMinor: 0,
    }));
}

function giveUp(command: DeviceCommand): string {
  command.fields.end();
  const { memory, volatile } = command;
  volatile.annulment = undefined;
  const receipt = openReceiptOf(memory.books);
  if (!receipt) return "";
  if (receipt.head.kind !== "storno" || receipt.saleCount > 0) throw new Refused(ERROR.notNow);
  memory.commit({ entry: "receipt_cancelled", at: memory.clock() });
  volatile.ejected = true;
  return "";
}
