/** Why a printer's connection ended, in the reader's words. */

import type { Word } from "../../../words/words.tsx";

/** As the gateway and drivers say it, in English; the first that fits counts. */
const REASONS = [
  [/taken from its controller/i, "lineEnd.takenAway"],
  [/ended without notice|shut ?down|gateway .*(stop|end)/i, "lineEnd.boxOff"],
  [/E200|not as a fiscal|another device|different device/i, "lineEnd.stranger"],
  [
    /refused|unreachable|E100|no route|cannot reach|not be opened|no such file/i,
    "lineEnd.unreached",
  ],
  [/E101|time(d)? ?out|does not answer|no answer|silent/i, "lineEnd.silent"],
  [/nothing was heard|another connection|controller|phone|credential/i, "lineEnd.controller"],
  [/E102|lost|closed|reset|hung up|unplugged/i, "lineEnd.lost"],
] as const satisfies readonly (readonly [RegExp, Word])[];

/** @param reason null where nobody knows */
export function endWord(reason: string | null): Word {
  if (reason === null) return "lineEnd.unknown";
  return REASONS.find(([pattern]) => pattern.test(reason))?.[1] ?? "lineEnd.unknown";
}
