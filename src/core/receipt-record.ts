/** A receipt as the gateway keeps it. */

import type { Payment, ReceiptItem, SubtotalModifier } from "./receipt.ts";

export const RECEIPT_TYPES = ["sale", "refund", "storno"] as const;
export type ReceiptType = (typeof RECEIPT_TYPES)[number];

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
}
