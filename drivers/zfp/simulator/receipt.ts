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
import { addServiceLine } from "../../simulator/books/service-rules.ts";
import { type Answer, type Call, readAmount, readOperator, readQuantity, refused } from "./call.ts";
import { parseClock } from "./clock-text.ts";
import { decodeText } from "./code-page.ts";

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
export function openReceipt(call: Call): Answer {
  const sale = SALE_OPENING.exec(call.text);
  if (sale) {
    const request = { ...readOperator(sale[1], sale[2]), till: TILL, invoice: false };
    call.carryOut(openSale(call.memory.context(), { ...request, uniqueSaleNumber: sale[3] }));
    return undefined;
  }
  const [operator, password, reasonKey = "", number, time = "", fiscalMemory = "", usn] =
    call.match(STORNO_OPENING);
  const reason = call.model.stornoReasons[reasonKey];
  const issuedAt = parseClock(time);
  if (!reason || issuedAt === undefined) throw refused("syntax");
  call.carryOut(
    openStorno(call.memory.context(), {
      ...readOperator(operator, password),
      till: TILL,
      uniqueSaleNumber: usn,
      invoice: false,
      reason,
      original: { number: Number(number), issuedAt, fiscalMemory, uniqueSaleNumber: usn },
      ownFiscalMemory: call.model.fiscalMemory,
      rebuild: false,
    }),
  );
  return undefined;
}

/** `price{*qty}{,percent}{:amount}` behind the name and the VAT letter. */
const SALE =
  /^;(.);([-+ ]?[\d.]{1,10})(?:\*([\d.]{1,10}))?(?:,([-+ ]?[\d.]+)%?)?(?::([-+ ]?[\d.]+))?$/;

/** 31h: `name36;VAT;price...{!department}`, the department being one raw byte. */
export function sell(call: Call): Answer {
  const { data } = call;
  const mark = data.at(-2) === DEPARTMENT_MARK ? (data.at(-1) ?? 0) - DEPARTMENT_BASE : 0;
  const hasDepartment = mark >= 1 && mark <= DEPARTMENTS;
  const rest = data.subarray(NAME_BYTES, hasDepartment ? -2 : undefined);
  const match = SALE.exec(decodeText(rest));
  if (data.length < NAME_BYTES || !match) throw refused("syntax");
  const [, letter = "", price, quantity, percent, amount] = match;
  const group = GROUP_LETTERS.indexOf(letter) + 1;
  if (group === 0) throw refused("vat_group_unknown");
  call.carryOut(
    sellLine(call.memory.context(), {
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
export function subtotal(call: Call): Answer {
  const [printed, , amount, percent] = call.match(
    /^([01]);([01])(?::([-+ ]?[\d.]+))?(?:,([-+ ]?[\d.]+)%?)?$/,
  );
  const receipt = openReceiptOf(call.books);
  const groups = receipt?.groups.filter((sum) => sum !== 0).length ?? 0;
  if (amount !== undefined && groups > 1) throw refused("parameter");
  call.carryOut(
    takeSubtotal(call.memory.context(), {
      printed: printed === "1" || amount !== undefined || percent !== undefined,
      adjustment: adjustmentOf(percent, amount),
    }),
  );
  return ((openReceiptOf(call.books)?.totalMinor ?? 0) / 100).toFixed(2);
}

/** 35h: `type;change;amount`, with a star or the kind of change behind; a quote pays the rest. */
export function takePayment(call: Call): Answer {
  const [type, change, quote, amount] = call.match(
    /^(\d{1,2});([01]);(?:(")|([\d.]{1,10})(?:\*|;[012])?)$/,
  );
  const tender = call.model.tenders[Number(type)];
  if (tender === undefined) throw refused("parameter");
  const amountMinor = quote === undefined ? readAmount(amount) : undefined;
  const receipt = openReceiptOf(call.books);
  const rest = receipt ? restMinor(receipt) : 0;
  if (amountMinor === 0) throw refused("zero_total");
  // "No change" means that the device gives none.
  if (receipt && change === "1" && (amountMinor ?? 0) > rest && rest > 0) {
    throw refused("payment_forbidden");
  }
  call.carryOut(pay(call.memory.context(), { tender, amountMinor }));
  return undefined;
}

/** 36h: pays the rest in cash and closes. */
export function closeInCash(call: Call): Answer {
  call.expectNoData();
  call.carryOut(pay(call.memory.context(), { tender: "cash", amountMinor: undefined }));
  call.carryOut(closeReceipt(call.memory.context()));
  return undefined;
}

/** 37h: a text line of the receipt or of the slip that is open. */
export function text(call: Call): Answer {
  const width = call.model.layout.columns - TEXT_MARGIN;
  if (call.text === "" || call.text.length > width) throw refused("syntax");
  const context = call.memory.context();
  const isSlip = call.books.open?.open === "service";
  call.carryOut(isSlip ? addServiceLine(context, call.text) : addText(context, call.text));
  return undefined;
}

/** 38h. */
export function close(call: Call): Answer {
  call.expectNoData();
  call.carryOut(closeReceipt(call.memory.context()));
  return undefined;
}

/** 39h: a receipt that holds a payment is not cancelled but paid in cash and closed. */
export function cancel(call: Call): Answer {
  call.expectNoData();
  const receipt = openReceiptOf(call.books);
  if (!receipt?.paymentStarted) {
    call.carryOut(cancelReceipt(call.memory.context()));
    return undefined;
  }
  return restMinor(receipt) > 0 ? closeInCash(call) : close(call);
}
