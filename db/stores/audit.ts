/** The audit log: append-only. */

import { and, desc, eq, gt, lte, sql } from "drizzle-orm";
import type { Database } from "../connection.ts";
import { auditEntries } from "../schema/audit.ts";
import { insertWhole } from "./whole-row.ts";

export type AuditEntry = typeof auditEntries.$inferSelect;
export type NewAuditEntry = Omit<AuditEntry, "seq">;

export type AuditStore = ReturnType<typeof createAuditStore>;

/** All queries on the audit log. */
export function createAuditStore({ orm }: Database) {
  const append = insertWhole(orm, auditEntries, "seq").prepare();
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
     * Entries of one action in the whole appliance, newest first. Reads back to the newest entry
     * that is not after `since`, so that it costs what happened since and not the whole log.
     * @param since UTC milliseconds, exclusive
     */
    listSince(action: string, since: number, limit: number): AuditEntry[] {
      const last = orm
        .select({ seq: auditEntries.seq })
        .from(auditEntries)
        .where(lte(auditEntries.at, since))
        .orderBy(desc(auditEntries.seq))
        .limit(1);
      return orm
        .select()
        .from(auditEntries)
        .where(
          and(gt(auditEntries.seq, sql`coalesce((${last}), 0)`), eq(auditEntries.action, action)),
        )
        .orderBy(desc(auditEntries.seq))
        .limit(limit)
        .all();
    },
  };
}
