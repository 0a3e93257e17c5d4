/** What a command asked for, as the lines of its paper. */

import { centsOfDocument, type Document } from "./cents.ts";
import type { Command } from "./command-state.ts";
import type { PaperLine } from "./paper-lines.ts";
import { practiceLines } from "./practice-lines.ts";
import { type PaperReceipt, type PaperWords, receiptLines } from "./receipt-lines.ts";

/** @returns undefined for what has no paper of which anything is known */
export function commandLines(command: Command, words: PaperWords): PaperLine[] | undefined {
  const receipt = receiptOf(command, currencyOf(command));
  if (receipt !== undefined) return receiptLines(receipt, words);
  const lines = slipLines(command, words);
  return lines && practiceLines(lines, command, words.t);
}

/** Of what is no receipt. */
function slipLines(command: Command, words: PaperWords): PaperLine[] | undefined {
  const { type, payload, createdAt } = command;
  const { t, format } = words;
  const currency = currencyOf(command);
  const head: PaperLine[] = [
    { kind: "center", text: t(`command.${type}`), isStrong: true },
    { kind: "rule" },
  ];
  const foot: PaperLine = { kind: "left", text: format.dateTime(createdAt) };
  if (type === "z_report") return [...head, foot];
  if (type === "non_fiscal_receipt" && Array.isArray(payload.lines)) {
    return [
      ...payload.lines.map((text): PaperLine => ({ kind: "left", text: String(text) })),
      foot,
    ];
  }
  if (typeof payload.amount !== "number") return undefined;
  const total = t("paper.total", { currency: format.currency(currency).toUpperCase() });
  const sum = { left: total.trim(), right: format.amount(payload.amount) };
  return [...head, { kind: "pair", ...sum, isStrong: true }, foot];
}

/** Where nobody knows any more what the shop had then, none is better than a wrong one. */
const currencyOf = ({ currency }: Command): string => currency ?? "";

/** A sale or a reversal as it would be stored; what else a command prints is none. */
function receiptOf(command: Command, currency: string): PaperReceipt | undefined {
  const { type, payload, createdAt, result, resolution, simulated } = command;
  if (type !== "print_receipt" && type !== "print_reversal_receipt") return undefined;
  // The gateway has checked it against its type.
  const document = payload as Document;
  const { items, payments, ...rest } = document;
  const modifiers = "subtotalModifiers" in rest ? rest.subtotalModifiers : undefined;
  const total = centsOfDocument(document) / 100;
  return {
    type: type === "print_receipt" ? "sale" : "storno",
    items,
    subtotalModifiers: modifiers ?? [],
    payments: (payments ?? [{ method: "cash", amount: total }]).map((paid) => ({
      method: paid.method ?? ("type" in paid ? paid.type : undefined) ?? "cash",
      amount: paid.amount,
    })),
    total,
    simulated,
    currency,
    issuedAt: createdAt,
    fiscalId: resolution?.fiscalId ?? result?.fiscalId ?? null,
  };
}
