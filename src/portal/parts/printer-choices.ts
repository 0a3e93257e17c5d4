/** The shop's printers in a list to choose from, those for practice apart. */

import type { Translate } from "../words/words.tsx";
import type { Choice, ChoiceGroup } from "./filters.tsx";

interface Named {
  readonly id: string;
  readonly name: string;
  readonly simulated: boolean;
}

/** In place of a printer: all that are for practice. */
export const PRACTICE = "practice";

/**
 * Real printers first: a practice printer may be older, and is not what is looked for.
 * @param own choices that stand before the practice printers, and concern all of them
 */
export function printerChoices(
  devices: readonly Named[],
  t: Translate,
  own: readonly Choice[] = [],
): (Choice | ChoiceGroup)[] {
  const practice = devices.filter(({ simulated }) => simulated).map(choiceOf);
  const real = devices.filter(({ simulated }) => !simulated).map(choiceOf);
  if (practice.length === 0) return real;
  return [...real, { group: t("practice.mark"), items: [...own, ...practice] }];
}

function choiceOf({ id, name }: Named): Choice {
  return { value: id, label: name };
}
