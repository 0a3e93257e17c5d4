/** The golden frames through the command layer: what we send is, byte for byte, what others sent. */

import { describe, expect, test } from "bun:test";
import { encodeText } from "../shared/codepage.ts";
import { formatClock, formatCompact, formatDashed, formatIso } from "./clock-text.ts";
import type { ActionName, IslDialect } from "./dialect.ts";
import { c } from "./dialects/c.ts";
import { dy } from "./dialects/dy.ts";
import { ed } from "./dialects/ed.ts";
import { incotex } from "./dialects/in.ts";
import { p } from "./dialects/p.ts";
import { roLegacy } from "./dialects/ro-legacy.ts";
import { roX } from "./dialects/ro-x.ts";
import { x } from "./dialects/x.ts";
import { encodeRequest, RequestDecoder } from "./frame.ts";
import { fillTemplate, type TemplateValues } from "./template.ts";
import { VECTORS, vectorOf } from "./testdata/vectors.ts";

const SOFIA = "Europe/Sofia";
const BUCHAREST = "Europe/Bucharest";
/** 2024-03-15 14:05:09 in Sofia. */
const ISSUED_AT = Date.UTC(2024, 2, 15, 12, 5, 9);
const X_OPEN = { operator: "1", password: "0000", usn: "DT577430-0001-0000001", till: "1" };
const P_OPEN = { ...X_OPEN, usn: "DT518315-0001-0000001" };
const C_OPEN = { ...X_OPEN, password: "1", usn: "DT636533-0001-0000001" };
const STORNO = {
  number: "26",
  date: formatDashed(ISSUED_AT, SOFIA),
  compactDate: formatCompact(ISSUED_AT, SOFIA),
  isoDate: formatIso(ISSUED_AT, SOFIA),
  memory: "02577430",
};
const COFFEE = { name: "Coffee", vat: "2", price: "12.50", fullQuantity: "1.000" };
const DY_OPEN = { operator: "20", password: "9999", usn: "DY408097-0001-0000001" };
const ED_OPEN = { operator: "1", usn: "ED311662-0001-0000001" };
const IN_OPEN = { operator: "1", usn: "IN015013-0001-0000001" };
const CYRILLIC_NAME = { operator: "1", password: "1", name: "Ivan Иван" };
const NO_EXTRAS = { department: "", unit: "" };

type Row = readonly [string, IslDialect, ActionName, TemplateValues];

