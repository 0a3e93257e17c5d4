/** The audit log: append-only. */

import { desc, eq } from "drizzle-orm";
import type { Database } from "../connection.ts";
import { auditEntries } from "../schema/audit.ts";

export type AuditEntry = typeof auditEntries.$inferSelect;
export type NewAuditEntry = Omit<AuditEntry, "seq">;

export type AuditStore = ReturnType<typeof createAuditStore>;

/** All queries on the audit log. */
export function createAuditStore({ orm }: Database) {
  return {
    append(entry: NewAuditEntry): void {
      orm.insert(auditEntries).values(entry).run();
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
  };
}
