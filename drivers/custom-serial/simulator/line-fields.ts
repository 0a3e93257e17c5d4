/** The fields of a receipt line, whichever of the three commands it came with. */

import type { CustomModel } from "./model.ts";

/** What nine digits hold. */
export const AMOUNT_MINOR_MAX = 999_999_999;
export const LINE_TYPES = ["1", "2", "3", "4", "5", "8", "B", "C"] as const;
type LineType = (typeof LINE_TYPES)[number];

/** What a line says; what its command has no field for is as the device takes it then. */
export interface LineFields {
  readonly type: LineType;
  readonly quantityMilli: number;
  readonly department: number;
  readonly name: string;
  /** Cents, or hundredths of a percent. */
  readonly amount: number;
  /** 0: that of the department. */
  readonly vatId: number;
  /** 3001 cancels without ejecting. */
  readonly ejectsWhenCancelled: boolean;
}

/** The VAT id that a line is sold under. */
export function groupOf(model: CustomModel, { vatId, department }: LineFields): number {
  return vatId === 0 ? (model.departments[department - 1] ?? 1) : vatId;
}
