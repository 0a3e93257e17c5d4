/** How the OpenAPI document shows the header. */

import { IDEMPOTENCY_KEY_PATTERN } from "#core/limits.ts";

/** The header of routes that run once for each key. */
export const IDEMPOTENCY_HEADER = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  schema: {
    type: "string",
    pattern: IDEMPOTENCY_KEY_PATTERN,
    description:
      "The first answer to a key is kept for 24 hours and given again with Idempotent-Replayed: " +
      "true, beside Idempotency-Body-Mismatch: true where the body differs",
  },
} as const;
