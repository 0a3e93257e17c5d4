/** Where a request carries its credential. */

import type { Principal } from "#core/access.ts";

/** What was sent, not yet checked. */
export type Credential =
  | { readonly kind: "key"; readonly key: string }
  | { readonly kind: "token"; readonly token: string }
  /** An Authorization header of another kind. */
  | { readonly kind: "malformed" };

/**
 * Finds out who sent a credential. A promise only where it has to be one.
 * @throws ApiError UNAUTHORIZED or TOKEN_EXPIRED
 */
export type Authenticate = (credential: Credential) => Principal | Promise<Principal>;

/**
 * Asks whether whoever was let in before may go on with the request that they began.
 * @throws ApiError UNAUTHORIZED or TOKEN_EXPIRED
 */
export type RequireStanding = (principal: Principal) => void;

/** Who sent a request. */
export type Caller =
  /** No credential came with it. */
  | { readonly kind: "nobody" }
  | { readonly kind: "known"; readonly principal: Principal; readonly credential: Credential }
  /** A credential came that opens nothing, or that could not be checked. */
  | { readonly kind: "refused"; readonly error: unknown };

/** What every API key begins with. */
export const API_KEY_START = "svc_live_";

const NOBODY: Caller = { kind: "nobody" };
const MALFORMED: Credential = { kind: "malformed" };
const BEARER = /^bearer +(\S+) *$/i;

/** Finds out who sent a request. A promise only where it has to be one; never throws. */
export function callerOf(headers: Headers, authenticate: Authenticate): Caller | Promise<Caller> {
  const credential = credentialOf(headers);
  if (credential === undefined) return NOBODY;
  const known = (principal: Principal): Caller => ({ kind: "known", principal, credential });
  const refused = (error: unknown): Caller => ({ kind: "refused", error });
  try {
    const found = authenticate(credential);
    return found instanceof Promise ? found.then(known, refused) : known(found);
  } catch (error) {
    return refused(error);
  }
}

/** Reads `x-api-key`, else `Authorization: Bearer` with an API key or a token. */
function credentialOf(headers: Headers): Credential | undefined {
  const key = headers.get("x-api-key");
  if (key) return { kind: "key", key };
  const authorization = headers.get("authorization");
  if (!authorization) return undefined;
  const value = BEARER.exec(authorization)?.[1];
  if (value === undefined) return MALFORMED;
  return value.startsWith(API_KEY_START)
    ? { kind: "key", key: value }
    : { kind: "token", token: value };
}
