/** The audit log: append-only. */

import { and, asc, desc, eq, gt, inArray, lt, type SQL, sql } from "drizzle-orm";
import type { AuditAction } from "#core/audit.ts";
import type { Database } from "../connection.ts";
import { auditEntries } from "../schema/audit.ts";
import { prepareLater } from "./prepared-query.ts";
import { insertWhole } from "./whole-row.ts";

export type AuditEntry = typeof auditEntries.$inferSelect;
/** Without an address where nobody called: the gateway and its controllers write entries too. */
export type NewAuditEntry = Omit<AuditEntry, "seq" | "address" | "action"> &
  Partial<Pick<AuditEntry, "address">> & { readonly action: AuditAction };

/** What entries are looked for by; all of them where none is given. */
export interface AuditFilter {
  /** Id of what was changed. */
  readonly resource?: string | undefined;
  /** Who changed it: as entries say it, or the bare id of a user or an API key. */
  readonly actor?: string | undefined;
  readonly action?: AuditAction | undefined;
}

/** A page in the order in which the entries were written. */
export interface AuditPage {
  readonly filter?: AuditFilter | undefined;
  readonly limit: number;
  readonly order: "asc" | "desc";
  /** The last one of the previous page. */
  readonly startAfter?: AuditEntry | undefined;
}

export type AuditStore = ReturnType<typeof createAuditStore>;

/** All queries on the audit log. */
export function createAuditStore({ orm }: Database) {
  const append = prepareLater(insertWhole(orm, auditEntries, "seq"));
  const ofAction = prepareLater(
    orm
      .select()
      .from(auditEntries)
      .where(
        and(
          eq(auditEntries.action, sql.placeholder("action")),
          gt(auditEntries.at, sql.placeholder("since")),
        ),
      )
      .orderBy(desc(auditEntries.at), desc(auditEntries.seq))
      .limit(sql.placeholder("limit")),
  );
  return {
    append(entry: NewAuditEntry): void {
      append.run({ address: null, ...entry });
    },
    /** What a controller did of its own accord: apps have names of their own for that. */
    appendNote(entry: Omit<NewAuditEntry, "action"> & { readonly action: string }): void {
      append.run({ address: null, ...entry });
    },
    get(orgId: string, seq: number): AuditEntry | undefined {
      return orm
        .select()
        .from(auditEntries)
        .where(and(eq(auditEntries.orgId, orgId), eq(auditEntries.seq, seq)))
        .get();
    },
    page(orgId: string, { filter, limit, order, startAfter }: AuditPage): AuditEntry[] {
      const { seq } = auditEntries;
      const beyond = order === "asc" ? gt : lt;
      const rest = startAfter === undefined ? undefined : beyond(seq, startAfter.seq);
      return orm
        .select()
        .from(auditEntries)
        .where(and(eq(auditEntries.orgId, orgId), ...conditionsOf(filter), rest))
        .orderBy(order === "asc" ? asc(seq) : desc(seq))
        .limit(limit)
        .all();
    },
    /** The last entries of an organization, newest first. */
    list(orgId: string, limit: number): AuditEntry[] {
      return this.page(orgId, { limit, order: "desc" });
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

function conditionsOf({ resource, actor, action }: AuditFilter = {}): readonly SQL[] {
  return [
    ...(resource === undefined ? [] : [eq(auditEntries.resource, resource)]),
    ...(actor === undefined ? [] : [inArray(auditEntries.actor, namesOf(actor))]),
    ...(action === undefined ? [] : [eq(auditEntries.action, action)]),
  ];
}

/** Members and keys are listed by their bare ids, in front of which entries say what they are. */
function namesOf(actor: string): string[] {
  const kind = { usr: "user", key: "key" }[/^(usr|key)_/.exec(actor)?.[1] ?? ""];
  return kind === undefined ? [actor] : [actor, `${kind}:${actor}`];
}
