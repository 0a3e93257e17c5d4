/**
 * Commands that move paper or print what the fiscal memory holds.
 * Sources: Datecs FP-700X protocol manual 2.02 (X), FP-800/FP-2000 protocol manual 1.00BG (P),
 * DP-25/DP-35 protocol manual 2.04BG (C), and those named in `makers.ts`.
 */

import { refuseUnprintable } from "../../simulator/books/rules.ts";
import { printMemory } from "../../simulator/books/service-rules.ts";
import { parseCompactClock } from "./clock-text.ts";
import { type DeviceCommand, Refused, refused } from "./device-command.ts";
import { tabbedFields } from "./fields.ts";
import { ok } from "./long-answer.ts";

const FEED = { least: 1, most: 99 };

/** 44 on X: `[Lines]`, 1 when it is empty. */
export function feedLong(command: DeviceCommand): string {
  const fields = tabbedFields(command, { least: 0, most: 1 });
  if (fields.text(0) !== "") fields.integer(0, FEED);
  feed(command);
  return ok();
}

/** 44: `[Lines]`; how many at once the model says. */
export function feedShort(command: DeviceCommand): string {
  const { text, model } = command;
  const lines = text === "" ? 1 : Number(/^\d{1,2}$/.exec(text)?.[0] ?? Number.NaN);
  if (!(lines >= 1 && lines <= model.feedLinesMax)) throw refused("syntax");
  feed(command);
  return "";
}

/** Blank paper is nothing that the books hold, but it takes paper. */
function feed({ books, memory }: DeviceCommand): void {
  const refusal = refuseUnprintable(books, memory.model);
  if (refusal) throw new Refused(refusal);
}

/** 79: `Start,End` as DDMMYY. */
export function memoryReport(command: DeviceCommand): string {
  const match = /^(\d{6}),(\d{6})$/.exec(command.text);
  if (!match) throw refused("syntax");
  return printPeriod(command, startOf(match[1] ?? ""), endOf(match[2] ?? ""));
}

/** 79 on P, C and ED: the same, or a month as MMYY, or a year as YY. */
export function memoryReportOrMonth(command: DeviceCommand): string {
  const match = /^(\d\d)?(\d\d)$/.exec(command.text);
  if (!match) return memoryReport(command);
  const [, month, year = ""] = match;
  const first = startOf(`01${month ?? "01"}${year}`);
  const last = new Date(startOf(`01${month ?? "12"}${year}`));
  return printPeriod(command, first, last.setUTCMonth(last.getUTCMonth() + 1) - 1);
}

function startOf(day: string): number {
  return parseCompactClock(`${day}000000`) ?? fail();
}

function endOf(day: string): number {
  return (parseCompactClock(`${day}235959`) ?? fail()) + 999;
}

function fail(): never {
  throw refused("syntax");
}

function printPeriod(command: DeviceCommand, from: number, to: number): string {
  if (from > to) throw refused("syntax");
  command.carryOut(printMemory(command.memory.context(), { from, to }));
  return "";
}
