/** Registering, logging in, staying logged in. */

import { callerOf } from "#core/access.ts";
import { ApiError } from "#core/errors.ts";
import { ACCESS_TOKEN_SECONDS, REFRESH_TOKEN_SECONDS } from "#core/limits.ts";
import type { Stores } from "#db/stores/index.ts";
import type { WriteFor } from "#db/write-for.ts";
import type { Writer } from "#db/writer.ts";
import type { UserPrincipal } from "../../http/access.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Random } from "../../platform/random.ts";
import { hashOfSecret } from "../../platform/secrets.ts";
import { organizationRecord } from "../organizations/records.ts";
import type { AccessTokens } from "./access-tokens.ts";
import type { GuessGuard } from "./guess-guard.ts";
import { requirePassword, requireSetupCode, wrongPassword } from "./guessed-secrets.ts";
import { beginOrganization, normalEmail, shopLost, shopToBegin } from "./new-rows.ts";
import type { Passwords } from "./password.ts";
import { userRecord } from "./records.ts";
import type { ChangePasswordBody, LoginBody, RegisterBody } from "./schema.ts";
import {
  exchange,
  type GivenRefreshToken,
  type NewLogin,
  openSession,
  type SessionEnd,
} from "./sessions.ts";
import type { SetupCode } from "./setup-code.ts";
import { replacePassword } from "./user-rules.ts";

export interface AuthServiceOptions {
  readonly stores: Pick<Stores, "users" | "organizations" | "passwordCodes" | "audit" | "guesses">;
  /** For whoever is not logged in yet, or leaves. */
  readonly writer: Writer;
  readonly write: WriteFor;
  readonly tokens: AccessTokens;
  readonly passwords: Passwords;
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
  /** Who may register: only the first organization, or anybody. */
  readonly registration: "first" | "open";
  readonly setupCode: SetupCode;
  readonly guard: GuessGuard;
}

/** Where a login comes from. */
interface LoginSource {
  /** From the machine itself, with no proxy between. */
  readonly isAtTheBox: boolean;
  /** The client's network address. */
  readonly address: string | null;
}

/** Where a registration comes from. */
interface RegistrationSource extends LoginSource {
  /** @throws ApiError FORBIDDEN */
  readonly requireOwnNames: () => void;
}

export type AuthService = ReturnType<typeof createAuthService>;

