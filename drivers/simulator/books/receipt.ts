/** A receipt of a simulated device: open, finished or cancelled. Units as in `books.ts`. */

import type { TextForm } from "../paper/line.ts";

/** One amount for each VAT group. */
export type Amounts = readonly number[];

/** A tender by a name that does not depend on the protocol, such as `cash` or `card`. */
export type Tender = string;

export interface SaleLine {
  readonly part: "sale";
  readonly name: string;
  /** VAT group, 1..8. */
  readonly group: number;
  /** Negative: takes back an equal earlier line. */
  readonly priceMinor: number;
  readonly quantityMilli: number;
  /** Discount (negative) or surcharge within the line. */
  readonly adjustmentMinor: number;
  /** What the line adds to the receipt, its adjustment included. */
  readonly totalMinor: number;
  readonly department?: number;
  readonly unit?: string;
}

/** What a receipt consists of, in the order it is printed. */
export type ReceiptPart =
  | SaleLine
  /** A discount or surcharge that a command of its own puts on the line before it. */
  | { readonly part: "adjustment"; readonly group: number; readonly amountMinor: number }
  | { readonly part: "text"; readonly text: string; readonly form?: TextForm }
  | {
      readonly part: "subtotal";
      readonly totalMinor: number;
      /** What a discount or surcharge on the subtotal changed in each VAT group. */
      readonly adjustments: Amounts;
      readonly printed: boolean;
    }
  | {
      readonly part: "payment";
      readonly tender: Tender;
      readonly amountMinor: number;
      readonly changeMinor: number;
    };

export type StornoReason = "operator-error" | "refund" | "tax-base-reduction";

/** The receipt that a storno takes back, as the opening command names it. */
export interface StornoOriginal {
  readonly number: number;
  readonly issuedAt: number | undefined;
  readonly fiscalMemory: string;
  readonly uniqueSaleNumber: string | undefined;
}

/** What is known of a fiscal receipt from its opening on. */
export interface ReceiptHead {
  readonly number: number;
  /** The number within its fiscal day, where the device counts like that. */
  readonly dayNumber?: number;
  readonly kind: "sale" | "storno";
  readonly openedAt: number;
  readonly operator: number;
  readonly till: number;
  readonly uniqueSaleNumber?: string;
  readonly reason?: StornoReason;
  readonly original?: StornoOriginal;
  /** Number of the invoice when the receipt is one. */
  readonly invoice?: number;
}

export interface OpenReceipt {
  readonly open: "receipt";
  readonly head: ReceiptHead;
  readonly parts: ReceiptPart[];
  readonly groups: number[];
  totalMinor: number;
  paidMinor: number;
  changeMinor: number;
  saleCount: number;
  paymentStarted: boolean;
  buyer: readonly string[] | undefined;
}

/** A finished fiscal receipt, as fiscal memory and journal keep it. */
export interface ReceiptRecord extends ReceiptHead {
  readonly closedAt: number;
  /** The Z report that this receipt belongs to. */
  readonly zNumber: number;
  readonly parts: readonly ReceiptPart[];
  readonly groups: Amounts;
  readonly totalMinor: number;
  readonly paidMinor: number;
  readonly changeMinor: number;
  readonly buyer?: readonly string[];
}

/** A receipt that was cancelled: it has a number and a paper, and is in no fiscal memory. */
export interface CancelledReceipt extends ReceiptHead {
  readonly cancelledAt: number;
  readonly parts: readonly ReceiptPart[];
  readonly totalMinor: number;
}
