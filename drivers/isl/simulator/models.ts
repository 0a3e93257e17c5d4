/**
 * The simulated models as data.
 *
 * Names, versions and serial numbers are in the form of the manuals' examples. What a model holds
 * (documents, Z records, sales in a receipt) follows the manuals where they tell, and is otherwise
 * a bound that keeps the simulator's memory finite.
 */

import type { BookModel, VatGroup } from "../../simulator/books/books.ts";
import type { StornoReason, Tender } from "../../simulator/books/receipt.ts";
import {
  C_COMMANDS,
  P_COMMANDS,
  RO_LEGACY_COMMANDS,
  RO_X_COMMANDS,
  X_COMMANDS,
} from "./commands.ts";
import type { IslModel } from "./model.ts";

const DOCUMENTS_MAX = 1_000_000;
const Z_RECORDS_MAX = 3_650;
const CYRILLIC_GROUPS = ["А", "Б", "В", "Г", "Д", "Е", "Ж", "З"];
const LATIN_GROUPS = ["A", "B", "C", "D", "E", "F", "G", "H"];
const FIRMWARE = {
  firmware: "1.00BG",
  firmwareDate: "25OCT18",
  firmwareTime: "1230",
  checksum: "FFFF",
  switches: "00000000",
};
/** Tax number and device numbers are set; formatted, fiscalized, VAT set. */
const IN_SERVICE = { byte0: 0, byte4: 0x06, byte5: 0x1a };
const ROMANIAN_FIRMWARE = { ...FIRMWARE, firmware: "1.00RO" };

/** Rates in hundredths of a percent; undefined is a group that is switched off. */
function rates(...basisPoints: readonly (number | undefined)[]): VatGroup[] {
  return Array.from({ length: 8 }, (_, index) => {
    const rateBasisPoints = basisPoints[index];
    return { rateBasisPoints: rateBasisPoints ?? 0, enabled: rateBasisPoints !== undefined };
  });
}

const BULGARIAN_BOOKS: Pick<
  BookModel,
  "vat" | "vatChanges" | "header" | "footer" | "documentsMax" | "zRecordsMax"
> = {
  vat: rates(0, 2_000, 2_000, 900),
  vatChanges: 30,
  header: ["МАГАЗИН", "СОФИЯ"],
  footer: ["БЛАГОДАРИМ ВИ"],
  documentsMax: DOCUMENTS_MAX,
  zRecordsMax: Z_RECORDS_MAX,
};

const BULGARIAN_STORNO_DIGITS: Readonly<Record<string, StornoReason>> = {
  "0": "operator-error",
  "1": "refund",
  "2": "tax-base-reduction",
};

function samePassword(): string {
  return "0000";
}

const X_BOOKS: BookModel = {
  ...BULGARIAN_BOOKS,
  operatorCount: 30,
  operatorPassword: samePassword,
  headerLines: 10,
  footerLines: 10,
  salesPerReceiptMax: 500,
  zRecordsLow: 60,
  coverSensor: true,
};

/** An FP-700X. */
export const X: IslModel = {
  generation: "long",
  country: "bg",
  currency: "BGN",
  codePage: "windows-1251",
  timezone: "Europe/Sofia",
  identity: {
    ...FIRMWARE,
    name: "FP-700X",
    serialNumber: "DT577430",
    fiscalMemory: "02577430",
    taxId: "123456789",
    taxLabel: undefined,
  },
  books: X_BOOKS,
  layout: {
    columns: 48,
    groupLetters: CYRILLIC_GROUPS,
    serialNumber: "DT577430",
    fiscalMemory: "02577430",
    taxId: "ЕИК 123456789",
    language: "bg",
    fiscalLetters: "BG",
    receiptCode: "bulgaria",
    logoSetting: "LogoPrint",
  },
  status: {
    clock: true,
    cover: true,
    paperLow: true,
    journal: true,
    stornoOpen: false,
    inService: IN_SERVICE,
  },
  groups: ["1", "2", "3", "4", "5", "6", "7", "8"],
  tenders: {
    "0": "cash",
    "1": "card",
    "2": "pinpad-card",
    "3": "check",
    "4": "ext-coupons",
    "5": "coupons",
    "6": "foreign-currency",
  },
  stornoReasons: BULGARIAN_STORNO_DIGITS,
  requestBytesMax: 213,
  widths: { name: 72, line: 46 },
  passwordDigits: { least: 1, most: 8 },
  departmentMax: 99,
  unitOfMeasure: true,
  amounts: "digits",
  cashAmounts: "digits",
  feedLinesMax: 99,
  adjustmentMark: ";",
  // UNCONFIRMED; of each there is a device that forgets, which drivers must allow for.
  keepsLastReceipt: true,
  repeats: "number",
  refusalNumbers: {},
  warnings: [{ byte: 2, bit: 2 }],
  isWarned: false,
  tellsDisabledRates: false,
  ownErrorsOnly: false,
  stornoInCashOnly: false,
  style: "font",
  drawerMs: { least: 1, most: 65_535 },
  logo: { rows: 0, rowBytes: 0 },
  commands: X_COMMANDS,
};

