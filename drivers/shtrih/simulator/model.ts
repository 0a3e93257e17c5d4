/** What makes one simulated Shtrih-M model differ from another. */

import type { SimulatedModel } from "../../simulator/family.ts";

export interface ShtrihModel extends Omit<SimulatedModel, "responder" | "senses" | "numbered"> {
  readonly identity: {
    readonly name: string;
    /** Number of the model, as FCh tells it. */
    readonly model: number;
    readonly serial: number;
    readonly taxId: number;
  };
  /** True when the device is set to the alternative lower level. */
  readonly isNumbered: boolean;
  /** Commands that not every model has. */
  readonly has: {
    /** F7h. */
    readonly parameters: boolean;
    /** 8Dh; without it the first item opens the receipt. */
    readonly opening: boolean;
    /** E2h and E3h. */
    readonly textDocument: boolean;
    readonly logo: boolean;
  };
  readonly sensors: { readonly paperLow: boolean; readonly cover: boolean };
  /** How long it prints a document or a report that it has carried out, in milliseconds. */
  readonly printsMs: number;
  /** Dots of a line, and of a character of the first font. */
  readonly print: { readonly dots: number; readonly characterDots: number };
  /** First row of the header in the table of texts. */
  readonly headerRow: number;
  /** Bytes of a line in the table of texts. */
  readonly textBytes: number;
}

/** The books' VAT group that holds what is sold without a tax group. */
export const UNTAXED_GROUP = 5;
/** Tax groups of the table. */
export const TAX_GROUPS = 4;
/** Tenders 1 to 4 as the books name them. */
export const TENDERS = ["cash", "credit", "other", "card"] as const;
