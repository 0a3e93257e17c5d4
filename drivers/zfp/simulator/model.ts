/** What makes one simulated ZFP model differ from another. */

import type { StornoReason, Tender } from "../../simulator/books/receipt.ts";
import type { SimulatedModel } from "../../simulator/family.ts";

export interface ZfpModel extends Omit<SimulatedModel, "responder" | "senses" | "numbered"> {
  readonly name: string;
  readonly firmware: string;
  readonly serialNumber: string;
  readonly fiscalMemory: string;
  /** What tender 0, 1, 2 and on are. */
  readonly tenders: readonly Tender[];
  readonly stornoReasons: Readonly<Record<string, StornoReason>>;
  /** True for printers that tell of paper and cover in detail (66h). */
  readonly sensors: boolean;
}
