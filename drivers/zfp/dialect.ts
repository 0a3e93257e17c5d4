/** What a variant of the ZFP devices is: everything in which it differs from the others, as data. */

import type { PaymentMethod } from "#core/receipt.ts";

export interface ZfpDialect {
  /** Short name for the log. */
  readonly name: string;
  /** Which devices speak it, by their model. */
  readonly model: RegExp;
  /** The tenders the device knows, and their numbers. */
  readonly tenders: Readonly<Partial<Record<PaymentMethod, string>>>;
}

/** What all variants have in common. Source: Tremol protocol description, rev. 1910211454. */
export const LIMITS = {
  /** An article name is padded to this width with blanks, and printed but for the last two. */
  nameField: 36,
  namePrinted: 34,
  /** Free text: the width of the paper less the two signs that the device adds at its ends. */
  line: 30,
  headerLines: 7,
  footerLines: 1,
  operators: 20,
  operatorName: 20,
  operatorPassword: 6,
  departments: 19,
  /** Digits of a price, an amount or a quantity, the decimal point among them. */
  number: 10,
  vatGroups: 8,
} as const;
