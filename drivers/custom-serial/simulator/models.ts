/**
 * The simulated models as data. Names are of the manual's lists of generations; serial numbers, and
 * how much a model holds, are our own: the latter bounds the simulator's memory.
 */

import type { BookModel, VatGroup } from "../../simulator/books/books.ts";
import { type CustomModel, DEPARTMENTS } from "./model.ts";

/** Rates of VAT ids 1 to 8 in hundredths of a percent. */
function rates(...basisPoints: readonly number[]): VatGroup[] {
  return Array.from({ length: 8 }, (_, index) => ({
    rateBasisPoints: basisPoints[index] ?? 0,
    enabled: index < basisPoints.length,
  }));
}

const BOOKS: BookModel = {
  operatorCount: 1,
  operatorPassword: () => "",
  vat: rates(2_200, 1_000, 500, 400, 0),
  vatChanges: 100,
  headerLines: 6,
  footerLines: 0,
  header: ["NEGOZIO", "MILANO"],
  footer: [],
  salesPerReceiptMax: 500,
  documentsMax: 999_999,
  zRecordsMax: 2_010,
  zRecordsLow: 30,
  coverSensor: true,
};

/** Departments 1 to 5 sell at the rate of their number, all further ones at the first. */
const DEPARTMENT_VAT = Array.from({ length: DEPARTMENTS }, (_, index) =>
  index < 5 ? index + 1 : 1,
);

/** A printer of the third generation. */
export const GEN3: CustomModel = {
  release: "Q3X-F RT REL. 6.00",
  serialNumber: "7200012345",
  memoryNumber: 1,
  timezone: "Europe/Rome",
  books: BOOKS,
  layout: {
    columns: 32,
    printDots: 608,
    groupLetters: ["A", "B", "C", "D", "E", "F", "G", "H"],
    serialNumber: "7200012345",
    fiscalMemory: "7200012345",
    taxId: "P.IVA 01234567890",
    fiscalLetters: "RT",
  },
  framedReplies: true,
  has: {
    percent: true,
    lastDocument: true,
    readCash: true,
    fiscalState: true,
    documentType: true,
    giftReceipt: true,
  },
  coverError: 37,
  longTextOpening: false,
  closedCountsAsOpen: true,
  tellsOnlyEjected: false,
  cancelledTakesNumber: true,
  opensUnknownReturn: true,
  departments: DEPARTMENT_VAT,
};

/** A printer of the second generation. */
export const GEN2: CustomModel = {
  ...GEN3,
  release: "KUBE II-F ETH RT REL. 2.10",
  serialNumber: "7200054321",
  layout: { ...GEN3.layout, serialNumber: "7200054321", fiscalMemory: "7200054321" },
  framedReplies: false,
  has: {
    percent: false,
    lastDocument: false,
    readCash: false,
    fiscalState: false,
    documentType: false,
    giftReceipt: false,
  },
  coverError: 64,
  longTextOpening: true,
  closedCountsAsOpen: false,
  cancelledTakesNumber: false,
  opensUnknownReturn: false,
};

/** The same printer set to the text language, which has no answers. */
export const XON_XOFF: CustomModel = {
  ...GEN3,
  serialNumber: "7200067890",
  layout: { ...GEN3.layout, serialNumber: "7200067890", fiscalMemory: "7200067890" },
};
