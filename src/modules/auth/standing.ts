/**
 * Whether a credential that was valid still is: asked at each request, and as long as an answer or
 * a socket goes on.
 */

import { BOX_ACTOR, type Principal } from "#core/access.ts";
import type { ApiError } from "#core/errors.ts";
import type { ApiKey, ApiKeyStore } from "#db/stores/api-keys.ts";
import type { User, UserStore } from "#db/stores/users.ts";
import { unauthorized } from "../../http/access.ts";
import type { Clock } from "../../platform/clock.ts";
import { tokenExpired } from "./access-tokens.ts";
import { isSessionOfNow } from "./sessions.ts";

export interface StandingOptions {
  readonly apiKeys: Pick<ApiKeyStore, "get">;
  readonly users: Pick<UserStore, "getSession">;
  readonly clock: Pick<Clock, "now">;
}

/** Which session of which user. */
type SessionNames = Pick<Extract<Principal, { kind: "user" }>, "orgId" | "userId" | "sessionId">;

/**
 * Asks whether the holder of a credential may still do what it opened.
 * @throws ApiError TOKEN_EXPIRED or UNAUTHORIZED
 */
export function requireStanding(options: StandingOptions, principal: Principal): void {
  const { apiKeys, clock } = options;
  const { orgId, expiresAt } = principal;
  if (principal.kind === "user") {
    const { role } = liveUser(options, principal);
    if (role !== principal.role) throw sessionEnded();
  } else if (principal.keyId !== BOX_ACTOR) {
    requireLiveKey(apiKeys.get(orgId, principal.keyId), clock.now());
  }
  if (expiresAt !== null && expiresAt <= clock.now()) throw tokenExpired();
}

/**
 * The same of a request that was let in before its body came. Requests of a key that was deleted since
 * are carried out: the contract has it so.
 * @throws ApiError TOKEN_EXPIRED or UNAUTHORIZED
 */
export function requireStandingUnderWay(options: StandingOptions, principal: Principal): void {
  const { apiKeys, clock } = options;
  if (principal.kind === "user" || principal.keyId === BOX_ACTOR) {
    requireStanding(options, principal);
    return;
  }
  const key = apiKeys.get(principal.orgId, principal.keyId);
  if (key !== undefined) requireLiveKey(key, clock.now());
}

/** @throws ApiError UNAUTHORIZED when there is no such key any more, or it opens nothing */
export function requireLiveKey(key: ApiKey | undefined, now: number): asserts key is ApiKey {
  if (key === undefined) throw unauthorized("The API key is not valid");
  if (!key.active) throw unauthorized("The API key is inactive");
  if (key.expiresAt !== null && key.expiresAt <= now) {
    throw unauthorized("The API key has expired");
  }
}

/**
 * The user of a session. The rows are read each time, so that an end or a new role counts at once.
 * @throws ApiError UNAUTHORIZED when the session has ended or the user is inactive
 */
export function liveUser({ users, clock }: StandingOptions, names: SessionNames): User {
  const found = users.getSession(names.orgId, names.sessionId);
  const isLive =
    found !== undefined &&
    found.user.id === names.userId &&
    found.session.endedAt === null &&
    isSessionOfNow(found.session, clock.now());
  if (!isLive) throw sessionEnded();
  if (!found.user.active) throw unauthorized("The user is inactive");
  return found.user;
}

function sessionEnded(): ApiError {
  return unauthorized("The session has ended: log in again");
}
