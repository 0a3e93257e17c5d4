/** Where a request carries its credential. */

import type { Principal } from "#core/access.ts";

/** What was sent, not yet checked. */
export type Credential =
  | { readonly kind: "none" }
  | { readonly kind: "key"; readonly key: string }
  | { readonly kind: "token"; readonly token: string }
  /** An Authorization header of another kind. */
  | { readonly kind: "malformed" };

/**
 * Finds out who sent a credential. A promise only where it has to be one.
 * @throws ApiError UNAUTHORIZED or TOKEN_EXPIRED
 */
export type Authenticate = (credential: Credential) => Principal | Promise<Principal>;

/** What every API key begins with. */
export const API_KEY_START = "svc_live_";

const NONE: Credential = { kind: "none" };
const MALFORMED: Credential = { kind: "malformed" };
const BEARER = /^bearer +(\S+) *$/i;

/** Reads `x-api-key`, else `Authorization: Bearer` with an API key or a token. */
export function credentialOf(headers: Headers): Credential {
  const key = headers.get("x-api-key");
  if (key) return { kind: "key", key };
  const authorization = headers.get("authorization");
  if (!authorization) return NONE;
  const value = BEARER.exec(authorization)?.[1];
  if (value === undefined) return MALFORMED;
  return value.startsWith(API_KEY_START)
    ? { kind: "key", key: value }
    : { kind: "token", token: value };
}
