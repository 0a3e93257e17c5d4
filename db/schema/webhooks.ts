import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import {
  DELIVERY_STATUSES,
  type FailedAttempt,
  FINAL_DELIVERY_STATUSES,
  type WebhookEnvelope,
  type WebhookEventType,
} from "#core/webhook.ts";
import { flag, instant, jsonRecord, jsonRecords, jsonTexts } from "./columns.ts";

export const webhooks = sqliteTable(
  "webhooks",
  {
    id: text("id").primaryKey(),
    orgId: text("org_id").notNull(),
    url: text("url").notNull(),
    description: text("description"),
    events: jsonTexts<WebhookEventType>("events").notNull(),
    enabled: flag("enabled").notNull(),
    /** Deliveries that ended failed since the last success. */
    failureCount: integer("failure_count").notNull(),
    lastDeliveryAt: instant("last_delivery_at"),
    lastDeliveryStatus: text("last_delivery_status", { enum: FINAL_DELIVERY_STATUSES }),
    /** In the clear, because each delivery is signed with it. */
    secret: text("secret").notNull(),
    createdBy: text("created_by").notNull(),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [index("webhooks_by_org").on(table.orgId, table.createdAt)],
);

export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    /** Order of making. */
    seq: integer("seq").primaryKey(),
    id: text("id").notNull(),
    webhookId: text("webhook_id").notNull(),
    orgId: text("org_id").notNull(),
    eventType: text("event_type").$type<WebhookEventType | "webhook.test">().notNull(),
    payload: jsonRecord<WebhookEnvelope>("payload").notNull(),
    status: text("status", { enum: DELIVERY_STATUSES }).notNull(),
    /** Attempts made so far. */
    attempt: integer("attempt").notNull(),
    /** Of the latest attempt, as are the next three. */
    httpStatus: integer("http_status"),
    responseBody: text("response_body"),
    error: text("error"),
    attemptedAt: instant("attempted_at"),
    /** In their order; null where none failed, as with nearly all. */
    failedAttempts: jsonRecords<FailedAttempt>("failed_attempts"),
    createdAt: instant("created_at").notNull(),
    /** When the next attempt may begin, in counted time; null when there is none any more. */
    dueAt: instant("due_at"),
  },
  (table) => [
    index("webhook_deliveries_by_id").on(table.id),
    index("webhook_deliveries_by_webhook").on(table.webhookId, table.seq),
    index("webhook_deliveries_by_status").on(table.webhookId, table.status, table.seq),
    /** Those that wait, of which there are few. */
    index("webhook_deliveries_waiting")
      .on(table.webhookId, table.dueAt, table.seq)
      .where(sql`${table.dueAt} is not null`),
  ],
);
