/**
 * vendorA X: the Bulgarian devices with long frames (FP-700X, FMP-350X, FMP-55X, WP-500X, WP-50X,
 * DP-25X, DP-150X, DP-05C).
 * Source: Datecs FP-700X protocol manual 2.02; templates checked against frames of other drivers.
 */

import type { IslDialect } from "../dialect.ts";
import { X_STATUS } from "./status-bits.ts";

export const x = {
  name: "x",
  generation: "long",
  identify: { serial: /^D[TA]\d{6}$/, model: /X[RE]?$|C$/ },
  manufacturer: "Datecs",
  codePage: "windows-1251",
  numbersErrors: true,
  fieldSeparator: "\t",
  wholeAmounts: "units",
  statusTable: X_STATUS,
  actions: {
    status: { command: 74, request: "", reads: true },
    // Open is 0 when nothing is open, else the kind of the receipt.
    transaction: {
      command: 76,
      request: "",
      reply: ["open", "number", "items", "amount", "paid"],
      reads: true,
    },
    lastReceipt: {
      command: 123,
      request: "3\t",
      reply: ["countInDay", "issuedAt", "zNumber", "zIssuedAt"],
      reads: true,
    },
    // Finds a document of whatever kind.
    journalDocument: {
      command: 125,
      request: "0\t{number}\t0\t",
      reply: ["document", "numberInKind", "issuedAt", "type", "zNumber"],
      reads: true,
    },
    zCounter: {
      command: 123,
      request: "3\t",
      reply: ["countInDay", "issuedAt", "zNumber", "zIssuedAt"],
      reads: true,
    },
    dayCloseNeeded: { command: 255, request: "DFR_needed\t\t\t", reply: ["value"], reads: true },
    printColumns: { command: 255, request: "PrintColumns\t\t\t", reply: ["value"], reads: true },

    openSale: {
      command: 48,
      request: "{operator}\t{password}\t{usn}\t{till}\t\t",
      reply: ["number"],
      demands: "no_receipt_open",
    },
    openStorno: {
      command: 43,
      request:
        "{operator}\t{password}\t{till}\t{reason}\t{number}\t{date}\t{memory}\t\t\t\t{usn}\t",
      reply: ["number"],
      demands: "no_receipt_open",
    },
    text: { command: 54, request: "{text}\t", demands: "receipt_open" },
    sale: {
      command: 49,
      request: "{name}\t{vat}\t{price}\t{fullQuantity}\t\t\t{department}\t[{unit}\t]",
      reply: ["number"],
      demands: "receipt_open",
    },
    adjustment: {
      command: 51,
      request: "1\t0\t{adjustment}\t{amount}\t",
      reply: ["number", "subtotal"],
      demands: "receipt_open",
    },
    payment: {
      command: 53,
      request: "{tender}\t{amount}\t\t",
      reply: ["outcome", "amount"],
      demands: "receipt_open",
    },
    close: { command: 56, request: "", reply: ["number"], demands: "receipt_open" },
    cancel: { command: 60, request: "", demands: "receipt_open" },

    openSlip: { command: 38, request: "", reply: ["number"], demands: "no_receipt_open" },
    // Bold, not italic, height 0, not underlined, centred.
    slipTitle: { command: 42, request: "{text}\t1\t0\t0\t0\t1\t" },
    slipLine: { command: 42, request: "{text}\t0\t0\t0\t0\t0\t" },
    closeSlip: { command: 39, request: "", reply: ["number"] },
    duplicate: {
      command: 109,
      request: "",
      limit: "long",
      resend: "if_refused",
      demands: "no_receipt_open",
    },

    xReport: {
      command: 69,
      request: "X\t",
      reply: ["report"],
      limit: "long",
      demands: "no_receipt_open",
    },
    zReport: {
      command: 69,
      request: "Z\t",
      reply: ["report"],
      limit: "zReport",
      resend: "if_refused",
      demands: "no_receipt_open",
    },
    cashIn: {
      command: 70,
      request: "0\t{amount}\t",
      reply: ["cash", "in", "out"],
      resend: "if_refused",
      demands: "no_receipt_open",
    },
    cashOut: {
      command: 70,
      request: "1\t{amount}\t",
      reply: ["cash", "in", "out"],
      resend: "if_refused",
      demands: "no_receipt_open",
    },
    cashRead: { command: 70, request: "0\t0.00\t", reply: ["cash", "in", "out"], reads: true },
    drawer: { command: 106, request: "\t" },

    setClock: { command: 61, request: "{clock}\t", demands: "no_receipt_open" },
    getClock: { command: 62, request: "", reply: ["clock"], reads: true },
    getVat: {
      command: 50,
      request: "",
      reply: ["table", "vat1", "vat2", "vat3", "vat4", "vat5", "vat6", "vat7", "vat8"],
      reads: true,
    },
    setVat: {
      command: 83,
      request: "{vat1}\t{vat2}\t{vat3}\t{vat4}\t{vat5}\t{vat6}\t{vat7}\t{vat8}\t2\t",
      reply: ["changesLeft"],
      demands: "day_closed",
    },
    setHeader: { command: 255, request: "Header\t{index}\t{text}\t" },
    getHeader: { command: 255, request: "Header\t{index}\t\t", reply: ["value"], reads: true },
    setFooter: { command: 255, request: "Footer\t{index}\t{text}\t" },
    getFooter: { command: 255, request: "Footer\t{index}\t\t", reply: ["value"], reads: true },
    setOperatorName: { command: 255, request: "OperName\t{operator}\t{name}\t" },
    getOperatorName: {
      command: 255,
      request: "OperName\t{operator}\t\t",
      reply: ["value"],
      reads: true,
    },
    setOperatorPassword: { command: 101, request: "{operator}\t{password}\t{newPassword}\t" },
    logoStart: { command: 202, request: "START\t" },
    logoPart: { command: 202, request: "{part}\t" },
    logoEnd: { command: 202, request: "STOP\t" },
    logoOn: { command: 255, request: "LogoPrint\t\t1\t" },
    logoOff: { command: 255, request: "LogoPrint\t\t0\t" },
    logoRestart: { command: 202, request: "RESTART\t" },
  },
  // Sales, invoices, stornos, credit notes; Z reports, texts, cash, cancelled receipts, X reports.
  // Manual 2.02, command 125. UNCONFIRMED on a device.
  journalKinds: {
    receipts: ["1", "3", "6", "7"],
    others: ["2", "4", "5", "8", "9"],
    cancelled: "8",
  },
  vatGroups: ["1", "2", "3", "4", "5", "6", "7", "8"],
  vatOffRate: "100.00",
  tenders: { cash: "0", card: "1", check: "3", "ext-coupons": "4", coupons: "5" },
  adjustments: { discount: "4", surcharge: "3" },
  stornoReasons: { "operator-error": "0", refund: "1", "tax-base-reduction": "2" },
  wantsUniqueSaleNumber: true,
  customerText: "ЕИК ",
  defaultUnit: "",
  operators: {
    max: 30,
    nameLength: 32,
    passwordLength: { min: 1, max: 8 },
    zeroPasswordModels: /^F/,
  },
  salesMax: 512,
  widths: { name: 72, nameLines: 1, unit: 6, line: 42, lineMargin: 2 },
  header: { lines: 10, firstIndex: 0 },
  footer: { lines: 10, firstIndex: 0 },
  clockMarksDaylight: true,
  reportSums: { skip: 0, reversals: true },
  logo: { kind: "file", partCharacters: 72, bytesMax: 32_768 },
} as const satisfies IslDialect;
