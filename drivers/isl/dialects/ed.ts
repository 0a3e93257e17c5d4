/**
 * vendorC ED: Eltrade devices (A1, A3 and others).
 *
 * A receipt is opened in the name of an operator, whatever the name; there is no password but the
 * one that programming the name takes, and no command that changes it. When the last receipt was
 * issued is told from protocol 1.1.5 on. The number of the last Z report is read from the day's
 * registers (110), where the manual calls it that of the current, last record: the manuals of
 * Datecs A and B say the same, those of Daisy and Incotex plainly the last. UNCONFIRMED on a device
 * whether it is that of the coming one; a Z report in doubt is judged by the number moving on, which
 * holds for both. Where the answer has another form, the number counts as not told.
 * Sources: Eltrade protocol manuals 1.0.9, 1.1.1 and 1.1.6; templates checked against frames of
 * other drivers.
 */

import type { IslDialect } from "../dialect.ts";
import { p } from "./p.ts";
import { ED_STATUS } from "./status-bits.ts";

const { adjustments: _noAdjustments, journalKinds: _noKinds, ...unadjusted } = p;
const {
  setOperatorPassword: _noPassword,
  logoPart: _noUpload,
  logoOn: _,
  adjustment: _none,
  journalDocument: _noJournal,
  ...shared
} = p.actions;

export const ed = {
  ...unadjusted,
  name: "ed",
  identify: {
    serial: /^ED\d{6}$/,
    model: /^/,
    // `A1,KL,5101.1811.0.3 16Nov18 15:00,FFFF,0000,ED311662,44311662`
    answer:
      /^(?<model>[^,]*),[^,]*,(?<firmware>[^ ,]*)[^,]*,[^,]*,[^,]*,(?<serial>[^,]*),(?<memory>[^,]*)/,
  },
  manufacturer: "Eltrade",
  statusTable: ED_STATUS,
  actions: {
    ...shared,
    lastReceipt: { command: 86, request: "T", reply: ["issuedAt"], reads: true },
    zCounter: {
      command: 110,
      request: "",
      reply: /,(?<zNumber>\d{4}),(?<nextReceipt>\d{7})$/,
      reads: true,
    },
    openSale: { ...p.actions.openSale, command: 144, request: "Оператор: {operator},{usn}" },
    openStorno: {
      ...p.actions.openStorno,
      command: 144,
      request: "Оператор: {operator},{usn},S,{memory},{reason},{number},{isoDate}",
    },
    sale: { ...p.actions.sale, request: "{name}\t{vat}{price}[*{quantity}]" },
  },
  tenders: {
    cash: "P",
    check: "N",
    coupons: "C",
    "ext-coupons": "D",
    packaging: "I",
    "internal-usage": "J",
    damage: "K",
    card: "L",
    bank: "M",
    reserved1: "Q",
    reserved2: "R",
  },
  stornoReasons: { refund: "R", "operator-error": "O", "tax-base-reduction": "T" },
  operators: {
    max: 20,
    nameLength: 24,
    passwordLength: { min: 1, max: 8 },
    zeroPasswordModels: /(?!)/,
  },
  salesMax: 250,
  widths: { name: 30, nameLines: 2, unit: 0, line: 46, lineMargin: 0 },
  logo: undefined,
} as const satisfies IslDialect;
