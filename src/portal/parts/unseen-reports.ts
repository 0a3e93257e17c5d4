/** Z reports that the printer made, and that are not stored here, as a sentence. */

import type { Translate } from "../words/words.tsx";

/** Numbers that follow on each other. */
interface ReportNumbers {
  readonly first: number;
  readonly last: number;
}

/** How many there are. */
export function unseenCount({ first, last }: ReportNumbers): number {
  return last - first + 1;
}

export function unseenText(unseen: ReportNumbers, t: Translate): string {
  const { first, last } = unseen;
  const numbers = first === last ? `${first}` : `${first}\u2013${last}`;
  return t("reports.unseen", { count: unseenCount(unseen), numbers });
}
