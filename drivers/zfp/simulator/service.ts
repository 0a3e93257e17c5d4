/**
 * Commands of the simulated device outside receipts.
 * Source: Tremol protocol description, Bulgaria, rev. 1910211454.
 */

import { refuseOpenDocument, refuseOperator } from "../../simulator/books/rules.ts";
import {
  closeDay,
  closeServiceText,
  moveCash,
  openServiceText,
  printDuplicate,
  printReport,
  setClock,
} from "../../simulator/books/service-rules.ts";
import { type Answer, type Call, Refused, readAmount, readOperator, refused } from "./call.ts";
import { parseClock } from "./clock-text.ts";

const LINE_CHARACTERS = 48;

/** 2Ah. */
export function openDrawer(call: Call): Answer {
  call.expectNoData();
  return undefined;
}

/** 2Eh: `oper;pass{;0;print}`. */
export function openSlip(call: Call): Answer {
  const [operator, password] = call.match(/^(\d{1,2});([^;]{1,6})(?:;0;[01])?$/);
  checkOperator(call, operator, password);
  call.carryOut(openServiceText(call.memory.context()));
  return undefined;
}

/** 2Fh. */
export function closeSlip(call: Call): Answer {
  call.expectNoData();
  call.carryOut(closeServiceText(call.memory.context()));
  return undefined;
}

/** 3Ah. */
export function duplicate(call: Call): Answer {
  call.expectNoData();
  call.carryOut(printDuplicate(call.memory.context()));
  return undefined;
}

/** 3Bh: `oper;pass;0;amount{$avail}{;text}`; negative is out. */
export function cash(call: Call): Answer {
  const [operator, password, amount] = call.match(
    /^(\d{1,2});([^;]{1,6});0;([-+ ]?[\d.]{1,10})(?:\$[01])?(?:;.{0,34})?$/,
  );
  checkOperator(call, operator, password);
  const amountMinor = readAmount(amount);
  if (amountMinor === 0) throw refused("zero_total");
  call.carryOut(moveCash(call.memory.context(), amountMinor));
  return undefined;
}

function checkOperator(
  call: Call,
  operator: string | undefined,
  password: string | undefined,
): void {
  const given = readOperator(operator, password);
  const refusal = refuseOperator(call.books, given.operator, given.password);
  if (refusal) throw new Refused(refusal);
}

/** 48h: `DD-MM-YY HH:MM:SS`. */
export function clock(call: Call): Answer {
  const at = parseClock(call.text);
  if (at === undefined) throw refused("syntax");
  call.carryOut(setClock(call.memory.context(), at, false));
  return undefined;
}

/** 49h: `1..7;text` header, `8;text` footer. */
export function setLine(call: Call): Answer {
  const [line, text = ""] = call.match(/^([1-8]);(.*)$/);
  const index = Number(line) - 1;
  const headers = call.books.header.length;
  if (text.length > LINE_CHARACTERS) throw refused("syntax");
  call.memory.commit({
    entry: "line_set",
    place: index < headers ? "header" : "footer",
    index: index < headers ? index : index - headers,
    text,
  });
  return undefined;
}

/** 4Ah: `n;name20;pass6`, both padded with blanks. */
export function setOperator(call: Call): Answer {
  const [number, name = "", password = ""] = call.match(/^(\d{1,2});(.{20});(.{6})$/);
  const operator = Number(number);
  if (!call.books.operators[operator - 1]) throw refused("parameter");
  const refusal = refuseOpenDocument(call.books);
  if (refusal) throw new Refused(refusal);
  call.memory.commit({
    entry: "operator_set",
    operator,
    name: name.trimEnd(),
    password: password.trimEnd(),
  });
  return undefined;
}

/** 7Ch: `X` or `Z`. */
export function report(call: Call): Answer {
  const [kind] = call.match(/^([XZ])$/);
  const context = call.memory.context();
  call.carryOut(kind === "Z" ? closeDay(context) : printReport(context, "x_report"));
  return undefined;
}
