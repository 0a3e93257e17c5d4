/**
 * vendorA RO-legacy: the Romanian DP-25 of 2016 with short frames.
 *
 * No unique sale number and no storno document. Proven on frames of the maker's own software are
 * cash payments only; the other tender letters are those of the P devices. No public source names
 * them: UNCONFIRMED.
 */

import type { IslDialect } from "../dialect.ts";
import { c } from "./c.ts";
import { NO_STORNO } from "./ro-x.ts";
import { RO_LEGACY_STATUS } from "./status-bits.ts";

const { journalKinds: _noKinds, ...unread } = c;
const { openStorno: _noStorno, journalDocument: _unconfirmed, ...shared } = c.actions;

export const roLegacy = {
  ...unread,
  name: "ro-legacy",
  identify: { serial: /^DB\d+$/, model: /^/, tellsSerialApart: true },
  codePage: "ascii",
  statusTable: RO_LEGACY_STATUS,
  actions: {
    ...shared,
    status: { ...c.actions.status, request: "W" },
    openSale: { ...c.actions.openSale, request: "{operator},{password},{till}" },
    adjustment: { ...c.actions.adjustment, request: "11;{adjustment}{amount}" },
    payment: { ...c.actions.payment, request: "\t{tender}+{amount}" },
    drawer: { ...c.actions.drawer, request: "15" },
  },
  vatGroups: ["A", "B", "C", "D", "E", "F", "G", "H"],
  tenders: { cash: "P", credit: "N", check: "C", card: "D" },
  stornoReasons: undefined,
  noStorno: NO_STORNO,
  wantsUniqueSaleNumber: false,
  customerText: "CIF ",
  operators: { ...c.operators, zeroPasswordModels: /^/ },
} as const satisfies IslDialect;
