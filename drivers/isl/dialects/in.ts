/**
 * vendorD IN: Incotex devices (133, 181, 777, 300S and 300SM KL-Q).
 *
 * Receipts are opened without a password. A cancelled receipt is one whose sales are all taken
 * back, that is paid with 0.00 and closed. The amount stands before what was paid in the transaction
 * status (76), as in the manuals of the whole family. erpnet/ErpNet.FP, BgIncotexIslFiscalPrinter,
 * reads the field behind it, but only of receipts that are paid in full, where both are the same. The
 * number of the last Z report is that of the last fiscal record (64). No frame of these devices was
 * seen: templates are read in the manual and in another driver. UNCONFIRMED on a device.
 * Source: Incotex protocol manual of 20 February 2019.
 */

import type { IslDialect } from "../dialect.ts";
import { dy } from "./dy.ts";
import { IN_STATUS } from "./status-bits.ts";
import { IN_NUMBERS } from "./status-numbers.ts";

const { stornoTenders: _anyTender, ...shared } = dy;
const { lastQrCode: _noQrCode, ...actions } = dy.actions;

export const incotex = {
  ...shared,
  name: "in",
  identify: {
    serial: /^IN\d{6}$/,
    model: /^/,
    // `1.00 20Feb19 1000,FFFF,0000,06,IN015013,54015013,284013400000000`: it tells no model.
    answer: /^(?<firmware>[^ ,]*)[^,]*,[^,]*,[^,]*,[^,]*,(?<serial>[^,]*),(?<memory>[^,]*)/,
  },
  manufacturer: "Incotex",
  statusTable: IN_STATUS,
  errorNumbers: IN_NUMBERS,
  actions: {
    ...actions,
    // `Cash,Pay1,Pay2,Pay3,Closure,Receipt`: the last fiscal record, the last fiscal receipt.
    receiptCounter: {
      command: 110,
      request: "",
      reply: /,(?<zNumber>\d{1,4}),(?<number>\d{1,9})$/,
      reads: true,
    },
    transaction: { ...dy.actions.transaction, reply: ["open", "items", "amount", "paid"] },
    zCounter: { command: 64, request: "", reply: ["zNumber"], reads: true },
    openSale: { ...dy.actions.openSale, request: "{operator},{usn},0" },
    openStorno: {
      ...dy.actions.openStorno,
      request: "{operator},{usn},{number},{reason}{reason}0,{date},{memory}",
    },
    sale: { ...dy.actions.sale, request: "{name}\t{vat}{price}[*{quantity}][@{unit}]" },
    close: { ...dy.actions.close, reply: ["all", "fiscal", "usn"] },
    cancel: { ...dy.actions.cancel, reply: ["usn"] },
    cashRead: { ...dy.actions.cashRead, request: "0" },
  },
  vatOffRate: "-1.00",
  stornoReasons: { refund: "S", "operator-error": "R", "tax-base-reduction": "V" },
  operators: {
    max: 16,
    nameLength: 24,
    passwordLength: { min: 1, max: 6 },
    zeroPasswordModels: /^/,
    zeroPassword: "0",
  },
  widths: { name: 34, nameLines: 2, unit: 8, line: 34, lineMargin: 0 },
  header: { lines: 8, firstIndex: 0 },
  footer: { lines: 2, firstIndex: 8 },
  reportSums: { skip: 1, reversals: true },
  logo: { kind: "rows", rows: 144, rowBytes: 48 },
} as const satisfies IslDialect;
