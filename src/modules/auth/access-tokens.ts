/**
 * Access tokens: short-lived JWTs that name a user's session, or the person at the box. Whoever can
 * read the database has the signing key, and so may make one of the second kind.
 */

import { errors, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { ROLES, type Role, SCOPES, type Scope } from "#core/access.ts";
import { ApiError } from "#core/errors.ts";
import { ACCESS_TOKEN_SECONDS, BOX_TOKEN_SECONDS } from "#core/limits.ts";
import type { Clock } from "../../platform/clock.ts";
import { isOfNow } from "../../platform/of-now.ts";

const ALGORITHM = "HS256";
/** Tokens whose signature need not be checked again; the one checked longest ago goes first. */
const VERIFIED_MAX = 2_000;

/** Of the person at the box; ids of users look otherwise. */
const BOX_SUBJECT = "box";

/** What a session's token says. The role is the one at the time of issue: the user's row decides. */
export interface SessionClaims {
  readonly kind: "session";
  readonly userId: string;
  readonly orgId: string;
  readonly role: Role;
  readonly sessionId: string;
}

/** What the token of the person at the box says: one scope in one organization. */
export interface BoxClaims {
  readonly kind: "box";
  readonly orgId: string;
  readonly scope: Scope;
}

export type AccessClaims = SessionClaims | BoxClaims;

/** A token that was found to be ours. */
export interface VerifiedToken {
  readonly claims: AccessClaims;
  /** UTC milliseconds, like `expiresAt`. */
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface AccessTokens {
  issue(claims: Omit<SessionClaims, "kind">): Promise<string>;
  /** A token for one question of the person at the box. It is stored nowhere. */
  issueForBox(claims: Omit<BoxClaims, "kind">): Promise<string>;
  /**
   * Reads a token; a promise only when its signature has to be checked.
   * @throws ApiError TOKEN_EXPIRED, or UNAUTHORIZED when it is not one of ours
   */
  read(token: string): VerifiedToken | Promise<VerifiedToken>;
  /**
   * The refresh token that a session has after another one of its own: always the same, so that it
   * can be given again though only hashes are stored, and known to nobody without the signing key.
   */
  following(refreshToken: string): string;
}

/** @param secret the signing key, at least 32 bytes */
export function createAccessTokens(secret: Uint8Array, clock: Pick<Clock, "now">): AccessTokens {
  // Keyed by the hash, so that no token stays in memory.
  const verified = new Map<string, VerifiedToken>();
  const remember = (hash: string, entry: VerifiedToken): void => {
    if (verified.size >= VERIFIED_MAX) {
      for (const oldest of verified.keys()) {
        verified.delete(oldest);
        break;
      }
    }
    verified.set(hash, entry);
  };
  const check = async (token: string, hash: string): Promise<VerifiedToken> => {
    const entry = await verify(token, secret, clock.now());
    remember(hash, entry);
    return entry;
  };
  const sign = (subject: string, said: JWTPayload, seconds: number): Promise<string> => {
    const issuedAt = Math.floor(clock.now() / 1000);
    return new SignJWT(said)
      .setProtectedHeader({ alg: ALGORITHM, typ: "JWT" })
      .setSubject(subject)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + seconds)
      .sign(secret);
  };
  return {
    issue: ({ userId, orgId, role, sessionId }) =>
      sign(userId, { org: orgId, role, sid: sessionId }, ACCESS_TOKEN_SECONDS),
    issueForBox: ({ orgId, scope }) => sign(BOX_SUBJECT, { org: orgId, scope }, BOX_TOKEN_SECONDS),
    read(token) {
      const hash = new Bun.CryptoHasher("sha256").update(token).digest("base64");
      const known = verified.get(hash);
      if (known === undefined) return check(token, hash);
      if (isOfNow(known, clock.now())) return known;
      verified.delete(hash);
      throw tokenExpired();
    },
    following: (refreshToken) =>
      new Bun.CryptoHasher("sha256", secret).update(`refresh ${refreshToken}`).digest("base64url"),
  };
}

async function verify(token: string, secret: Uint8Array, now: number): Promise<VerifiedToken> {
  try {
    const { payload } = await jwtVerify(token, secret, {
      algorithms: [ALGORITHM],
      currentDate: new Date(now),
      requiredClaims: ["sub", "exp", "iat"],
    });
    const claims = claimsOf(payload);
    const { iat, exp } = payload;
    if (claims === undefined || iat === undefined || exp === undefined) throw invalid();
    const read = { claims, createdAt: iat * 1000, expiresAt: exp * 1000 };
    if (!isOfNow(read, now)) throw tokenExpired();
    return read;
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw tokenExpired();
    if (error instanceof errors.JOSEError) throw invalid();
    throw error;
  }
}

function claimsOf({ sub, org, role, sid, scope }: JWTPayload): AccessClaims | undefined {
  if (sub === undefined || typeof org !== "string") return undefined;
  if (sub === BOX_SUBJECT) {
    const known = SCOPES.find((one) => one === scope);
    return known && { kind: "box", orgId: org, scope: known };
  }
  const known = ROLES.find((one) => one === role);
  if (known === undefined || typeof sid !== "string") return undefined;
  return { kind: "session", userId: sub, orgId: org, role: known, sessionId: sid };
}

/** The refusal of an access token whose time is over. */
export function tokenExpired(): ApiError {
  return new ApiError("TOKEN_EXPIRED", "The access token has expired: refresh it");
}

function invalid(): ApiError {
  return new ApiError("UNAUTHORIZED", "The access token is not valid");
}
