/** Table of rules: events and who hears of them. */

import type { Section } from "../rule.ts";

export const EVENTS: readonly Section[] = [
  {
    of: "interface",
    title: "Webhook events",
    code: "EVENT",
    rules: [
      {
        id: "EVENT-01",
        rule: "`receipt.created` tells of a receipt that `POST /receipts` stored",
        by: [
          "src/modules/receipts/store.test.ts > a receipt made elsewhere > is told as receipt.created once it is on disk, and stands in the audit log",
        ],
      },
      {
        id: "EVENT-02",
        rule: "`command.completed` tells of a command that the device carried out",
        by: [
          "src/modules/commands/events.test.ts > a command that completes is told as command.completed, once",
        ],
      },
      {
        id: "EVENT-03",
        rule: "`command.failed` tells of a command that failed",
        by: [
          "src/modules/commands/events.test.ts > a command that fails is told as command.failed, once",
        ],
      },
      {
        id: "EVENT-04",
        rule: "`command.timeout` tells of a command that timed out",
        by: [
          "src/modules/commands/events.test.ts > a command that times out is told as command.timeout, once",
        ],
      },
      {
        id: "EVENT-05",
        rule: "`device.online` tells of a device that came within reach",
        by: [
          "src/gateway/ownership.test.ts > a device that a controller announces > is its own, and online",
        ],
      },
      {
        id: "EVENT-06",
        rule: "`device.offline` tells of a device that went out of reach",
        by: [
          "src/gateway/ownership.test.ts > a device that a controller announces > is free when its owner is gone",
        ],
      },
      {
        id: "EVENT-07",
        rule: "`report.generated` tells of an X or Z report",
        by: [
          "src/modules/reports/stored-reports.test.ts > %s > that is completed is stored with all that the device told, and is an event",
        ],
      },
      {
        id: "EVENT-08",
        rule: "A webhook gets the events that it lists, and no others",
        by: [
          "src/modules/webhooks/deliveries.test.ts > an event > goes to each enabled webhook of its organization that wants it, and to no other",
        ],
      },
      {
        id: "EVENT-09",
        rule: "`webhook.test` goes to the one webhook that is tried",
        by: [
          "src/modules/webhooks/delivery.test.ts > a test delivery that arrives > is a signed POST of the event, to that webhook alone, and is kept",
        ],
      },
      {
        id: "EVENT-10",
        rule: "`webhook.test` in `events` is 400 `VALIDATION_ERROR`, when a webhook is made and when it is changed",
        by: [
          "src/modules/webhooks/webhooks.test.ts > subscribing > is refused at %s for %p [events.0]",
        ],
      },
      {
        id: "EVENT-11",
        rule: "An event is `{ id, type, createdAt, orgId, data }`, and the `data` of `webhook.test` are `test` and `message`",
        by: [
          "src/modules/webhooks/delivery.test.ts > a test delivery that arrives > is a signed POST of the event, to that webhook alone, and is kept",
        ],
      },
      {
        id: "EVENT-12",
        rule: "A delivery is an HTTPS POST to the webhook's URL, signed in `X-Service-Signature` by HMAC-SHA256",
        by: [
          "src/modules/webhooks/delivery.test.ts > a test delivery that arrives > is a signed POST of the event, to that webhook alone, and is kept",
        ],
      },
      {
        id: "EVENT-13",
        rule: "An answer of 2xx is a success, any other a failure",
        by: ["src/modules/webhooks/delivery.test.ts > an answer > of %i is a %s"],
      },
      {
        id: "EVENT-14",
        rule: "A rotated secret counts at once",
        by: [
          "src/modules/webhooks/delivery.test.ts > a test delivery that arrives > is signed by the new secret alone after a rotation",
        ],
      },
    ],
  },
  {
    of: "interface",
    title: "Other events",
    code: "OTHER",
    rules: [
      {
        id: "OTHER-01",
        rule: "A controller takes a device by `device.announce`",
        by: [
          "src/gateway/ownership.test.ts > a device that a controller announces > is its own, and online",
        ],
      },
      {
        id: "OTHER-02",
        rule: "It does so over its WebSocket",
        by: [
          "src/modules/controllers/connect.test.ts > a device > is a controller's that announces it, for as long as it is connected",
        ],
      },
      {
        id: "OTHER-03",
        rule: "`device.released` goes to whoever listens to the organization's events",
        by: [
          "src/modules/events/events.test.ts > by %s > a listener hears what happens, in order, with the records of the API",
        ],
      },
      {
        id: "OTHER-04",
        rule: "Ends of commands go to whoever listens to the organization's events",
        by: [
          "src/modules/events/events.test.ts > by %s > a listener hears what happens, in order, with the records of the API",
        ],
      },
    ],
  },
];
