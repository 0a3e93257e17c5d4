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
import { type Call, carryOut, commit, Refused, refused } from "./call.ts";
import { ERROR } from "./refusal-bytes.ts";
import { DATE_TO_CONFIRM, isDayOpen, X_REPORTS } from "./status.ts";

const DAY_MS = 86_400_000;
const NOTHING: number[] = [];
const CENTURY = 2000;

/** 40h. */
export function xReport(call: Call): number[] {
  call.parameters.end();
  carryOut(call, printReport(call.memory.context(), "x_report"));
  const count = Number(call.memory.books.settings[X_REPORTS] ?? 0) + 1;
  commit(call, { entry: "setting", name: X_REPORTS, value: String(count) });
  return NOTHING;
}

/** 41h: there must be a day to close. */
export function zReport(call: Call): number[] {
  call.parameters.end();
  if (!call.memory.books.open && !isDayOpen(call.memory.books)) throw new Refused(ERROR.wrongMode);
  carryOut(call, closeDay(call.memory.context()));
  return NOTHING;
}

/** 50h and 51h answer with the number of the document. */
export function cash(call: Call, sign: 1 | -1): number[] {
  const amountMinor = call.parameters.integer(5);
  call.parameters.end();
  if (amountMinor === 0) throw refused("parameter");
  carryOut(call, moveCash(call.memory.context(), sign * amountMinor));
  return number(call.memory.books.documentNumber % 10_000, 2);
}

/** 8Ch. */
export function repeatDocument(call: Call): number[] {
  call.parameters.end();
  carryOut(call, printDuplicate(call.memory.context()));
  return NOTHING;
}

/** E2h. */
export function openText(call: Call): number[] {
  call.parameters.end();
  carryOut(call, openServiceText(call.memory.context()));
  return NOTHING;
}

/** E3h. */
export function closeText(call: Call): number[] {
  call.parameters.end();
  carryOut(call, closeServiceText(call.memory.context()));
  return NOTHING;
}

/** 25h: what hangs out loose becomes a document of its own. */
export function cut(call: Call): number[] {
  const { memory, volatile } = call;
  if (call.parameters.integer(1) > 1) throw refused("parameter");
  call.parameters.end();
  if (memory.books.open || volatile.loose.length === 0) return NOTHING;
  carryOut(call, openServiceText(memory.context()));
  for (const line of volatile.loose) {
    commit(call, {
      entry: "service_line",
      ...(typeof line === "string" ? { text: line } : line),
    });
  }
  volatile.loose = [];
  carryOut(call, closeServiceText(memory.context()));
  return NOTHING;
}

/** B0h. */
export function proceed(call: Call): number[] {
  call.parameters.end();
  if (call.memory.books.conditions.paper === "out") throw refused("paper_out");
  call.volatile.unfinished = false;
  return NOTHING;
}

/** 21h. */
export function setTime(call: Call): number[] {
  const [hour = 0, minute = 0, second = 0] = call.parameters.bytes(3);
  call.parameters.end();
  if (hour > 23 || minute > 59 || second > 59) throw refused("parameter");
  refuseOpenDay(call);
  const { at } = call.memory.context();
  const ofDay = ((hour * 60 + minute) * 60 + second) * 1000;
  carryOut(call, setClock(call.memory.context(), at - (at % DAY_MS) + ofDay, false));
  return NOTHING;
}

/** 22h: the date waits to be confirmed. */
export function setDate(call: Call): number[] {
  const value = dateOf(call);
  refuseOpenDay(call);
  commit(call, { entry: "setting", name: DATE_TO_CONFIRM, value });
  return NOTHING;
}

/** 23h: the same date once more, or after a loss of the clock, the right one. */
export function confirmDate(call: Call): number[] {
  const value = dateOf(call);
  const { settings } = call.memory.books;
  const waiting = settings[DATE_TO_CONFIRM] ?? "";
  if (waiting !== "" && waiting !== value) throw new Refused(ERROR.datesDiffer);
  const { at } = call.memory.context();
  carryOut(call, setClock(call.memory.context(), Date.parse(value) + (at % DAY_MS), false));
  commit(call, { entry: "setting", name: DATE_TO_CONFIRM, value: "" });
  return NOTHING;
}

function dateOf({ parameters }: Call): string {
  const [day = 0, month = 0, year = 0] = parameters.bytes(3);
  parameters.end();
  const date = new Date(Date.UTC(CENTURY + year, month - 1, day));
  if (date.getUTCDate() !== day || date.getUTCMonth() !== month - 1) throw refused("parameter");
  return date.toISOString().slice(0, 10);
}

function refuseOpenDay({ memory }: Call): void {
  if (memory.books.open || isDayOpen(memory.books)) throw new Refused(ERROR.wrongMode);
}

/** FCh. */
export function deviceType({ model }: Call): number[] {
  const { name, model: id } = model.identity;
  return [0, 0, 1, 4, id, 0, ...text(name)];
}

/** F7h with 1: what the model can do, as bits, and a few numbers. */
export function modelParameters(call: Call): number[] {
  if (call.parameters.integer(1) !== 1) throw refused("parameter");
  const { sensors, has, print } = call.model;
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
export function font(call: Call): number[] {
  if (call.parameters.integer(1) !== 1) throw refused("parameter");
  const { dots, characterDots } = call.model.print;
  return [...number(dots, 2), characterDots, 24, 1];
}

/** C0h: a line of the logo. The model tells that the lowest bit is the leftmost dot. */
export function logoLine(call: Call): number[] {
  const line = call.parameters.integer(1);
  const dots = call.parameters.bytes(40);
  call.parameters.end();
  if (line < 1 || line > 200) throw refused("parameter");
  const isBlank = dots.every((byte) => byte === 0);
  const value = isBlank ? "" : Buffer.from(dots.map(mirrored)).toString("hex");
  if ((call.memory.books.logo?.[line - 1] ?? "") === value) return NOTHING;
  commit(call, { entry: "logo_row", row: line - 1, dots: value });
  return NOTHING;
}

/** The bits of a byte in the opposite order. */
function mirrored(byte: number): number {
  let result = 0;
  for (let bit = 0; bit < 8; bit += 1) result |= ((byte >> bit) & 1) << (7 - bit);
  return result;
}
