/**
 * Service, programming and reading commands of the devices with short frames.
 * Sources: Datecs FP-800/FP-2000 protocol manual 1.00BG (P), DP-25/DP-35 protocol manual 2.04BG
 * (C); the old Romanian DP-25 after frames of its maker's own software.
 */

import { formatMinor } from "#core/money.ts";
import { noAmounts } from "../../simulator/books/books.ts";
import {
  addServiceLine,
  closeDay,
  closeServiceText,
  moveCash,
  openServiceText,
  printDuplicate,
  printReport,
  setClock,
  setOperator,
  setVat,
} from "../../simulator/books/service-rules.ts";
import { parseDashedClock } from "./clock-text.ts";
import { type DeviceCommand, Refused, refused } from "./device-command.ts";
import { commaFields, parseMoney } from "./fields.ts";
import { cashText, digits } from "./short-answer.ts";
import { formOf, plainText } from "./short-receipt.ts";

const LINE_CHARACTERS_MAX = 48;
const OPERATOR_NAME_CHARACTERS = 24;

function documents(command: DeviceCommand): string {
  return digits(command.books.day.documentCount, 4);
}

/** 38. */
export function openServiceShort(command: DeviceCommand): string {
  command.expectNoData();
  command.carryOut(openServiceText(command.memory.context()));
  return documents(command);
}

/** 42. */
export function serviceLineShort(command: DeviceCommand): string {
  command.carryOut(addServiceLine(command.memory.context(), plainText(command), formOf(command)));
  return "";
}

/** 39. */
export function closeServiceShort(command: DeviceCommand): string {
  command.expectNoData();
  command.carryOut(closeServiceText(command.memory.context()));
  return documents(command);
}

/** 69: `2` X report, `0` or nothing Z report, `N` behind it keeps the operators' registers. */
export function reportShort(command: DeviceCommand): string {
  const match = /^([02]?)N?$/.exec(command.text);
  if (!match) throw refused("syntax");
  const closes = match[1] !== "2";
  const context = command.memory.context();
  command.carryOut(closes ? closeDay(context) : printReport(context, "x_report"));
  const { day, zNumber, zRecords, turnoverMinor } = command.books;
  const sales = (closes ? zRecords[zNumber - 1]?.sales : day.sales) ?? noAmounts();
  const sums = [turnoverMinor, ...sales].map((sum) => digits(sum, 11));
  return [digits(closes ? zNumber : zNumber + 1, 4), ...sums].join(",");
}

/** 70: a signed amount; `0` or nothing only asks. */
export function cashShort(command: DeviceCommand): string {
  const amount = command.text === "" ? 0 : parseMoney(command.text);
  if (amount === undefined) throw refused("syntax");
  if (amount !== 0) {
    const data = ["F", ...[0, 0, 0].map((sum) => cashText(command, sum))].join(",");
    command.carryOut(moveCash(command.memory.context(), amount), { data, bits: false });
  }
  const { cashMinor, day } = command.books;
  const sums = [cashMinor, day.cashInMinor, day.cashOutMinor];
  return ["P", ...sums.map((sum) => cashText(command, sum))].join(",");
}

/** 106: `[ms]`. */
export function drawerShort(command: DeviceCommand): string {
  const { least, most } = command.model.drawerMs;
  const ms = Number(command.text);
  if (command.text !== "" && !(/^\d{1,3}$/.test(command.text) && ms >= least && ms <= most)) {
    throw refused("syntax");
  }
  return "";
}

/** 61: `DD-MM-YY hh:mm:ss`. */
export function setClockShort(command: DeviceCommand): string {
  const moment = parseDashedClock(command.text);
  if (!moment || moment.summerTime) throw refused("syntax");
  command.carryOut(setClock(command.memory.context(), moment.at, false));
  return "";
}

/** 109: `1`, the only number of copies there is. */
export function duplicateShort(command: DeviceCommand): string {
  if (command.text !== "1") throw refused("syntax");
  command.carryOut(printDuplicate(command.memory.context()));
  return "";
}

/** 71: a test page. */
export function diagnosticShort(command: DeviceCommand): string {
  command.carryOut(printReport(command.memory.context(), "diagnostic"));
  return "";
}

