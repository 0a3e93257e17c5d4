/** Reading the audit log. */

import type { AuditEntry, AuditFilter } from "#db/stores/audit.ts";
import type { Stores } from "#db/stores/index.ts";
import { inOnePart, type PageEnd, type PageQuery, readPage, seqOf } from "../../http/paging.ts";
import { type AuditRecord, auditRecord } from "./schema.ts";

export type AuditService = ReturnType<typeof createAuditService>;

/** Makes the service. */
export function createAuditService({ stores }: { readonly stores: Pick<Stores, "audit"> }) {
  const { audit } = stores;
  return {
    /**
     * A page in the order in which the entries were written.
     * @throws ApiError VALIDATION_ERROR when `startAfter` names no entry
     */
    async list(
      orgId: string,
      filter: AuditFilter,
      page: PageQuery<"createdAt">,
    ): Promise<PageEnd & { entries: AuditRecord[] }> {
      const { rows, ...end } = await readPage(page, {
        what: "log entry",
        find(id) {
          const entry = audit.get(orgId, seqOf(id));
          return entry && identified(entry);
        },
        list: (place) => inOnePart(audit.page(orgId, { filter, ...place }).map(identified)),
      });
      return { entries: rows.map(auditRecord), ...end };
    },
  };
}

/** Pages go on after an id. */
function identified(entry: AuditEntry) {
  return { ...entry, id: String(entry.seq) };
}
