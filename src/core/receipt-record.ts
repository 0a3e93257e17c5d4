/** A receipt as the gateway keeps it. */

import type { Payment, ReceiptItem, SubtotalModifier } from "./receipt.ts";

export const RECEIPT_TYPES = ["sale", "refund", "storno"] as const;
export type ReceiptType = (typeof RECEIPT_TYPES)[number];

/**
 * By whose word a receipt had its number when it was stored: its printer's or its controller's, that of a
 * till which told of it, or of a person who read it from the paper. What is learnt later changes nothing in
 * that: the number of one that had none is one that was proven since.
 */
export const NUMBER_TELLERS = ["printer", "till", "person", "none"] as const;
export type NumberTeller = (typeof NUMBER_TELLERS)[number];

/** One stored receipt. Instants are UTC milliseconds, money is minor units. */
export interface StoredReceipt {
  readonly id: string;
  readonly orgId: string;
  readonly deviceId: string;
  readonly locationId: string | null;
  readonly commandId: string | null;
  readonly apiKeyId: string | null;
  readonly type: ReceiptType;
  /** The number the device gave the document. */
  readonly fiscalId: string | null;
  readonly receiptNumber: string | null;
  readonly uniqueSaleNumber: string | null;
  readonly fiscalMemorySerialNumber: string | null;
  readonly zReportNumber: string | null;
  readonly issuedAt: number;
  readonly currency: string;
  readonly items: readonly ReceiptItem[];
  readonly subtotalModifiers: readonly SubtotalModifier[];
  readonly payments: readonly Payment[];
  readonly totalMinor: number;
  readonly customerCif: string | null;
  readonly originalReceiptId: string | null;
  readonly source: "command" | "api";
  readonly createdAt: number;
  /** Of a printer that the gateway simulates: no fiscal receipt. */
  readonly simulated: boolean;
  /** Of the printer that printed it; null of one made elsewhere, and where nobody knew. */
  readonly printerSerialNumber: string | null;
  readonly numberBy: NumberTeller;
}

/** A printer, as stored receipts tell whose they are. */
export interface ReceiptPrinter {
  readonly orgId: string;
  /** Ids of the device records that lead to it, or led. */
  readonly records: readonly string[];
  readonly fiscalMemorySerialNumber: string | null;
  /** By which a printer without a number of its fiscal memory is named. */
  readonly serialNumber: string | null;
  /** One that the gateway simulates: what is trained with takes nothing from a real sale. */
  readonly simulated: boolean;
}
