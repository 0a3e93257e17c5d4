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
  SERVICE_UNAVAILABLE: "reason.notNow",
  VALIDATION_ERROR: "reason.wrongData",
};

/** What a field has that is refused, by the gateway's words for it. */
const FIELD_FAULTS: readonly (readonly [RegExp, Word])[] = [
  [/a name that can be seen/, "reason.unseenName"],
  [/without NUL and lone surrogates|one line of text/, "reason.strangeSign"],
];

/** What the gateway says of each field that it refuses, as it says it: `name: Expected ...`. */
export function fieldFaults(error: Error): string[] {
  if (!(error instanceof GatewayError) || !Array.isArray(error.details)) return [];
  return error.details.map(
    (one: Readonly<Record<string, unknown>>) => `${one.path}: ${one.message}`,
  );
}

/** @param own what codes mean here; the others mean what they mean everywhere */
export function reasonFor(error: Error, own: Reasons = {}): Word {
  if (!(error instanceof GatewayError)) return "reason.failed";
  const faults = fieldFaults(error);
  const known = FIELD_FAULTS.find(([words]) => faults.some((fault) => words.test(fault)))?.[1];
  return known ?? own[error.code] ?? COMMON[error.code] ?? "reason.failed";
}
