/** Deliveries: events on their way to webhooks, and what became of them. */

import { and, asc, desc, eq, inArray, isNotNull, isNull, ne, type SQL, sql } from "drizzle-orm";
import type { DeliveryStatus } from "#core/webhook.ts";
import type { Database } from "../connection.ts";
import { webhookDeliveries } from "../schema/webhooks.ts";
import { prepareLater } from "./prepared-query.ts";
import { type Ended, PURGE_ROWS_MAX, prepareAgedPurge } from "./purge.ts";
import { insertWhole } from "./whole-row.ts";

export type WebhookDelivery = typeof webhookDeliveries.$inferSelect;
export type NewWebhookDelivery = Omit<WebhookDelivery, "seq">;
/** What an attempt changes. */
export type DeliveryProgress = Pick<
  WebhookDelivery,
  | "status"
  | "attempt"
  | "httpStatus"
  | "responseBody"
  | "error"
  | "attemptedAt"
  | "failedAttempts"
  | "dueAt"
>;

/** All queries on deliveries. */
export function createWebhookDeliveryStore({ orm }: Database) {
  const insert = prepareLater(() => insertWhole(orm, webhookDeliveries, "seq"));
  return {
    insert(delivery: NewWebhookDelivery): void {
      insert.run({ ...delivery });
    },
    ...lists(orm),
    ...waiting(orm),
    ...removals(orm),
  };
}

function lists(orm: Database["orm"]) {
  const webhookId = sql.placeholder("webhookId");
  const newest = (...conditions: readonly SQL[]) =>
    prepareLater(() =>
      orm
        .select()
        .from(webhookDeliveries)
        .where(and(eq(webhookDeliveries.webhookId, webhookId), ...conditions))
        .orderBy(desc(webhookDeliveries.seq))
        .limit(sql.placeholder("limit")),
    );
  const all = newest();
  // A webhook may have very many: its id is compared, and never what is entered by.
  const isOfWebhook = sql`+${webhookDeliveries.webhookId} = ${webhookId}`;
  const named = prepareLater(() =>
    orm
      .select()
      .from(webhookDeliveries)
      .where(and(eq(webhookDeliveries.id, sql.placeholder("id")), isOfWebhook)),
  );
  const ofStatus = newest(eq(webhookDeliveries.status, sql.placeholder("status")));
  return {
    /** One of a webhook's. */
    get: (webhookId: string, id: string): WebhookDelivery | undefined =>
      named.get({ webhookId, id }),
    /** Newest first; of whichever status where none is named. */
    list(
      webhookId: string,
      { status, limit }: { readonly status?: DeliveryStatus | undefined; readonly limit: number },
    ): WebhookDelivery[] {
      return status === undefined
        ? all.all({ webhookId, limit })
        : ofStatus.all({ webhookId, status, limit });
    },
  };
}

/** Those that have an attempt before them. */
function waiting(orm: Database["orm"]) {
  const isWaiting = isNotNull(webhookDeliveries.dueAt);
  const ofWebhook = and(eq(webhookDeliveries.webhookId, sql.placeholder("webhookId")), isWaiting);
  const next = prepareLater(() =>
    orm
      .select()
      .from(webhookDeliveries)
      .where(ofWebhook)
      .orderBy(asc(webhookDeliveries.dueAt), asc(webhookDeliveries.seq))
      .limit(1),
  );
  const some = orm
    .select({ seq: webhookDeliveries.seq })
    .from(webhookDeliveries)
    .where(and(ofWebhook, ne(webhookDeliveries.seq, sql.placeholder("exceptSeq"))))
    .limit(PURGE_ROWS_MAX);
  return {
    /** The one of a webhook that is due first. */
    nextWaiting: (webhookId: string): WebhookDelivery | undefined => next.get({ webhookId }),
    /** The webhooks that something waits for, those that are gone included. */
    webhooksWaitedFor: (): string[] =>
      orm
        .selectDistinct({ webhookId: webhookDeliveries.webhookId })
        .from(webhookDeliveries)
        .where(isWaiting)
        .all()
        .map(({ webhookId }) => webhookId),
    /** @returns false when the delivery has ended already, or is gone */
    progress: (seq: number, change: DeliveryProgress): boolean =>
      orm
        .update(webhookDeliveries)
        .set(change)
        .where(and(eq(webhookDeliveries.seq, seq), isWaiting))
        .run().changes === 1,
    /** Has its next attempt come sooner. @returns false when none is before it */
    hasten: (seq: number, dueAt: number): boolean =>
      orm
        .update(webhookDeliveries)
        .set({ dueAt: sql`min(${webhookDeliveries.dueAt}, ${dueAt})` })
        .where(and(eq(webhookDeliveries.seq, seq), isWaiting))
        .run().changes === 1,
    /**
     * Ends some of those that wait for a webhook without an attempt.
     * @param exceptSeq one that is under way; 0 for none
     * @returns how many, and whether more may be left
     */
    endSome(webhookId: string, error: string, exceptSeq = 0): { count: number; hasMore: boolean } {
      const { changes: count } = prepareLater(() =>
        orm
          .update(webhookDeliveries)
          .set({ status: "failed", error, dueAt: null })
          .where(inArray(webhookDeliveries.seq, some)),
      ).run({ webhookId, exceptSeq });
      return { count, hasMore: count === PURGE_ROWS_MAX };
    },
  };
}

function removals(orm: Database["orm"]) {
  const someOfWebhook = orm
    .select({ seq: webhookDeliveries.seq })
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.webhookId, sql.placeholder("webhookId")))
    .limit(PURGE_ROWS_MAX);
  const removeSome = prepareLater(() =>
    orm.delete(webhookDeliveries).where(inArray(webhookDeliveries.seq, someOfWebhook)),
  );
  const { seq, createdAt, dueAt } = webhookDeliveries;
  const purge = prepareAgedPurge(
    { orm },
    { table: webhookDeliveries, seq, storedAt: createdAt, removable: isNull(dueAt) },
  );
  return {
    /** Removes some deliveries of a subscription. @returns false when no more were left */
    removeSome: (webhookId: string): boolean =>
      removeSome.run({ webhookId }).changes === PURGE_ROWS_MAX,
    /** Removes some of the oldest that wait for nothing. @returns false when no more were left */
    purge: (ended: Ended): boolean => purge(ended).hasMore,
  };
}
