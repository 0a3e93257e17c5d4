/** Reading the audit log. */

import { validationError } from "#core/errors.ts";
import type { AuditEntry } from "#db/stores/audit.ts";
import type { Stores } from "#db/stores/index.ts";
import { auditRecord } from "./schema.ts";

/** Which page of an organization's entries. */
interface AskedPage {
  readonly limit: number;
  readonly order: "asc" | "desc";
  readonly startAfter: string | undefined;
}

export type AuditService = ReturnType<typeof createAuditService>;

/** Makes the service. */
export function createAuditService({ stores }: { readonly stores: Pick<Stores, "audit"> }) {
  const { audit } = stores;
  /** @throws ApiError VALIDATION_ERROR when there is no such entry */
  const entryOf = (orgId: string, id: string): AuditEntry => {
    const seq = /^[1-9]\d{0,14}$/.test(id) ? Number(id) : 0;
    const entry = audit.get(orgId, seq);
    if (entry !== undefined) return entry;
    throw validationError([{ path: "startAfter", message: "Expected the id of an entry" }]);
  };
  return {
    /**
     * A page in the order in which the entries were written.
     * @throws ApiError VALIDATION_ERROR when `startAfter` names no entry
     */
    list(orgId: string, { limit, order, startAfter }: AskedPage) {
      const after = startAfter === undefined ? undefined : entryOf(orgId, startAfter);
      // One more than asked for tells whether there is more.
      const found = audit.page(orgId, { limit: limit + 1, order, startAfter: after });
      const entries = found.slice(0, limit).map(auditRecord);
      return { entries, hasMore: found.length > limit, lastId: entries.at(-1)?.id ?? "" };
    },
  };
}
