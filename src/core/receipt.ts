/** Fiscal documents as integers: what drivers print and what the gateway keeps. */

import type { VatGroup } from "./vat.ts";

/** Tenders of a payment, as the API names them. */
export const PAYMENT_METHODS = [
  "cash",
  "card",
  "check",
  "credit",
  "coupons",
  "meal-vouchers",
  "value-tickets",
  "voucher",
  "modern-payment",
  "card-advance",
  "foreign-currency",
  "bank",
  "ext-coupons",
  "packaging",
  "internal-usage",
  "damage",
  "reserved1",
  "reserved2",
  "other",
] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

export const REVERSAL_REASONS = ["operator-error", "refund", "tax-base-reduction"] as const;
export type ReversalReason = (typeof REVERSAL_REASONS)[number];

export interface ReceiptItem {
  readonly name: string;
  /** Thousandths, at least 1. */
  readonly quantityMilli: number;
  /** Unit price in minor units, at least 0. */
  readonly priceMinor: number;
  readonly vatGroup: VatGroup;
  /** Department index on the device. */
  readonly department: number | undefined;
  /** Unit of measure, printed where the device supports it. */
  readonly unit: string | undefined;
}

/** An adjustment of the items subtotal; `amountMinor` is a magnitude, at least 1. */
export interface SubtotalModifier {
  readonly kind: "discount" | "surcharge";
  readonly amountMinor: number;
}

export interface Payment {
  readonly method: PaymentMethod;
  /** Minor units, at least 1. */
  readonly amountMinor: number;
}

interface DocumentBase {
  readonly items: readonly ReceiptItem[];
  readonly payments: readonly Payment[];
  readonly uniqueSaleNumber: string | undefined;
  readonly operatorId: number | undefined;
  readonly operatorPassword: string | undefined;
}

/** A fiscal sale receipt. */
export interface SaleDocument extends DocumentBase {
  readonly kind: "sale";
  readonly modifiers: readonly SubtotalModifier[];
  readonly customerCif: string | undefined;
}

/** A fiscal reversal of a sale. */
export interface StornoDocument extends DocumentBase {
  readonly kind: "storno";
  readonly reason: ReversalReason;
  /** What identifies the sale that is reversed. */
  readonly original: {
    readonly receiptNumber: string;
    /** UTC milliseconds. */
    readonly issuedAt: number;
    readonly fiscalMemorySerialNumber: string;
    readonly zReportNumber: string | undefined;
  };
}

export type FiscalDocument = SaleDocument | StornoDocument;
