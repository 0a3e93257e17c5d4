/** First answers by idempotency key. */

import { and, eq, isNull, lte, notExists, or, sql } from "drizzle-orm";
import type { Database } from "../connection.ts";
import { commands } from "../schema/commands.ts";
import { idempotencyKeys } from "../schema/idempotency.ts";
import { prepareLater } from "./prepared-query.ts";
import { prepareWrite } from "./prepared-write.ts";
import { PURGE_ROWS_MAX } from "./purge.ts";
import { insertWhole, newValues } from "./whole-row.ts";

export type IdempotencyRecord = typeof idempotencyKeys.$inferSelect;

export type IdempotencyStore = ReturnType<typeof createIdempotencyStore>;

/** All queries on idempotency keys. */
export function createIdempotencyStore(database: Database) {
  const { orm } = database;
  const byKey = prepareLater(() =>
    orm
      .select()
      .from(idempotencyKeys)
      .where(
        and(
          eq(idempotencyKeys.orgId, sql.placeholder("orgId")),
          eq(idempotencyKeys.key, sql.placeholder("key")),
        ),
      ),
  );
  const key = [idempotencyKeys.orgId, idempotencyKeys.key];
  const put = prepareWrite(database, () =>
    insertWhole(orm, idempotencyKeys).onConflictDoUpdate({
      target: key,
      set: newValues(idempotencyKeys, key),
    }),
  );
  const ofUnfinished = orm
    .select({ seq: commands.seq })
    .from(commands)
    .where(and(eq(commands.id, idempotencyKeys.commandId), isNull(commands.finishedAt)));
  const purge = prepareLater(() =>
    orm
      .delete(idempotencyKeys)
      .where(
        and(
          lte(idempotencyKeys.expiresAt, sql.placeholder("now")),
          or(isNull(idempotencyKeys.commandId), notExists(ofUnfinished)),
        ),
      )
      .orderBy(idempotencyKeys.expiresAt)
      .limit(PURGE_ROWS_MAX),
  );
  return {
    get(orgId: string, key: string): IdempotencyRecord | undefined {
      return byKey.get({ orgId, key });
    },
    /** Keeps an answer; an expired one under the same key gives way. */
    put(record: IdempotencyRecord): void {
      put.run({ ...record });
    },
    /**
     * Removes some of those that have expired and whose command is final.
     * @param now counted time
     * @returns false when no more were left
     */
    purge(now: number): boolean {
      return purge.run({ now }).changes === PURGE_ROWS_MAX;
    },
  };
}
