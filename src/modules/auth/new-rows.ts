/** Organizations and users as they begin. */

import type { Role } from "#core/access.ts";
import { ApiError, validationError } from "#core/errors.ts";
import { requireNotFull } from "#core/org-rows.ts";
import { placeIssues, timezoneName } from "#core/place.ts";
import { schemaCheckOf } from "#core/schema-check.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Organization } from "#db/stores/organizations.ts";
import type { User, UserStore } from "#db/stores/users.ts";
import type { Random } from "../../platform/random.ts";
import { machineTimezone } from "../../platform/timezone.ts";
import { RegisterBody } from "./schema.ts";

/** Of an organization that names none. */
const CURRENCY_DEFAULT = "RON";

/** A shop as somebody names it. */
export interface WantedShop {
  readonly name: string;
  /** The usual one when undefined. */
  readonly currency?: string | undefined;
  /** The machine's when undefined. */
  readonly timezone?: string | undefined;
}

/** What `shopToBegin` has checked. */
export interface ShopToBegin {
  readonly name: string;
  readonly currency: string;
  readonly timezone: string;
}

const shopName = schemaCheckOf(RegisterBody.properties.organizationName);

/** Checks what a new organization is to be called and where it is. @throws ApiError VALIDATION_ERROR */
export function shopToBegin(wanted: WantedShop): ShopToBegin {
  const { name, currency = CURRENCY_DEFAULT, timezone } = wanted;
  const nameIssues = shopName.accepts(name) ? [] : shopName.issues(name);
  const issues = [
    ...nameIssues.map(({ message }) => ({ path: "organizationName", message })),
    ...placeIssues({ currency, timezone }),
  ];
  if (issues.length > 0) throw validationError(issues);
  return { name, currency, timezone: (timezone && timezoneName(timezone)) ?? machineTimezone() };
}

/**
 * Makes an organization, on the free plan, with the owner without whom nobody could manage it. Inside an
 * operation, and the only way in which one begins.
 * @throws ApiError FORBIDDEN beside a shop that is lost, CONFLICT where the address is taken
 */
export function beginOrganization(
  { stores, random }: { readonly stores: Pick<Stores, "organizations" | "users">; random: Random },
  shop: ShopToBegin,
  from: Omit<Parameters<typeof newUser>[0], "id" | "orgId" | "role">,
): { readonly organization: Organization; readonly owner: User } {
  if (stores.organizations.areLost()) throw shopLost();
  const { now } = from;
  const organization: Organization = {
    ...{ id: random.orgId(), ...shop, plan: "free", createdAt: now, updatedAt: now },
    ...{ closingTime: null, closingAutomatic: false, closingSetAt: now },
  };
  stores.organizations.insert(organization);
  const orgId = organization.id;
  const owner = newUser({ ...from, id: random.id("usr"), orgId, role: "owner" });
  insertUser(stores.users, owner);
  return { organization, owner };
}

/** Whoever came first would be the owner of a box full of another's receipts. */
export function shopLost(): ApiError {
  const cure = "stop the gateway, and fiscald repair makes it anew";
  return new ApiError("FORBIDDEN", `The shop that is stored here is lost: ${cure}`);
}

/** An active user. */
export function newUser(from: {
  readonly id: string;
  readonly orgId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Null until the user has set a password. */
  readonly passwordHash: string | null;
  readonly now: number;
  /** Null when undefined: has not logged in yet. UTC milliseconds. */
  readonly lastLoginAt?: number;
}): User {
  const { id, orgId, name, role, passwordHash, now, lastLoginAt = null } = from;
  return {
    id,
    orgId,
    email: normalEmail(from.email),
    name,
    role,
    passwordHash,
    active: true,
    createdAt: now,
    updatedAt: now,
    lastLoginAt,
  };
}

/**
 * Inside an operation.
 * @throws ApiError CONFLICT where the address is taken, or there are as many as there may be
 */
export function insertUser(users: UserStore, user: User): void {
  if (users.findByEmail(user.email) !== undefined) {
    throw new ApiError("CONFLICT", "There is a user with this email address already");
  }
  requireNotFull("members", users.count(user.orgId));
  users.insert(user);
}

/** As stored and looked up: addresses differ by more than case nowhere in practice. */
export function normalEmail(email: string): string {
  return email.trim().toLowerCase();
}
