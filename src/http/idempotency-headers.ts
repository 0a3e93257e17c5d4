/** Answer headers that tell what became of an idempotency key. */

/** `true` on an answer that was given before. */
export const REPLAYED = "Idempotent-Replayed";
/** `true` beside it, where the request asks for something else. */
export const BODY_MISMATCH = "Idempotency-Body-Mismatch";
/** `true` for whoever sends a key where it means nothing, because a repeat would print again. */
export const KEY_IGNORED = "Idempotency-Key-Ignored";
