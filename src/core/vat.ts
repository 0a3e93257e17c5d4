/** VAT groups as the API names them: `VAT1`..`VAT16`, or `exempt`. */

import { patternOf } from "./patterns.ts";

export const VAT_GROUP_COUNT = 16;

/** Matches a VAT group of an item or of the live VAT route. */
export const VAT_GROUP_PATTERN = patternOf(
  "^(VAT([1-9]|1[0-6])|exempt)$",
  `a VAT group: VAT1 to VAT${VAT_GROUP_COUNT}, or exempt`,
);
/** Matches a programmable VAT group: `exempt` has no rate to set. */
export const VAT_RATE_GROUP_PATTERN = patternOf(
  "^VAT([1-9]|1[0-6])$",
  `a VAT group: VAT1 to VAT${VAT_GROUP_COUNT}`,
);

export type VatGroup = string & { readonly vatGroup: unique symbol };

const GROUP = new RegExp(VAT_GROUP_PATTERN);

/** True when the text names a VAT group. */
export function isVatGroup(text: string): text is VatGroup {
  return GROUP.test(text);
}

/** 1..16 for `VAT1`..`VAT16`, undefined for `exempt`. */
export function vatGroupIndex(group: string): number | undefined {
  return group === "exempt" ? undefined : Number(group.slice("VAT".length));
}

/** `VAT<index>` of a 1-based index. */
export function vatGroupName(index: number): string {
  return `VAT${index}`;
}
