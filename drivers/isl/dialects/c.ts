/**
 * vendorA C: the Bulgarian cash registers with short frames (DP-05, DP-25, DP-35, WP-50, DP-150).
 *
 * The letters of the tenders are those of the manuals 2.04 and of group B, but for the card. They
 * depend on the firmware: rosenvladimirov/Odoo.ErpNet.FP has tried a DP-150 of firmware 3.00, which
 * knows P, L and N and books any other letter as cash. N is credit in all sources, and no device
 * takes it for cash; what C, the debit card of the manuals, does beyond that is start a pinpad. So
 * cards are booked as N. UNCONFIRMED on other devices, and whether they take J, I and D for cash.
 * Source: Datecs DP-25/DP-35 protocol manual 2.04BG; templates checked against frames of other
 * drivers.
 */

import type { IslDialect } from "../dialect.ts";
import { p } from "./p.ts";
import { C_STATUS } from "./status-bits.ts";

export const c = {
  ...p,
  name: "c",
  identify: { serial: /^D[TA]\d{6}$/, model: /^(DP|WP)/ },
  statusTable: C_STATUS,
  actions: {
    ...p.actions,
    openSale: { ...p.actions.openSale, request: "{operator},{password},{usn},{till}" },
    openStorno: {
      ...p.actions.openStorno,
      request: "{operator},{password},{usn},{till},{reason},{number},{compactDate},{memory}",
    },
    sale: { ...p.actions.sale, request: "{name}\t{vat}{price}[*{quantity}]" },
    // Finds a document of whatever kind; cancelled receipts are not in the journal.
    journalDocument: {
      command: 125,
      request: "0,{number},0",
      reply: ["result", "document", "issuedAt", "type", "zNumber"],
      reads: true,
    },
  },
  // Sales, invoices, stornos, credit notes; Z reports, cash in and out, X reports, texts.
  // Manual 2.04BG, command 125. UNCONFIRMED on a device.
  journalKinds: { receipts: ["1", "7", "8", "9"], others: ["2", "3", "4", "5", "6"] },
  tenders: {
    cash: "P",
    credit: "N",
    card: "N",
    coupons: "J",
    voucher: "I",
    "ext-coupons": "I",
    reserved1: "D",
  },
  stornoReasons: { "operator-error": "0", refund: "1", "tax-base-reduction": "2" },
  operators: {
    max: 30,
    nameLength: 24,
    passwordLength: { min: 1, max: 8 },
    zeroPasswordModels: /(?!)/,
  },
  salesMax: 120,
  widths: { name: 22, nameLines: 2, unit: 0, line: 36, lineMargin: 0 },
  logo: { kind: "rows", rows: 96, rowBytes: 48 },
} as const satisfies IslDialect;
