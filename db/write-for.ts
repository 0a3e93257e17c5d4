/** Changes that somebody asked for, each made only while they may still ask for it. */

import type { Principal } from "#core/access.ts";
import type { Transaction, Writer } from "./writer.ts";

/**
 * Runs an operation for whoever asked for it, as the writer does. A name may be looked up or a password
 * hashed before it, and by then they may have been removed, lowered or logged out: inside the operation they
 * are asked for first. A service that has this in place of a writer cannot forget that.
 * @throws ApiError UNAUTHORIZED or TOKEN_EXPIRED, and what the writer throws
 */
export type WriteFor = <T>(principal: Principal, operation: (tx: Transaction) => T) => Promise<T>;

/** @param requireStanding throws where the holder of the credential may no longer do what it opened */
export function createWriteFor(
  writer: Writer,
  requireStanding: (principal: Principal) => void,
): WriteFor {
  return (principal, operation) =>
    writer.run((tx) => {
      requireStanding(principal);
      return operation(tx);
    });
}
