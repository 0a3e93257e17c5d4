/**
 * The simulated models as data. Names and widths follow the manuals; what a model holds beyond
 * that is a bound that keeps the simulator's memory finite.
 */

import type { BookModel, VatGroup } from "../../simulator/books/books.ts";
import type { ShtrihModel } from "./model.ts";
import { UNTAXED_GROUP } from "./model.ts";

/** Rates of groups 1 to 4 in hundredths of a percent; the fifth is what has no group. */
function rates(...basisPoints: readonly number[]): VatGroup[] {
  return Array.from({ length: 8 }, (_, index) => ({
    rateBasisPoints: basisPoints[index] ?? 0,
    enabled: index < UNTAXED_GROUP,
  }));
}

const BOOKS: BookModel = {
  operatorCount: 30,
  operatorPassword: String,
  vat: rates(2_000, 1_000, 0, 500),
  vatChanges: 1_000,
  headerLines: 4,
  footerLines: 3,
  header: ["МАГАЗИН"],
  footer: ["СПАСИБО ЗА ПОКУПКУ"],
  salesPerReceiptMax: 500,
  documentsMax: 1_000_000,
  zRecordsMax: 2_100,
  zRecordsLow: 30,
  coverSensor: true,
};

/** A receipt printer with all that the driver makes use of. */
export const FR_K: ShtrihModel = {
  timezone: "Europe/Moscow",
  identity: { name: "ШТРИХ-ФР-К", model: 4, serial: 12_345_678, taxId: 7_701_234_567 },
  books: BOOKS,
  layout: {
    columns: 36,
    groupLetters: ["А", "Б", "В", "Г", " ", " ", " ", " "],
    serialNumber: "12345678",
    fiscalMemory: "12345678",
    taxId: "ИНН 7701234567",
    fiscalLetters: "ФП",
  },
  isNumbered: false,
  has: { parameters: true, opening: true, textDocument: true, logo: true },
  sensors: { paperLow: true, cover: true },
  printsMs: 0,
  print: { dots: 432, characterDots: 12 },
  headerRow: 4,
  textBytes: 40,
};

/** A small old one: no opening command, no text document, no sensors, no logo. */
export const LIGHT: ShtrihModel = {
  ...FR_K,
  identity: { ...FR_K.identity, name: "ШТРИХ-LIGHT-ФР-К", model: 252, serial: 87_654_321 },
  books: { ...BOOKS, headerLines: 3, coverSensor: false },
  layout: { ...FR_K.layout, columns: 32, serialNumber: "87654321", fiscalMemory: "87654321" },
  has: { parameters: false, opening: false, textDocument: false, logo: false },
  sensors: { paperLow: false, cover: false },
  headerRow: 12,
  print: { dots: 384, characterDots: 12 },
};

/** A small one with a battery, set to the alternative lower level for its Bluetooth. */
export const MOBILE: ShtrihModel = {
  ...FR_K,
  identity: { ...FR_K.identity, name: "SHTRIH-MOBILE-F", model: 19, serial: 23_456_789 },
  books: { ...BOOKS, headerLines: 3 },
  layout: { ...FR_K.layout, columns: 32, serialNumber: "23456789", fiscalMemory: "23456789" },
  isNumbered: true,
  headerRow: 12,
  print: { dots: 384, characterDots: 12 },
};
