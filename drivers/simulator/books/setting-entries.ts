/** The changes that program a device, or that the outside makes. */

import type { Books, Conditions, VatGroup } from "./books.ts";
import { keepEnd, keepTop } from "./editions.ts";

export type SettingEntry =
  | { readonly entry: "clock_set"; readonly offsetMs: number; readonly summerTime: boolean }
  | { readonly entry: "vat_set"; readonly vat: VatGroup[]; readonly at: number }
  | {
      readonly entry: "operator_set";
      readonly operator: number;
      readonly name?: string;
      readonly password?: string;
    }
  | {
      readonly entry: "line_set";
      readonly place: "header" | "footer";
      readonly index: number;
      readonly text: string;
    }
  | { readonly entry: "setting"; readonly name: string; readonly value: string }
  /** The whole logo; none without rows. */
  | { readonly entry: "logo_set"; readonly rows: readonly string[] }
  | { readonly entry: "logo_row"; readonly row: number; readonly dots: string }
  | { readonly entry: "conditions"; readonly conditions: Conditions };

/** Makes the change. */
export function applySetting(books: Books, entry: SettingEntry): void {
  switch (entry.entry) {
    case "clock_set":
      books.clockOffsetMs = entry.offsetMs;
      books.summerTime = entry.summerTime;
      books.conditions = { ...books.conditions, clockShiftMs: 0, clockLost: false };
      return;
    case "vat_set":
      keepEnd(books);
      books.vat = entry.vat;
      books.vatSetAt = entry.at;
      books.vatChangesLeft -= 1;
      return;
    case "operator_set": {
      const before = books.operators[entry.operator - 1];
      if (!before) throw new Error("the entry needs an existing operator");
      const { name = before.name, password = before.password } = entry;
      books.operators[entry.operator - 1] = { name, password };
      return;
    }
    case "line_set":
      if (entry.place === "header") keepTop(books);
      else keepEnd(books);
      books[entry.place][entry.index] = entry.text;
      return;
    case "setting":
      keepTop(books);
      books.settings[entry.name] = entry.value;
      return;
    case "logo_set":
      keepTop(books);
      books.logo = [...entry.rows];
      return;
    case "logo_row":
      keepTop(books);
      setLogoRow(books, entry);
      return;
    case "conditions":
      books.conditions = entry.conditions;
      return;
    default:
      entry satisfies never;
  }
}

function setLogoRow(books: Books, { row, dots }: { row: number; dots: string }): void {
  books.logo ??= [];
  while (books.logo.length < row) books.logo.push("");
  books.logo[row] = dots;
}
