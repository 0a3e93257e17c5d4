/** The paper of a simulated printer says of itself that it does not count. */

import type { Translate } from "../words/words.tsx";
import type { PaperLine } from "./paper-lines.ts";

/** As simulated printers have it: above and below. */
export function practiceLines(
  lines: readonly PaperLine[],
  { simulated }: { readonly simulated: boolean },
  t: Translate,
): PaperLine[] {
  if (!simulated) return [...lines];
  const line: PaperLine = { kind: "center", text: t("practice.paper"), isStrong: true };
  return [line, ...lines, line];
}
