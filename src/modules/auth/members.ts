/** The users of an organization, as its owners and admins manage them. */

import { callerOf, type Role, ranksAbove } from "#core/access.ts";
import type { AuditAction } from "#core/audit.ts";
import { ApiError, noSuch } from "#core/errors.ts";
import { isoTime } from "#core/iso-time.ts";
import { RESET_CODE_MS, SETUP_TOKEN_MS } from "#core/limits.ts";
import type { Stores } from "#db/stores/index.ts";
import type { User } from "#db/stores/users.ts";
import type { WriteFor } from "#db/write-for.ts";
import type { UserPrincipal } from "../../http/access.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Random } from "../../platform/random.ts";
import type { AddMemberBody, UpdateMemberBody } from "./member-schema.ts";
import { insertUser, newUser } from "./new-rows.ts";
import type { Passwords } from "./password.ts";
import { type CodeTime, issuePasswordCode } from "./password-codes.ts";
import { userRecord } from "./records.ts";
import { endAccess, requireAnotherOwner } from "./user-rules.ts";

export interface MemberServiceOptions extends CodeTime {
  readonly stores: Pick<Stores, "users" | "passwordCodes" | "audit" | "guesses">;
  readonly write: WriteFor;
  readonly passwords: Passwords;
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
}

export type MemberService = ReturnType<typeof createMemberService>;

/** Makes the service. */
export function createMemberService(options: MemberServiceOptions) {
  const { stores, write, passwords, clock, random } = options;
  const { users } = stores;
  const { existing, manageable, requireOwnRank } = memberRights(options);
  const note = createNotes(options);

  return {
    /** In the order in which they were added. */
    list: (orgId: string) => ({ members: users.list(orgId).map(userRecord) }),

    /** @throws ApiError NOT_FOUND, or FORBIDDEN for a member above the caller */
    requireManageable(principal: UserPrincipal, userId: string): void {
      manageable(principal, userId);
    },

    /**
     * Without a password the answer carries a token that sets one.
     * @throws ApiError FORBIDDEN for a role above the caller's, CONFLICT when the address is taken or
     * there are as many as there may be
     */
    async add(principal: UserPrincipal, body: AddMemberBody) {
      requireOwnRank(principal, body.role);
      const { password, ...rest } = body;
      const passwordHash = password === undefined ? null : await passwords.hash(password);
      return write(principal, () => {
        const { orgId } = principal;
        const made = { id: random.id("usr"), orgId, passwordHash, now: clock.now() };
        const user = newUser({ ...rest, ...made });
        insertUser(users, user);
        note(principal, "user.added", user);
        const member = userRecord(user);
        if (passwordHash !== null) return { member };
        return { member, setupToken: issuePasswordCode(options, user, SETUP_TOKEN_MS) };
      });
    },

    /**
     * Takes effect at once: whoever has a new role or is inactive is logged out.
     * @throws ApiError NOT_FOUND, FORBIDDEN for a role above the caller's, or CONFLICT for the last
     * active owner
     */
    async update(principal: UserPrincipal, userId: string, body: UpdateMemberBody) {
      const user = await write(principal, () => {
        const before = manageable(principal, userId);
        if (body.role !== undefined) requireOwnRank(principal, body.role);
        changeMember(options, before, body);
        const after = existing(principal.orgId, userId);
        for (const deed of deedsOf(before, after)) note(principal, deed, after);
        return after;
      });
      return userRecord(user);
    },

    /**
     * A code by which the member sets a password, in place of any before it.
     * @throws ApiError NOT_FOUND, FORBIDDEN, or CONFLICT for oneself and for who is inactive
     */
    async issueCode(principal: UserPrincipal, userId: string) {
      return write(principal, () => {
        const user = manageable(principal, userId);
        requireCodeFor(user, principal);
        note(principal, "user.reset_code_issued", user);
        return replaceCode(options, user);
      });
    },

    /** @throws ApiError NOT_FOUND, FORBIDDEN, or CONFLICT for the last active owner */
    async remove(principal: UserPrincipal, userId: string): Promise<void> {
      await write(principal, () => {
        const user = manageable(principal, userId);
        requireAnotherOwner(stores, user);
        users.remove(principal.orgId, userId);
        note(principal, "user.removed", user);
      });
    },
  };
}

/** @throws ApiError CONFLICT */
function requireCodeFor(user: User, { userId }: UserPrincipal): void {
  if (!user.active) throw new ApiError("CONFLICT", `${user.email} is inactive`);
  if (user.id !== userId) return;
  // Whoever has no more than somebody's open page is not to set their password.
  throw new ApiError("CONFLICT", "The own password is changed by POST /auth/change-password");
}

/** Inside an operation. */
function replaceCode(options: MemberServiceOptions, user: User) {
  const lifeMs = user.passwordHash === null ? SETUP_TOKEN_MS : RESET_CODE_MS;
  options.stores.passwordCodes.removeOfUser(user.id);
  const setupToken = issuePasswordCode(options, user, lifeMs);
  return { setupToken, expiresAt: isoTime(options.clock.now() + lifeMs) };
}

/** Inside an operation. @throws ApiError CONFLICT for the last active owner */
function changeMember(
  { stores, clock }: MemberServiceOptions,
  before: User,
  { name, role = before.role, active = before.active }: UpdateMemberBody,
): void {
  if (role !== "owner" || !active) requireAnotherOwner(stores, before);
  const { orgId, id } = before;
  const now = clock.now();
  const named = name === undefined ? {} : { name };
  stores.users.update(orgId, id, { ...named, role, active, updatedAt: now });
  if (!active) endAccess(stores, before, { now });
  // The code by which a new member sets the first password stays good.
  else if (role !== before.role) stores.users.endSessionsOfUser(orgId, id, { now });
}

/** What a change of a member is called: access given or taken is no change of name or rights. */
function deedsOf(before: User, { active, name, role }: User): AuditAction[] {
  const isSame = active === before.active;
  const isUpdate = isSame || name !== before.name || role !== before.role;
  return [
    ...(isSame ? [] : ([active ? "user.activated" : "user.deactivated"] as const)),
    ...(isUpdate ? (["user.updated"] as const) : []),
  ];
}

/** What the audit log is told. */
function createNotes({ stores, clock }: MemberServiceOptions) {
  return (principal: UserPrincipal, action: AuditAction, user: User): void =>
    stores.audit.append({
      ...callerOf(principal),
      at: clock.now(),
      action,
      resource: user.id,
      details: { email: user.email, role: user.role, active: user.active },
    });
}

/** Who may manage whom. */
function memberRights({ stores: { users } }: MemberServiceOptions) {
  const existing = (orgId: string, userId: string): User => {
    const user = users.get(orgId, userId);
    if (user === undefined) throw noSuch("member");
    return user;
  };
  return {
    existing,

    /** The member, if the caller may manage them. @throws ApiError NOT_FOUND or FORBIDDEN */
    manageable(principal: UserPrincipal, userId: string): User {
      const user = existing(principal.orgId, userId);
      if (!ranksAbove(user.role, principal.role)) return user;
      throw new ApiError("FORBIDDEN", `Only an ${user.role} may manage an ${user.role}`);
    },

    /** @throws ApiError FORBIDDEN */
    requireOwnRank(principal: UserPrincipal, role: Role): void {
      if (!ranksAbove(role, principal.role)) return;
      throw new ApiError("FORBIDDEN", "Nobody can give a role above their own");
    },
  };
}
