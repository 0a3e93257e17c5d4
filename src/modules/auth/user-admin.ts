/** Users as the person at the box manages them, without a login. */

import { BOX_ACTOR, type Caller, type Role } from "#core/access.ts";
import type { AuditAction } from "#core/audit.ts";
import { ApiError, validationError } from "#core/errors.ts";
import { RESET_CODE_MS } from "#core/limits.ts";
import type { Stores } from "#db/stores/index.ts";
import type { User } from "#db/stores/users.ts";
import type { Writer } from "#db/writer.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Random } from "../../platform/random.ts";
import { beginOrganization, insertUser, newUser, normalEmail, shopToBegin } from "./new-rows.ts";
import type { Passwords } from "./password.ts";
import { type CodeTime, issuePasswordCode } from "./password-codes.ts";
import { userRecord } from "./records.ts";
import type { AddUserBody } from "./schema.ts";
import { renewTokenSecret } from "./token-secret.ts";
import { endAccess, replacePassword, requireAnotherOwner } from "./user-rules.ts";

/** Who the person at the box is to the services that the API uses too. */
export const boxCaller = (orgId: string): Caller => ({ orgId, actor: BOX_ACTOR, address: null });

export interface UserAdminOptions extends CodeTime {
  readonly stores: Pick<
    Stores,
    "users" | "organizations" | "passwordCodes" | "audit" | "guesses" | "appliance"
  >;
  readonly writer: Writer;
  readonly passwords: Passwords;
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
}

/** A new organization, whose owner the user is to be. */
interface NewShopPlace {
  readonly organizationName: string;
  readonly currency?: string;
  readonly timezone?: string;
  /** Refused when somebody has registered meanwhile. */
  readonly isFirst?: true;
}

/** Where a new user belongs: an organization there is, or a new one. */
export type UserPlace = { readonly orgId: string } | NewShopPlace;

/** Makes the service. Users are named by their email address, which is unique. */
export function createUserAdmin(options: UserAdminOptions) {
  const { stores, writer, passwords, clock, random } = options;
  const { users, organizations } = stores;
  const existing = (email: string): User => {
    const user = users.findByEmail(normalEmail(email));
    if (user === undefined) throw new ApiError("NOT_FOUND", `There is no user ${email}`);
    return user;
  };
  const note = (user: User, action: AuditAction): void =>
    stores.audit.append({
      orgId: user.orgId,
      at: clock.now(),
      actor: BOX_ACTOR,
      action,
      resource: user.id,
      details: { email: user.email, role: user.role },
    });

  type Newcomer = Omit<AddUserBody, "password"> & { passwordHash: string; now: number };
  const within =
    ({ orgId }: { readonly orgId: string }) =>
    (person: Newcomer): User => {
      const user = newUser({ ...person, id: random.id("usr"), orgId });
      insertUser(users, user);
      return user;
    };
  /** @throws ApiError VALIDATION_ERROR */
  const beginning = (place: NewShopPlace, role: Role) => {
    const { organizationName: name, isFirst, ...where } = place;
    const shop = shopToBegin({ name, ...where });
    if (role !== "owner") {
      const message = "Expected owner: a new organization has nobody else to manage it";
      throw validationError([{ path: "role", message }]);
    }
    return (person: Newcomer): User => {
      if (isFirst && organizations.exists()) throw registeredMeanwhile();
      return beginOrganization(options, shop, person).owner;
    };
  };

  return {
    /** Everybody of one organization, or of all. */
    list(orgId?: string) {
      const orgs = orgId === undefined ? organizations.list().map((org) => org.id) : [orgId];
      return orgs
        .flatMap((id) => users.list(id))
        .map((user) => ({
          ...userRecord(user),
          orgId: user.orgId,
        }));
    },

    /**
     * @throws ApiError VALIDATION_ERROR, FORBIDDEN for a new organization beside a shop that is lost, or
     * CONFLICT when the address or the first place is taken, or there are as many as there may be
     */
    async add(place: UserPlace, body: AddUserBody) {
      const { password, ...rest } = body;
      const insert = "orgId" in place ? within(place) : beginning(place, rest.role);
      const passwordHash = await passwords.hash(password);
      const user = await writer.run(() => {
        const row = insert({ ...rest, passwordHash, now: clock.now() });
        note(row, "user.added");
        return row;
      });
      return { ...userRecord(user), orgId: user.orgId };
    },

    /** Sets a password and ends every session of the user. @throws ApiError NOT_FOUND */
    async resetPassword(email: string, password: string): Promise<void> {
      existing(email);
      const passwordHash = await passwords.hash(password);
      await writer.run(() => {
        const user = existing(email);
        const now = clock.now();
        replacePassword(stores, user, { passwordHash, now });
        note(user, "user.password_reset");
      });
    },

    /**
     * A code by which the user sets a password, once, within an hour: in place of the mail.
     * @throws ApiError NOT_FOUND, or CONFLICT for a user who is inactive
     */
    async issueResetCode(email: string): Promise<string> {
      return writer.run(() => {
        const user = existing(email);
        if (!user.active) throw new ApiError("CONFLICT", `${user.email} is inactive`);
        note(user, "user.reset_code_issued");
        return issuePasswordCode(options, user, RESET_CODE_MS);
      });
    },

    /**
     * Ends the sessions and codes of everybody, and makes a new key to sign logins with, for the next
     * start of the gateway: after a disk or a backup was stolen. @returns how many users there are
     */
    async endAllAccess(): Promise<number> {
      return writer.run(() => {
        const everybody = organizations.list().flatMap(({ id }) => users.list(id));
        for (const user of everybody) {
          endAccess(stores, user, { now: clock.now() });
          note(user, "user.sessions_ended");
        }
        renewTokenSecret(stores.appliance, random);
        return everybody.length;
      });
    },

    /** Forgets all wrong guesses, of accounts and addresses. @returns how many counts there were */
    endWaits: (): Promise<number> => writer.run(() => stores.guesses.removeAll()),

    /** @throws ApiError NOT_FOUND, or CONFLICT when nobody could manage the organization then */
    async setActive(email: string, active: boolean): Promise<void> {
      await writer.run(() => {
        const user = existing(email);
        if (!active) requireAnotherOwner(stores, user);
        const now = clock.now();
        users.setActive(user.orgId, user.id, { active, now });
        if (!active) endAccess(stores, user, { now });
        note(user, active ? "user.activated" : "user.deactivated");
      });
    },
  };
}

function registeredMeanwhile(): ApiError {
  return new ApiError("CONFLICT", "Somebody has registered an organization meanwhile");
}