/** A Romanian FP-700X. Tenders 2 to 9 as public notes on the SK1-21 have them (command 53). */
export const RO_X: IslModel = {
  ...X,
  country: "ro",
  currency: "RON",
  codePage: "windows-1252",
  timezone: "Europe/Bucharest",
  identity: {
    ...ROMANIAN_FIRMWARE,
    name: "FP-700X",
    serialNumber: "DB4500002769",
    fiscalMemory: "6000594228",
    taxId: "RO12345678",
    taxLabel: undefined,
  },
  books: {
    ...X_BOOKS,
    vat: rates(1_900, 900, 500, 0, 0, 0, 0),
    vatChanges: 30,
    header: ["SC EXEMPLU SRL", "Str. Exemplu 1", "Magazin", "Bucuresti"],
    footer: ["Va multumim"],
  },
  layout: {
    columns: 48,
    groupLetters: LATIN_GROUPS,
    serialNumber: "DB4500002769",
    fiscalMemory: "6000594228",
    taxId: "CIF RO12345678",
    language: "ro",
    fiscalLetters: "RO",
    logoSetting: "LogoPrint",
  },
  groups: ["1", "2", "3", "4", "5", "6", "7"],
  tenders: {
    "0": "cash",
    "1": "card",
    "2": "credit",
    "3": "meal-vouchers",
    "4": "value-tickets",
    "5": "voucher",
    "6": "modern-payment",
    "7": "card-advance",
    "8": "other",
    "9": "foreign-currency",
  },
  stornoReasons: {},
  commands: RO_X_COMMANDS,
};

const P_TENDERS: Readonly<Record<string, Tender>> = {
  P: "cash",
  N: "credit",
  C: "check",
  D: "card",
  I: "reserved1",
  J: "programmed2",
  K: "programmed3",
  L: "reserved2",
  i: "reserved1",
  j: "programmed2",
  k: "programmed3",
  l: "reserved2",
  m: "coupons",
  n: "ext-coupons",
  o: "packaging",
  p: "internal-usage",
  q: "damage",
  r: "bank",
  s: "check",
};

/** An FP-800. */
export const P: IslModel = {
  ...X,
  generation: "short",
  identity: {
    ...FIRMWARE,
    firmwareDate: "23NOV18",
    firmwareTime: "1000",
    name: "FP-800",
    serialNumber: "DT518315",
    fiscalMemory: "02518315",
    taxId: "123456789",
    taxLabel: "ЕИК",
  },
  books: {
    ...X_BOOKS,
    operatorCount: 16,
    headerLines: 6,
    footerLines: 2,
    salesPerReceiptMax: 512,
    zRecordsLow: 50,
  },
  layout: {
    ...X.layout,
    columns: 48,
    printDots: 576,
    serialNumber: "DT518315",
    fiscalMemory: "02518315",
  },
  status: {
    clock: true,
    cover: true,
    paperLow: true,
    journal: true,
    stornoOpen: true,
    inService: IN_SERVICE,
  },
  // Tax terminal, journal, print head, fiscal memory.
  warnings: [
    { byte: 1, bit: 6 },
    { byte: 2, bit: 2 },
    { byte: 4, bit: 6 },
    { byte: 5, bit: 5 },
  ],
  groups: CYRILLIC_GROUPS,
  tenders: P_TENDERS,
  stornoReasons: { E: "operator-error", R: "refund", T: "tax-base-reduction" },
  widths: { name: 42, line: 46 },
  passwordDigits: { least: 4, most: 8 },
  departmentMax: 60,
  drawerMs: { least: 5, most: 100 },
  logo: { rows: 96, rowBytes: 72 },
  commands: P_COMMANDS,
};

