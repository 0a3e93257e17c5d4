/** That the search finds what is meant by a few letters. */

import { expect, test } from "bun:test";
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

test.each([
  ["55", "Bonuri", [{ fiscalId: "55" }, { q: "55.00" }, { q: "55" }]],
  ["22,5", "Bonuri", [{ fiscalId: "22,5" }, { q: "22,50" }, { q: "22,5" }]],
  ["22,50", "Bonuri", [{ fiscalId: "22,50" }, { q: "22,50" }]],
  ["bon 7", "Bonuri", [{ fiscalId: "7" }, { q: "7.00" }, { q: "7" }]],
  ["receipt 7", "Receipts", [{ fiscalId: "7" }, { q: "7.00" }, { q: "7" }]],
  ["бон 7", "Бонове", [{ fiscalId: "7" }, { q: "7.00" }, { q: "7" }]],
  ["suc 2l", "Bonuri", [{ fiscalId: "suc 2l" }, { q: "suc 2l" }]],
  ["parola", "Bonuri", []],
  ["", "Bonuri", []],
])("%p asks receipts, called %p, for %p", (typed, word, queries) => {
  expect(receiptQueries(numberTyped(typed, word))).toEqual(queries);
});
