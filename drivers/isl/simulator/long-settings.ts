/**
 * Command 255 of the X devices: named parameters, read with an empty value and set with another.
 * Source: Datecs FP-700X protocol manual 2.02.
 */

import { formatMinor } from "#core/money.ts";
import { isDayOver } from "../../simulator/books/books.ts";
import { type Call, refused } from "./call.ts";
import { type Fields, tabbedFields } from "./fields.ts";
import { lastReceiptOfKind } from "./journal.ts";
import { ok } from "./long-answer.ts";

interface Parameter {
  readonly read: (call: Call, fields: Fields) => string;
  /** Absent for what only the device itself sets. */
  readonly write?: (call: Call, fields: Fields) => void;
}

const OPERATOR_NAME_CHARACTERS = 32;
const VALUE_CHARACTERS_MAX = 72;

const PARAMETERS: Readonly<Record<string, Parameter>> = {
  Header: line("header"),
  Footer: line("footer"),
  OperName: {
    read: (call, fields) => operatorAt(call, fields).name,
    write: (call, fields) => {
      operatorAt(call, fields);
      const name = fields.text(2).slice(0, OPERATOR_NAME_CHARACTERS);
      call.memory.commit({ entry: "operator_set", operator: Number(fields.text(1)), name });
    },
  },
  // Passwords are shown and set without the old one only with the service jumper in place.
  OperPasw: {
    read: () => {
      throw refused("needs_service_jumper");
    },
    write: () => {
      throw refused("needs_service_jumper");
    },
  },
  valVat: { read: (call, fields) => vatAt(call, fields) },
  PrintColumns: { read: ({ model }) => String(model.layout.columns) },
  DFR_needed: {
    read: ({ books, memory }) => (isDayOver(books, memory.clock()) ? "1" : "0"),
  },
  nZreport: { read: ({ books }) => String(books.zNumber + 1) },
  nBon: { read: ({ books }) => String(books.documentNumber) },
  UNP: { read: (call) => lastReceiptOfKind(call, "sale")?.uniqueSaleNumber ?? "" },
  StornoUNP: { read: (call) => lastReceiptOfKind(call, "storno")?.uniqueSaleNumber ?? "" },
  IDnumber: { read: ({ model }) => model.identity.serialNumber },
  FMnumber: { read: ({ model }) => model.identity.fiscalMemory },
  TAXnumber: { read: ({ model }) => model.identity.taxId },
  LogoPrint: setting("1", /^[01]$/),
  LANport_fpCommands: setting("3999", /^\d{1,5}$/),
  AutoPowerOff: setting("0", /^\d{1,3}$/),
  DrawerOpen: setting("1", /^[01]$/),
};

/** 255: `Name Index Value`. */
export function parameterLong(call: Call): string {
  const fields = tabbedFields(call, { least: 3, most: 3 });
  const name = fields.text(0);
  const parameter = Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name] : undefined;
  if (!parameter) throw refused("parameter", 1);
  if (fields.text(2) === "") return ok(parameter.read(call, fields));
  if (!parameter.write) throw refused("parameter", 3);
  parameter.write(call, fields);
  return ok();
}

function line(place: "header" | "footer"): Parameter {
  const indexIn = (call: Call, fields: Fields) =>
    fields.integer(1, { least: 0, most: call.books[place].length - 1 });
  return {
    read: (call, fields) => call.books[place][indexIn(call, fields)] ?? "",
    write: (call, fields) => {
      const index = indexIn(call, fields);
      const text = fields.text(2).slice(0, VALUE_CHARACTERS_MAX);
      call.memory.commit({ entry: "line_set", place, index, text });
    },
  };
}

function setting(otherwise: string, form: RegExp): Parameter {
  return {
    read: ({ books }, fields) => books.settings[fields.text(0)] ?? otherwise,
    write: ({ memory }, fields) => {
      const value = fields.text(2);
      if (!form.test(value)) fields.fail(2);
      memory.commit({ entry: "setting", name: fields.text(0), value });
    },
  };
}

function operatorAt({ books }: Call, fields: Fields) {
  const number = fields.integer(1, { least: 1, most: books.operators.length });
  return books.operators[number - 1] ?? fields.fail(1);
}

function vatAt({ books }: Call, fields: Fields): string {
  const number = fields.integer(1, { least: 1, most: books.vat.length });
  return formatMinor(books.vat[number - 1]?.rateBasisPoints ?? 0);
}
