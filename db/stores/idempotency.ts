/** First answers by idempotency key. */

import { and, eq, lte, sql } from "drizzle-orm";
import type { Database } from "../connection.ts";
import { idempotencyKeys } from "../schema/idempotency.ts";
import { insertWhole, newValues } from "./whole-row.ts";

export type IdempotencyRecord = typeof idempotencyKeys.$inferSelect;

export type IdempotencyStore = ReturnType<typeof createIdempotencyStore>;

/** All queries on idempotency keys. */
export function createIdempotencyStore({ orm }: Database) {
  const byKey = orm
    .select()
    .from(idempotencyKeys)
    .where(
      and(
        eq(idempotencyKeys.orgId, sql.placeholder("orgId")),
        eq(idempotencyKeys.key, sql.placeholder("key")),
      ),
    )
    .prepare();
  const key = [idempotencyKeys.orgId, idempotencyKeys.key];
  const put = insertWhole(orm, idempotencyKeys)
    .onConflictDoUpdate({ target: key, set: newValues(idempotencyKeys, key) })
    .prepare();
  return {
    get(orgId: string, key: string): IdempotencyRecord | undefined {
      return byKey.get({ orgId, key });
    },
    /** Keeps an answer; an expired one under the same key gives way. */
    put(record: IdempotencyRecord): void {
      put.run({ ...record });
    },
    /** @returns how many were removed */
    purge(now: number): number {
      return orm.delete(idempotencyKeys).where(lte(idempotencyKeys.expiresAt, now)).run().changes;
    },
  };
}
