/** Finds out who sent a request: an API key or a user's session. */

import { timingSafeEqual } from "node:crypto";
import { BOX_ACTOR, type Principal } from "#core/access.ts";
import { KEY_LAST_USED_INTERVAL_MS } from "#core/limits.ts";
import type { ApiKey, ApiKeyStore } from "#db/stores/api-keys.ts";
import type { UserStore } from "#db/stores/users.ts";
import type { Writer } from "#db/writer.ts";
import { unauthorized } from "../../http/access.ts";
import type { Authenticate, Credential } from "../../http/credentials.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { hashOfSecret } from "../../platform/secrets.ts";
import type { AccessTokens, VerifiedToken } from "./access-tokens.ts";
import { liveUser, requireLiveKey } from "./standing.ts";

/** Keys of which it is known when their last use was written; beyond it, all are forgotten. */
const TRIED_MAX = 1_000;

const API_KEY = /^svc_live_([0-9a-z]+)_[0-9a-f]{32}$/;

export interface AuthenticatorOptions {
  readonly apiKeys: ApiKeyStore;
  readonly users: UserStore;
  readonly writer: Writer;
  readonly tokens: AccessTokens;
  readonly clock: Pick<Clock, "now" | "elapsed">;
  readonly log: Log;
}

/** Makes the function that tells who sent a credential. */
export function createAuthenticator(options: AuthenticatorOptions): Authenticate {
  const noteUse = createUseNotes(options);
  return (credential: Credential) => {
    switch (credential.kind) {
      case "malformed":
        throw unauthorized("Send Authorization: Bearer with an access token or an API key");
      case "key":
        return keyPrincipal(options, credential.key, noteUse);
      case "token": {
        const token = options.tokens.read(credential.token);
        return token instanceof Promise
          ? token.then((read) => tokenPrincipal(options, read))
          : tokenPrincipal(options, token);
      }
      default: {
        const unknown: never = credential;
        throw new Error(`unknown credential ${String(unknown)}`);
      }
    }
  };
}

function keyPrincipal(
  { apiKeys, clock }: AuthenticatorOptions,
  text: string,
  noteUse: (key: ApiKey) => void,
): Principal {
  const orgId = API_KEY.exec(text)?.[1];
  if (orgId === undefined) throw unauthorized("The API key is not valid");
  const hash = hashOfSecret(text);
  const found = apiKeys.findByHash(orgId, hash);
  const key = found !== undefined && isSame(found.hash, hash) ? found : undefined;
  requireLiveKey(key, clock.now());
  noteUse(key);
  return { kind: "key", orgId, keyId: key.id, scopes: key.scopes, expiresAt: key.expiresAt };
}

function tokenPrincipal(
  options: AuthenticatorOptions,
  { claims, expiresAt }: VerifiedToken,
): Principal {
  if (claims.kind === "session") {
    const { orgId, userId, sessionId } = claims;
    const { role } = liveUser(options, claims);
    return { kind: "user", orgId, userId, sessionId, role, expiresAt };
  }
  // Like a key that is kept nowhere: it is over when its token is.
  const { orgId, scope } = claims;
  return { kind: "key", orgId, keyId: BOX_ACTOR, scopes: [scope], expiresAt };
}

function isSame(left: string, right: string): boolean {
  return left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));
}

/**
 * Writes `lastUsed`, seldom enough to cost nothing and without any request waiting for it. What could not
 * be written, as on a full disk, is tried no sooner than what was.
 */
function createUseNotes(options: AuthenticatorOptions): (key: ApiKey) => void {
  const { apiKeys, writer, clock, log } = options;
  const triedAt = new Map<string, number>();
  return ({ id, orgId, lastUsed }) => {
    const now = clock.now();
    if (lastUsed !== null && Math.abs(now - lastUsed) < KEY_LAST_USED_INTERVAL_MS) return;
    const tried = triedAt.get(id);
    const elapsed = clock.elapsed();
    if (tried !== undefined && elapsed - tried < KEY_LAST_USED_INTERVAL_MS) return;
    if (triedAt.size >= TRIED_MAX) triedAt.clear();
    triedAt.set(id, elapsed);
    writer
      .run(() => apiKeys.update(orgId, id, { lastUsed: now }), "later")
      .catch((error: unknown) =>
        log.warn("last use of an API key not stored", { keyId: id, error }),
      );
  };
}
