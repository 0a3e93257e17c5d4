/**
 * vendorA RO-X: the Romanian devices with long frames (DP-05, DP-150MX, FP-700X, SK1-21).
 *
 * As X, but without unique sale numbers and storno documents, and with shorter frames in places.
 * The frames of receipts are those of an application in production on a DP-05, which also proves
 * tenders 0 and 1. Tenders 2 to 8 are those of public notes on the SK1-21 (command 53) and of a
 * Romanian till's form for such devices, in the order of the Romanian regulation.
 */

import type { IslDialect } from "../dialect.ts";
import { x } from "./x.ts";

const { journalKinds: _noKinds, ...unread } = x;
const { openStorno: _noStorno, journalDocument: _unconfirmed, ...shared } = x.actions;

/** Also what the portal and docs/till-integration.md say. */
export const NO_STORNO = "Fiscal printers in Romania have no storno: nothing was sent to this one";

export const roX = {
  ...unread,
  name: "ro-x",
  identify: { serial: /^DB\d{10}$/, model: /^/, tellsSerialApart: true },
  codePage: "ascii",
  actions: {
    ...shared,
    openSale: {
      ...x.actions.openSale,
      request: "{operator}\t{password}\t{till}\t[I\t{customer}\t]",
    },
    text: { ...x.actions.text, request: "{text}\t\t\t\t\t\t" },
    sale: {
      ...x.actions.sale,
      request: "{name}\t{vat}\t{price}\t{fullQuantity}\t\t\t{department}\t{unit}\t",
    },
    payment: { ...x.actions.payment, request: "{tender}\t{amount}\t" },
    openSlip: { ...x.actions.openSlip, request: "\t" },
    slipTitle: { command: 42, request: "{text}\t\t\t\t\t\t\t" },
    slipLine: { command: 42, request: "{text}\t\t\t\t\t\t\t" },
    getVat: {
      ...x.actions.getVat,
      reply: ["table", "vat1", "vat2", "vat3", "vat4", "vat5"],
    },
    setVat: { ...x.actions.setVat, request: "{vat1}\t{vat2}\t{vat3}\t{vat4}\t{vat5}\t" },
  },
  vatGroups: ["1", "2", "3", "4", "5", "6", "7"],
  vatOffRate: "100.02",
  tenders: {
    cash: "0",
    card: "1",
    credit: "2",
    "meal-vouchers": "3",
    "value-tickets": "4",
    voucher: "5",
    "modern-payment": "6",
    "card-advance": "7",
    other: "8",
  },
  stornoReasons: undefined,
  noStorno: NO_STORNO,
  wantsUniqueSaleNumber: false,
  customerText: undefined,
  defaultUnit: "BUC",
} as const satisfies IslDialect;
