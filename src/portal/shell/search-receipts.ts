/** How receipts are asked for by what a person types, and which of those that are found come first. */

import type { components } from "../../client/index.ts";
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

/**
 * What is typed: "receipt 7" means 7.
 * @param word what a receipt is called
 */
export function numberTyped(typed: string, word: string): string {
  const [first = "", ...rest] = typed.trim().split(/\s+/);
  const isNamed = rest.length > 0 && isForm(plain(first), plain(word));
  return isNamed ? rest.join(" ") : [first, ...rest].join(" ");
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
