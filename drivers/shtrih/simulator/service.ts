/** Commands of the simulated device outside of receipts: reports, cash, clock, tables, texts. */

import {
  closeDay,
  closeServiceText,
  moveCash,
  openServiceText,
  printDuplicate,
  printReport,
  setClock,
} from "../../simulator/books/service-rules.ts";
import { number, text } from "./answer.ts";
import { carryOut, commit, type DeviceCommand, Refused, refused } from "./device-command.ts";
import { ERROR } from "./refusal-bytes.ts";
import { DATE_TO_CONFIRM, isDayOpen, X_REPORTS } from "./status.ts";

const DAY_MS = 86_400_000;
const NOTHING: number[] = [];
const CENTURY = 2000;

/** 13h. */
export function beep({ parameters }: DeviceCommand): number[] {
  parameters.end();
  return NOTHING;
}

/** 28h: which drawer. */
export function openDrawer({ parameters }: DeviceCommand): number[] {
  if (parameters.integer(1) > 1) throw refused("parameter");
  parameters.end();
  return NOTHING;
}

/** 29h: on which paper, and how many lines. */
export function feed({ parameters }: DeviceCommand): number[] {
  parameters.bytes(2);
  parameters.end();
  return NOTHING;
}

/** 40h. */
export function xReport(command: DeviceCommand): number[] {
  command.parameters.end();
  carryOut(command, printReport(command.memory.context(), "x_report"));
  const count = Number(command.memory.books.settings[X_REPORTS] ?? 0) + 1;
  commit(command, { entry: "setting", name: X_REPORTS, value: String(count) });
  return NOTHING;
}

/** 41h: there must be a day to close. */
export function zReport(command: DeviceCommand): number[] {
  command.parameters.end();
  if (!command.memory.books.open && !isDayOpen(command.memory.books))
    throw new Refused(ERROR.wrongMode);
  carryOut(command, closeDay(command.memory.context()));
  return NOTHING;
}

/** 50h and 51h answer with the number of the document. */
export function cash(command: DeviceCommand, sign: 1 | -1): number[] {
  const amountMinor = command.parameters.integer(5);
  command.parameters.end();
  if (amountMinor === 0) throw refused("parameter");
  carryOut(command, moveCash(command.memory.context(), sign * amountMinor));
  return number(command.memory.books.documentNumber % 10_000, 2);
}

/** 8Ch. */
export function repeatDocument(command: DeviceCommand): number[] {
  command.parameters.end();
  carryOut(command, printDuplicate(command.memory.context()));
  return NOTHING;
}

/** E2h. */
export function openText(command: DeviceCommand): number[] {
  command.parameters.end();
  carryOut(command, openServiceText(command.memory.context()));
  return NOTHING;
}

/** E3h. */
export function closeText(command: DeviceCommand): number[] {
  command.parameters.end();
  carryOut(command, closeServiceText(command.memory.context()));
  return NOTHING;
}

/** 25h: what hangs out loose becomes a document of its own. */
export function cut(command: DeviceCommand): number[] {
  const { memory, volatile } = command;
  if (command.parameters.integer(1) > 1) throw refused("parameter");
  command.parameters.end();
  if (memory.books.open || volatile.loose.length === 0) return NOTHING;
  carryOut(command, openServiceText(memory.context()));
  for (const line of volatile.loose) {
    commit(command, {
      entry: "service_line",
      ...(typeof line === "string" ? { text: line } : line),
    });
  }
  volatile.loose = [];
  carryOut(command, closeServiceText(memory.context()));
  return NOTHING;
}

/** B0h. */
export function proceed(command: DeviceCommand): number[] {
  command.parameters.end();
  if (command.memory.books.conditions.paper === "out") throw refused("paper_out");
  command.volatile.unfinished = false;
  return NOTHING;
}

