/** Webhook subscriptions, and their deliveries. */

import { and, desc, eq, inArray, lt, lte, type SQL, sql } from "drizzle-orm";
import type { DeliveryStatus } from "#core/webhook.ts";
import type { Database } from "../connection.ts";
import { webhookDeliveries, webhooks } from "../schema/webhooks.ts";
import { PURGE_ROWS_MAX } from "./purge.ts";
import { insertRow, insertWhole } from "./whole-row.ts";

export type Webhook = typeof webhooks.$inferSelect;
export type WebhookChange = Partial<Omit<Webhook, "id" | "orgId" | "createdAt" | "createdBy">>;

/** All queries on subscriptions; an organization has few. */
export function createWebhookStore({ orm }: Database) {
  const scoped = (orgId: string, webhookId: string) =>
    and(eq(webhooks.orgId, orgId), eq(webhooks.id, webhookId));
  return {
    insert: (webhook: Webhook): void => insertRow(orm, webhooks, webhook),
    get: (orgId: string, webhookId: string): Webhook | undefined =>
      orm.select().from(webhooks).where(scoped(orgId, webhookId)).get(),
    /** Newest first. */
    list: (orgId: string): Webhook[] =>
      orm
        .select()
        .from(webhooks)
        .where(eq(webhooks.orgId, orgId))
        .orderBy(desc(webhooks.createdAt), desc(webhooks.id))
        .all(),
    /** @returns undefined when there is no such subscription */
    update: (orgId: string, webhookId: string, change: WebhookChange): Webhook | undefined =>
      orm.update(webhooks).set(change).where(scoped(orgId, webhookId)).returning().get(),
    remove(orgId: string, webhookId: string): void {
      orm.delete(webhooks).where(scoped(orgId, webhookId)).run();
    },
  };
}

export type WebhookDelivery = typeof webhookDeliveries.$inferSelect;
export type NewWebhookDelivery = Omit<WebhookDelivery, "seq">;

/** All queries on deliveries. */
export function createWebhookDeliveryStore({ orm }: Database) {
  const insert = insertWhole(orm, webhookDeliveries, "seq").prepare();
  const webhookId = sql.placeholder("webhookId");
  const newest = (...conditions: readonly SQL[]) =>
    orm
      .select()
      .from(webhookDeliveries)
      .where(and(eq(webhookDeliveries.webhookId, webhookId), ...conditions))
      .orderBy(desc(webhookDeliveries.seq))
      .limit(sql.placeholder("limit"))
      .prepare();
  const all = newest();
  const ofStatus = newest(eq(webhookDeliveries.status, sql.placeholder("status")));
  const someOfWebhook = orm
    .select({ seq: webhookDeliveries.seq })
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.webhookId, webhookId))
    .limit(PURGE_ROWS_MAX);
  const removeSome = orm
    .delete(webhookDeliveries)
    .where(inArray(webhookDeliveries.seq, someOfWebhook))
    .prepare();
  const first = orm.select({ seq: sql`min(${webhookDeliveries.seq})` }).from(webhookDeliveries);
  // The oldest by `seq`, so that no index on the time is needed.
  const purge = orm
    .delete(webhookDeliveries)
    .where(
      and(
        lt(webhookDeliveries.seq, sql`(${first}) + ${PURGE_ROWS_MAX}`),
        lte(webhookDeliveries.createdAt, sql.placeholder("until")),
      ),
    )
    .prepare();
  return {
    insert(delivery: NewWebhookDelivery): void {
      insert.run({ ...delivery });
    },
    /** Newest first; of whichever status where none is named. */
    list(
      webhookId: string,
      { status, limit }: { readonly status?: DeliveryStatus | undefined; readonly limit: number },
    ): WebhookDelivery[] {
      return status === undefined
        ? all.all({ webhookId, limit })
        : ofStatus.all({ webhookId, status, limit });
    },
    /** Removes some deliveries of a subscription. @returns false when no more were left */
    removeSome: (webhookId: string): boolean =>
      removeSome.run({ webhookId }).changes === PURGE_ROWS_MAX,
    /**
     * Removes some of the oldest.
     * @param until UTC milliseconds, inclusive
     * @returns false when no more were left
     */
    purge: (until: number): boolean => purge.run({ until }).changes === PURGE_ROWS_MAX,
  };
}
