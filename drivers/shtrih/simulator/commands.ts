/** The commands of the simulated device by their code. */

import { number } from "./answer.ts";
import { type DeviceCommand, refused } from "./device-command.ts";
import type { ShtrihModel } from "./model.ts";
import {
  adjust,
  cancel,
  close,
  eanCode,
  item,
  open,
  subtotal,
  textLine,
  wideLine,
} from "./receipt.ts";
import {
  beep,
  cash,
  closeText,
  confirmDate,
  cut,
  deviceType,
  feed,
  font,
  logoLine,
  modelParameters,
  openDrawer,
  openText,
  proceed,
  repeatDocument,
  setDate,
  setTime,
  xReport,
  zReport,
} from "./service.ts";
import { countRegister, fullStatus, moneyRegister, shortStatus } from "./status.ts";
import { fieldStructure, readTable, tableStructure, writeTable } from "./tables.ts";

export interface CommandRow {
  /** Whose password it takes. */
  readonly password: "none" | "operator" | "administrator";
  /** Refused without paper. */
  readonly prints: boolean;
  /** It ends a document or a report, which is then printed for a while. */
  readonly ends?: "document" | "report";
  /** True when the operator's number comes before the data. */
  readonly tellsOperator: boolean;
  /** The data of the answer. @throws Refused */
  readonly run: (command: DeviceCommand) => readonly number[];
  /** What a model must have for it. */
  readonly needs?: keyof ShtrihModel["has"];
}

type Run = CommandRow["run"];

function reads(run: Run): CommandRow {
  return { password: "operator", prints: false, tellsOperator: true, run };
}
function prints(run: Run): CommandRow {
  return { password: "operator", prints: true, tellsOperator: true, run };
}
function service(run: Run): CommandRow {
  return { password: "administrator", prints: false, tellsOperator: false, run };
}
function free(run: Run): CommandRow {
  return { password: "none", prints: false, tellsOperator: false, run };
}

function status({ memory, model, volatile, parameters }: DeviceCommand, of: typeof fullStatus) {
  parameters.end();
  return of(memory, model, volatile);
}

function register(command: DeviceCommand, of: typeof countRegister, size: number): number[] {
  const value = of(command.memory.books, command.parameters.integer(1));
  command.parameters.end();
  if (value === undefined) throw refused("parameter");
  return number(value, size);
}

export const COMMANDS: ReadonlyMap<number, CommandRow> = new Map<number, CommandRow>([
  [0x10, reads((command) => status(command, shortStatus))],
  [0x11, reads((command) => status(command, fullStatus))],
  [0x12, prints(wideLine)],
  [0x13, reads(beep)],
  [0x17, prints(textLine)],
  [0x1a, reads((command) => register(command, moneyRegister, 6))],
  [0x1b, reads((command) => register(command, countRegister, 2))],
  [0x1e, service(writeTable)],
  [0x1f, service(readTable)],
  [0x21, service(setTime)],
  [0x22, service(setDate)],
  [0x23, service(confirmDate)],
  [0x25, prints(cut)],
  [0x26, service(font)],
  [0x28, reads(openDrawer)],
  [0x29, prints(feed)],
  [0x2d, service(tableStructure)],
  [0x2e, service(fieldStructure)],
  [0x40, { ...prints(xReport), password: "administrator", ends: "report" }],
  [0x41, { ...prints(zReport), password: "administrator", ends: "report" }],
  [0x50, { ...prints((command) => cash(command, 1)), ends: "document" }],
  [0x51, { ...prints((command) => cash(command, -1)), ends: "document" }],
  [0x80, prints((command) => item(command, "sale"))],
  [0x82, prints((command) => item(command, "storno"))],
  [0x84, prints((command) => item(command, "correction"))],
  [0x85, { ...prints(close), ends: "document" }],
  [0x86, prints((command) => adjust(command, -1))],
  [0x87, prints((command) => adjust(command, 1))],
  [0x88, { ...reads(cancel), ends: "document" }],
  [0x89, reads(subtotal)],
  [0x8c, { ...prints(repeatDocument), ends: "document" }],
  [0x8d, { ...prints(open), needs: "opening" }],
  [0xb0, reads(proceed)],
  [0xc2, prints(eanCode)],
  [0xc0, { ...reads(logoLine), needs: "logo" }],
  [0xe2, { ...prints(openText), needs: "textDocument" }],
  [0xe3, { ...reads(closeText), ends: "document", needs: "textDocument" }],
  [0xf7, { ...free(modelParameters), needs: "parameters" }],
  [0xfc, free(deviceType)],
]);
