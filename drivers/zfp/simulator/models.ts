/**
 * The simulated models as data. Names, versions and numbers are in the form of the manual's
 * examples; how much a model holds bounds the simulator's memory.
 */

import type { BookModel, VatGroup } from "../../simulator/books/books.ts";
import type { ZfpModel } from "./model.ts";

const LETTERS = ["А", "Б", "В", "Г", "Д", "Е", "Ж", "З"];

/** Rates in hundredths of a percent. */
function rates(...basisPoints: readonly number[]): VatGroup[] {
  return Array.from({ length: 8 }, (_, index) => ({
    rateBasisPoints: basisPoints[index] ?? 0,
    enabled: true,
  }));
}

const BOOKS: BookModel = {
  operatorCount: 20,
  operatorPassword: () => "0000",
  vat: rates(0, 2_000, 2_000, 900),
  vatChanges: 30,
  headerLines: 7,
  footerLines: 1,
  header: ["МАГАЗИН", "СОФИЯ"],
  footer: ["БЛАГОДАРИМ ВИ"],
  salesPerReceiptMax: 500,
  documentsMax: 999_999,
  zRecordsMax: 1_825,
  zRecordsLow: 60,
  coverSensor: true,
};

/** An M20 of the first variant. */
export const V1: ZfpModel = {
  name: "TREMOL M20",
  firmware: "Ver. 1.01 TRA20 C.S. 2541",
  serialNumber: "ZK126720",
  fiscalMemory: "50163145",
  timezone: "Europe/Sofia",
  books: BOOKS,
  layout: {
    columns: 32,
    groupLetters: LETTERS,
    serialNumber: "ZK126720",
    fiscalMemory: "50163145",
    taxId: "ЕИК 123456789",
    language: "bg",
    fiscalLetters: "BG",
    receiptCode: "bulgaria",
  },
  tenders: [
    "cash",
    "check",
    "coupons",
    "ext-coupons",
    "packaging",
    "internal-usage",
    "damage",
    "card",
    "bank",
    "reserved1",
    "reserved2",
    "foreign-currency",
  ],
  tenderNames: [
    "В БРОЙ",
    "ЧЕК",
    "ТАЛОНИ",
    "В.ТАЛОНИ",
    "АМБАЛАЖ",
    "ОБСЛУЖВАНЕ",
    "ПОВРЕДИ",
    "КАРТА",
    "БАНКА",
    "РЕЗЕРВ 1",
    "РЕЗЕРВ 2",
    "ВАЛУТА",
  ],
  tenderCodes: [],
  registration: { taxId: "123456789", number: "123456", at: "01-02-2019 10:20" },
  stornoReasons: { "0": "operator-error", "1": "refund", "2": "tax-base-reduction" },
  sensors: true,
  annulledTakesNumber: true,
};

/** An FP01 of the variant "KL V2": few tenders, and no sensor but that for paper. */
export const V2: ZfpModel = {
  ...V1,
  name: "TREMOL FP01-KL V2",
  firmware: "Ver. 2.05 TRA22 C.S. 1A2B",
  serialNumber: "ZK109999",
  fiscalMemory: "50109999",
  books: { ...BOOKS, coverSensor: false },
  layout: { ...V1.layout, serialNumber: "ZK109999", fiscalMemory: "50109999" },
  tenders: ["cash", "card", "check", "coupons", "foreign-currency"],
  tenderNames: ["В БРОЙ", "КАРТА", "ЧЕК", "ТАЛОНИ", "ВАЛУТА"],
  // The letter is the byte FFh, which says that a tender is money.
  tenderCodes: ["я", "7", "1", "2", "я"],
  sensors: false,
  annulledTakesNumber: false,
};