const SAME: readonly Row[] = [
  ["datecs-x-device-info-open#2", x, "printColumns", {}],
  ["datecs-x-datetime-set", x, "setClock", { clock: formatClock(ISSUED_AT, SOFIA, true) }],
  ["pm-open", x, "openSale", X_OPEN],
  ["pm-sale-numeric-group", x, "sale", { ...COFFEE, ...NO_EXTRAS }],
  ["datecs-x-subtotal-surcharge-amount", x, "adjustment", { adjustment: "3", amount: "1.00" }],
  ["datecs-x-current-receipt-info#1", x, "transaction", {}],
  ["datecs-x-payment-cash", x, "payment", { tender: x.tenders.cash, amount: "20.00" }],
  ["datecs-x-payment-other", x, "payment", { tender: x.tenders.check, amount: "2.50" }],
  ["datecs-x-storno-open-operator-error", x, "openStorno", stornoOf(x, "operator-error")],
  ["datecs-x-storno-open-refund", x, "openStorno", stornoOf(x, "refund")],
  ["datecs-x-storno-open-taxbase", x, "openStorno", stornoOf(x, "tax-base-reduction")],
  ["datecs-x-nonfiscal-text", x, "slipLine", { text: "Hello Здравей" }],
  ["datecs-x-cash-in", x, "cashIn", { amount: "200.00" }],
  ["datecs-x-cash-out", x, "cashOut", { amount: "50.00" }],
  ["datecs-x-cash-query", x, "cashRead", {}],
  ["datecs-x-drawer-raw", x, "drawer", {}],
  ["datecs-x-header-set-raw", x, "setHeader", { index: "0", text: "Shop" }],
  ["datecs-x-footer-set-raw", x, "setFooter", { index: "1", text: "Bye" }],
  ["cs-x-comment", x, "text", { text: "Thanks" }],
  ["cs-x-logo-stop", x, "logoEnd", {}],
  ["ro-x-getdt", roX, "getClock", {}],
  ["ro-x-setdt", roX, "setClock", { clock: bucharest(Date.UTC(2024, 6, 1, 7, 20)) }],
  ["ro-x-setdt-nodst", roX, "setClock", { clock: bucharest(Date.UTC(2024, 0, 15, 8, 20)) }],
  ["ro-x-vat-get", roX, "getVat", {}],
  ["ro-x-text", roX, "text", { text: "Multumim" }],
  ["ro-x-close", roX, "close", {}],
  ["ro-x-cancel", roX, "cancel", {}],
  ["ro-x-tx-status", roX, "transaction", {}],
  ["datecs-p-receipt-open", p, "openSale", P_OPEN],
  ["datecs-p-payment-card", p, "payment", { tender: p.tenders.card, amount: "5.00" }],
  ["datecs-p-payment-other", p, "payment", { tender: p.tenders.check, amount: "2.50" }],
  ["datecs-p-storno-open-operator-error", p, "openStorno", stornoOf(p, "operator-error")],
  ["datecs-p-storno-open-taxbase", p, "openStorno", stornoOf(p, "tax-base-reduction")],
  [
    "datecs-p-operator-name",
    p,
    "setOperatorName",
    { operator: "1", password: "0000", name: "Ivan Иван" },
  ],
  ["datecs-p-last-fiscal-record", p, "zCounter", {}],
  ["datecs-p-transaction-status-raw", p, "transaction", {}],
  ["datecs-p-header-get-raw", p, "getHeader", { index: "0" }],
  ["datecs-p-header-set-raw", p, "setHeader", { index: "0", text: "Shop" }],
  ["datecs-c-status", c, "status", {}],
  ["datecs-c-datetime-set", c, "setClock", { clock: formatClock(ISSUED_AT, SOFIA, false) }],
  ["js-c-receipt#1", c, "openSale", C_OPEN],
  [
    "datecs-c-sale-qty",
    c,
    "sale",
    { name: "Item A", vat: c.vatGroups[0], price: "3.30", quantity: "2.500" },
  ],
  ["datecs-c-text-fiscal", c, "text", { text: "Thank you Благодарим" }],
  ["datecs-c-receipt-close", c, "close", {}],
  ["datecs-c-receipt-cancel", c, "cancel", {}],
  ["js-c-storno#1", c, "openStorno", stornoOf(c, "refund")],
  ["datecs-c-nonfiscal-open", c, "openSlip", {}],
  ["datecs-c-nonfiscal-text", c, "slipLine", { text: "Hello Здравей" }],
  ["datecs-c-nonfiscal-close", c, "closeSlip", {}],
  ["datecs-c-cash-in", c, "cashIn", { amount: "200.00" }],
  ["datecs-c-cash-out", c, "cashOut", { amount: "50.00" }],
  ["datecs-c-cash-query", c, "cashRead", {}],
  ["datecs-c-z-report", c, "zReport", {}],
  ["js-c-x#3", c, "xReport", {}],
  ["datecs-c-vat-rates", c, "getVat", {}],
  ["datecs-c-drawer-raw", c, "drawer", {}],
  ["py-datecs-dup", c, "duplicate", {}],
  ["datecs-ro-legacy-open", roLegacy, "openSale", X_OPEN],
  ["datecs-ro-legacy-subtotal-abs", roLegacy, "adjustment", { adjustment: "-", amount: "2.00" }],
  ["datecs-ro-legacy-close", roLegacy, "close", {}],
  ["datecs-ro-legacy-z", roLegacy, "zReport", {}],
  ["datecs-ro-legacy-x", roLegacy, "xReport", {}],
  ["datecs-ro-legacy-cashin", roLegacy, "cashIn", { amount: "100.00" }],
  ["datecs-ro-legacy-vat", roLegacy, "getVat", {}],
  [
    "datecs-ro-legacy-oppass",
    roLegacy,
    "setOperatorPassword",
    { operator: "1", password: "0000", newPassword: "1234" },
  ],
  ["datecs-ro-legacy-drawer", roLegacy, "drawer", {}],
  ["datecs-ro-legacy-dup", roLegacy, "duplicate", {}],
  ["datecs-ro-legacy-nftext", roLegacy, "slipLine", { text: "Salut" }],
  ["datecs-ro-legacy-header", roLegacy, "setHeader", { index: "0", text: "Magazin" }],
  ["daisy-device-info-open#2", dy, "printColumns", {}],
  ["daisy-datetime-get", dy, "getClock", {}],
  ["daisy-datetime-set", dy, "setClock", { clock: formatClock(ISSUED_AT, SOFIA, false) }],
  [
    "daisy-sale-simple",
    dy,
    "sale",
    { name: "Кафе лате", vat: dy.vatGroups[1], price: "12.50", quantity: "1.000" },
  ],
  [
    "daisy-sale-qty",
    dy,
    "sale",
    { name: "Item A", vat: dy.vatGroups[0], price: "3.30", quantity: "2.500" },
  ],
  ["daisy-text-fiscal", dy, "text", { text: "Thank you Благодарим" }],
  ["daisy-current-receipt-info#2", dy, "transaction", {}],
  ["daisy-payment-card", dy, "payment", { tender: dy.tenders.card, amount: "5.00" }],
  ["py-daisy-pay-check", dy, "payment", { tender: dy.tenders.check, amount: "1.00" }],
  ["py-daisy-close", dy, "close", {}],
  ["daisy-last-doc-number", dy, "lastDocument", {}],
  ["cs-daisy-err-24h", dy, "openSale", { ...DY_OPEN, operator: "1", password: "1" }],
  [
    "py-daisy-storno",
    dy,
    "openStorno",
    { ...STORNO, ...DY_OPEN, memory: "36543869", reason: dy.stornoReasons["operator-error"] },
  ],
  ["js-daisy-reset", dy, "cancel", {}],
  ["daisy-nonfiscal-open", dy, "openSlip", {}],
  ["daisy-nonfiscal-close", dy, "closeSlip", {}],
  ["daisy-cash-in", dy, "cashIn", { amount: "200.00" }],
  ["daisy-cash-out", dy, "cashOut", { amount: "50.00" }],
  ["daisy-x-report", dy, "xReport", {}],
  ["daisy-operator-name", dy, "setOperatorName", CYRILLIC_NAME],
  ["daisy-vat-rates", dy, "getVat", {}],
  ["eltrade-status", ed, "status", {}],
  [
    "eltrade-sale-simple",
    ed,
    "sale",
    { name: "Кафе лате", vat: ed.vatGroups[1], price: "12.50", quantity: "1.000" },
  ],
  ["eltrade-payment-card", ed, "payment", { tender: ed.tenders.card, amount: "5.00" }],
  ["py-eltrade-pay-cash", ed, "payment", { tender: ed.tenders.cash, amount: "10.00" }],
  ["eltrade-receipt-close", ed, "close", {}],
  ["eltrade-last-doc-number", ed, "lastDocument", {}],
  [
    "eltrade-storno-open-refund",
    ed,
    "openStorno",
    { ...STORNO, ...ED_OPEN, memory: "44311662", reason: ed.stornoReasons.refund },
  ],
  ["eltrade-cash-in", ed, "cashIn", { amount: "200.00" }],
  ["eltrade-x-report", ed, "xReport", {}],
  ["eltrade-duplicate", ed, "duplicate", {}],
  ["eltrade-operator-name", ed, "setOperatorName", CYRILLIC_NAME],
  ["eltrade-vat-rates", ed, "getVat", {}],
  ["eltrade-drawer-raw", ed, "drawer", {}],
  ["eltrade-transaction-status-raw", ed, "transaction", {}],
  ["eltrade-header-get-raw", ed, "getHeader", { index: "0" }],
  ["eltrade-header-set-raw", ed, "setHeader", { index: "0", text: "Shop" }],
  ["py-eltrade-comment", ed, "text", { text: "Comment" }],
  ["cs-incotex-constants", incotex, "printColumns", {}],
  ["cs-incotex-open", incotex, "openSale", IN_OPEN],
  [
    "cs-incotex-storno-operator-error",
    incotex,
    "openStorno",
    {
      ...STORNO,
      ...IN_OPEN,
      memory: "54015013",
      reason: incotex.stornoReasons["operator-error"],
    },
  ],
  ["cs-incotex-pay-card", incotex, "payment", { tender: incotex.tenders.card, amount: "12.50" }],
  ["py-incotex-pay-check", incotex, "payment", { tender: incotex.tenders.check, amount: "1.00" }],
  ["js-incotex-reset", incotex, "cancel", {}],
  ["cs-incotex-x", incotex, "xReport", {}],
  ["cs-incotex-cash-in", incotex, "cashIn", { amount: "200.00" }],
  ["cs-incotex-cash-out-denied", incotex, "cashOut", { amount: "900.00" }],
  ["js-incotex-cash", incotex, "cashRead", {}],
  [
    "cs-incotex-opname",
    incotex,
    "setOperatorName",
    { operator: "1", password: incotex.operators.zeroPassword, name: "Иван" },
  ],
  [
    "cs-incotex-oppass",
    incotex,
    "setOperatorPassword",
    { operator: "1", password: incotex.operators.zeroPassword, newPassword: "1234" },
  ],
  ["cs-incotex-header-set", incotex, "setHeader", { index: "0", text: "Магазин" }],
  ["cs-incotex-header-get", incotex, "getHeader", { index: "0" }],
  ["cs-incotex-nf-open", incotex, "openSlip", {}],
  ["cs-incotex-nf-text", incotex, "slipLine", { text: "Hello" }],
  ["cs-incotex-dup", incotex, "duplicate", {}],
];

