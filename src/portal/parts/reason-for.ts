/** Why the gateway did not do what was asked, as a sentence. */

import { type ErrorCode, GatewayError } from "../../client/index.ts";
import type { Word } from "../words/words.tsx";

/** What a code means on one page. */
export type Reasons = Readonly<Partial<Record<ErrorCode, Word>>>;

const COMMON: Reasons = {
  UNREACHABLE: "states.unreachable.title",
  FORBIDDEN: "reason.forbidden",
  NOT_FOUND: "reason.gone",
  RATE_LIMIT_EXCEEDED: "states.busy.text",
  VALIDATION_ERROR: "reason.wrongData",
};

/** @param own what codes mean here; the others mean what they mean everywhere */
export function reasonFor(error: Error, own: Reasons = {}): Word {
  if (!(error instanceof GatewayError)) return "reason.failed";
  return own[error.code] ?? COMMON[error.code] ?? "reason.failed";
}
