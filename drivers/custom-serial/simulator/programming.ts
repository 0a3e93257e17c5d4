/**
 * Programming: header lines and VAT rates.
 * Source: CUSTOM protocol manual for fiscal devices, rev. 6.00.
 */

import type { VatGroup } from "../../simulator/books/books.ts";
import { refuseOpenDocument } from "../../simulator/books/rules.ts";
import { setVat } from "../../simulator/books/service-rules.ts";
import { type Call, carryOut, Refused, refused, zeroFilled } from "./call.ts";
import { refuseUnejected } from "./document.ts";
import { ERROR } from "./error-codes.ts";
import { PITCHES } from "./letters.ts";

const HEADER_TEXT_MAX = 44;
const VAT_NAME_MAX = 25;
const MAIN_RATES = 5;

/** 6302: `line1 type1 LL text`; counts once it is stored. */
export function setHeaderLine(call: Call): string {
  const line = call.fields.number(1);
  call.fields.choice(PITCHES);
  const text = call.fields.text({ least: 1, most: HEADER_TEXT_MAX });
  call.fields.end();
  if (call.memory.books.header[line - 1] === undefined) throw new Refused(ERROR.value);
  call.volatile.header.set(line, text);
  return "";
}

/** 6303: `1` stores the header lines in the fiscal memory. */
export function storeHeader(call: Call): string {
  call.fields.choice(["1"]);
  call.fields.end();
  refuseOpen(call);
  const { memory, volatile } = call;
  for (const [line, text] of volatile.header) {
    memory.commit({ entry: "line_set", place: "header", index: line - 1, text });
  }
  volatile.header.clear();
  return "";
}

function refuseOpen(call: Call): void {
  refuseUnejected(call);
  const refusal = refuseOpenDocument(call.memory.books);
  if (refusal) throw refused(refusal.refused, call.model);
}

/** 7112: `id2` gives `id2 rate4 exempt1 programmed1 name25`. */
export function vatId(call: Call): string {
  const id = vatIdOf(call);
  call.fields.end();
  const { vat, settings } = call.memory.books;
  const group = vat[id - 1];
  const exempt = settings[`vatExempt${id}`] ?? (group?.rateBasisPoints === 0 ? "1" : "0");
  const programmed = group?.enabled ? "1" : "0";
  const name = (settings[`vatName${id}`] ?? "").padEnd(VAT_NAME_MAX);
  return `${zeroFilled(id, 2)}${zeroFilled(group?.rateBasisPoints ?? 0, 4)}${exempt}${programmed}${name}`;
}

/** 7113: `id2 rate4 exempt1 LL name`. */
export function setVatId(call: Call): string {
  const { fields, memory } = call;
  const id = vatIdOf(call);
  const rateBasisPoints = fields.number(4);
  const exempt = fields.choice(["0", "1"]);
  const name = fields.text({ most: VAT_NAME_MAX });
  fields.end();
  if (exempt === "1" && rateBasisPoints !== 0) throw new Refused(ERROR.value);
  setRates(call, new Map([[id, { rateBasisPoints, enabled: true }]]));
  memory.commit({ entry: "setting", name: `vatExempt${id}`, value: exempt });
  memory.commit({ entry: "setting", name: `vatName${id}`, value: name });
  return "";
}

/** 7013: the rates of A to E, four digits each. */
export function setMainRates(call: Call): string {
  const rates = new Map<number, VatGroup>();
  for (let id = 1; id <= MAIN_RATES; id += 1) {
    rates.set(id, { rateBasisPoints: call.fields.number(4), enabled: true });
  }
  call.fields.end();
  setRates(call, rates);
  return "";
}

function setRates(call: Call, rates: ReadonlyMap<number, VatGroup>): void {
  refuseUnejected(call);
  const { vat } = call.memory.books;
  carryOut(
    call,
    setVat(
      call.memory.context(),
      vat.map((group, index) => rates.get(index + 1) ?? group),
    ),
  );
}

function vatIdOf({ fields, memory }: Call): number {
  const id = fields.number(2);
  if (id < 1 || id > memory.books.vat.length) throw new Refused(ERROR.value);
  return id;
}
