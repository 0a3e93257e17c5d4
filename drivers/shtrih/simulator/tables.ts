/**
 * The tables of the simulated device that can be read and written.
 * Source: Shtrih-M "KKT protocol" 2.0, commands 1Eh, 1Fh, 2Dh, 2Eh.
 */

import { setVat } from "../../simulator/books/service-rules.ts";
import { number, text } from "./answer.ts";
import { type Call, carryOut, commit, Parameters, Refused, refused } from "./call.ts";
import { TAX_GROUPS, TENDERS } from "./model.ts";
import { ERROR } from "./refusal-bytes.ts";
import { isDayOpen } from "./status.ts";

interface Field {
  readonly name: string;
  readonly size: (call: Call) => number;
  readonly kind: "number" | "text";
  readonly most: number;
  readonly read: (call: Call, row: number) => number | string;
  readonly write?: (call: Call, row: number, value: Parameters) => void;
}

interface Table {
  readonly name: string;
  readonly rows: (call: Call) => number;
  readonly fields: readonly Field[];
}

const PASSWORD_MAX = 99_999_999;
const RATE_MAX = 9_999;

/** Footer in the first rows, header from a row of the model's; what is between them is not printed. */
function textPlace({ memory, model }: Call, row: number) {
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
          write: (call, operator, value) => {
            const password = value.integer(4);
            if (password > PASSWORD_MAX) throw refused("parameter");
            commit(call, { entry: "operator_set", operator, password: String(password) });
          },
        },
        {
          name: "ФАМИЛИЯ КАССИРА",
          size: () => 21,
          kind: "text",
          most: 0,
          read: ({ memory }, row) => memory.books.operators[row - 1]?.name ?? "",
          write: (call, operator, value) =>
            commit(call, { entry: "operator_set", operator, name: value.text() }),
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
          read: (call, row) => {
            const at = textPlace(call, row);
            return at ? (call.memory.books[at.place][at.index] ?? "") : "";
          },
          write: (call, row, value) => {
            const at = textPlace(call, row);
            if (at) commit(call, { entry: "line_set", ...at, text: value.text() });
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

function setRate(call: Call, row: number, value: Parameters): void {
  const rateBasisPoints = value.integer(2);
  if (rateBasisPoints > RATE_MAX) throw refused("parameter");
  const { books } = call.memory;
  // A field that cannot be changed while the day is open.
  if (isDayOpen(books)) throw new Refused(ERROR.fieldLocked);
  const vat = books.vat.map((group, index) =>
    index === row - 1 ? { ...group, rateBasisPoints } : group,
  );
  carryOut(call, setVat(call.memory.context(), vat));
}

function tableOf(call: Call): Table {
  const table = TABLES.get(call.parameters.integer(1));
  if (!table) throw refused("nothing_found");
  return table;
}

function fieldOf(call: Call, table: Table): Field {
  const field = table.fields[call.parameters.integer(1) - 1];
  if (!field) throw refused("nothing_found");
  return field;
}

function rowOf(call: Call, table: Table): number {
  const row = call.parameters.integer(2);
  if (row < 1 || row > table.rows(call)) throw refused("nothing_found");
  return row;
}

/** 1Fh. */
export function readTable(call: Call): number[] {
  const table = tableOf(call);
  const row = rowOf(call, table);
  const field = fieldOf(call, table);
  call.parameters.end();
  const value = field.read(call, row);
  const size = field.size(call);
  return typeof value === "number" ? number(value, size) : text(value, size);
}

/** 1Eh. */
export function writeTable(call: Call): number[] {
  const table = tableOf(call);
  const row = rowOf(call, table);
  const field = fieldOf(call, table);
  const value = call.parameters.rest();
  if (!field.write || value.length > field.size(call)) throw refused("parameter");
  field.write(call, row, new Parameters(value));
  return [];
}

/** 2Dh. */
export function tableStructure(call: Call): number[] {
  const table = tableOf(call);
  call.parameters.end();
  return [...text(table.name, 40), ...number(table.rows(call), 2), table.fields.length];
}

/** 2Eh. */
export function fieldStructure(call: Call): number[] {
  const field = fieldOf(call, tableOf(call));
  call.parameters.end();
  const size = field.size(call);
  const head = [...text(field.name, 40), field.kind === "number" ? 0 : 1, size];
  return field.kind === "number"
    ? [...head, ...number(0, size), ...number(field.most, size)]
    : head;
}
