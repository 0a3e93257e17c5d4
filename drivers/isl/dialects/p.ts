/**
 * vendorA P: the Bulgarian printers with short frames (FP-800, FP-2000, FP-650, SK1-21F, SK1-31F,
 * FMP-10, FP-550).
 *
 * Sales by department are left out on purpose: on these devices the department then decides the
 * VAT group, not the item.
 * Source: Datecs FP-800/FP-2000 protocol manual 1.00BG; templates checked against frames of other
 * drivers.
 */

import type { IslDialect } from "../dialect.ts";
import { P_STATUS } from "./status-bits.ts";

export const p = {
  name: "p",
  generation: "short",
  identify: { serial: /^D[TA]\d{6}$/, model: /^(FP|FMP|SK)/ },
  manufacturer: "Datecs",
  codePage: "windows-1251",
  numbersErrors: false,
  fieldSeparator: ",",
  wholeAmounts: "minor",
  statusTable: P_STATUS,
  actions: {
    status: { command: 74, request: "X", reads: true },
    transaction: {
      command: 76,
      request: "T",
      reply: ["open", "items", "amount", "paid"],
      reads: true,
    },
    // A receipt's first line in the journal, with its number and what it is; other papers have none.
    journalDocument: {
      command: 119,
      request: "Y,{number}",
      reply: /^u,[^,]*,(?<type>\d),(?<document>\d{1,9}),/,
      reads: true,
    },
    lastDocument: { command: 113, request: "", reply: ["number"], reads: true },
    // The star asks for the record with its reversals; the first field after P is the Z number.
    zCounter: { command: 64, request: "*0", reply: ["result", "zNumber"], reads: true },

    openSale: {
      command: 48,
      request: "{operator},{password},{till},{usn}",
      reply: ["all", "fiscal"],
      demands: "no_receipt_open",
    },
    openStorno: {
      command: 46,
      request: "{operator},{password},{till},{usn},{reason}{number},{usn},{compactDate},{memory}",
      reply: ["all", "storno"],
      demands: "no_receipt_open",
    },
    text: { command: 54, request: "{text}", demands: "receipt_open" },
    sale: {
      command: 49,
      request: "{name}\t{vat}{price}[*{quantity}][#{unit}]",
      demands: "receipt_open",
    },
    adjustment: {
      command: 51,
      request: "10;{adjustment}{amount}",
      reply: ["subtotal"],
      demands: "receipt_open",
    },
    payment: {
      command: 53,
      request: "\t{tender}{amount}",
      reply: /^(?<outcome>[A-Z])(?<amount>[-+.\d]*)/,
      demands: "receipt_open",
    },
    close: { command: 56, request: "", reply: ["all", "fiscal"], demands: "receipt_open" },
    cancel: { command: 60, request: "", demands: "receipt_open" },

    openSlip: { command: 38, request: "", reply: ["all"], demands: "no_receipt_open" },
    slipLine: { command: 42, request: "{text}" },
    closeSlip: { command: 39, request: "", reply: ["all"] },
    duplicate: {
      command: 109,
      request: "1",
      limit: "long",
      resend: "if_refused",
      demands: "no_receipt_open",
    },

    xReport: {
      command: 69,
      request: "2",
      reply: ["report"],
      limit: "long",
      demands: "no_receipt_open",
    },
    zReport: {
      command: 69,
      request: "0",
      reply: ["report"],
      limit: "zReport",
      resend: "if_refused",
      demands: "no_receipt_open",
    },
    cashIn: {
      command: 70,
      request: "{amount}",
      reply: ["result", "cash", "in", "out"],
      resend: "if_refused",
      demands: "no_receipt_open",
    },
    cashOut: {
      command: 70,
      request: "-{amount}",
      reply: ["result", "cash", "in", "out"],
      resend: "if_refused",
      demands: "no_receipt_open",
    },
    cashRead: {
      command: 70,
      request: "",
      reply: ["result", "cash", "in", "out"],
      reads: true,
      demands: "no_receipt_open",
    },
    drawer: { command: 106, request: "" },

    setClock: { command: 61, request: "{clock}", demands: "no_receipt_open" },
    getClock: { command: 62, request: "", reply: ["clock"], reads: true },
    getVat: {
      command: 97,
      request: "",
      reply: ["vat1", "vat2", "vat3", "vat4", "vat5", "vat6", "vat7", "vat8"],
      reads: true,
    },
    getVatSetup: {
      command: 83,
      request: "",
      reply: ["multiplier", "decimals", "currency", "enabled"],
      reads: true,
    },
    setVat: {
      command: 83,
      request:
        "{multiplier},{decimals},{currency},{enabled},{vat1},{vat2},{vat3},{vat4},{vat5},{vat6},{vat7},{vat8}",
      demands: "day_closed",
    },
    setHeader: { command: 43, request: "{index}{text}" },
    getHeader: { command: 43, request: "I{index}", reply: /^(?<value>.*)$/s, reads: true },
    setFooter: { command: 43, request: "{index}{text}" },
    getFooter: { command: 43, request: "I{index}", reply: /^(?<value>.*)$/s, reads: true },
    setOperatorName: { command: 102, request: "{operator},{password},{name}" },
    setOperatorPassword: { command: 101, request: "{operator},{password},{newPassword}" },
    logoPart: { command: 115, request: "{row},{part}" },
    logoOn: { command: 43, request: "L1" },
    logoOff: { command: 43, request: "L0" },
  },
  // Sales, invoices, stornos, credit notes; cancelled receipts. Manual 1.00BG, command 119.
  // UNCONFIRMED on a device.
  journalKinds: { receipts: ["0", "1", "2", "3"], others: ["4"], cancelled: "4" },
  vatGroups: ["А", "Б", "В", "Г", "Д", "Е", "Ж", "З"],
  vatOffRate: undefined,
  tenders: {
    cash: "P",
    credit: "N",
    check: "C",
    card: "D",
    coupons: "m",
    "ext-coupons": "n",
    packaging: "o",
    "internal-usage": "p",
    damage: "q",
    bank: "r",
    reserved1: "I",
    reserved2: "L",
  },
  adjustments: { discount: "-", surcharge: "" },
  stornoReasons: { "operator-error": "E", refund: "R", "tax-base-reduction": "T" },
  wantsUniqueSaleNumber: true,
  customerText: "ЕИК ",
  defaultUnit: "",
  operators: {
    max: 16,
    nameLength: 24,
    passwordLength: { min: 4, max: 8 },
    zeroPasswordModels: /^/,
  },
  salesMax: 512,
  widths: { name: 42, nameLines: 2, unit: 8, line: 46, lineMargin: 0 },
  header: { lines: 6, firstIndex: 0 },
  footer: { lines: 2, firstIndex: 6 },
  clockMarksDaylight: false,
  reportSums: { skip: 1, reversals: false },
  logo: { kind: "rows", rows: 96, rowBytes: 72 },
} as const satisfies IslDialect;
