/** VAT groups by the letter that stands on paper: `VAT2` is B, or Б. */

import type { Translate } from "../words/words.tsx";

/** The letter; the number where the alphabet ends, a dash for what is exempt. */
export function groupLetter(vatGroup: string, t: Translate): string {
  const number = /^VAT(\d+)$/.exec(vatGroup)?.[1];
  return number === undefined ? "-" : (t("vat.letters")[Number(number) - 1] ?? number);
}

/** As a line of a list is called. */
export function groupName(vatGroup: string, t: Translate): string {
  const letter = groupLetter(vatGroup, t);
  return letter === "-" ? t("vat.exempt") : t("vat.group", { letter });
}
