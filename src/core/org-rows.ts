/**
 * How many of a kind one organization may have. Whoever has more already keeps them, and makes no more:
 * a till that makes a new name at each start must not fill the disk of all.
 */

import { ApiError } from "./errors.ts";
import { ORG_ROWS_MAX } from "./limits.ts";

export type OrgRows = keyof typeof ORG_ROWS_MAX;

const WORDS = {
  apiKeys: "API keys",
  controllers: "controllers",
  locations: "locations",
  members: "members",
  webhooks: "webhooks",
} as const satisfies Record<OrgRows, string>;

/** Why one more is refused, for whoever asks for it and for the API's document. */
export function fullText(kind: OrgRows): string {
  return `An organization may have ${ORG_ROWS_MAX[kind]} ${WORDS[kind]}: remove what is not used any more`;
}

/** @param count how many it has */
export function isFull(kind: OrgRows, count: number): boolean {
  return count >= ORG_ROWS_MAX[kind];
}

/**
 * Asked inside the operation that makes one more.
 * @param count how many the organization has
 * @throws ApiError CONFLICT where it has as many as it may
 */
export function requireNotFull(kind: OrgRows, count: number): void {
  if (isFull(kind, count)) throw new ApiError("CONFLICT", fullText(kind));
}
