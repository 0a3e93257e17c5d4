/**
 * Programming: header lines and VAT rates.
 * Source: CUSTOM protocol manual for fiscal devices, rev. 6.00.
 */

import type { VatGroup } from "../../simulator/books/books.ts";
import { refuseOpenDocument } from "../../simulator/books/rules.ts";
import { setVat } from "../../simulator/books/service-rules.ts";
import { carryOut, type DeviceCommand, Refused, refused, zeroFilled } from "./device-command.ts";
import { refuseUnejected } from "./document.ts";
import { ERROR } from "./error-codes.ts";
import { PITCHES } from "./letters.ts";

const HEADER_TEXT_MAX = 44;
const VAT_NAME_MAX = 25;
const MAIN_RATES = 5;

/** 6302: `line1 type1 LL text`; counts once it is stored. */
export function setHeaderLine(command: DeviceCommand): string {
  const line = command.fields.number(1);
  command.fields.choice(PITCHES);
  const text = command.fields.text({ least: 1, most: HEADER_TEXT_MAX });
  command.fields.end();
  if (command.memory.books.header[line - 1] === undefined) throw new Refused(ERROR.value);
  command.volatile.header.set(line, text);
  return "";
}

/** 6303: `1` stores the header lines in the fiscal memory. */
export function storeHeader(command: DeviceCommand): string {
  command.fields.choice(["1"]);
  command.fields.end();
  refuseOpen(command);
  const { memory, volatile } = command;
  for (const [line, text] of volatile.header) {
    memory.commit({ entry: "line_set", place: "header", index: line - 1, text });
  }
  volatile.header.clear();
  return "";
}

function refuseOpen(command: DeviceCommand): void {
  refuseUnejected(command);
  const refusal = refuseOpenDocument(command.memory.books);
  if (refusal) throw refused(refusal.refused, command.model);
}

/** 7112: `id2` gives `id2 rate4 exempt1 programmed1 name25`. */
export function vatId(command: DeviceCommand): string {
  const id = vatIdOf(command);
  command.fields.end();
  const { vat, settings } = command.memory.books;
  const group = vat[id - 1];
  const exempt = settings[`vatExempt${id}`] ?? (group?.rateBasisPoints === 0 ? "1" : "0");
  const programmed = group?.enabled ? "1" : "0";
  const name = (settings[`vatName${id}`] ?? "").padEnd(VAT_NAME_MAX);
  return `${zeroFilled(id, 2)}${zeroFilled(group?.rateBasisPoints ?? 0, 4)}${exempt}${programmed}${name}`;
}

/** 7113: `id2 rate4 exempt1 LL name`. */
export function setVatId(command: DeviceCommand): string {
  const { fields, memory } = command;
  const id = vatIdOf(command);
  const rateBasisPoints = fields.number(4);
  const exempt = fields.choice(["0", "1"]);
  const name = fields.text({ most: VAT_NAME_MAX });
  fields.end();
  if (exempt === "1" && rateBasisPoints !== 0) throw new Refused(ERROR.value);
  setRates(command, new Map([[id, { rateBasisPoints, enabled: true }]]));
  memory.commit({ entry: "setting", name: `vatExempt${id}`, value: exempt });
  memory.commit({ entry: "setting", name: `vatName${id}`, value: name });
  return "";
}

/** 7013: the rates of A to E, four digits each. */
export function setMainRates(command: DeviceCommand): string {
  const rates = new Map<number, VatGroup>();
  for (let id = 1; id <= MAIN_RATES; id += 1) {
    rates.set(id, { rateBasisPoints: command.fields.number(4), enabled: true });
  }
  command.fields.end();
  setRates(command, rates);
  return "";
}

function setRates(command: DeviceCommand, rates: ReadonlyMap<number, VatGroup>): void {
  refuseUnejected(command);
  const { vat } = command.memory.books;
  carryOut(
    command,
    setVat(
      command.memory.context(),
      vat.map((group, index) => rates.get(index + 1) ?? group),
    ),
  );
}

function vatIdOf({ fields, memory }: DeviceCommand): number {
  const id = fields.number(2);
  if (id < 1 || id > memory.books.vat.length) throw new Refused(ERROR.value);
  return id;
}
