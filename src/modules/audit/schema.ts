/** The audit log as the API shows it. */

import { Type } from "@sinclair/typebox";
import { isoTime } from "#core/iso-time.ts";
import { DateTime, orNull } from "#core/schema-parts.ts";
import type { AuditEntry } from "#db/stores/audit.ts";
import { named } from "../../http/named-schema.ts";
import { pageOf } from "../../http/paging.ts";

const AuditEntryFields = Type.Object({
  id: Type.String(),
  createdAt: DateTime,
  actor: Type.String({
    description:
      "`user:<id>`, `key:<id>`, `controller:<id>`, `gateway`, `box` at the machine, or `nobody` without a login",
  }),
  action: Type.String({
    description: "One of those that `action` takes, or what an app calls what it did by itself",
  }),
  resource: Type.String({ description: "Id of what it was done to" }),
  address: Type.Union([Type.String(), Type.Null()], {
    description: "Network address of the client; null where nobody called over the network",
  }),
  details: orNull(Type.Record(Type.String(), Type.Unknown())),
});
const AuditEntryRecord = named("AuditEntry", AuditEntryFields);

export const AuditList = pageOf("entries", AuditEntryRecord);

export type AuditRecord = ReturnType<typeof auditRecord>;

/** An entry as owners and admins see it. */
export function auditRecord({ seq, at, actor, action, resource, address, details }: AuditEntry) {
  const createdAt = isoTime(at);
  return { id: String(seq), createdAt, actor, action, resource, address, details };
}
