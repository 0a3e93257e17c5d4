/** How the OpenAPI document shows the header. */

import { IDEMPOTENCY_KEY_PATTERN } from "#core/limits.ts";

/** The header of routes that run once for each key. */
export const IDEMPOTENCY_HEADER = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  schema: {
    type: "string",
    // An empty one is none: the request runs, and nothing is kept.
    pattern: `^$|${IDEMPOTENCY_KEY_PATTERN}`,
    description:
      "1 to 128 letters, digits, - and _; empty is as if it were left out. " +
      "The first answer to a key is kept for 24 hours and given again with Idempotent-Replayed: " +
      "true, beside Idempotency-Body-Mismatch: true where the body differs",
  },
} as const;

/** For `detail.responses`: what the key answered before, on a route that takes the same keys. */
export function answeredElsewhere(...statuses: readonly number[]) {
  const description = "A replay of what another route answered to this Idempotency-Key";
  const content = { "application/json": { schema: { type: "object" as const } } };
  return Object.fromEntries(statuses.map((status) => [status, { description, content }]));
}

/** What 409 means on the routes that take a key. */
export const NOT_YOURS_TO_READ =
  "the Idempotency-Key has an answer already, which the credential's scopes do not cover";
