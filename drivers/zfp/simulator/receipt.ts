/**
 * Receipt commands of the simulated device.
 * Source: Tremol protocol description, Bulgaria, rev. 1910211454.
 */

import { openReceiptOf, restMinor } from "../../simulator/books/books.ts";
import {
  type Adjustment,
  addText,
  cancelReceipt,
  closeReceipt,
  openSale,
  openStorno,
  pay,
  sellLine,
  takeSubtotal,
} from "../../simulator/books/receipt-rules.ts";
import { type Decision, isRefusal } from "../../simulator/books/refusal.ts";
import { addServiceLine } from "../../simulator/books/service-rules.ts";
import { parseClock } from "./clock-text.ts";
import { decodeText } from "./code-page.ts";
import {
  type Answer,
  type DeviceCommand,
  readAmount,
  readOperator,
  readQuantity,
  refused,
} from "./device-command.ts";
import { numbered } from "./model.ts";

const USN = "[A-Z]{2}\\d{6}-[A-Za-z0-9]{4}-\\d{7}";
/** `oper;pass;format;vat;print{$USN}`. */
const SALE_OPENING = new RegExp(`^(\\d{1,2});([^;]{1,6});[01];[01];[0248](?:\\$(${USN}))?$`);
/** `oper;pass;format;vat;print;reason;number;time;FM{;USN}`. */
const STORNO_OPENING = new RegExp(
  `^(\\d{1,2});([^;]{1,6});[01];[01];[@BD];([012]);(\\d{1,6});([^;]{17});(\\d{8})(?:;(${USN}))?$`,
);
const TILL = 1;
const NAME_BYTES = 36;
const GROUP_LETTERS = "АБВГДЕЖЗ";
const TEXT_MARGIN = 2;
const DEPARTMENT_MARK = 0x21;
const DEPARTMENT_BASE = 0x80;
const DEPARTMENTS = 19;

/** 30h: a sale, or a storno when the data names an original. */
export function openReceipt(command: DeviceCommand): Answer {
  const sale = SALE_OPENING.exec(command.text);
  if (sale) {
    const request = { ...readOperator(sale[1], sale[2]), till: TILL, invoice: false };
    open(command, openSale(command.memory.context(), { ...request, uniqueSaleNumber: sale[3] }));
    return undefined;
  }
  const [operator, password, reasonKey = "", number, time = "", fiscalMemory = "", usn] =
    command.match(STORNO_OPENING);
  const reason = command.model.stornoReasons[reasonKey];
  const issuedAt = parseClock(time);
  if (!reason || issuedAt === undefined) throw refused("syntax");
  open(
    command,
    openStorno(command.memory.context(), {
      ...readOperator(operator, password),
      till: TILL,
      uniqueSaleNumber: usn,
      invoice: false,
      reason,
      original: { number: Number(number), issuedAt, fiscalMemory, uniqueSaleNumber: usn },
      ownFiscalMemory: command.model.fiscalMemory,
      rebuild: false,
    }),
  );
  return undefined;
}

function open(command: DeviceCommand, opening: Decision): void {
  const isNumbered = !isRefusal(opening) && opening.entry.entry === "receipt_opened";
  if (!isNumbered) {
    command.carryOut(opening);
    return;
  }
  const head = numbered(command.memory, command.model, opening.entry.head);
  command.carryOut({ entry: { ...opening.entry, head } });
}

/** `price{*qty}{,percent}{:amount}` behind the name and the VAT letter. */
const SALE =
  /^;(.);([-+ ]?[\d.]{1,10})(?:\*([\d.]{1,10}))?(?:,([-+ ]?[\d.]+)%?)?(?::([-+ ]?[\d.]+))?$/;

