/**
 * The tables of the simulated device that can be read and written.
 * Source: Shtrih-M "KKT protocol" 2.0, commands 1Eh, 1Fh, 2Dh, 2Eh.
 */

import { setVat } from "../../simulator/books/service-rules.ts";
import { number, text } from "./answer.ts";
import {
  carryOut,
  commit,
  type DeviceCommand,
  Parameters,
  Refused,
  refused,
} from "./device-command.ts";
import { TAX_GROUPS, TENDERS } from "./model.ts";
import { ERROR } from "./refusal-bytes.ts";
import { isDayOpen } from "./status.ts";

interface Field {
  readonly name: string;
  readonly size: (command: DeviceCommand) => number;
  readonly kind: "number" | "text";
  readonly most: number;
  readonly read: (command: DeviceCommand, row: number) => number | string;
  readonly write?: (command: DeviceCommand, row: number, value: Parameters) => void;
}

interface Table {
  readonly name: string;
  readonly rows: (command: DeviceCommand) => number;
  readonly fields: readonly Field[];
}

const PASSWORD_MAX = 99_999_999;
const RATE_MAX = 9_999;

/** Footer in the first rows, header from a row of the model's; what is between them is not printed. */
function textPlace({ memory, model }: DeviceCommand, row: number) {
  if (row <= memory.books.footer.length) return { place: "footer", index: row - 1 } as const;
  if (row < model.headerRow) return undefined;
  return { place: "header", index: row - model.headerRow } as const;
}

const TABLES: ReadonlyMap<number, Table> = new Map<number, Table>([
  [
    2,
    {
      name: "КАССИРЫ И АДМИНИСТРАТОРЫ",
      rows: ({ memory }) => memory.books.operators.length,
      fields: [
        {
          name: "ПАРОЛЬ",
          size: () => 4,
          kind: "number",
          most: PASSWORD_MAX,
          read: ({ memory }, row) => Number(memory.books.operators[row - 1]?.password ?? 0),
          write: (command, operator, value) => {
            const password = value.integer(4);
            if (password > PASSWORD_MAX) throw refused("parameter");
            commit(command, { entry: "operator_set", operator, password: String(password) });
          },
        },
        {
          name: "ФАМИЛИЯ КАССИРА",
          size: () => 21,
          kind: "text",
          most: 0,
          read: ({ memory }, row) => memory.books.operators[row - 1]?.name ?? "",
          write: (command, operator, value) =>
            commit(command, { entry: "operator_set", operator, name: value.text() }),
        },
      ],
    },
  ],
  [
    4,
    {
      name: "ТЕКСТ В ЧЕКЕ",
      rows: ({ memory, model }) => model.headerRow - 1 + memory.books.header.length,
      fields: [
        {
          name: "ТЕКСТ",
          size: ({ model }) => model.textBytes,
          kind: "text",
          most: 0,
          read: (command, row) => {
            const at = textPlace(command, row);
            return at ? (command.memory.books[at.place][at.index] ?? "") : "";
          },
          write: (command, row, value) => {
            const at = textPlace(command, row);
            if (at) commit(command, { entry: "line_set", ...at, text: value.text() });
          },
        },
      ],
    },
  ],
  [
    5,
    {
      name: "НАИМЕНОВАНИЕ ТИПОВ ОПЛАТЫ",
      rows: () => TENDERS.length,
      fields: [
        {
          name: "НАИМЕНОВАНИЕ",
          size: () => 10,
          kind: "text",
          most: 0,
          read: (_, row) => TENDERS[row - 1] ?? "",
        },
      ],
    },
  ],
  [
    6,
    {
      name: "НАЛОГОВЫЕ СТАВКИ",
      rows: () => TAX_GROUPS,
      fields: [
        {
          name: "ВЕЛИЧИНА НАЛОГА",
          size: () => 2,
          kind: "number",
          most: RATE_MAX,
          read: ({ memory }, row) => memory.books.vat[row - 1]?.rateBasisPoints ?? 0,
          write: setRate,
        },
      ],
    },
  ],
]);

function setRate(command: DeviceCommand, row: number, value: Parameters): void {
  const rateBasisPoints = value.integer(2);
  if (rateBasisPoints > RATE_MAX) throw refused("parameter");
  const { books } = command.memory;
  // A field that cannot be changed while the day is open.
  if (isDayOpen(books)) throw new Refused(ERROR.fieldLocked);
  const vat = books.vat.map((group, index) =>
    index === row - 1 ? { ...group, rateBasisPoints } : group,
  );
  carryOut(command, setVat(command.memory.context(), vat));
}

function tableOf(command: DeviceCommand): Table {
  const table = TABLES.get(command.parameters.integer(1));
  if (!table) throw refused("nothing_found");
  return table;
}

function fieldOf(command: DeviceCommand, table: Table): Field {
  const field = table.fields[command.parameters.integer(1) - 1];
  if (!field) throw refused("nothing_found");
  return field;
}

function rowOf(command: DeviceCommand, table: Table): number {
  const row = command.parameters.integer(2);
  if (row < 1 || row > table.rows(command)) throw refused("nothing_found");
  return row;
}

/** 1Fh. */
export function readTable(command: DeviceCommand): number[] {
  const table = tableOf(command);
  const row = rowOf(command, table);
  const field = fieldOf(command, table);
  command.parameters.end();
  const value = field.read(command, row);
  const size = field.size(command);
  return typeof value === "number" ? number(value, size) : text(value, size);
}

/** 1Eh. */
export function writeTable(command: DeviceCommand): number[] {
  const table = tableOf(command);
  const row = rowOf(command, table);
  const field = fieldOf(command, table);
  const value = command.parameters.rest();
  if (!field.write || value.length > field.size(command)) throw refused("parameter");
  field.write(command, row, new Parameters(value));
  return [];
}

/** 2Dh. */
export function tableStructure(command: DeviceCommand): number[] {
  const table = tableOf(command);
  command.parameters.end();
  return [...text(table.name, 40), ...number(table.rows(command), 2), table.fields.length];
}

/** 2Eh. */
export function fieldStructure(command: DeviceCommand): number[] {
  const field = fieldOf(command, tableOf(command));
  command.parameters.end();
  const size = field.size(command);
  const head = [...text(field.name, 40), field.kind === "number" ? 0 : 1, size];
  return field.kind === "number"
    ? [...head, ...number(0, size), ...number(field.most, size)]
    : head;
}
