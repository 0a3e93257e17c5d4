/** A stored receipt as the lines of its paper. */

import type { components } from "../../client/index.ts";
import type { Format } from "../words/format.ts";
import type { Translate } from "../words/words.tsx";
import { centsOf } from "./cents.ts";
import type { PaperLine } from "./paper-lines.ts";
import { practiceLines } from "./practice-lines.ts";
import type { VatGroups } from "./vat-group.ts";

/** What of a receipt stands on its paper. */
export type PaperReceipt = Pick<
  components["schemas"]["Receipt"],
  | "currency"
  | "fiscalId"
  | "issuedAt"
  | "items"
  | "payments"
  | "simulated"
  | "subtotalModifiers"
  | "total"
  | "type"
>;

/** What the lines are written with. */
export interface PaperWords {
  readonly t: Translate;
  readonly format: Format;
  /** As that printer calls them. */
  readonly groups: VatGroups;
}

/**
 * As the printer writes it, as far as the data tell: its own head and foot are not among them, nor what
 * the shop was called then. The name of today may be another one.
 */
export function receiptLines(
  receipt: PaperReceipt,
  { t, format, groups }: PaperWords,
): PaperLine[] {
  const { items, subtotalModifiers, payments, total, issuedAt, fiscalId, currency } = receipt;
  const lines: PaperLine[] = [
    { kind: "center", text: t(`paper.type.${receipt.type}`), isStrong: true },
    { kind: "rule" },
    ...items.flatMap((item): PaperLine[] => [
      ...(item.quantity === 1
        ? []
        : [
            {
              kind: "left" as const,
              text: `  ${format.number(item.quantity)} x ${format.amount(item.price)}`,
            },
          ]),
      {
        kind: "pair",
        left: item.name,
        right: `${format.amount(centsOf(item.quantity * item.price) / 100)} ${groups.letterOf(item.vatGroup)}`,
      },
    ]),
    ...subtotalModifiers.map(({ type, value }): PaperLine => {
      const isLess = type === "discount-amount";
      return {
        kind: "pair",
        left: t(isLess ? "paper.discount" : "paper.surcharge"),
        right: `${format.amount(isLess ? -value : value)}  `,
      };
    }),
    { kind: "rule" },
    {
      kind: "pair",
      left: t("paper.total", { currency: format.currency(currency).toUpperCase() }),
      right: format.amount(total),
      isStrong: true,
    },
    ...payments.map(
      ({ method, amount }): PaperLine => ({
        kind: "pair",
        left: t(`payment.${method}`),
        right: format.amount(amount),
      }),
    ),
    { kind: "space" },
    { kind: "pair", left: format.dateTime(issuedAt), right: fiscalId ?? "" },
  ];
  return practiceLines(lines, receipt, t);
}
