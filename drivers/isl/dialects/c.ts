/**
 * vendorA C: the Bulgarian cash registers with short frames (DP-05, DP-25, DP-35, WP-50, DP-150).
 *
 * The letters of the tenders are those of the manuals 2.04 and of group B. They depend on the
 * firmware all the same: a DP-150 of firmware 3.00 is said to know only P, L and N. UNCONFIRMED on a
 * device; a letter that it does not know is refused, before any money was taken.
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
  },
  tenders: {
    cash: "P",
    credit: "N",
    card: "C",
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
