/** Sessions and their refresh tokens, as they are stored. */

import { REFRESH_REPEAT_MS, REFRESH_TOKEN_SECONDS } from "#core/limits.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Organization } from "#db/stores/organizations.ts";
import type { User, UserSession } from "#db/stores/users.ts";
import { CLOCK_FLOOR, type Clock } from "../../platform/clock.ts";
import { isOfNow, type Lasting } from "../../platform/of-now.ts";
import type { Random } from "../../platform/random.ts";
import { hashOfSecret, newSecret } from "../../platform/secrets.ts";
import type { AccessTokens } from "./access-tokens.ts";
import type { GuessGuard } from "./guess-guard.ts";
import type { SESSION_ENDS } from "./schema.ts";

const SESSION_ID_BYTES = 16;
const LIFE_MS = REFRESH_TOKEN_SECONDS * 1_000;

export interface SessionOptions {
  readonly stores: Pick<Stores, "users" | "organizations" | "audit" | "guesses">;
  readonly tokens: AccessTokens;
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
  readonly guard: GuessGuard;
}

/** A login as it was stored, before its access token is signed. */
export interface NewLogin {
  readonly user: User;
  readonly organization: Organization;
  readonly sessionId: string;
  readonly refreshToken: string;
  /** When that ends; UTC milliseconds. */
  readonly refreshExpiresAt: number;
}

/** What ended a session, for whoever has its token. */
export type SessionEnd = (typeof SESSION_ENDS)[number];

/** A refresh token as it was sent. */
export interface GivenRefreshToken {
  readonly refreshToken: string;
  /** It came as a cookie, which all tabs of a browser send. */
  readonly isCookie: boolean;
}

/**
 * False for one that has run out, and for one whose last refresh a clock made that was ahead. A box
 * without a battery may have a clock that is weeks behind until it has asked for the time, and nobody
 * is to log in again for that: what was made by a clock ahead lasts twice its life at most. A clock that
 * was never set says nothing of it.
 */
export function isSessionOfNow({ expiresAt }: Pick<UserSession, "expiresAt">, now: number) {
  return isGood({ createdAt: expiresAt - LIFE_MS, expiresAt }, now);
}

function isGood(lasting: Lasting, now: number): boolean {
  return now < CLOCK_FLOOR ? now < lasting.expiresAt : isOfNow(lasting, now, LIFE_MS);
}

/** Until when one is good that goes on. By a clock that was never set it would end once that is right. */
function extended({ expiresAt }: Pick<UserSession, "expiresAt">, now: number): number {
  return now < CLOCK_FLOOR ? Math.max(expiresAt, now + LIFE_MS) : now + LIFE_MS;
}

/** Stores a session with its first refresh token. Inside a writer's operation. */
export function openSession(
  { stores: { users }, random }: SessionOptions,
  login: { readonly user: User; readonly organization: Organization; readonly now: number },
): NewLogin {
  const { user, organization, now } = login;
  const sessionId = random.hex(SESSION_ID_BYTES);
  const refreshToken = newSecret(random);
  const expiresAt = now + LIFE_MS;
  users.insertSession({
    id: sessionId,
    orgId: user.orgId,
    userId: user.id,
    createdAt: now,
    endedAt: null,
    expiresAt,
  });
  users.insertToken({
    hash: hashOfSecret(refreshToken),
    sessionId,
    createdAt: now,
    expiresAt,
    rotatedAt: null,
  });
  return { user, organization, sessionId, refreshToken, refreshExpiresAt: expiresAt };
}

/**
 * Rotates a refresh token. Inside a writer's operation; a refusal is a value, because an error
 * would undo the end of a session whose token was copied.
 */
export function exchange(
  options: SessionOptions,
  { refreshToken, isCookie }: GivenRefreshToken,
  address: string | null,
): NewLogin | SessionEnd {
  const { stores, clock, tokens, guard } = options;
  const { users, audit } = stores;
  const now = clock.now();
  const hash = hashOfSecret(refreshToken);
  const found = users.findToken(hash);
  if (found === undefined) return "unknown";
  const { session, token, user } = found;
  if (!user.active) return "inactive";
  if (session.endedAt !== null) return "ended";
  if (!isSessionOfNow(session, now) || !isGood(token, now)) return "expired";
  const organization = stores.organizations.of(session.orgId);
  const login = { user, organization, sessionId: session.id };
  if (!users.markRotated(hash, now)) {
    const given = isCookie ? givenBefore(options, refreshToken) : undefined;
    if (given !== undefined) return { ...login, ...given };
    users.endSession(session.orgId, session.id, now);
    stores.guesses.forgetAddressOf(session.id);
    audit.append({
      orgId: session.orgId,
      at: now,
      actor: `user:${user.id}`,
      action: "session.ended_by_token_reuse",
      resource: session.id,
      address,
      details: null,
    });
    return "ended";
  }
  const next = tokens.following(refreshToken);
  const expiresAt = extended(session, now);
  users.insertToken({
    hash: hashOfSecret(next),
    sessionId: session.id,
    createdAt: now,
    expiresAt,
    rotatedAt: null,
  });
  users.extendSession(session.orgId, session.id, expiresAt);
  guard.proven(user, { address, sessionId: session.id });
  return { ...login, refreshToken: next, refreshExpiresAt: expiresAt };
}

/**
 * What was given a moment ago for a token that is exchanged, or for the one given then, and so on.
 * A copy that comes as soon gets no more than the token it will be noticed by.
 */
function givenBefore(
  { stores: { users }, clock, tokens }: SessionOptions,
  refreshToken: string,
): Pick<NewLogin, "refreshToken" | "refreshExpiresAt"> | undefined {
  const now = clock.now();
  for (let current = refreshToken; ; current = tokens.following(current)) {
    const { rotatedAt, expiresAt } = users.findToken(hashOfSecret(current))?.token ?? {};
    if (rotatedAt === undefined || expiresAt === undefined) return undefined;
    if (rotatedAt === null) return { refreshToken: current, refreshExpiresAt: expiresAt };
    // In either direction: the clock may have been set back a little between two tabs.
    if (Math.abs(now - rotatedAt) >= REFRESH_REPEAT_MS) return undefined;
  }
}
