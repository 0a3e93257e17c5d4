/**
 * vendorA C, firmware 3.00 of the DP-150: as C, but for its tenders. It knows three letters and books
 * any other one as cash, so a tender without a letter of its own is refused before a byte is sent.
 * The notes on the device that was tried call L coupon once and credit once; it is left out.
 * Source: rosenvladimirov/Odoo.ErpNet.FP, receipts of a DP-150.
 */

import type { IslDialect } from "../dialect.ts";
import { c } from "./c.ts";

export const cFw3 = {
  ...c,
  name: "c-fw3",
  identify: { ...c.identify, model: /^DP-150/, firmware: /^3\./ },
  tenders: { cash: "P", credit: "N", card: "N" },
} as const satisfies IslDialect;
