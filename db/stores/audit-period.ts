/**
 * Entries of the audit log between two instants, in order of these: that is what they are asked for by.
 * The order in which they were made, which lists without a period are in, is another one where the
 * clock was set.
 */

import type { Database } from "../connection.ts";
import { AUDIT_INDEXES, auditEntries } from "../schema/audit.ts";
import { createLister, type Lister, type Listing, type ListSizes, type Page } from "./list.ts";
import { type Entry, equals } from "./list-sql.ts";

type Row = typeof auditEntries.$inferSelect;
type Sort = "at";
type Field = "resource" | "actor" | "action";
export type AuditPeriodLister = Lister<Row, Sort, Field>;
export type AuditPeriodPage = Page<Row, Sort>;

const { byTime, byResource, byActor, ofOrgByAction } = AUDIT_INDEXES;
const { resource, actor, action } = auditEntries;

const entryBy = (filter: Field, index: string): Entry<Field> => {
  return { index, filters: [filter], isUnranged: true };
};
/** What is done to one thing, or by some, is little beside all that is done in a year. */
const FILTER_ENTRIES = [
  entryBy("resource", byResource),
  entryBy("actor", byActor),
  entryBy("action", ofOrgByAction),
];

const LISTING: Listing<Sort, Field> = {
  table: auditEntries,
  orgId: auditEntries.orgId,
  sorts: { at: auditEntries.at },
  range: "at",
  filters: {
    resource: equals(resource, "resource"),
    actor: equals(actor, "actor"),
    action: equals(action, "action"),
  },
  // A member or a key has two names.
  several: { filter: "actor", column: actor },
  entries: () => [{ index: byTime, filters: [] }],
  filterEntries: (filter) =>
    FILTER_ENTRIES.filter(({ filters }) => filters.some((name) => filter[name] !== undefined)),
};

/** Makes the function that reads a page of a period. */
export function createAuditPeriod(orm: Database["orm"], sizes?: ListSizes): AuditPeriodLister {
  return createLister(orm, LISTING, sizes);
}
