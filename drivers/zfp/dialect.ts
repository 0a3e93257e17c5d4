/** What a variant of the ZFP devices is: everything in which it differs from the others, as data. */

import type { PaymentMethod } from "#core/receipt.ts";

export interface ZfpDialect {
  /** Short name for the log. */
  readonly name: string;
  /** Fields of the answer to 64h: names of the tenders, a rate, what each tender is. */
  readonly tenderFields: number;
  /** Which devices speak it, by their model, where they do not answer 64h. */
  readonly model: RegExp;
  /** The tenders the device knows, and their numbers; as delivered where they can be programmed. */
  readonly tenders: Readonly<Partial<Record<PaymentMethod, string>>>;
  /** Where they can be: in which field of that answer each number tells what it is, and the codes. */
  readonly programmed?: {
    readonly fields: Readonly<Record<string, number>>;
    readonly codes: ReadonlyMap<string, PaymentMethod>;
  };
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
