/** Routes below `/org/webhooks`: for logins of owners and admins. */

import { DELIVERY_LIST_MAX, LIST_LIMIT_DEFAULT } from "#core/limits.ts";
import { fullText } from "#core/org-rows.ts";
import { DELIVERY_STATUSES } from "#core/webhook.ts";
import { userRoutes } from "../../http/access.ts";
import { DONE, noContent, refusals, success } from "../../http/answers.ts";
import { choice, integer, query } from "../../http/query.ts";
import { changeJson, json } from "../../http/request-body.ts";
import {
  CreatedWebhookAnswer,
  CreateWebhookBody,
  DeliveriesAnswer,
  DeliveryAnswer,
  ReplayBody,
  SecretAnswer,
  UpdateWebhookBody,
  WebhookAnswer,
  WebhooksAnswer,
} from "./schema.ts";
import type { WebhookService } from "./service.ts";

const TAG = "Webhooks";

/** The routes over the service. */
export function webhookRoutes(service: WebhookService) {
  return [subscriptionRoutes(service), deliveryRoutes(service)];
}

function subscriptionRoutes(service: WebhookService) {
  return userRoutes("admin", TAG)
    .get("/org/webhooks", ({ principal }) => service.list(principal.orgId), {
      detail: { summary: "List webhooks, newest first", responses: success(WebhooksAnswer) },
    })
    .post(
      "/org/webhooks",
      async ({ principal, body, status }) => status(201, await service.create(principal, body)),
      {
        body: json(CreateWebhookBody),
        detail: {
          summary: "Subscribe a webhook",
          description: "The secret is in this answer, in that of rotate-secret, and nowhere else.",
          responses: {
            ...success(CreatedWebhookAnswer, { status: 201 }),
            ...refusals({ 409: fullText("webhooks") }),
          },
        },
      },
    )
    .get(
      "/org/webhooks/:webhookId",
      ({ principal, params: { webhookId } }) => service.get(principal.orgId, webhookId),
      { detail: { summary: "Get a webhook", responses: success(WebhookAnswer) } },
    )
    .patch(
      "/org/webhooks/:webhookId",
      ({ principal, params: { webhookId }, body }) => service.update(principal, webhookId, body),
      {
        transform({ principal, params }) {
          service.existing(principal.orgId, params.webhookId);
        },
        body: changeJson(UpdateWebhookBody),
        detail: {
          summary: "Change, disable or enable a webhook",
          description: "A disabled one takes changes only together with enabled: true, else 409.",
          responses: {
            ...success(WebhookAnswer),
            ...refusals({ 409: "The webhook is disabled, and the change does not enable it" }),
          },
        },
      },
    )
    .delete(
      "/org/webhooks/:webhookId",
      async ({ principal, params: { webhookId } }) => {
        await service.remove(principal, webhookId);
        return noContent();
      },
      { detail: { summary: "Remove a webhook and its deliveries", responses: DONE } },
    )
    .post(
      "/org/webhooks/:webhookId/rotate-secret",
      ({ principal, params: { webhookId } }) => service.rotateSecret(principal, webhookId),
      {
        detail: {
          summary: "Replace the signing secret",
          description: "The new one signs alone from now on.",
          responses: success(SecretAnswer),
        },
      },
    );
}

function deliveryRoutes(service: WebhookService) {
  return userRoutes("admin", TAG)
    .post(
      "/org/webhooks/:webhookId/test",
      ({ principal, params: { webhookId } }) => service.test(principal, webhookId),
      {
        detail: {
          summary: "Deliver webhook.test once, now",
          description:
            "Takes up to 10 s. Answers with the delivery whether it succeeded or not; it does not " +
            "count in failureCount.",
          responses: success(DeliveryAnswer),
        },
      },
    )
    .post(
      "/org/webhooks/:webhookId/replay",
      async ({ principal, params: { webhookId }, body: { deliveryId }, set }) => {
        const answer = await service.replay(principal, webhookId, deliveryId);
        const { delivery, isNew } = answer;
        if (isNew) set.status = 201;
        return { delivery };
      },
      {
        transform({ principal, params }) {
          service.existing(principal.orgId, params.webhookId);
        },
        body: json(ReplayBody),
        detail: {
          summary: "Deliver once more what a delivery carried",
          description:
            "Answers with a new delivery of the same event, under the same `webhook-id`, which is " +
            "attempted at once and repeated like any other. One that is still `pending` is not made a " +
            "second time: its next attempt is made at once, and it is the answer.",
          responses: {
            ...success(DeliveryAnswer),
            ...success(DeliveryAnswer, { status: 201 }),
            ...refusals({ 409: "The webhook is disabled, or the delivery was a test" }),
          },
        },
      },
    )
    .get(
      "/org/webhooks/:webhookId/deliveries",
      ({ principal, params: { webhookId }, query: filter }) =>
        service.deliveries(principal.orgId, webhookId, filter),
      {
        transform({ principal, params }) {
          service.existing(principal.orgId, params.webhookId);
        },
        query: query({
          limit: integer({ minimum: 1, maximum: DELIVERY_LIST_MAX, initial: LIST_LIMIT_DEFAULT }),
          status: choice(DELIVERY_STATUSES),
        }),
        detail: {
          summary: "List the latest deliveries, newest first",
          description: "Deliveries are kept for 30 days.",
          responses: success(DeliveriesAnswer),
        },
      },
    );
}