/** Frames of others that mean the same as ours and are written otherwise, and why. */
const DIFFERENT: readonly (readonly [string, string])[] = [
  ["datecs-x-sale-qty", "a blank behind the name, 0 for no discount and no department"],
  ["cs-x-sale-nodiscount", "a discount value where there is no discount; the manual wants none"],
  ["cs-x-pay-full", "pays the rest without saying how much; we say it"],
  ["datecs-x-payment-full", "pays the rest without saying how much; we say it"],
  ["py-datecs-item", "the quantity without decimals; we write three"],
  ["js-p-storno#1", "no unique sale number in front; the other order is in the manual too"],
  ["datecs-c-payment-card", "a letter that some firmware books as cash; our cards go as credit"],
  ["datecs-c-storno-open-invoice", "a storno of an invoice, and no seconds in the time"],
  ["py-daisy-item", "the quantity without decimals; we write three"],
  ["py-daisy-pay-full", "pays the rest without saying how much; we say it"],
  ["daisy-sale-department#2", "by department, which then decides the VAT group"],
  ["eltrade-error-fm-full", "a comma behind the sale number; the manual has none"],
  ["eltrade-storno-open-invoice", "a storno of an invoice"],
  ["cs-incotex-vat-set", "rates with two digits before the point; we write no leading zero"],
  ["datecs-p-device-info-open", "a star, which also counts the checksum; we only identify"],
];

