/** Organizations: the tenants of the appliance. */

import { eq, isNotNull, sql } from "drizzle-orm";
import type { Plan } from "#core/limits.ts";
import type { Database } from "../connection.ts";
import { auditEntries } from "../schema/audit.ts";
import { commands } from "../schema/commands.ts";
import { devices } from "../schema/devices.ts";
import { organizations } from "../schema/organizations.ts";
import { receipts } from "../schema/receipts.ts";
import { users } from "../schema/users.ts";
import { prepareLater } from "./prepared-query.ts";
import { insertRow } from "./whole-row.ts";

/** Whatever a shop leaves first, and longest. */
const TRACES = [devices, users, commands, receipts, auditEntries] as const;

export type Organization = typeof organizations.$inferSelect;

/** What an organization does not have when it begins. */
type Later = "closingTime" | "closingAutomatic" | "closingSetAt";

/** One that begins. */
export type NewOrganization = Omit<Organization, Later> & Partial<Pick<Organization, Later>>;

/** What may change of an organization, besides its plan. */
export type OrganizationChange = Partial<
  Pick<Organization, "name" | "currency" | "timezone" | "updatedAt" | Later>
>;

/** All queries on organizations. */
export function createOrganizationStore({ orm, rows }: Database) {
  const byId = prepareLater(() =>
    orm
      .select()
      .from(organizations)
      .where(eq(organizations.id, sql.placeholder("id"))),
  );
  const cache = rows.over((id: string) => byId.get({ id }));
  const first = prepareLater(() =>
    orm.select({ id: organizations.id }).from(organizations).orderBy(sql`rowid`).limit(1),
  );
  const closing = prepareLater(() =>
    orm.select().from(organizations).where(isNotNull(organizations.closingTime)),
  );
  return {
    insert(organization: NewOrganization): void {
      cache.drop();
      const later = { closingTime: null, closingAutomatic: false, closingSetAt: 0 };
      insertRow(orm, organizations, { ...later, ...organization });
    },
    get(orgId: string): Organization | undefined {
      return cache.get(orgId);
    },
    /** That of somebody who has one. @throws Error when it is gone, which is a defect */
    of(orgId: string): Organization {
      const found = cache.get(orgId);
      if (found === undefined) throw new Error("an organization that is gone");
      return found;
    },
    list(): Organization[] {
      return orm.select().from(organizations).orderBy(organizations.createdAt).all();
    },
    /** Those whose fiscal days are to end at a time of the day. */
    withClosingTime: (): Organization[] => closing.all(),
    /** True for the one that was registered first, whatever the clock said then. */
    isFirst(orgId: string): boolean {
      return first.get()?.id === orgId;
    },
    /** True once anybody has registered. */
    exists(): boolean {
      return first.get() !== undefined;
    },
    /**
     * True where there is none, and what is stored is of one: damage, and no place to begin anew. Who did
     * would stand beside the printers and receipts of another, and keep them from being told apart.
     */
    areLost(): boolean {
      if (first.get() !== undefined) return false;
      return TRACES.some((table) => orm.select({ of: table.orgId }).from(table).limit(1).get());
    },
    update(orgId: string, change: OrganizationChange): Organization | undefined {
      cache.drop();
      return orm
        .update(organizations)
        .set(change)
        .where(eq(organizations.id, orgId))
        .returning()
        .get();
    },
    setPlan(orgId: string, plan: Plan, now: number): void {
      cache.drop();
      orm
        .update(organizations)
        .set({ plan, updatedAt: now })
        .where(eq(organizations.id, orgId))
        .run();
    },
  };
}