/** 31h: `name36;VAT;price...{!department}`, the department being one raw byte. */
export function sell(command: DeviceCommand): Answer {
  const { data } = command;
  const mark = data.at(-2) === DEPARTMENT_MARK ? (data.at(-1) ?? 0) - DEPARTMENT_BASE : 0;
  const hasDepartment = mark >= 1 && mark <= DEPARTMENTS;
  const rest = data.subarray(NAME_BYTES, hasDepartment ? -2 : undefined);
  const match = SALE.exec(decodeText(rest));
  if (data.length < NAME_BYTES || !match) throw refused("syntax");
  const [, letter = "", price, quantity, percent, amount] = match;
  const group = GROUP_LETTERS.indexOf(letter) + 1;
  if (group === 0) throw refused("vat_group_unknown");
  command.carryOut(
    sellLine(command.memory.context(), {
      name: decodeText(data.subarray(0, NAME_BYTES)).trim(),
      group,
      priceMinor: readAmount(price),
      quantityMilli: readQuantity(quantity),
      adjustment: adjustmentOf(percent, amount),
      department: hasDepartment ? mark : undefined,
      unit: undefined,
      groupParameter: 2,
    }),
  );
  return undefined;
}

/** Without a sign an adjustment is a surcharge. */
function adjustmentOf(percent: string | undefined, amount: string | undefined): Adjustment {
  if (percent !== undefined && amount !== undefined) throw refused("syntax");
  if (percent !== undefined) return { kind: "percent", basisPoints: readAmount(percent) };
  if (amount !== undefined) return { kind: "amount", amountMinor: readAmount(amount) };
  return { kind: "none" };
}

/** 33h: `print;display{:amount}{,percent}`; an amount only when all sales are of one group. */
export function subtotal(command: DeviceCommand): Answer {
  const [printed, , amount, percent] = command.match(
    /^([01]);([01])(?::([-+ ]?[\d.]+))?(?:,([-+ ]?[\d.]+)%?)?$/,
  );
  const receipt = openReceiptOf(command.books);
  const groups = receipt?.groups.filter((sum) => sum !== 0).length ?? 0;
  if (amount !== undefined && groups > 1) throw refused("parameter");
  command.carryOut(
    takeSubtotal(command.memory.context(), {
      printed: printed === "1" || amount !== undefined || percent !== undefined,
      adjustment: adjustmentOf(percent, amount),
    }),
  );
  return ((openReceiptOf(command.books)?.totalMinor ?? 0) / 100).toFixed(2);
}

/** 35h: `type;change;amount`, with a star or the kind of change behind; a quote pays the rest. */
export function takePayment(command: DeviceCommand): Answer {
  const [type, change, quote, amount] = command.match(
    /^(\d{1,2});([01]);(?:(")|([\d.]{1,10})(?:\*|;[012])?)$/,
  );
  const tender = command.model.tenders[Number(type)];
  if (tender === undefined) throw refused("parameter");
  const amountMinor = quote === undefined ? readAmount(amount) : undefined;
  const receipt = openReceiptOf(command.books);
  const rest = receipt ? restMinor(receipt) : 0;
  if (amountMinor === 0) throw refused("zero_total");
  // "No change" means that the device gives none.
  if (receipt && change === "1" && (amountMinor ?? 0) > rest && rest > 0) {
    throw refused("payment_forbidden");
  }
  command.carryOut(pay(command.memory.context(), { tender, amountMinor }));
  return undefined;
}

/** 36h: pays the rest in cash and closes. */
export function closeInCash(command: DeviceCommand): Answer {
  command.expectNoData();
  command.carryOut(pay(command.memory.context(), { tender: "cash", amountMinor: undefined }));
  command.carryOut(closeReceipt(command.memory.context()));
  return undefined;
}

/** 37h: a text line of the receipt or of the slip that is open. */
export function text(command: DeviceCommand): Answer {
  const width = command.model.layout.columns - TEXT_MARGIN;
  if (command.text === "" || command.text.length > width) throw refused("syntax");
  const context = command.memory.context();
  const isSlip = command.books.open?.open === "service";
  command.carryOut(isSlip ? addServiceLine(context, command.text) : addText(context, command.text));
  return undefined;
}

/** 38h. */
export function close(command: DeviceCommand): Answer {
  command.expectNoData();
  command.carryOut(closeReceipt(command.memory.context()));
  return undefined;
}

/** 39h: a receipt that holds a payment is not cancelled but paid in cash and closed. */
export function cancel(command: DeviceCommand): Answer {
  command.expectNoData();
  const receipt = openReceiptOf(command.books);
  if (!receipt?.paymentStarted) {
    command.carryOut(cancelReceipt(command.memory.context()));
    return undefined;
  }
  return restMinor(receipt) > 0 ? closeInCash(command) : close(command);
}
