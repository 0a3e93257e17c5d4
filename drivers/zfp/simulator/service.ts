/**
 * Commands of the simulated device outside receipts.
 * Source: Tremol protocol description, Bulgaria, rev. 1910211454.
 */

import {
  refuseOpenDocument,
  refuseOperator,
  refuseUnprintable,
} from "../../simulator/books/rules.ts";
import {
  closeDay,
  closeServiceText,
  moveCash,
  openServiceText,
  printDuplicate,
  printOperators,
  printReport,
  setClock,
  setVat,
} from "../../simulator/books/service-rules.ts";
import { parseClock } from "./clock-text.ts";
import {
  type Answer,
  type DeviceCommand,
  Refused,
  readAmount,
  readOperator,
  refused,
} from "./device-command.ts";

/** Behind a line of text and before it stands a `#`. */
const TEXT_MARGIN = 2;
const DISPLAY_CHARACTERS = 20;

/** 22h: a test page. */
export function diagnostics(command: DeviceCommand): Answer {
  command.expectNoData();
  command.carryOut(printReport(command.memory.context(), "diagnostic"));
  return undefined;
}

/** 24h, 28h: a display that is empty or shows the time is nothing that the books hold. */
export function showNothing(command: DeviceCommand): Answer {
  command.expectNoData();
  return undefined;
}

/** 25h, 26h: one line of the display, as wide as it is. */
export function showLine(command: DeviceCommand): Answer {
  if (command.text.length !== DISPLAY_CHARACTERS) throw refused("syntax");
  return undefined;
}

/** 27h: both lines. */
export function showLines(command: DeviceCommand): Answer {
  if (command.text.length !== 2 * DISPLAY_CHARACTERS) throw refused("syntax");
  return undefined;
}

/** 2Bh: a line of blank paper. */
export function feed(command: DeviceCommand): Answer {
  command.expectNoData();
  const refusal = refuseUnprintable(command.books, command.memory.model);
  if (refusal) throw new Refused(refusal);
  return undefined;
}

/** 2Ah. */
export function openDrawer(command: DeviceCommand): Answer {
  command.expectNoData();
  return undefined;
}

/** 2Eh: `oper;pass{;0;print}`. */
export function openSlip(command: DeviceCommand): Answer {
  const [operator, password] = command.match(/^(\d{1,2});([^;]{1,6})(?:;0;[01])?$/);
  checkOperator(command, operator, password);
  command.carryOut(openServiceText(command.memory.context()));
  return undefined;
}

/** 2Fh. */
export function closeSlip(command: DeviceCommand): Answer {
  command.expectNoData();
  command.carryOut(closeServiceText(command.memory.context()));
  return undefined;
}

/** 3Ah. */
export function duplicate(command: DeviceCommand): Answer {
  command.expectNoData();
  command.carryOut(printDuplicate(command.memory.context()));
  return undefined;
}

/** 3Bh: `oper;pass;0;amount{$avail}{;text}`; negative is out. */
export function cash(command: DeviceCommand): Answer {
  const [operator, password, amount, text = ""] = command.match(
    /^(\d{1,2});([^;]{1,6});0;([-+ ]?[\d.]{1,10})(?:\$[01])?(?:;(.*))?$/,
  );
  if (text.length > command.model.layout.columns - TEXT_MARGIN) throw refused("syntax");
  checkOperator(command, operator, password);
  const amountMinor = readAmount(amount);
  if (amountMinor === 0) throw refused("zero_total");
  command.carryOut(moveCash(command.memory.context(), amountMinor, text.trim()));
  return undefined;
}

function checkOperator(
  command: DeviceCommand,
  operator: string | undefined,
  password: string | undefined,
): void {
  const given = readOperator(operator, password);
  const refusal = refuseOperator(command.books, given.operator, given.password);
  if (refusal) throw new Refused(refusal);
}

/** 42h: `pass6;A;...;H`, each rate as `##.##`. Any password is that of the technician. */
export function setRates(command: DeviceCommand): Answer {
  const { vat } = command.books;
  const [, ...texts] = command.text.split(";");
  if (!/^\d{6}(?:;\d{2}\.\d{2})+$/.test(command.text) || texts.length !== vat.length) {
    throw refused("syntax");
  }
  const rates = vat.map((group, index) => ({
    ...group,
    rateBasisPoints: readAmount(texts[index]),
  }));
  command.carryOut(setVat(command.memory.context(), rates));
  return undefined;
}

/** 48h: `DD-MM-YY HH:MM:SS`, which the device prints. */
export function clock(command: DeviceCommand): Answer {
  const at = parseClock(command.text);
  if (at === undefined) throw refused("syntax");
  const refusal = refuseUnprintable(command.books, command.memory.model);
  if (refusal) throw new Refused(refusal);
  command.carryOut(setClock(command.memory.context(), at, false));
  return undefined;
}

/** 49h: `1..7;text` header, `8;text` footer, as long as a line of paper. */
export function setLine(command: DeviceCommand): Answer {
  const [line, text = ""] = command.match(/^([1-8]);(.*)$/);
  const index = Number(line) - 1;
  const headers = command.books.header.length;
  if (text.length > command.model.layout.columns) throw refused("syntax");
  command.memory.commit({
    entry: "line_set",
    place: index < headers ? "header" : "footer",
    index: index < headers ? index : index - headers,
    text,
  });
  return undefined;
}

/** 4Ah: `n;name20;pass6`, both padded with blanks. */
export function setOperator(command: DeviceCommand): Answer {
  const [number, name = "", password = ""] = command.match(/^(\d{1,2});(.{20});(.{6})$/);
  const operator = Number(number);
  if (!command.books.operators[operator - 1]) throw refused("parameter");
  const refusal = refuseOpenDocument(command.books);
  if (refusal) throw new Refused(refusal);
  command.memory.commit({
    entry: "operator_set",
    operator,
    name: name.trimEnd(),
    password: password.trimEnd(),
  });
  return undefined;
}

/** 7Ch: `X` or `Z`. */
export function report(command: DeviceCommand): Answer {
  const [kind] = command.match(/^([XZ])$/);
  const context = command.memory.context();
  command.carryOut(kind === "Z" ? closeDay(context) : printReport(context, "x_report"));
  return undefined;
}

/** 7Dh: `X` or `Z`, and an operator's number; 0 is all of them, and all that `Z` may name. */
export function operatorReport(command: DeviceCommand): Answer {
  const [kind, number] = command.match(/^([XZ]);(\d{1,2})$/);
  const operator = Number(number);
  const clears = kind === "Z";
  if (operator > command.books.operators.length || (clears && operator !== 0)) {
    throw refused("parameter");
  }
  const request = { operator: operator === 0 ? undefined : operator, clears };
  command.carryOut(printOperators(command.memory.context(), request));
  return undefined;
}
