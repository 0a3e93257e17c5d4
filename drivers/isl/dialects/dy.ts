/**
 * vendorB DY: Daisy devices of the protocol of 2019 (eCompact, CompactM, Perfect, FX).
 *
 * The device takes a frame for a repeat when number and command are those of the last one, so the
 * identical frame may be sent again here as well. A cancelled receipt is one whose sales are all
 * taken back, that is paid with 0.00 and closed; it has a number, and nothing was paid in it.
 * Sales by department are left out on purpose, as on the P devices: the department decides the VAT
 * group. The passwords that operators beyond the first come with are proven by one other driver only.
 * UNCONFIRMED on a device.
 * Source: Daisy protocol manual 1.0 of 2019; templates checked against frames of other drivers.
 */

import type { IslDialect } from "../dialect.ts";
import { p } from "./p.ts";
import { DY_STATUS } from "./status-bits.ts";
import { DY_NUMBERS } from "./status-numbers.ts";

const { adjustments: _noAdjustments, journalKinds: _noKinds, ...unadjusted } = p;
const {
  getVatSetup: _noSetup,
  adjustment: _none,
  journalDocument: _noJournal,
  ...shared
} = p.actions;

export const dy = {
  ...unadjusted,
  name: "dy",
  identify: {
    serial: /^DY\d{6}$/,
    model: /^/,
    // `CompactM ONL01-4.01BG 29-10-2018 11:34,FFFF,00,6,DY408097,36543869`; the model may be absent.
    answer:
      /^(?:(?<model>[^,]+) )?(?<firmware>[^ ,]+) [^ ,]+ [^ ,]+,[^,]*,[^,]*,[^,]*,(?<serial>[^,]*),(?<memory>[^,]*)/,
  },
  manufacturer: "Daisy",
  wholeAmounts: "units",
  statusTable: DY_STATUS,
  errorNumbers: DY_NUMBERS,
  actions: {
    ...shared,
    // P1 and P2 are the size of a logo, P10 and P11 the widths of texts and of names.
    printColumns: {
      command: 128,
      request: "",
      reply: ["logoDots", "logoRows", "", "", "", "", "", "", "line", "value", "nameWidth"],
      reads: true,
    },
    transaction: {
      ...p.actions.transaction,
      reply: ["open", "items", "amount", "paid", "rest"],
    },
    zCounter: { command: 64, request: "T", reply: ["zNumber"], reads: true },
    // Of the last document of any kind: `PF,0,36543869*0000025*2026-11-27*14:05:09*7.00`, or
    // `PS,XXXXX` of one without fiscal meaning.
    lastQrCode: {
      command: 116,
      request: "",
      reply:
        /^PF,[0-3],[^*]*\*(?<number>\d{1,9})\*(?<date>\d{4}-\d\d-\d\d)\*(?<time>\d\d:\d\d:\d\d)\*(?<amount>\d+(?:\.\d+)?)/,
      reads: true,
    },
    openSale: { ...p.actions.openSale, request: "{operator},{password},{usn}" },
    openStorno: {
      ...p.actions.openStorno,
      command: 48,
      request: "{operator},{password},{usn}\tR{reason},{number},{date}\t{memory}",
    },
    sale: { ...p.actions.sale, request: "{name}\t{vat}{price}[*{quantity}]" },
    cancel: { command: 130, request: "", reply: ["all", "fiscal"], demands: "receipt_open" },
    setVat: {
      command: 96,
      request: "{vat1},{vat2},{vat3},{vat4},{vat5},{vat6},{vat7},{vat8}",
      reply: ["result"],
      demands: "day_closed",
    },
  },
  tenders: { cash: "P", card: "C", check: "N", reserved1: "D" },
  stornoReasons: { refund: "0", "operator-error": "1", "tax-base-reduction": "2" },
  stornoTenders: ["cash"],
  operators: {
    max: 20,
    nameLength: 24,
    passwordLength: { min: 1, max: 6 },
    zeroPasswordModels: /(?!)/,
  },
  salesMax: 250,
  widths: { name: 28, nameLines: 2, unit: 0, line: 32, lineMargin: 0 },
  reportSums: { skip: 0, reversals: true },
  logo: { kind: "rows", rows: 96, rowBytes: 48 },
} as const satisfies IslDialect;