/** 21h. */
export function setTime(command: DeviceCommand): number[] {
  const [hour = 0, minute = 0, second = 0] = command.parameters.bytes(3);
  command.parameters.end();
  if (hour > 23 || minute > 59 || second > 59) throw refused("parameter");
  refuseOpenDay(command);
  const { at } = command.memory.context();
  const ofDay = ((hour * 60 + minute) * 60 + second) * 1000;
  carryOut(command, setClock(command.memory.context(), at - (at % DAY_MS) + ofDay, false));
  return NOTHING;
}

/** 22h: the date waits to be confirmed. */
export function setDate(command: DeviceCommand): number[] {
  const value = dateOf(command);
  refuseOpenDay(command);
  commit(command, { entry: "setting", name: DATE_TO_CONFIRM, value });
  return NOTHING;
}

/** 23h: the same date once more, or after a loss of the clock, the right one. */
export function confirmDate(command: DeviceCommand): number[] {
  const value = dateOf(command);
  const { settings } = command.memory.books;
  const waiting = settings[DATE_TO_CONFIRM] ?? "";
  if (waiting !== "" && waiting !== value) throw new Refused(ERROR.datesDiffer);
  const { at } = command.memory.context();
  carryOut(command, setClock(command.memory.context(), Date.parse(value) + (at % DAY_MS), false));
  commit(command, { entry: "setting", name: DATE_TO_CONFIRM, value: "" });
  return NOTHING;
}

function dateOf({ parameters }: DeviceCommand): string {
  const [day = 0, month = 0, year = 0] = parameters.bytes(3);
  parameters.end();
  const date = new Date(Date.UTC(CENTURY + year, month - 1, day));
  if (date.getUTCDate() !== day || date.getUTCMonth() !== month - 1) throw refused("parameter");
  return date.toISOString().slice(0, 10);
}

/** Refuses as well while a date waits to be confirmed: nothing else is taken until then. */
function refuseOpenDay({ memory }: DeviceCommand): void {
  const { books } = memory;
  const isWaiting = (books.settings[DATE_TO_CONFIRM] ?? "") !== "";
  if (isWaiting || books.open || isDayOpen(books)) throw new Refused(ERROR.wrongMode);
}

/** FCh. */
export function deviceType({ model, parameters }: DeviceCommand): number[] {
  parameters.end();
  const { name, model: id } = model.identity;
  return [0, 0, 1, 4, id, 0, ...text(name)];
}

/** F7h with 1: what the model can do, as bits, and a few numbers. */
export function modelParameters(command: DeviceCommand): number[] {
  if (command.parameters.integer(1) !== 1) throw refused("parameter");
  command.parameters.end();
  const { sensors, has, print } = command.model;
  const bits = [
    [1, sensors.paperLow],
    [3, true],
    [4, sensors.cover],
    [22, has.textDocument],
  ] as const;
  const sum = bits.reduce((flags, [bit, isOn]) => flags + (isOn ? 2 ** bit : 0), 0);
  const columns = Math.floor(print.dots / print.characterDots);
  return [...number(sum, 8), columns, Math.floor(columns / 2), 1, 12, 14, 0, 0];
}

/** 26h. */
export function font(command: DeviceCommand): number[] {
  if (command.parameters.integer(1) !== 1) throw refused("parameter");
  command.parameters.end();
  const { dots, characterDots } = command.model.print;
  return [...number(dots, 2), characterDots, 24, 1];
}

/** C0h: a line of the logo. The model tells that the lowest bit is the leftmost dot. */
export function logoLine(command: DeviceCommand): number[] {
  const line = command.parameters.integer(1);
  const dots = command.parameters.bytes(40);
  command.parameters.end();
  if (line < 1 || line > 200) throw refused("parameter");
  const isBlank = dots.every((byte) => byte === 0);
  const value = isBlank ? "" : Buffer.from(dots.map(mirrored)).toString("hex");
  if ((command.memory.books.logo?.[line - 1] ?? "") === value) return NOTHING;
  commit(command, { entry: "logo_row", row: line - 1, dots: value });
  return NOTHING;
}

/** The bits of a byte in the opposite order. */
function mirrored(byte: number): number {
  let result = 0;
  for (let bit = 0; bit < 8; bit += 1) result |= ((byte >> bit) & 1) << (7 - bit);
  return result;
}
