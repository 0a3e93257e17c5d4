/** Webhook subscriptions. */

import { and, desc, eq, sql } from "drizzle-orm";
import type { Database } from "../connection.ts";
import { webhooks } from "../schema/webhooks.ts";
import { countOfOrg } from "./count-of-org.ts";
import { prepareLater } from "./prepared-query.ts";
import { insertRow } from "./whole-row.ts";

export type Webhook = typeof webhooks.$inferSelect;
export type WebhookChange = Partial<Omit<Webhook, "id" | "orgId" | "createdAt" | "createdBy">>;

/** All queries on subscriptions; an organization has few. */
export function createWebhookStore({ orm, rows }: Database) {
  const scoped = (orgId: string, webhookId: string) =>
    and(eq(webhooks.orgId, orgId), eq(webhooks.id, webhookId));
  const enabled = prepareLater(() =>
    orm
      .select()
      .from(webhooks)
      .where(and(eq(webhooks.orgId, sql.placeholder("orgId")), eq(webhooks.enabled, true)))
      .orderBy(webhooks.id),
  );
  const anyEnabled = prepareLater(() =>
    orm.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.enabled, true)).limit(1),
  );
  // Asked at each event, and mostly there are none.
  const enabledOf = rows.over((orgId: string): readonly Webhook[] => enabled.all({ orgId }));
  const isAnyEnabled = rows.over(() => ({ answer: anyEnabled.get() !== undefined }));
  const drop = (): void => {
    enabledOf.drop();
    isAnyEnabled.drop();
  };
  return {
    insert(webhook: Webhook): void {
      drop();
      insertRow(orm, webhooks, webhook);
    },
    get: (orgId: string, webhookId: string): Webhook | undefined =>
      orm.select().from(webhooks).where(scoped(orgId, webhookId)).get(),
    /** Newest first. */
    count: (orgId: string): number => countOfOrg(orm, webhooks, orgId),
    list: (orgId: string): Webhook[] =>
      orm
        .select()
        .from(webhooks)
        .where(eq(webhooks.orgId, orgId))
        .orderBy(desc(webhooks.createdAt), desc(webhooks.id))
        .all(),
    /** Those of an organization that take events. */
    enabledOf: (orgId: string): readonly Webhook[] => enabledOf.get(orgId) ?? [],
    /** Whether any organization has one that takes events. */
    isAnyEnabled: (): boolean => isAnyEnabled.get()?.answer === true,
    /** @returns undefined when there is no such subscription */
    update(orgId: string, webhookId: string, change: WebhookChange): Webhook | undefined {
      drop();
      return orm.update(webhooks).set(change).where(scoped(orgId, webhookId)).returning().get();
    },
    remove(orgId: string, webhookId: string): void {
      drop();
      orm.delete(webhooks).where(scoped(orgId, webhookId)).run();
    },
  };
}
