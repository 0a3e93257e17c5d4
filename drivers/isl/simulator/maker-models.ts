/**
 * The simulated models of other makers than the first, as data.
 *
 * Names, versions and serial numbers are in the form of the manuals' examples; bounds that the
 * manuals do not tell keep the simulator's memory finite.
 */

import type { StornoReason } from "../../simulator/books/receipt.ts";
import { DY_COMMANDS, ED_COMMANDS, IN_COMMANDS } from "./commands.ts";
import type { IslModel } from "./model.ts";
import { P } from "./models.ts";
import type { RefusalNumber } from "./traits.ts";

const WRONG_PASSWORD_BIT = 0x40;
const OVER: RefusalNumber = { number: 82, byte1: 0 };

/** A Daisy CompactM. Its refusals have a number of their own in the status. */
export const DY: IslModel = {
  ...P,
  identity: {
    name: "CompactM",
    firmware: "ONL01-4.01BG",
    firmwareDate: "29-10-2018",
    firmwareTime: "11:34",
    checksum: "FFFF",
    switches: "00",
    serialNumber: "DY408097",
    fiscalMemory: "36543869",
    taxId: "123456789",
    taxLabel: undefined,
  },
  books: {
    ...P.books,
    operatorCount: 20,
    operatorPassword: (number) => String(number),
    salesPerReceiptMax: 250,
    coverSensor: false,
  },
  layout: { ...P.layout, columns: 42, serialNumber: "DY408097", fiscalMemory: "36543869" },
  status: {
    clock: true,
    cover: false,
    paperLow: true,
    journal: true,
    stornoOpen: false,
    inService: { byte0: 0, byte4: 0, byte5: 0x78 },
  },
  tenders: {
    P: "cash",
    N: "check",
    C: "card",
    D: "reserved1",
    U: "reserved1",
    B: "programmed4",
    E: "programmed4",
  },
  stornoReasons: { "0": "refund", "1": "operator-error", "2": "tax-base-reduction" },
  requestBytesMax: 200,
  widths: { name: 36, line: 40 },
  passwordDigits: { least: 1, most: 6 },
  departmentMax: 50,
  unitOfMeasure: false,
  amounts: "decimals",
  cashAmounts: "decimals",
  adjustmentMark: "$",
  keepsLastReceipt: true,
  repeats: "number_and_command",
  refusalNumbers: {
    day_over: OVER,
    registers_full: { number: 81 },
    operator_password: { number: 108, byte1: WRONG_PASSWORD_BIT },
    fiscal_receipt_open: { number: 19 },
    storno_receipt_open: { number: 19 },
    fiscal_memory_full: { number: 30 },
    too_many_lines: { number: 3 },
    payment_started: { number: 6 },
    no_sales: { number: 25 },
    vat_group_disabled: { number: 8 },
    not_enough_cash: { number: 28 },
    line_to_void_not_found: { number: 23 },
    journal_full: { number: 126 },
  },
  // Cutter, control tape, tax terminal, a record of the fiscal memory.
  warnings: [
    { byte: 1, bit: 5 },
    { byte: 2, bit: 2 },
    { byte: 4, bit: 1 },
    { byte: 4, bit: 2 },
  ],
  stornoInCashOnly: true,
  drawerMs: { least: 50, most: 999 },
  logo: { rows: 96, rowBytes: 48 },
  commands: DY_COMMANDS,
};

const ED_STORNO_LETTERS: Readonly<Record<string, StornoReason>> = {
  O: "operator-error",
  R: "refund",
  T: "tax-base-reduction",
};

/** An Eltrade A1 of protocol 1.1.6. */
export const ED: IslModel = {
  ...P,
  identity: {
    name: "A1",
    firmware: "5101.1811.0.3",
    firmwareDate: "16Nov18",
    firmwareTime: "15:00",
    checksum: "FFFF",
    switches: "0000",
    serialNumber: "ED311662",
    fiscalMemory: "44311662",
    taxId: "123456789",
    taxLabel: "ЕИК",
  },
  books: {
    ...P.books,
    operatorCount: 20,
    operatorPassword: (number) => String(number),
    salesPerReceiptMax: 250,
  },
  layout: { ...P.layout, columns: 46, serialNumber: "ED311662", fiscalMemory: "44311662" },
  status: {
    clock: true,
    cover: true,
    paperLow: true,
    journal: true,
    stornoOpen: false,
    inService: { byte0: 0x08, byte4: 0x06, byte5: 0x1a },
  },
  tenders: {
    P: "cash",
    N: "check",
    C: "coupons",
    D: "ext-coupons",
    I: "packaging",
    J: "internal-usage",
    K: "damage",
    L: "card",
    M: "bank",
    Q: "reserved1",
    R: "reserved2",
  },
  // Tax terminal, journal, fiscal memory.
  warnings: [
    { byte: 1, bit: 6 },
    { byte: 2, bit: 2 },
    { byte: 5, bit: 5 },
  ],
  stornoReasons: ED_STORNO_LETTERS,
  widths: { name: 30, line: 46 },
  departmentMax: 100,
  unitOfMeasure: false,
  cashAmounts: "decimals",
  ownErrorsOnly: true,
  logo: { rows: 0, rowBytes: 0 },
  commands: ED_COMMANDS,
};

/** An Incotex 300SM. It tells no model, and opens receipts without a password. */
export const INCOTEX: IslModel = {
  ...DY,
  identity: {
    name: "",
    firmware: "1.00",
    firmwareDate: "20Feb19",
    firmwareTime: "1000",
    checksum: "FFFF",
    switches: "0000",
    serialNumber: "IN015013",
    fiscalMemory: "54015013",
    taxId: "123456789",
    taxLabel: undefined,
  },
  books: {
    ...DY.books,
    vat: DY.books.vat,
    operatorCount: 16,
    operatorPassword: () => "0",
    headerLines: 8,
    footerLines: 2,
  },
  layout: { ...P.layout, columns: 38, serialNumber: "IN015013", fiscalMemory: "54015013" },
  status: {
    clock: true,
    cover: false,
    paperLow: false,
    journal: false,
    stornoOpen: false,
    inService: { byte0: 0, byte4: 0, byte5: 0x38 },
  },
  tenders: { P: "cash", N: "check", C: "card", D: "reserved1", B: "programmed4" },
  stornoReasons: { R: "operator-error", S: "refund", V: "tax-base-reduction" },
  requestBytesMax: 213,
  widths: { name: 34, line: 34 },
  departmentMax: 16,
  feedLinesMax: 20,
  unitOfMeasure: true,
  adjustmentMark: ";",
  keepsLastReceipt: true,
  repeats: "number",
  refusalNumbers: {
    day_over: { number: 2, byte1: 0 },
    registers_full: { number: 2 },
    fiscal_memory_full: { number: 24 },
    too_many_lines: { number: 6 },
    no_sales: { number: 18 },
    negative_total: { number: 14 },
    vat_group_disabled: { number: 37 },
    not_enough_cash: { number: 21 },
    payment_forbidden: { number: 42 },
    already_duplicated: { number: 28 },
    journal_full: { number: 78 },
  },
  // A range of numbers for invoices, a record of the fiscal memory.
  warnings: [
    { byte: 1, bit: 3, setsGeneralError: true },
    { byte: 4, bit: 2 },
  ],
  tellsDisabledRates: true,
  stornoInCashOnly: false,
  drawerMs: { least: 5, most: 150 },
  logo: { rows: 144, rowBytes: 48 },
  commands: IN_COMMANDS,
};
