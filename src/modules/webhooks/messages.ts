/** What webhooks are sent, for the OpenAPI document. */

import { type TSchema, Type } from "@sinclair/typebox";
import { DELIVERY_ANSWER_BYTES, DELIVERY_ATTEMPT_MS } from "#core/limits.ts";
import { orNull } from "#core/schema-parts.ts";
import { WEBHOOK_TEST, type WebhookEventType } from "#core/webhook.ts";
import type { SentMessage } from "../../http/docs/sent-messages.ts";
import { CommandAnswer } from "../commands/schema.ts";
import { DeviceRecord } from "../devices/schema.ts";
import { envelopeOf } from "../events/schema.ts";
import { ReceiptAnswer } from "../receipts/schema.ts";
import { ReportAnswer } from "../reports/schema.ts";

/** When a message is sent, and what it tells of. */
interface Told {
  readonly when: string;
  readonly data: TSchema;
}

const DeviceChange = Type.Object({
  device: DeviceRecord,
  controllerId: orNull(
    Type.String({ description: "The controller that serves it, or that it was taken from" }),
  ),
});

const MESSAGES: Readonly<Record<WebhookEventType | typeof WEBHOOK_TEST, Told>> = {
  "receipt.created": { when: "A receipt was stored by POST /receipts", data: ReceiptAnswer },
  "command.completed": { when: "A command was carried out", data: CommandAnswer },
  "command.failed": { when: "A command was refused, or failed", data: CommandAnswer },
  "command.timeout": { when: "A command was not begun in time", data: CommandAnswer },
  "device.online": { when: "A device came within reach", data: DeviceChange },
  "device.offline": { when: "A device went out of reach", data: DeviceChange },
  "report.generated": { when: "A device completed an X or Z report", data: ReportAnswer },
  [WEBHOOK_TEST]: {
    when: "Somebody tries the webhook by POST /org/webhooks/{webhookId}/test",
    data: Type.Object({ test: Type.Literal(true), message: Type.String() }),
  },
};

const HEADERS = {
  "X-Service-Signature": Type.String({
    pattern: "^t=[0-9]+,v1=[0-9a-f]{64}$",
    description:
      "`t` is when the attempt was signed, in Unix seconds; `v1` the HMAC-SHA256 in hexadecimal " +
      "over `t`, a dot and the body as it arrived, with the whole text of the secret as its key",
  }),
  "webhook-id": Type.String({
    description: "The event's `id`: one that came before is a repetition",
  }),
  "webhook-timestamp": Type.String({
    pattern: "^[0-9]+$",
    description: "When the attempt was signed, in Unix seconds",
  }),
  "webhook-signature": Type.String({
    pattern: "^v1,[A-Za-z0-9+/]{43}=$",
    description:
      "Of Standard Webhooks: `v1,` and the HMAC-SHA256 in base64 over id, timestamp and body, " +
      "joined by dots; its key is what the secret holds in base64 behind `whsec_`",
  }),
};

/** One for each type of event that can be subscribed to, and the one that tries a webhook. */
export const WEBHOOK_MESSAGES: readonly SentMessage[] = Object.entries(MESSAGES).map(
  ([type, { when, data }]) => ({
    ...{ type, tag: "Webhooks", summary: when, headers: HEADERS },
    description:
      type === WEBHOOK_TEST
        ? "Sent once, whatever the answer; it cannot be subscribed to."
        : "Sent to each enabled webhook that lists it, at least once, in no promised order.",
    body: envelopeOf(Type.Literal(type), data),
    answers: {
      taken:
        `Taken, if it comes within ${DELIVERY_ATTEMPT_MS / 1_000} s. Of the body the first ` +
        `${DELIVERY_ANSWER_BYTES} bytes are kept for whoever lists the deliveries.`,
      other:
        type === WEBHOOK_TEST
          ? "Not taken, a redirect neither"
          : "Not taken, a redirect neither: it is sent again later, until its attempts are used up",
    },
  }),
);
