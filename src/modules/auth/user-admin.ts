/** Users as the person at the box manages them, without a login. */

import { ApiError } from "#core/errors.ts";
import type { Stores } from "#db/stores/index.ts";
import type { User } from "#db/stores/users.ts";
import type { Writer } from "#db/writer.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Random } from "../../platform/random.ts";
import { addressTaken, newOrganization, newUser, normalEmail, timezoneOf } from "./new-rows.ts";
import type { Passwords } from "./password.ts";
import { userRecord } from "./records.ts";
import type { AddUserBody } from "./schema.ts";

/** The actor of what is done here, in the audit log. */
export const BOX_ACTOR = "box";

export interface UserAdminOptions {
  readonly stores: Pick<Stores, "users" | "organizations" | "audit">;
  readonly writer: Writer;
  readonly passwords: Passwords;
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
}

/** Where a new user belongs: an organization there is, or a new one. */
export type UserPlace =
  | { readonly orgId: string }
  | {
      readonly organizationName: string;
      readonly currency?: string;
      readonly timezone?: string;
      /** Refused when somebody has registered meanwhile. */
      readonly isFirst?: true;
    };

/** Makes the service. Users are named by their email address, which is unique. */
export function createUserAdmin(options: UserAdminOptions) {
  const { stores, writer, passwords, clock, random } = options;
  const { users, organizations } = stores;
  const existing = (email: string): User => {
    const user = users.findByEmail(normalEmail(email));
    if (user === undefined) throw new ApiError("NOT_FOUND", `There is no user ${email}`);
    return user;
  };
  const note = (user: User, action: string): void =>
    stores.audit.append({
      orgId: user.orgId,
      at: clock.now(),
      actor: BOX_ACTOR,
      action,
      resource: user.id,
      details: { email: user.email, role: user.role },
    });

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

    /** @throws ApiError VALIDATION_ERROR, or CONFLICT when the address or the first place is taken */
    async add(place: UserPlace, body: AddUserBody) {
      const { password, ...rest } = body;
      const passwordHash = await passwords.hash(password);
      const timezone = timezoneOf("timezone" in place ? place.timezone : undefined);
      const user = await writer.run(() => {
        if (users.findByEmail(normalEmail(body.email)) !== undefined) throw addressTaken();
        const now = clock.now();
        const orgId = "orgId" in place ? place.orgId : random.orgId();
        if ("organizationName" in place) {
          if (place.isFirst && organizations.exists()) throw registeredMeanwhile();
          const { organizationName: name, currency } = place;
          organizations.insert(newOrganization({ id: orgId, name, currency, timezone, now }));
        }
        const row = newUser({ ...rest, id: random.id("usr"), orgId, passwordHash, now });
        users.insert(row);
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
        users.setPassword(user.orgId, user.id, { passwordHash, now });
        users.endSessionsOfUser(user.orgId, user.id, { now });
        note(user, "user.password_reset");
      });
    },

    /** @throws ApiError NOT_FOUND, or CONFLICT when nobody could manage the organization then */
    async setActive(email: string, active: boolean): Promise<void> {
      await writer.run(() => {
        const user = existing(email);
        if (!active && isLastOwner(users.list(user.orgId), user)) {
          throw new ApiError("CONFLICT", `${user.email} is the last active owner`);
        }
        const now = clock.now();
        users.setActive(user.orgId, user.id, { active, now });
        if (!active) users.endSessionsOfUser(user.orgId, user.id, { now });
        note(user, active ? "user.activated" : "user.deactivated");
      });
    },
  };
}

function registeredMeanwhile(): ApiError {
  return new ApiError("CONFLICT", "Somebody has registered an organization meanwhile");
}

function isLastOwner(all: readonly User[], user: User): boolean {
  const owners = all.filter((one) => one.role === "owner" && one.active);
  return owners.length === 1 && owners[0]?.id === user.id;
}
