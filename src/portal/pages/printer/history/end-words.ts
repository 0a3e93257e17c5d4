/** Why a printer's connection ended, in the reader's words. */

import type { ErrorCode } from "../../../parts/command-state.ts";
import type { Word } from "../../../words/words.tsx";

/** A reason of a driver begins with one of its codes: `E102: The connection was lost`. */
const CODE = /^(E\d{3})\b/;
const OF_CODE: Partial<Readonly<Record<ErrorCode, Word>>> = {
  ...{ E100: "lineEnd.unreached", E103: "lineEnd.unreached", E502: "lineEnd.unreached" },
  ...{ E101: "lineEnd.silent", E500: "lineEnd.silent", E501: "lineEnd.silent" },
  ...{ E102: "lineEnd.lost", E200: "lineEnd.stranger", E201: "lineEnd.stranger" },
  ...{ E202: "lineEnd.noise", E203: "lineEnd.noise" },
};

/** Other reasons, as the gateway and controllers say them in English; the first that fits counts. */
const REASONS = [
  [/taken from its controller/i, "lineEnd.takenAway"],
  [/ended without notice|shut ?down|gateway .*(stop|end)/i, "lineEnd.boxOff"],
  [/not as a fiscal|another device|different device/i, "lineEnd.stranger"],
  [/refused|unreachable|no route|cannot reach|not be opened|no such file/i, "lineEnd.unreached"],
  [/time(d)? ?out|does not answer|no answer|silent/i, "lineEnd.silent"],
  [/nothing was heard|another connection|controller|phone|credential/i, "lineEnd.controller"],
  [/lost|closed|reset|hung up|unplugged/i, "lineEnd.lost"],
] as const satisfies readonly (readonly [RegExp, Word])[];

/** @param reason null where nobody knows */
export function endWord(reason: string | null): Word {
  if (reason === null) return "lineEnd.unknown";
  const [, code] = CODE.exec(reason) ?? [];
  const known = OF_CODE[code as ErrorCode];
  return known ?? REASONS.find(([pattern]) => pattern.test(reason))?.[1] ?? "lineEnd.unknown";
}
