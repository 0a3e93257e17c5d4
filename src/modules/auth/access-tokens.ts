/** Access tokens: short-lived JWTs that name a user's session. */

import { errors, jwtVerify, SignJWT } from "jose";
import { ROLES, type Role } from "#core/access.ts";
import { ApiError } from "#core/errors.ts";
import { ACCESS_TOKEN_SECONDS } from "#core/limits.ts";
import type { Clock } from "../../platform/clock.ts";

const ALGORITHM = "HS256";
/** Tokens whose signature need not be checked again; the one checked longest ago goes first. */
const VERIFIED_MAX = 2_000;

/** What a token says. The role is the one at the time of issue: the user's row decides. */
export interface AccessClaims {
  readonly userId: string;
  readonly orgId: string;
  readonly role: Role;
  readonly sessionId: string;
}

interface Verified {
  readonly claims: AccessClaims;
  readonly expiresAt: number;
}

export interface AccessTokens {
  issue(claims: AccessClaims): Promise<string>;
  /**
   * Reads a token; a promise only when its signature has to be checked.
   * @throws ApiError TOKEN_EXPIRED, or UNAUTHORIZED when it is not one of ours
   */
  read(token: string): AccessClaims | Promise<AccessClaims>;
}

/** @param secret the signing key, at least 32 bytes */
export function createAccessTokens(secret: Uint8Array, clock: Pick<Clock, "now">): AccessTokens {
  // Keyed by the hash, so that no token stays in memory.
  const verified = new Map<string, Verified>();
  const remember = (hash: string, entry: Verified): void => {
    if (verified.size >= VERIFIED_MAX) {
      for (const oldest of verified.keys()) {
        verified.delete(oldest);
        break;
      }
    }
    verified.set(hash, entry);
  };
  const check = async (token: string, hash: string): Promise<AccessClaims> => {
    const entry = await verify(token, secret, clock.now());
    remember(hash, entry);
    return entry.claims;
  };
  return {
    issue({ userId, orgId, role, sessionId }) {
      const issuedAt = Math.floor(clock.now() / 1000);
      return new SignJWT({ org: orgId, role, sid: sessionId })
        .setProtectedHeader({ alg: ALGORITHM, typ: "JWT" })
        .setSubject(userId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + ACCESS_TOKEN_SECONDS)
        .sign(secret);
    },
    read(token) {
      const hash = new Bun.CryptoHasher("sha256").update(token).digest("base64");
      const known = verified.get(hash);
      if (known === undefined) return check(token, hash);
      if (clock.now() < known.expiresAt) return known.claims;
      verified.delete(hash);
      throw expired();
    },
  };
}

async function verify(token: string, secret: Uint8Array, now: number): Promise<Verified> {
  try {
    const { payload } = await jwtVerify(token, secret, {
      algorithms: [ALGORITHM],
      currentDate: new Date(now),
      requiredClaims: ["sub", "exp"],
    });
    const role = ROLES.find((known) => known === payload.role);
    const { sub, exp, org, sid } = payload;
    if (sub === undefined || exp === undefined || role === undefined) throw invalid();
    if (typeof org !== "string" || typeof sid !== "string") throw invalid();
    const claims = { userId: sub, orgId: org, role, sessionId: sid };
    return { claims, expiresAt: exp * 1000 };
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw expired();
    if (error instanceof errors.JOSEError || error instanceof ApiError) throw invalid();
    throw error;
  }
}

function expired(): ApiError {
  return new ApiError("TOKEN_EXPIRED", "The access token has expired: refresh it");
}

function invalid(): ApiError {
  return new ApiError("UNAUTHORIZED", "The access token is not valid");
}