function stornoOf(dialect: IslDialect, reason: "operator-error" | "refund" | "tax-base-reduction") {
  const open = dialect === x ? X_OPEN : dialect === p ? P_OPEN : C_OPEN;
  const memory = dialect === p ? "02518315" : STORNO.memory;
  return { ...STORNO, ...open, memory, reason: dialect.stornoReasons?.[reason] ?? "" };
}

function bucharest(instant: number): string {
  return formatClock(instant, BUCHAREST, roX.clockMarksDaylight);
}

describe("what we send is what others sent", () => {
  for (const [name, dialect, action, values] of SAME) {
    test(name, () => {
      const vector = vectorOf(name);
      const [request] = new RequestDecoder(vector.generation).push(vector.request);
      if (request?.kind !== "request") throw new Error(name);
      const row = dialect.actions[action];
      if (!row) throw new Error(`${action} is not in the dialect`);
      const data = encodeText(fillTemplate(row.request, values), dialect.codePage);
      const ours = encodeRequest(dialect.generation, {
        seq: request.seq,
        command: row.command,
        data,
      });
      expect(Buffer.from(ours).toString("hex")).toBe(Buffer.from(vector.request).toString("hex"));
    });
  }
});

test("the frames that differ from ours on purpose are still among the golden ones", () => {
  const names = new Set(VECTORS.map((vector) => vector.name));
  for (const [name, why] of DIFFERENT) {
    expect(names).toContain(name);
    expect(why).not.toBe("");
    expect(SAME.some(([same]) => same === name)).toBe(false);
  }
});
