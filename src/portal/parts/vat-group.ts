/** VAT groups by the letter that stands on paper: `VAT2` is B on some printers, Б on others. */

import type { components } from "../../client/index.ts";
import type { Translate } from "../words/words.tsx";
import { groupLetters } from "./drivers.ts";

/** How groups are called. */
export interface VatGroups {
  /** The letter; the number where the alphabet ends, a dash for what is exempt. */
  letterOf(vatGroup: string): string;
  /** As a line of a list is called. */
  nameOf(vatGroup: string): string;
}

/** By the letters that all of these printers have; by those of the page where they have several. */
export function vatGroupsOf(
  printers: readonly Pick<components["schemas"]["Device"], "driver" | "serialNumber">[],
  t: Translate,
): VatGroups {
  const [letters, ...others] = new Set(printers.flatMap((one) => groupLetters(one) ?? []));
  const known = others.length > 0 ? undefined : letters;
  const letterOf = (vatGroup: string) => {
    const number = /^VAT(\d+)$/.exec(vatGroup)?.[1];
    return number === undefined ? "-" : ((known ?? t("vat.letters"))[Number(number) - 1] ?? number);
  };
  return {
    letterOf,
    nameOf(vatGroup) {
      const letter = letterOf(vatGroup);
      return letter === "-" ? t("vat.exempt") : t("vat.group", { letter });
    },
  };
}