/** Makes the service. */
export function createAuthService(options: AuthServiceOptions) {
  const { stores, writer, write, clock, passwords, tokens } = options;
  const { users, organizations, audit } = stores;
  const { guard } = options;

  const answerTo = async (login: NewLogin) => {
    const { user, organization, sessionId, refreshToken, refreshExpiresAt } = login;
    const { id: userId, orgId, role } = user;
    return {
      answer: {
        accessToken: await tokens.issue({ userId, orgId, role, sessionId }),
        refreshToken,
        tokenType: "Bearer" as const,
        expiresIn: ACCESS_TOKEN_SECONDS,
        user: userRecord(user),
        organization: organizationRecord(organization),
      },
      /** For how long the refresh token is good; by a clock that was never set that is not known. */
      refreshSeconds: Math.min(
        REFRESH_TOKEN_SECONDS,
        Math.floor((refreshExpiresAt - clock.now()) / 1000),
      ),
    };
  };

  const requireOpen = (): void => {
    if (options.registration === "first" && organizations.exists()) throw closed();
    if (organizations.areLost()) throw shopLost();
  };

  return {
    /** Whether somebody may register from there, and what it takes. */
    registration({ isAtTheBox }: Pick<RegistrationSource, "isAtTheBox">) {
      const isLost = organizations.areLost();
      const first = !organizations.exists() && !isLost;
      const open = first || (options.registration === "open" && !isLost);
      return {
        open,
        first,
        needsSetupCode: options.registration === "first" && open && !isAtTheBox,
      };
    },

    /**
     * What is refused of a registration before its body is read.
     * @throws ApiError FORBIDDEN when registration is closed, also over a shop that is lost, or when
     * a page from elsewhere may have sent it
     */
    requireRegistration({ requireOwnNames }: RegistrationSource): void {
      requireOpen();
      requireOwnNames();
    },

    /**
     * Makes an organization with its owner, and logs the owner in.
     * @throws ApiError FORBIDDEN when registration is closed or the set-up code is wrong, CONFLICT
     * when the address is taken
     */
    async register(body: RegisterBody, { isAtTheBox, address }: RegistrationSource) {
      // Before the password is hashed, so that a closed door costs nothing.
      requireOpen();
      if (options.registration === "first" && !isAtTheBox) {
        await requireSetupCode(options, body.setupCode ?? "", address);
      }
      const { organizationName, email, name, ...place } = body;
      const shop = shopToBegin({ name: organizationName, ...place });
      const passwordHash = await passwords.hash(body.password);
      const login = await writer.run(() => {
        requireOpen();
        const now = clock.now();
        const person = { email, name, passwordHash, now, lastLoginAt: now };
        const { organization, owner: user } = beginOrganization(options, shop, person);
        guard.proven(user, { address });
        audit.append({
          ...{ orgId: user.orgId, at: now, actor: `user:${user.id}`, address },
          ...{ action: "organization.registered", resource: user.orgId, details: null },
        });
        return openSession(options, { user, organization, now });
      });
      return answerTo(login);
    },

    /**
     * @throws ApiError UNAUTHORIZED, the same for each reason, or FORBIDDEN over a shop that is lost
     * @throws TooManyGuesses after wrong passwords
     */
    async login({ email, password }: LoginBody, { isAtTheBox, address }: LoginSource) {
      if (organizations.areLost()) throw shopLost();
      const normal = normalEmail(email);
      const found = users.findByEmail(normal);
      const guess = guard.begin({
        ...{ email: normal, user: found, address, isAtTheBox, what: "password" },
      });
      try {
        const isRight = await passwords.verify(found?.passwordHash ?? null, password);
        if (found === undefined || !isRight || !found.active) {
          await guess.wrong();
          throw wrongLogin();
        }
        const login = await writer.run(() => {
          // Somebody may have changed the user while the password was being checked.
          const user = users.get(found.orgId, found.id);
          if (!user?.active || user.passwordHash !== found.passwordHash) throw wrongLogin();
          guess.right();
          const now = clock.now();
          users.noteLogin(user.orgId, user.id, now);
          const organization = organizations.of(user.orgId);
          return openSession(options, { user: { ...user, lastLoginAt: now }, organization, now });
        });
        return answerTo(login);
      } finally {
        guess.end();
      }
    },

    /**
     * Exchanges a refresh token. A token that was exchanged before was copied: its session ends,
     * unless it is a cookie's that comes again at once. That one gets what the first exchange gave.
     * @param address the client's network address
     * @throws ApiError UNAUTHORIZED, with what ended the session
     */
    async refresh(given: GivenRefreshToken, address: string | null) {
      const login = await writer.run(() => exchange(options, given, address));
      if (typeof login === "string") throw sessionOver(login);
      return answerTo(login);
    },

    /**
     * Ends the session of a refresh token; a token nobody knows is as good as logged out.
     * @param options.everywhere also the user's other sessions; by a session that goes on alone
     */
    async logout(refreshToken: string, { everywhere }: { readonly everywhere: boolean }) {
      await writer.run(() => {
        const found = users.findToken(hashOfSecret(refreshToken));
        if (found === undefined) return;
        const { id, orgId, userId, endedAt, expiresAt } = found.session;
        const now = clock.now();
        const isOver = endedAt !== null || expiresAt <= now;
        if (!everywhere || isOver) {
          users.endSession(orgId, id, now);
          return;
        }
        users.endSessionsOfUser(orgId, userId, { now });
        stores.guesses.forgetAddresses(userId, { except: id });
      });
    },

    /** Who is logged in. */
    me({ orgId, userId }: UserPrincipal) {
      const user = users.get(orgId, userId);
      if (user === undefined) throw sessionOver("ended");
      return {
        user: userRecord(user),
        organization: organizationRecord(organizations.of(orgId)),
      };
    },

    /** Gives the user another name: one's own needs no admin. */
    async rename(principal: UserPrincipal, name: string) {
      const { orgId, userId } = principal;
      const user = await write(principal, () => {
        const now = clock.now();
        const renamed = users.update(orgId, userId, { name, updatedAt: now });
        if (renamed === undefined) throw sessionOver("ended");
        const { email, role, active } = renamed;
        audit.append({
          ...callerOf(principal),
          at: now,
          action: "user.updated",
          resource: userId,
          details: { email, role, active },
        });
        return renamed;
      });
      return userRecord(user);
    },

    /**
     * Sets a new password and ends the user's other sessions.
     * @throws ApiError FORBIDDEN when the current password is wrong
     * @throws TooManyGuesses after wrong ones
     */
    async changePassword(principal: UserPrincipal, body: ChangePasswordBody): Promise<void> {
      const { orgId, userId, sessionId } = principal;
      const currentHash = await requirePassword(options, principal, body.currentPassword);
      const passwordHash = await passwords.hash(body.newPassword);
      await write(principal, () => {
        const user = users.get(orgId, userId);
        if (user === undefined || user.passwordHash !== currentHash) throw wrongPassword();
        const now = clock.now();
        replacePassword(stores, user, { passwordHash, now, except: sessionId });
        guard.proven(user, { address: principal.address ?? null });
        audit.append({
          ...callerOf(principal),
          at: now,
          action: "user.password_changed",
          resource: userId,
          details: null,
        });
      });
    },
  };
}

function closed(): ApiError {
  return new ApiError("FORBIDDEN", "Registration is closed: ask an owner of the appliance");
}

function wrongLogin(): ApiError {
  return new ApiError("UNAUTHORIZED", "Email address or password is wrong");
}

function sessionOver(reason: SessionEnd): ApiError {
  return new ApiError("UNAUTHORIZED", "The session has ended: log in again", { reason });
}
