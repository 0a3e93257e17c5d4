/** Reading the audit log. */

import type { AuditEntry, AuditPeriodFilter, AuditStore } from "#db/stores/audit.ts";
import type { Stores } from "#db/stores/index.ts";
import { inOnePart, type PageEnd, type PageQuery, readPage, seqOf } from "../../http/paging.ts";
import { type AuditRecord, auditRecord } from "./schema.ts";

/** Parts of a period that are searched for one page: about 100,000 entries. */
const SEARCHED_PARTS_MAX = 50;

export type AuditService = ReturnType<typeof createAuditService>;

/** Makes the service. */
export function createAuditService({ stores }: { readonly stores: Pick<Stores, "audit"> }) {
  const { audit } = stores;
  return {
    /**
     * A page in the order in which the entries were written, or of a period in the order of that.
     * @throws ApiError VALIDATION_ERROR when `startAfter` names no entry
     */
    async list(
      orgId: string,
      filter: AuditPeriodFilter,
      page: PageQuery<"createdAt">,
    ): Promise<PageEnd & { entries: AuditRecord[] }> {
      const { rows, ...end } = await readPage(page, {
        what: "log entry",
        find(id) {
          const entry = audit.get(orgId, seqOf(id));
          return entry && identified(entry);
        },
        list: (place) =>
          (filter.from ?? filter.to) === undefined
            ? inOnePart(audit.page(orgId, { filter, ...place }).map(identified))
            : identifiedParts(audit.period(orgId, filter, { ...place, sortBy: "at" })),
        partsMax: SEARCHED_PARTS_MAX,
      });
      return { entries: rows.map(auditRecord), ...end };
    },
  };
}

/** Pages go on after an id. */
function identified(entry: AuditEntry) {
  return { ...entry, id: String(entry.seq) };
}

function* identifiedParts(parts: ReturnType<AuditStore["period"]>) {
  for (;;) {
    const part = parts.next();
    if (part.done) return part.value === undefined ? undefined : String(part.value);
    yield part.value.map(identified);
  }
}
