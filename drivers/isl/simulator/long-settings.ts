/**
 * Command 255 of the X devices: named parameters, read with an empty value and set with another.
 * Source: Datecs FP-700X protocol manual 2.02.
 */

import { formatMinor } from "#core/money.ts";
import { isDayOver } from "../../simulator/books/books.ts";
import { type DeviceCommand, refused } from "./device-command.ts";
import { type Fields, tabbedFields } from "./fields.ts";
import { lastReceiptOfKind } from "./journal.ts";
import { ok } from "./long-answer.ts";

interface Parameter {
  readonly read: (command: DeviceCommand, fields: Fields) => string;
  /** Absent for what only the device itself sets. */
  readonly write?: (command: DeviceCommand, fields: Fields) => void;
}

const OPERATOR_NAME_CHARACTERS = 32;
const VALUE_CHARACTERS_MAX = 72;

const PARAMETERS: Readonly<Record<string, Parameter>> = {
  Header: line("header"),
  Footer: line("footer"),
  OperName: {
    read: (command, fields) => operatorAt(command, fields).name,
    write: (command, fields) => {
      operatorAt(command, fields);
      const name = fields.text(2).slice(0, OPERATOR_NAME_CHARACTERS);
      command.memory.commit({ entry: "operator_set", operator: Number(fields.text(1)), name });
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
  valVat: { read: (command, fields) => vatAt(command, fields) },
  PrintColumns: { read: ({ model }) => String(model.layout.columns) },
  DFR_needed: {
    read: ({ books, memory }) => (isDayOver(books, memory.clock()) ? "1" : "0"),
  },
  nZreport: { read: ({ books }) => String(books.zNumber + 1) },
  nBon: { read: ({ books }) => String(books.documentNumber) },
  UNP: { read: (command) => lastReceiptOfKind(command, "sale")?.uniqueSaleNumber ?? "" },
  StornoUNP: { read: (command) => lastReceiptOfKind(command, "storno")?.uniqueSaleNumber ?? "" },
  IDnumber: { read: ({ model }) => model.identity.serialNumber },
  FMnumber: { read: ({ model }) => model.identity.fiscalMemory },
  TAXnumber: { read: ({ model }) => model.identity.taxId },
  LogoPrint: setting("1", /^[01]$/),
  LANport_fpCommands: setting("3999", /^\d{1,5}$/),
  HideSingleItemInfoOnSells: setting("0", /^[01]$/),
  AutoPowerOff: setting("0", /^\d{1,3}$/),
  DrawerOpen: setting("1", /^[01]$/),
};

/** 255: `Name Index Value`. */
export function parameterLong(command: DeviceCommand): string {
  const fields = tabbedFields(command, { least: 3, most: 3 });
  const name = fields.text(0);
  const parameter = Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name] : undefined;
  if (!parameter) throw refused("parameter", 1);
  if (fields.text(2) === "") return ok(parameter.read(command, fields));
  if (!parameter.write) throw refused("parameter", 3);
  parameter.write(command, fields);
  return ok();
}

function line(place: "header" | "footer"): Parameter {
  const indexIn = (command: DeviceCommand, fields: Fields) =>
    fields.integer(1, { least: 0, most: command.books[place].length - 1 });
  return {
    read: (command, fields) => command.books[place][indexIn(command, fields)] ?? "",
    write: (command, fields) => {
      const index = indexIn(command, fields);
      const text = fields.text(2).slice(0, VALUE_CHARACTERS_MAX);
      command.memory.commit({ entry: "line_set", place, index, text });
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

function operatorAt({ books }: DeviceCommand, fields: Fields) {
  const number = fields.integer(1, { least: 1, most: books.operators.length });
  return books.operators[number - 1] ?? fields.fail(1);
}

function vatAt({ books }: DeviceCommand, fields: Fields): string {
  const number = fields.integer(1, { least: 1, most: books.vat.length });
  return formatMinor(books.vat[number - 1]?.rateBasisPoints ?? 0);
}