/** A DP-25: a cash register without a cover sensor, whose operators begin with their number. */
export const C: IslModel = {
  ...P,
  identity: {
    ...P.identity,
    name: "DP-25",
    serialNumber: "DT636533",
    fiscalMemory: "02636533",
  },
  books: {
    ...P.books,
    operatorCount: 30,
    operatorPassword: (number) => String(number),
    salesPerReceiptMax: 120,
    coverSensor: false,
  },
  layout: {
    ...X.layout,
    columns: 36,
    printDots: 384,
    serialNumber: "DT636533",
    fiscalMemory: "02636533",
  },
  status: {
    clock: true,
    cover: false,
    paperLow: false,
    journal: true,
    stornoOpen: false,
    inService: IN_SERVICE,
  },
  // Tax terminal, journal.
  warnings: [
    { byte: 1, bit: 6 },
    { byte: 2, bit: 2 },
  ],
  tenders: {
    P: "cash",
    N: "credit",
    C: "card",
    D: "reserved1",
    I: "ext-coupons",
    J: "coupons",
  },
  stornoReasons: BULGARIAN_STORNO_DIGITS,
  widths: { name: 22, line: 40 },
  passwordDigits: { least: 1, most: 8 },
  departmentMax: 9,
  unitOfMeasure: false,
  style: "height",
  logo: { rows: 96, rowBytes: 48 },
  commands: C_COMMANDS,
};

/**
 * A DP-150 of firmware 3.00, as the driver of rosenvladimirov/Odoo.ErpNet.FP tells of one: it knows
 * three tenders, and takes any other letter for cash.
 */
export const C_FW3: IslModel = {
  ...C,
  identity: {
    ...C.identity,
    name: "DP-150",
    firmware: "3.00",
    serialNumber: "DT737851",
    fiscalMemory: "02737851",
  },
  layout: { ...C.layout, serialNumber: "DT737851", fiscalMemory: "02737851" },
  tenders: { P: "cash", N: "credit", L: "coupons" },
  otherTender: "cash",
};

/**
 * A Romanian DP-25 of 2016. Its tenders beyond cash are those of the printers, UNCONFIRMED on a
 * device.
 */
export const RO_LEGACY: IslModel = {
  ...C,
  country: "ro",
  currency: "RON",
  codePage: "windows-1252",
  timezone: "Europe/Bucharest",
  identity: {
    ...ROMANIAN_FIRMWARE,
    name: "DP-25",
    serialNumber: "DB4200001234",
    fiscalMemory: "6000001234",
    taxId: "RO1234567",
    taxLabel: undefined,
  },
  books: {
    ...C.books,
    operatorPassword: samePassword,
    vat: rates(1_900, 900, 500, 0, 0),
    header: ["SC EXEMPLU SRL", "Str. Exemplu 1"],
    footer: ["Va multumim"],
  },
  layout: {
    columns: 36,
    printDots: 384,
    groupLetters: LATIN_GROUPS,
    serialNumber: "DB4200001234",
    fiscalMemory: "6000001234",
    taxId: "CIF RO1234567",
    language: "ro",
    fiscalLetters: "RO",
    logoSetting: "LogoPrint",
  },
  status: {
    clock: false,
    cover: false,
    paperLow: false,
    journal: false,
    stornoOpen: false,
    inService: IN_SERVICE,
  },
  // Tax terminal.
  warnings: [{ byte: 1, bit: 6 }],
  groups: LATIN_GROUPS,
  tenders: { P: "cash", N: "credit", C: "check", D: "card" },
  stornoReasons: {},
  commands: RO_LEGACY_COMMANDS,
};
