/** Table of rules: controllers, commands, keys, webhooks and the enumerations. */

import type { Section } from "../rule.ts";

export const OTHER_RECORDS: readonly Section[] = [
  {
    of: "interface",
    title: "Controller (app instance)",
    code: "CTRL",
    rules: [
      {
        id: "CTRL-01",
        rule: "The list shows the controllers that are connected now",
        by: [
          "src/modules/controllers/controllers.test.ts > the controllers that are connected > are the organization's and the built-in one, with the devices that they reach",
        ],
      },
      {
        id: "CTRL-02",
        rule: "`controllerName` is the stored name, and the id where none is stored",
        by: [
          "src/modules/controllers/controllers.test.ts > the controllers that are connected > are the organization's and the built-in one, with the devices that they reach",
          "src/modules/controllers/controllers.test.ts > the controllers that are connected > have the name that was stored last, by themselves or by somebody else",
        ],
      },
      {
        id: "CTRL-03",
        rule: "`appVersion`, `deviceModel`, `osVersion` and `connectedAt` are those of the connection",
        by: [
          "src/modules/controllers/controllers.test.ts > the controllers that are connected > are the organization's and the built-in one, with the devices that they reach",
        ],
      },
      {
        id: "CTRL-04",
        rule: "`connectedDevices` are the ids of its devices whose own line is up",
        by: [
          "src/modules/controllers/controllers.test.ts > the controllers that are connected > are the organization's and the built-in one, with the devices that they reach",
        ],
      },
      {
        id: "CTRL-05",
        rule: "Of each controller `locationId`, `appVersion`, `deviceModel`, `osVersion`, `connectedAt`, `fcmToken` and `updatedAt` are kept",
        by: [
          "src/modules/controllers/controllers.test.ts > registering a controller > answers what is kept of it, and is the same done twice",
          "src/modules/controllers/controllers.test.ts > the push token > is kept, the new one in place of the old, and nothing else is touched",
        ],
      },
    ],
  },
  {
    of: "interface",
    title: "Command",
    code: "CMD",
    rules: [
      {
        id: "CMD-01",
        rule: "A command shows `id`, `deviceId`, `type`, `payload`, `orgId`, `status`, `createdAt` and `updatedAt`",
        by: [
          "src/modules/commands/commands.test.ts > submitting a command > for the device in the path answers 201 with the bare record",
        ],
      },
      {
        id: "CMD-02",
        rule: "`apiKeyId` is the key that submitted it",
        by: [
          "src/modules/commands/commands.test.ts > submitting a command > for the device in the path answers 201 with the bare record",
          "src/modules/commands/commands.test.ts > submitting a command > by a person keeps who it was, in place of a key",
        ],
      },
      {
        id: "CMD-03",
        rule: "`result` has `success` and, as far as there are, `data`, `fiscalId`, `errorCode` and `errorMessage`",
        by: [
          "src/modules/commands/openapi.test.ts > the OpenAPI document of the commands > shows every field that a record has",
          "src/modules/commands/openapi.test.ts > the OpenAPI document of the commands > shows what comes of each command type",
        ],
      },
      {
        id: "CMD-04",
        rule: "On `completed`, `result.data` is there, and `result.fiscalId` for a receipt: the number that the device gave it",
        by: [
          "drivers/contract.test.ts > driver %s > carries out each command type that it names on one of its devices at least, over %s",
          "src/modules/commands/commands.test.ts > reading a command > shows each step of it",
        ],
      },
      {
        id: "CMD-05",
        rule: "On `failed`, `result.errorCode` and `result.errorMessage` are there",
        by: [
          "src/e2e/device-states.test.ts > a state that stands before a receipt > no paper fails a receipt beforehand with E306",
        ],
      },
      {
        id: "CMD-06",
        rule: "On `timeout`, `result.errorCode` is `E500`",
        by: [
          "src/queue/deadlines.test.ts > the time rules > time out after 60 s while no controller connects",
        ],
      },
    ],
  },
  {
    of: "interface",
    title: "API key",
    code: "KEY",
    rules: [
      {
        id: "KEY-01",
        rule: "The secret is in the answers to creating and rotating, never again",
        by: [
          "src/modules/api-keys/api-keys.test.ts > creating a key > shows its text once and stores only its hash",
          "src/modules/api-keys/api-keys.test.ts > rotating a key > ends the old one and begins its successor in one step",
        ],
      },
      {
        id: "KEY-02",
        rule: "A key has the form `svc_live_<orgId>_` and 32 hexadecimal digits",
        by: [
          "src/modules/api-keys/api-keys.test.ts > creating a key > shows its text once and stores only its hash",
        ],
      },
      {
        id: "KEY-03",
        rule: "Only a hash of it is stored",
        by: [
          "src/modules/api-keys/api-keys.test.ts > creating a key > shows its text once and stores only its hash",
        ],
      },
      {
        id: "KEY-04",
        rule: "`prefix` is the first 12 characters of the key with an ellipsis behind",
        by: [
          "src/modules/api-keys/api-keys.test.ts > creating a key > shows its text once and stores only its hash",
        ],
      },
      {
        id: "KEY-05",
        rule: "`label` has 1 to 100 characters",
        by: ["src/modules/api-keys/api-keys.test.ts > creating a key > refuses a wrong %s"],
      },
      {
        id: "KEY-06",
        rule: "`scopes` is at least one value of the scope set",
        by: ["src/modules/api-keys/api-keys.test.ts > creating a key > refuses a wrong %s"],
      },
      {
        id: "KEY-07",
        rule: "The scopes of a key never change",
        by: [
          "src/modules/api-keys/api-keys.test.ts > changing a key > that changes nothing is refused: %p",
        ],
      },
      {
        id: "KEY-08",
        rule: "`lastUsed` is null until the key was used, then when it was",
        by: [
          "src/modules/api-keys/api-keys.test.ts > using a key > is noted at most once a minute",
          "src/modules/api-keys/api-keys.test.ts > changing a key > renames, deactivates and reactivates it at once",
        ],
      },
      {
        id: "KEY-09",
        rule: "`expiresAt` is null for a key that never expires",
        by: [
          "src/modules/api-keys/api-keys.test.ts > creating a key > shows its text once and stores only its hash",
        ],
      },
      {
        id: "KEY-10",
        rule: "`rotatedFromId` and `rotatedToId` name predecessor and successor, and are null where there is none",
        by: [
          "src/modules/api-keys/api-keys.test.ts > rotating a key > ends the old one and begins its successor in one step",
        ],
      },
    ],
  },
  {
    of: "interface",
    title: "Webhook subscription",
    code: "HOOK",
    rules: [
      {
        id: "HOOK-01",
        rule: "A webhook shows `id`, `orgId`, `url`, `description`, `events`, `enabled`, `failureCount`, `lastDeliveryAt`, `lastDeliveryStatus`, `createdAt`, `updatedAt` and `createdBy`",
        by: [
          "src/modules/webhooks/webhooks.test.ts > subscribing > answers the webhook with its secret, which nothing shows again",
        ],
      },
      {
        id: "HOOK-02",
        rule: "`url` is an HTTPS URL",
        by: ["src/modules/webhooks/webhooks.test.ts > subscribing > is refused at %s for %p"],
      },
      {
        id: "HOOK-03",
        rule: "`description` has at most 500 characters",
        by: [
          "src/modules/webhooks/webhooks.test.ts > subscribing > takes texts at their bounds, and not beyond",
          "src/modules/webhooks/webhooks.test.ts > subscribing > is refused at %s for %p",
        ],
      },
      {
        id: "HOOK-04",
        rule: "`events` holds event types that can be subscribed to",
        by: [
          "src/modules/webhooks/webhooks.test.ts > subscribing > takes every event, disabled from the start if wanted, without a description",
          "src/modules/webhooks/webhooks.test.ts > subscribing > is refused at %s for %p",
        ],
      },
      {
        id: "HOOK-05",
        rule: "`failureCount` counts the deliveries that failed one after another",
        by: [
          "src/modules/webhooks/deliveries.test.ts > a delivery that fails > that then arrives is a success, and sets the count to 0",
        ],
      },
      {
        id: "HOOK-06",
        rule: "`lastDeliveryStatus` is `success` or `failed`, that of the last delivery that ended",
        by: [
          "src/modules/webhooks/delivery.test.ts > a test delivery that arrives > is a signed POST of the event, to that webhook alone, and is kept",
          "src/modules/webhooks/delivery.test.ts > a test delivery that arrives > goes to a disabled webhook too, and changes no count",
        ],
      },
      {
        id: "HOOK-07",
        rule: "`createdBy` is the user who made it",
        by: [
          "src/modules/webhooks/webhooks.test.ts > subscribing > answers the webhook with its secret, which nothing shows again",
        ],
      },
      {
        id: "HOOK-08",
        rule: "The signing secret is in the answers to creating and rotating, never again",
        by: [
          "src/modules/webhooks/webhooks.test.ts > subscribing > answers the webhook with its secret, which nothing shows again",
          "src/modules/webhooks/webhooks.test.ts > a new secret > is shown once, and is another one",
        ],
      },
    ],
  },
  {
    of: "interface",
    title: "Webhook delivery",
    code: "DLV",
    rules: [
      {
        id: "DLV-01",
        rule: "A delivery shows `id`, `webhookId`, `orgId`, `eventType`, `payload`, `status`, `attempt`, `httpStatus`, `createdAt` and `attemptedAt`",
        by: [
          "src/modules/webhooks/webhooks.test.ts > deliveries > are listed newest first, whole, by status, up to the limit",
        ],
      },
      {
        id: "DLV-02",
        rule: "`payload` is the event as it was sent",
        by: [
          "src/modules/webhooks/delivery.test.ts > a test delivery that arrives > is a signed POST of the event, to that webhook alone, and is kept",
        ],
      },
      {
        id: "DLV-03",
        rule: "`httpStatus` is what the endpoint answered",
        by: ["src/modules/webhooks/delivery.test.ts > an answer > of %i is a %s"],
      },
      {
        id: "DLV-04",
        rule: "A part of the endpoint's answer and the error are kept too",
        by: [
          "src/modules/webhooks/delivery.test.ts > an answer > is kept to 1 KiB, without a character cut in two, though it never ends",
          "src/modules/webhooks/delivery.test.ts > an answer > of %i is a %s",
        ],
      },
    ],
  },
  {
    of: "interface",
    title: "Enumerations",
    code: "ENUM",
    rules: [
      {
        id: "ENUM-01",
        rule: "A receipt is a `sale`, a `refund` or a `storno`",
        by: [
          "src/modules/receipts/store.test.ts > what gives money back > as a %s, is kept with its sale",
          "src/modules/receipts/store.test.ts > a receipt made elsewhere > is stored as it was sent and shown as it was stored",
        ],
      },
      {
        id: "ENUM-02",
        rule: "A `storno` names the sale that it reverses, and is what `print_reversal_receipt` leaves",
        by: [
          "src/modules/receipts/storno.test.ts > the storno of a sale > leaves a receipt that names the sale, and no event of one made elsewhere",
        ],
      },
      {
        id: "ENUM-03",
        rule: "A user is an `owner`, an `admin` or an `operator`, nothing else",
        by: [
          "src/modules/auth/members.test.ts > adding a member > refuses a wrong %s: %j",
          "src/modules/access.test.ts > a caller > logged in as %s gets what the role covers",
        ],
      },
      {
        id: "ENUM-04",
        rule: "An organization has the plan `free` until its owner picks `pro` or `enterprise`",
        by: [
          "src/modules/billing/billing.test.ts > the plan > begins as free, and shows limits beside what is in use",
          "src/modules/billing/billing.test.ts > the plan > is picked by the owner; without a limit means null",
          "src/modules/billing/billing.test.ts > the plan > is not for admins to pick, nor can it be any other word",
        ],
      },
    ],
  },
];
