/** That the search finds what is meant by a few letters. */

import { expect, test } from "bun:test";
import { createFormat } from "../words/format.ts";
import { ranked } from "./search-rank.ts";
import { numberTyped, receiptQueries } from "./search-receipts.ts";

const all = [
  "Reports",
  "Counter",
  "Print the Z report · Counter",
  "Antet și subsol · Casă",
  "Каса",
];
const found = (asked: string) =>
  ranked(
    all.map((text) => ({ text })),
    asked,
  ).map(({ text }) => text);

test.each([
  ["rep", ["Reports", "Print the Z report · Counter"]],
  ["counter", ["Counter", "Print the Z report · Counter"]],
  ["counter z", ["Print the Z report · Counter"]],
  ["CASA", ["Antet și subsol · Casă"]],
  ["si subs", ["Antet și subsol · Casă"]],
  ["КАСА", ["Каса"]],
  ["nothing", []],
])("%p finds %p", (asked, expected) => {
  expect(found(asked)).toEqual(expected);
});

const FORMS = {
  en: [
    ...["report Reports", "reports Report", "key Keys", "keys Key", "copies Copy"],
    ...["closing Closed", "printing Print", "settings Setting", "receipts Receipt"],
  ],
  ro: [
    ...["raport Rapoarte", "rapoarte Raport", "rapoartele Raport", "bonuri Bon", "bonul Bonuri"],
    ...["imprimanta Imprimante", "imprimante Imprimantă", "imprimantele Imprimantă", "chei Cheie"],
    ...["cheie Chei", "setare Setări", "setarile Setare", "cerere Cereri", "copie Copii"],
    ...["copii Copie", "stornari Stornare", "inchideri Închidere", "casieri Casier"],
  ],
  bg: [
    ...["отчет Отчети", "отчети Отчет", "отчетите Отчет", "принтерите Принтер", "бонове Бон"],
    ...["бон Бонове", "бона Бонове", "ключ Ключове", "ключовете Ключ", "каса Каси", "каси Каса"],
    ...["настройка Настройки", "заявка Заявки", "обекти Обект", "копие Копия", "касиери Касиер"],
    ...["напомняния Напомняне", "затваряния Затваряне"],
  ],
};
const forms = Object.entries(FORMS).flatMap(([language, pairs]) =>
  pairs.map((pair) => [language, ...pair.split(" ")] as const),
);

test.each(forms)("in %s, %p finds %p", (_language, asked = "", text = "") => {
  expect(ranked([{ text }], asked)).toHaveLength(1);
});

test.each([
  ["report", "Receipts"],
  ["casa", "Cash"],
  ["cheie", "Check"],
  ["raport", "Rapid"],
  ["бон", "Банка"],
  ["ключ", "Клиент"],
])("%p and %p are not taken for one word", (asked, text) => {
  expect(ranked([{ text }], asked)).toEqual([]);
});

test("what is called as it was typed comes before another form of it", () => {
  const texts = ["Raport Z · Casă", "Rapoarte"].map((text) => ({ text }));
  expect(ranked(texts, "rapoarte").map(({ text }) => text)).toEqual([
    "Rapoarte",
    "Raport Z · Casă",
  ]);
});

test("finds a page last by what is said about it", () => {
  const pages = [{ text: "Contul meu", about: "Nume, parolă, limbă" }, { text: "Limba casei" }];
  expect(ranked(pages, "parola")).toEqual(pages.slice(0, 1));
  expect(ranked(pages, "limba")).toEqual(pages.toReversed());
});

const written = (word: string, locale: string, currency: string) => ({
  word,
  format: createFormat({ locale, timezone: "UTC", currency }),
});
const RO = written("Bonuri", "ro-RO", "RON");
const EN = written("Receipts", "en-GB", "EUR");
const BG = written("Бонове", "bg-BG", "EUR");

test.each([
  ["55", RO, [{ fiscalId: "55" }, { q: "55.00" }, { q: "55" }]],
  ["22,5", RO, [{ fiscalId: "22,5" }, { q: "22,50" }, { q: "22,5" }]],
  ["22,50", RO, [{ fiscalId: "22,50" }, { q: "22,50" }]],
  ["bon 7", RO, [{ fiscalId: "7" }, { q: "7.00" }, { q: "7" }]],
  ["receipt 7", EN, [{ fiscalId: "7" }, { q: "7.00" }, { q: "7" }]],
  ["бон 7", BG, [{ fiscalId: "7" }, { q: "7.00" }, { q: "7" }]],
  ["suc 2l", RO, [{ fiscalId: "suc 2l" }, { q: "suc 2l" }]],
  ["parola", RO, []],
  ["", RO, []],
])("%p asks receipts for what is meant", (typed, writing, queries) => {
  expect(receiptQueries(numberTyped(typed, writing))).toEqual(queries);
});

test.each([
  ["no. 16", EN, "16"],
  ["nr. 16", RO, "16"],
  ["№ 16", BG, "16"],
  ["#16", EN, "16"],
  ["no. 5 tea", EN, "no. 5 tea"],
  ["€24.21", EN, "24.21"],
  ["24,21 EUR", RO, "24,21"],
  ["24,21\u00a0€", BG, "24,21"],
  ["12.50 lei", RO, "12.50"],
  ["RON 12.50", EN, "12.50"],
  ["-9,34", BG, "9,34"],
  ["\u22129,34 €", BG, "9,34"],
  ["-€9.34", EN, "9.34"],
  ["€1,234.50", EN, "1234.50"],
  ["1.234,50 RON", RO, "1234,50"],
  ["DT000600-0001-0000016", EN, "DT000600-0001-0000016"],
])("%p, as it stands on a page, is looked for by what it means", (typed, writing, meant) => {
  expect(numberTyped(typed, writing)).toBe(meant);
});
