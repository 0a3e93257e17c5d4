/** Why a printer could not tell what became of a document, as a sentence. */

import type { Translate } from "../words/words.tsx";
import type { doubtOf } from "./command-state.ts";

type Doubt = NonNullable<ReturnType<typeof doubtOf>>;

/** Numbers of documents as they stand on paper, without marks between thousands. */
export function doubtText(doubt: Doubt, t: Translate): string {
  if (doubt.code !== "other_number") return t(`doubt.${doubt.code}`);
  const { number, own } = doubt.params;
  return t("doubt.other_number", { number: String(number), own: String(own) });
}