/** 83: `Mult,Dec,Cur,Enabled,A,...`; no data reads. */
export function vatShort(command: DeviceCommand): string {
  const { vat } = command.books;
  if (command.text === "") {
    const enabled = vat.map((group) => (group.enabled ? "1" : "0")).join("");
    const rates = vat.map((group) => formatMinor(group.rateBasisPoints));
    return ["0", "2", command.model.currency, enabled, ...rates].join(",");
  }
  const fields = commaFields(command.text, { least: 5, most: 4 + vat.length });
  fields.integer(0, { least: 0, most: 3 });
  fields.integer(1, { least: 0, most: 2 });
  const enabled = fields.text(3);
  if (!/^[01]{8}$/.test(enabled)) fields.fail(3);
  const rates = vat.map((group, index) => {
    if (fields.count <= 4 + index) return { ...group, enabled: enabled[index] === "1" };
    const rateBasisPoints = fields.money(4 + index);
    if (rateBasisPoints < 0 || rateBasisPoints >= 10_000) fields.fail(4 + index);
    return { rateBasisPoints, enabled: enabled[index] === "1" };
  });
  command.carryOut(setVat(command.memory.context(), rates));
  return "";
}

/** 43: `<item><text>` sets, `I<item>` reads; the footer follows the header. `L0`, `L1`: logo. */
export function headerShort(command: DeviceCommand): string {
  const { text, books, memory } = command;
  const read = /^I([0-9L])$/.exec(text);
  if (read) {
    if (read[1] === "L") return books.settings.LogoPrint ?? "1";
    const { place, index } = lineAt(command, Number(read[1]));
    return books[place][index] ?? "";
  }
  const logo = /^L([01])(?:,\d{1,3})?$/.exec(text);
  if (logo) {
    memory.commit({ entry: "setting", name: "LogoPrint", value: logo[1] ?? "1" });
    return "";
  }
  if (!/^[0-9]/.test(text)) throw refused("syntax");
  const { place, index } = lineAt(command, Number(text[0]));
  const line = text.slice(1, 1 + LINE_CHARACTERS_MAX);
  memory.commit({ entry: "line_set", place, index, text: line });
  return "";
}

function lineAt(
  { books }: DeviceCommand,
  item: number,
): { place: "header" | "footer"; index: number } {
  const headers = books.header.length;
  if (item >= headers + books.footer.length) throw refused("syntax");
  return item < headers
    ? { place: "header", index: item }
    : { place: "footer", index: item - headers };
}

/** 102: `Op,Pwd,Name`. */
export function operatorNameShort(command: DeviceCommand): string {
  const match = /^(\d{1,2}),(\d{1,8}),(.+)$/.exec(command.text);
  if (!match) throw refused("syntax");
  const name = (match[3] ?? "").slice(0, OPERATOR_NAME_CHARACTERS);
  return changeOperator(command, match, { name });
}

/** 101: `Op,Old,New`. */
export function operatorPasswordShort(command: DeviceCommand): string {
  const match = /^(\d{1,2}),(\d{1,8}),(\d{1,8})$/.exec(command.text);
  const password = match?.[3];
  const { least, most } = command.model.passwordDigits;
  if (!match || !password || password.length < least || password.length > most) {
    throw refused("syntax");
  }
  return changeOperator(command, match, { password });
}

function changeOperator(
  command: DeviceCommand,
  match: RegExpExecArray,
  change: { readonly name: string } | { readonly password: string },
): string {
  const [, operator, password = ""] = match;
  command.carryOut(
    setOperator(command.memory.context(), { operator: Number(operator), password, change }),
  );
  return "";
}

function sameDots(before = "", after: string): boolean {
  const width = Math.max(before.length, after.length);
  return before.padEnd(width, "0") === after.toLowerCase().padEnd(width, "0");
}

/** 115: `Row,Hex`, one row of the logo. */
export function logoShort(command: DeviceCommand): string {
  const match = /^(\d{1,3}),((?:[0-9A-Fa-f]{2})+)$/.exec(command.text);
  const { rows, rowBytes } = command.model.logo;
  if (!match || Number(match[1]) >= rows) throw refused("syntax");
  const dots = match[2] ?? "";
  if (dots.length > 2 * rowBytes) throw new Refused({ refused: "overflow" });
  const row = Number(match[1]);
  // Most rows are written as they are already, and the state file need not grow by those.
  if (!sameDots(command.books.logo?.[row], dots)) {
    command.memory.commit({ entry: "logo_row", row, dots: dots.toLowerCase() });
  }
  return "";
}
