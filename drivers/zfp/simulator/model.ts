/** What makes one simulated ZFP model differ from another. */

import type { DeviceMemory } from "../../simulator/books/memory.ts";
import type { ReceiptHead, StornoReason, Tender } from "../../simulator/books/receipt.ts";
import type { SimulatedModel } from "../../simulator/family.ts";

export interface ZfpModel extends Omit<SimulatedModel, "responder" | "senses" | "numbered"> {
  readonly name: string;
  readonly firmware: string;
  readonly serialNumber: string;
  readonly fiscalMemory: string;
  /** What tender 0, 1, 2 and on are. */
  readonly tenders: readonly Tender[];
  /** What each is called on paper, up to 10 characters. */
  readonly tenderNames: readonly string[];
  /** What each is to the tax authority, where the device tells: one byte. */
  readonly tenderCodes: readonly string[];
  /** Tax number, and how the tax authority has registered the device: `DD-MM-YYYY HH:MM`. */
  readonly registration: { readonly taxId: string; readonly number: string; readonly at: string };
  readonly stornoReasons: Readonly<Record<string, StornoReason>>;
  /** True for printers that tell of paper and cover in detail (66h). */
  readonly sensors: boolean;
  /**
   * True where an annulled receipt uses up its number; otherwise the next one gets it. The manual
   * leaves that open, so a host has to get along with both.
   */
  readonly annulledTakesNumber: boolean;
}

/** The head of a receipt that opens, with the number that the model gives it. */
export function numbered(
  { books }: DeviceMemory,
  { annulledTakesNumber }: ZfpModel,
  head: ReceiptHead,
): ReceiptHead {
  return annulledTakesNumber ? head : { ...head, number: books.receipts.lastNumber + 1 };
}
