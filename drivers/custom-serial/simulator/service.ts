/**
 * Commands outside of receipts: reports, cash, clock, texts, duplicates, drawer.
 * Source: CUSTOM protocol manual for fiscal devices, rev. 6.00.
 */

import { isRefusal } from "../../simulator/books/refusal.ts";
import {
  addServiceLine,
  closeDay,
  closeServiceText,
  moveCash,
  openServiceText,
  printDuplicate,
  printReport,
  setClock,
} from "../../simulator/books/service-rules.ts";
import { parseDateTime } from "./clock-text.ts";
import { carryOut, type DeviceCommand, Refused, zeroFilled } from "./device-command.ts";
import { refuseUnejected, stageOf } from "./document.ts";
import { ERROR } from "./error-codes.ts";
import { formOf, PITCHES } from "./letters.ts";
import { showWaitingLogo } from "./logo.ts";
import { begun } from "./receipt.ts";

const LINE_MAX = 42;
const REPORT_TEXT_MAX = 44;
const REPORT_TYPES_MAX = 12;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** A date so far behind the last Z report must be confirmed twice. */
const SECOND_CONFIRMATION_MS = 2 * DAY_MS;

/** 2003: `{1 LL text}`. */
export function xReport(command: DeviceCommand): string {
  reportText(command);
  refuseUnejected(command);
  carryOut(command, printReport(command.memory.context(), "x_report"));
  begun(command);
  return "";
}

/** 2203: `type2`; all of them print the registers of the day. */
export function otherReport(command: DeviceCommand): string {
  const type = command.fields.number(2);
  if (type < 1 || type > REPORT_TYPES_MAX) throw new Refused(ERROR.value);
  return xReport(command);
}

/** 2002: `{1 LL text}`. */
export function zReport(command: DeviceCommand): string {
  reportText(command);
  refuseUnejected(command);
  carryOut(command, closeDay(command.memory.context()));
  showWaitingLogo(command);
  begun(command);
  return "";
}

function reportText({ fields }: DeviceCommand): void {
  if (!fields.isEnd) {
    fields.choice(["1"]);
    fields.text({ most: REPORT_TEXT_MAX });
  }
  fields.end();
}

/** 7106: `D` in, `P` out, `R` to read. */
export function cash(command: DeviceCommand): string {
  const { fields, memory, model } = command;
  const what = fields.choice(["D", "P", "R"]);
  const amountMinor = what === "R" && fields.isEnd ? 0 : fields.number(9);
  fields.end();
  if (what === "R") {
    if (!model.has.readCash) throw new Refused(ERROR.unknownCommand);
    return `+${zeroFilled(memory.books.cashMinor, 9)}`;
  }
  if (amountMinor === 0) throw new Refused(ERROR.amount);
  refuseUnejected(command);
  carryOut(command, moveCash(memory.context(), what === "D" ? amountMinor : -amountMinor));
  begun(command);
  return "";
}

/** 7008: `1` or `2`. */
export function openDrawer(command: DeviceCommand): string {
  command.fields.choice(["1", "2"]);
  command.fields.end();
  command.volatile.drawerOpen = true;
  return "";
}

/** 4001: `1`, then copies and amount: some devices want them, some take them. */
export function openText(command: DeviceCommand): string {
  const { fields, model } = command;
  fields.choice(["1"]);
  if (model.longTextOpening || !fields.isEnd) {
    fields.number(1);
    fields.number(9);
  }
  fields.end();
  refuseUnejected(command);
  carryOut(command, openServiceText(command.memory.context()));
  begun(command);
  return "";
}

/** 4002: the header, right behind the opening. */
export function textHeader(command: DeviceCommand): string {
  command.fields.end();
  const { open } = command.memory.books;
  const isFresh = open?.open === "service" && open.lines.length === 0;
  if (!isFresh || stageOf(command.memory.books) !== "text") throw new Refused(ERROR.notNow);
  return "";
}

/** 4003: `pitch1 LL text`. */
export function textLine(command: DeviceCommand): string {
  const pitch = command.fields.choice(PITCHES);
  const line = command.fields.text({ most: LINE_MAX });
  command.fields.end();
  if (stageOf(command.memory.books) !== "text") throw new Refused(ERROR.notNow);
  carryOut(command, addServiceLine(command.memory.context(), line, formOf(pitch)));
  return "";
}

/** 4004. */
export function closeText(command: DeviceCommand): string {
  command.fields.end();
  if (stageOf(command.memory.books) !== "text") throw new Refused(ERROR.notNow);
  carryOut(command, closeServiceText(command.memory.context()));
  return "";
}

/** 4007: the last receipt once more, as often as one likes; `R` without its prices. */
export function duplicate(command: DeviceCommand): string {
  const { fields, memory, model } = command;
  if (!fields.isEnd) {
    fields.choice(["R"]);
    if (!model.has.giftReceipt) throw new Refused(ERROR.value);
  }
  fields.end();
  refuseUnejected(command);
  const { books, at } = memory.context();
  const decision = printDuplicate(memory.context());
  if (isRefusal(decision) && decision.refused === "already_duplicated") {
    memory.commit({ entry: "printed", what: "duplicate", number: books.documentNumber + 1, at });
  } else {
    carryOut(command, decision);
  }
  begun(command);
  return "";
}

/**
 * 2001: `DDMMYYhhmm`. Another day than the device's own must be sent again to be confirmed.
 * @returns 0 when the clock is set, 1 and 2 when that is still to be confirmed
 */
export function setDateTime(command: DeviceCommand): string {
  const { memory, volatile } = command;
  const text = command.fields.take(10);
  command.fields.end();
  const given = parseDateTime(text);
  if (given === undefined) throw new Refused(ERROR.date);
  refuseUnejected(command);
  const { lastRecordAt } = memory.books;
  // The clock is set to whole minutes, and a record of this very minute is not in its future.
  const isThisMinute = given === lastRecordAt - (lastRecordAt % MINUTE_MS);
  const decision = setClock(memory.context(), isThisMinute ? lastRecordAt : given, false);
  const waiting = volatile.clock?.text === text ? volatile.clock : undefined;
  const open = waiting ? waiting.confirmations - 1 : confirmationsFor(command, given);
  if (isRefusal(decision) || open === 0) {
    volatile.clock = undefined;
    carryOut(command, decision);
    return "0";
  }
  volatile.clock = { text, confirmations: open };
  return waiting ? "2" : "1";
}

function confirmationsFor({ memory }: DeviceCommand, given: number): number {
  const isSameDay = Math.floor(given / DAY_MS) === Math.floor(memory.clock() / DAY_MS);
  if (isSameDay) return 0;
  const lastZ = memory.books.zRecords.at(-1)?.closedAt ?? given;
  return given - lastZ >= SECOND_CONFIRMATION_MS ? 2 : 1;
}
