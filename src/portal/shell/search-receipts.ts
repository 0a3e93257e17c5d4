/** How receipts are asked for by what a person types, and which of those that are found come first. */

import type { components } from "../../client/index.ts";
import { CURRENCIES } from "../parts/currencies.ts";
import type { Format } from "../words/format.ts";
import { isForm, plain } from "./search-words.ts";

type Receipt = components["schemas"]["Receipt"];

/** One list to ask for. */
export interface ReceiptQuery {
  /** The whole number on the paper. */
  readonly fiscalId?: string;
  /** The whole total, or what is in numbers, names and the customer's code. */
  readonly q?: string;
}

/** So few digits stand in nearly every number of a sale, which is long. */
const SHORT = 4;

/** As people write currencies whose code the page has. */
const BY_HAND = ["lei", "лв.", "лв"];

/** How the page writes what people type again. */
interface Writing {
  /** What receipts are called. */
  readonly word: string;
  readonly format: Pick<Format, "money">;
}

/** What stands before the number of a receipt: "no. 16", "nr. 16", "№ 16". */
const NUMBER_MARK = /^(?:№|#|no\.?|nr\.?)\s*(?=\d+$)/iu;
const SIGN = /^[-\u2212]\s*/;
/** As amounts stand on the page, also with marks between thousands. */
const SHOWN_AMOUNT = /^(\d{1,3}(?:[.,\s]\d{3}){1,2}|\d{1,9})([.,]\d\d)$/;

/**
 * What is looked for, without what the page writes around it: "receipt 7" and "no. 7" mean 7, "€24.21",
 * "24,21 EUR" and "-24.21" the amount.
 */
export function numberTyped(typed: string, writing: Writing): string {
  const [first = "", ...rest] = typed.trim().split(/\s+/);
  const [number = ""] = rest.length === 1 ? rest : [];
  const isNamed = /\d/.test(number) && isForm(plain(first), plain(writing.word));
  const text = isNamed ? number : [first, ...rest].join(" ");
  return amountShown(text, writing) ?? text.replace(NUMBER_MARK, "");
}

function amountShown(text: string, { format }: Writing): string | undefined {
  const unsigned = text.toLowerCase().replace(SIGN, "");
  const figures = currencyMarks(format).reduce(withoutMark, unsigned).replace(SIGN, "");
  const [, whole = "", cents] = SHOWN_AMOUNT.exec(figures) ?? [];
  return cents === undefined ? undefined : `${whole.replaceAll(/\D/g, "")}${cents}`;
}

function withoutMark(text: string, mark: string): string {
  if (text.startsWith(mark)) return text.slice(mark.length).trim();
  return text.endsWith(mark) ? text.slice(0, -mark.length).trim() : text;
}

/** What each currency is called, and how the page writes it and the shop's. */
function currencyMarks({ money }: Writing["format"]): string[] {
  const written = [money(0), ...CURRENCIES.map((code) => money(0, code))];
  const marks = written.map((text) => text.replaceAll(/\d+[.,]\d+|\s/g, ""));
  return [...CURRENCIES, ...marks, ...BY_HAND].map((mark) => mark.toLowerCase()).filter(Boolean);
}

/**
 * What to ask for, what is meant most likely first: the number on the paper, then the whole amount,
 * 22,5 meaning 22,50 and 55 meaning 55,00, then what has it somewhere. Nothing where no number is typed.
 * @param asked as `numberTyped` has it
 */
export function receiptQueries(asked: string): ReceiptQuery[] {
  if (!/\d/.test(asked)) return [];
  const amount = amountOf(asked);
  const exact = [{ fiscalId: asked }, ...(amount === undefined ? [] : [{ q: amount }])];
  return amount === asked ? exact : [...exact, { q: asked }];
}

function amountOf(asked: string): string | undefined {
  if (/^\d{1,9}$/.test(asked)) return `${asked}.00`;
  if (/^\d{1,9}[.,]\d$/.test(asked)) return `${asked}0`;
  return /^\d{1,9}[.,]\d\d$/.test(asked) ? asked : undefined;
}

/** Why a receipt was found. */
export interface Reason {
  /** The smaller, the likelier it is meant. */
  readonly rank: number;
  /** What has it, where that is neither its number nor its amount. */
  readonly text?: string;
}

/** @returns undefined for what few digits find by chance */
export function reasonOf(receipt: Receipt, asked: string): Reason | undefined {
  const { fiscalId, receiptNumber, total, uniqueSaleNumber, customerCif, items } = receipt;
  if (fiscalId === asked || receiptNumber === asked || receipt.id === asked) return { rank: 0 };
  if (amountOf(asked)?.replace(",", ".") === total.toFixed(2)) return { rank: 1 };
  const has = (text: string | null) => text !== null && plain(text).includes(plain(asked));
  if (has(fiscalId)) return { rank: 2 };
  const others = [receiptNumber, customerCif, ...items.map(({ name }) => name)];
  const isShort = /^\d+$/.test(asked) && asked.length < SHORT;
  const text = [...others, ...(isShort ? [] : [uniqueSaleNumber])].find(has);
  return typeof text === "string" ? { rank: 3, text } : undefined;
}
