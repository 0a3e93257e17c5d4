/** API keys, found by the hash of the whole key. */

import { and, count, desc, eq, sql } from "drizzle-orm";
import type { Database } from "../connection.ts";
import { apiKeys } from "../schema/api-keys.ts";
import { countOfOrg } from "./count-of-org.ts";
import { prepareLater } from "./prepared-query.ts";
import { prepareChange } from "./prepared-write.ts";
import { insertRow } from "./whole-row.ts";

export type ApiKey = typeof apiKeys.$inferSelect;

export type ApiKeyStore = ReturnType<typeof createApiKeyStore>;

/** All queries on API keys. */
export function createApiKeyStore(database: Database) {
  const { orm, rows } = database;
  const byHash = prepareLater(() =>
    orm
      .select()
      .from(apiKeys)
      .where(
        and(eq(apiKeys.orgId, sql.placeholder("orgId")), eq(apiKeys.hash, sql.placeholder("hash"))),
      ),
  );
  // Asked at each message of a socket: written anew, the statement would take ten times as long.
  const byId = prepareLater(() =>
    orm
      .select()
      .from(apiKeys)
      .where(
        and(eq(apiKeys.orgId, sql.placeholder("orgId")), eq(apiKeys.id, sql.placeholder("id"))),
      ),
  );
  const cache = rows.over((orgId: string, hash: string) => byHash.get({ orgId, hash }));
  const changeOne = prepareChange(
    database,
    apiKeys,
    and(eq(apiKeys.orgId, sql.placeholder("ofOrg")), eq(apiKeys.id, sql.placeholder("ofKey"))),
  );
  const scoped = (orgId: string, keyId: string) =>
    and(eq(apiKeys.orgId, orgId), eq(apiKeys.id, keyId));
  return {
    insert(key: ApiKey): void {
      cache.drop();
      insertRow(orm, apiKeys, key);
    },
    get(orgId: string, keyId: string): ApiKey | undefined {
      return byId.get({ orgId, id: keyId });
    },
    findByHash(orgId: string, hash: string): ApiKey | undefined {
      return cache.get(orgId, hash);
    },
    /** Newest first. */
    list(orgId: string): ApiKey[] {
      return orm
        .select()
        .from(apiKeys)
        .where(eq(apiKeys.orgId, orgId))
        .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
        .all();
    },
    count: (orgId: string): number => countOfOrg(orm, apiKeys, orgId),
    countActive(orgId: string): number {
      const row = orm
        .select({ total: count() })
        .from(apiKeys)
        .where(and(eq(apiKeys.orgId, orgId), eq(apiKeys.active, true)))
        .get();
      return row?.total ?? 0;
    },
    update(
      orgId: string,
      keyId: string,
      change: Partial<Pick<ApiKey, "label" | "active" | "lastUsed" | "rotatedToId">>,
    ): void {
      cache.drop();
      changeOne(change, { ofOrg: orgId, ofKey: keyId });
    },
    /** @returns false when there is no such key */
    remove(orgId: string, keyId: string): boolean {
      cache.drop();
      return orm.delete(apiKeys).where(scoped(orgId, keyId)).run().changes === 1;
    },
  };
}
