/** Bodies and answers of the webhook routes. */

import { type Static, Type } from "@sinclair/typebox";
import { DELIVERY_FAILURES } from "#core/delivery-failure.ts";
import { WEBHOOK_DESCRIPTION_MAX, WEBHOOK_URL_MAX } from "#core/limits.ts";
import { patternOf } from "#core/patterns.ts";
import { DateTime, DateTimeOrNull, oneOf, orNull, TextOrNull } from "#core/schema-parts.ts";
import {
  DELIVERY_STATUSES,
  FINAL_DELIVERY_STATUSES,
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_TEST,
} from "#core/webhook.ts";
import { named } from "../../http/named-schema.ts";
import { envelopeOf } from "../events/schema.ts";

const Url = Type.String({
  maxLength: WEBHOOK_URL_MAX,
  pattern: patternOf("^[Hh][Tt][Tt][Pp][Ss]://", "an https:// URL"),
  description: "https:// only, without user and password, and not at this machine",
});
const Description = Type.String({ maxLength: WEBHOOK_DESCRIPTION_MAX });
const Events = Type.Array(oneOf(WEBHOOK_EVENT_TYPES), { minItems: 1, maxItems: 50 });

export const CreateWebhookBody = Type.Object(
  {
    url: Url,
    description: Type.Optional(Description),
    events: Events,
    enabled: Type.Optional(Type.Boolean({ default: true })),
  },
  {
    examples: [
      {
        url: "https://pos.example.com/hooks/fiscald",
        events: ["command.completed", "command.failed", "device.offline"],
      },
    ],
  },
);
export type CreateWebhookBody = Static<typeof CreateWebhookBody>;

/** At least one of them. */
export const UpdateWebhookBody = Type.Object(
  {
    url: Type.Optional(Url),
    description: Type.Optional(Description),
    events: Type.Optional(Events),
    enabled: Type.Optional(Type.Boolean({ description: "true sets failureCount to 0" })),
  },
  { examples: [{ enabled: true }] },
);
export type UpdateWebhookBody = Static<typeof UpdateWebhookBody>;

export const ReplayBody = Type.Object(
  { deliveryId: Type.String({ minLength: 1, maxLength: 64 }) },
  { examples: [{ deliveryId: "dlv_01KF0HJ080Y4JGZYT70NNAR3CW" }] },
);

const webhookFields = {
  id: Type.String(),
  orgId: Type.String(),
  url: Type.String(),
  description: TextOrNull,
  events: Type.Array(oneOf(WEBHOOK_EVENT_TYPES)),
  enabled: Type.Boolean(),
  failureCount: Type.Integer({ description: "Deliveries that ended failed in a row" }),
  lastDeliveryAt: DateTimeOrNull,
  lastDeliveryStatus: orNull(oneOf(FINAL_DELIVERY_STATUSES)),
  createdAt: DateTime,
  updatedAt: DateTime,
  createdBy: Type.String(),
};
const Secret = Type.String({ description: "Signs deliveries; shown only here" });

const Webhook = named("Webhook", Type.Object(webhookFields));

export const WebhookAnswer = Type.Object({ webhook: Webhook });
export const WebhooksAnswer = Type.Object({ webhooks: Type.Array(Webhook) });
export const CreatedWebhookAnswer = Type.Object({
  webhook: Type.Object({ ...webhookFields, secret: Secret }),
});
export const SecretAnswer = Type.Object({ secret: Secret });

/** Of an endpoint's answer, and why that was none. */
const answered = {
  httpStatus: orNull(Type.Integer()),
  responseBody: Type.Union([
    Type.String({ description: "The beginning of the endpoint's answer, 1 KiB at most" }),
    Type.Null(),
  ]),
  error: TextOrNull,
  failure: Type.Union([oneOf(DELIVERY_FAILURES), Type.Null()], {
    description: "What `error` is about, for programs; null where there is none",
  }),
};

const DeliveryFields = Type.Object({
  id: Type.String(),
  webhookId: Type.String(),
  orgId: Type.String(),
  eventType: oneOf([...WEBHOOK_EVENT_TYPES, WEBHOOK_TEST]),
  payload: Type.Object(
    envelopeOf(Type.String(), Type.Object({}, { additionalProperties: true })).properties,
    { description: "The body as it is sent" },
  ),
  status: oneOf(DELIVERY_STATUSES),
  attempt: Type.Integer({ description: "Attempts made so far" }),
  ...answered,
  createdAt: DateTime,
  attemptedAt: DateTimeOrNull,
  attempts: Type.Array(
    Type.Object({
      number: Type.Integer({ description: "1 for the first" }),
      attemptedAt: DateTime,
      ...answered,
    }),
    {
      description:
        "Each attempt in its order; of deliveries made before this was kept, the one that arrived",
    },
  ),
  nextAttemptAt: Type.Union([
    Type.String({
      format: "date-time",
      description: "While it is pending; earlier than now if it is being attempted, or its turn",
    }),
    Type.Null(),
  ]),
});
const Delivery = named("WebhookDelivery", DeliveryFields);

export const DeliveryAnswer = Type.Object({ delivery: Delivery });
export const DeliveriesAnswer = Type.Object({ deliveries: Type.Array(Delivery) });
