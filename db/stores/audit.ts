/** The audit log: append-only. */

import { and, desc, eq, gt, sql } from "drizzle-orm";
import type { Database } from "../connection.ts";
import { auditEntries } from "../schema/audit.ts";
import { insertWhole } from "./whole-row.ts";

export type AuditEntry = typeof auditEntries.$inferSelect;
export type NewAuditEntry = Omit<AuditEntry, "seq">;

export type AuditStore = ReturnType<typeof createAuditStore>;

/** All queries on the audit log. */
export function createAuditStore({ orm }: Database) {
  const append = insertWhole(orm, auditEntries, "seq").prepare();
  const ofAction = orm
    .select()
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.action, sql.placeholder("action")),
        gt(auditEntries.at, sql.placeholder("since")),
      ),
    )
    .orderBy(desc(auditEntries.at), desc(auditEntries.seq))
    .limit(sql.placeholder("limit"))
    .prepare();
  return {
    append(entry: NewAuditEntry): void {
      append.run({ ...entry });
    },
    /** Newest first. */
    list(orgId: string, limit: number): AuditEntry[] {
      return orm
        .select()
        .from(auditEntries)
        .where(eq(auditEntries.orgId, orgId))
        .orderBy(desc(auditEntries.seq))
        .limit(limit)
        .all();
    },
    /**
     * Entries of one action in the whole appliance, newest first.
     * @param since UTC milliseconds, exclusive
     */
    listSince(action: string, since: number, limit: number): AuditEntry[] {
      return ofAction.all({ action, since, limit });
    },
  };
}
