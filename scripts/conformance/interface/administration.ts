/** Table of rules: controllers, API keys and webhooks as they are administered. */

import type { Section } from "../rule.ts";

export const ADMINISTRATION: readonly Section[] = [
  {
    of: "interface",
    title: "Controllers",
    code: "CTRLAPI",
    rules: [
      {
        id: "CTRLAPI-01",
        rule: "An API key or a login opens them",
        by: ["src/modules/controllers/controllers.test.ts > each route needs its scope"],
      },
      {
        id: "CTRLAPI-02",
        rule: "`GET /controllers` needs `devices:read` and lists the connected controllers as `instances`",
        by: [
          "src/modules/controllers/controllers.test.ts > the controllers that are connected > are the organization's and the built-in one, with the devices that they reach",
          "src/modules/controllers/controllers.test.ts > each route needs its scope",
        ],
      },
      {
        id: "CTRLAPI-03",
        rule: "`POST /controllers/{controllerId}` needs `devices:write`, registers a controller or replaces what is kept of it, and is the same done twice",
        by: [
          "src/modules/controllers/controllers.test.ts > registering a controller > answers what is kept of it, and is the same done twice",
          "src/modules/controllers/controllers.test.ts > registering a controller > replaces all of it but name and token",
          "src/modules/controllers/controllers.test.ts > each route needs its scope",
        ],
      },
      {
        id: "CTRLAPI-04",
        rule: "It needs a `locationId` of 1 to 255 characters, and takes `appVersion`, `deviceModel`, `osVersion` and `connectedAt`; anything else is 400",
        by: [
          "src/modules/controllers/controllers.test.ts > registering a controller > takes a location at its bounds",
          "src/modules/controllers/controllers.test.ts > registering a controller > refuses a wrong %s",
        ],
      },
      {
        id: "CTRLAPI-05",
        rule: "It answers the controller with its times in ISO 8601",
        by: [
          "src/modules/controllers/controllers.test.ts > registering a controller > answers what is kept of it, and is the same done twice",
        ],
      },
      {
        id: "CTRLAPI-06",
        rule: "`PATCH /controllers/{controllerId}` needs `devices:write`, changes what is named by the same rules and answers the controller",
        by: [
          "src/modules/controllers/controllers.test.ts > changing a controller > changes what is named and nothing else",
          "src/modules/controllers/controllers.test.ts > registering a controller > refuses a wrong %s",
        ],
      },
      {
        id: "CTRLAPI-07",
        rule: "An empty body is 400",
        by: [
          "src/modules/controllers/controllers.test.ts > changing a controller > is refused with %p, which changes nothing",
        ],
      },
      {
        id: "CTRLAPI-08",
        rule: "`POST /controllers/{controllerId}/fcm-token` needs `devices:write` and keeps the token in place of the one before: 200 with `{ controllerId }`",
        by: [
          "src/modules/controllers/controllers.test.ts > the push token > is kept, the new one in place of the old, and nothing else is touched",
          "src/modules/controllers/controllers.test.ts > each route needs its scope",
        ],
      },
      {
        id: "CTRLAPI-09",
        rule: "Only token and `updatedAt` are written",
        by: [
          "src/modules/controllers/controllers.test.ts > the push token > is kept, the new one in place of the old, and nothing else is touched",
        ],
      },
      {
        id: "CTRLAPI-10",
        rule: "`fcmToken` has 1 to 4096 characters, else 400",
        by: [
          "src/modules/controllers/controllers.test.ts > the push token > has 1 to 4096 characters",
        ],
      },
      {
        id: "CTRLAPI-11",
        rule: "Additive: `GET /controllers` has what is kept of remote controllers as `known`, connected or not: what each served last, when it was last heard of, whether it can be woken",
        by: [
          "src/modules/controllers/controllers.test.ts > the controllers that are known > are there when they are gone, with when they were last heard of and what they served",
          "src/modules/controllers/controllers.test.ts > the controllers that are known > include one that was never connected",
        ],
      },
      {
        id: "CTRLAPI-12",
        rule: "Additive: `DELETE /controllers/{controllerId}` needs `devices:write`, forgets a controller and frees its devices: 204, or 409 while it is connected",
        by: [
          "src/modules/controllers/controllers.test.ts > removing a controller > forgets it, and gives its devices to whoever announces them",
          "src/modules/controllers/controllers.test.ts > removing a controller > needs one of one's own",
          "src/modules/controllers/controllers.test.ts > each route needs its scope",
        ],
      },
    ],
  },
  {
    of: "interface",
    title: "API key administration",
    code: "KEYAPI",
    rules: [
      {
        id: "KEYAPI-01",
        rule: "Keys are administered by a login of an owner or admin; no API key opens these routes, whatever its scopes",
        by: [
          "src/modules/api-keys/api-keys.test.ts > creating a key > needs owner or admin, and no API key will do",
          "src/modules/access.test.ts > a caller > with a key of just %s gets what it covers",
        ],
      },
      {
        id: "KEYAPI-02",
        rule: "`GET /org/api-keys` lists the keys without their secrets, newest first",
        by: [
          "src/modules/api-keys/api-keys.test.ts > creating a key > shows its text once and stores only its hash",
          "src/modules/api-keys/api-keys.test.ts > rotating a key > ends the old one and begins its successor in one step",
        ],
      },
      {
        id: "KEYAPI-03",
        rule: "Any login may list them; 401 without one",
        by: [
          "src/modules/api-keys/api-keys.test.ts > creating a key > needs owner or admin, and no API key will do",
        ],
      },
      {
        id: "KEYAPI-04",
        rule: "`POST /org/api-keys` makes a key: 201 with `id`, `key`, `prefix`, `label`, `scopes`, `active`, `createdAt` and `expiresAt`",
        by: [
          "src/modules/api-keys/api-keys.test.ts > creating a key > shows its text once and stores only its hash",
        ],
      },
      {
        id: "KEYAPI-05",
        rule: "`expiresAt` lies in the future; without it the key never expires",
        by: [
          "src/modules/api-keys/api-keys.test.ts > creating a key > refuses a wrong %s [expiresAt]",
          "src/modules/api-keys/api-keys.test.ts > creating a key > shows its text once and stores only its hash",
        ],
      },
      {
        id: "KEYAPI-06",
        rule: "On the plan `free` it is 403 `TIER_LIMIT_EXCEEDED`",
        by: [
          "src/modules/api-keys/api-keys.test.ts > creating a key > is refused on the free plan before the body is looked at",
        ],
      },
      {
        id: "KEYAPI-07",
        rule: "It is 400 for a wrong `label`, `scopes` or `expiresAt`, 403 for an operator",
        by: [
          "src/modules/api-keys/api-keys.test.ts > creating a key > refuses a wrong %s",
          "src/modules/api-keys/api-keys.test.ts > creating a key > needs owner or admin, and no API key will do",
        ],
      },
      {
        id: "KEYAPI-08",
        rule: "`PATCH /org/api-keys/{keyId}` changes `label` or `active` and answers the key without its secret",
        by: [
          "src/modules/api-keys/api-keys.test.ts > changing a key > renames, deactivates and reactivates it at once",
        ],
      },
      {
        id: "KEYAPI-09",
        rule: "It is 400 for an empty body, and for one that would change the scopes alone",
        by: [
          "src/modules/api-keys/api-keys.test.ts > changing a key > that changes nothing is refused: %p",
        ],
      },
      {
        id: "KEYAPI-10",
        rule: "`POST /org/api-keys/{keyId}/rotate` ends the key and makes one with the same `label`, `scopes` and `expiresAt` in one step: 201 with the key and `rotatedFromId`",
        by: [
          "src/modules/api-keys/api-keys.test.ts > rotating a key > ends the old one and begins its successor in one step",
        ],
      },
      {
        id: "KEYAPI-11",
        rule: "It is 409 `CONFLICT` for a key that is inactive or rotated already",
        by: [
          "src/modules/api-keys/api-keys.test.ts > rotating a key > that is inactive already is a conflict, also for the later of two at once",
        ],
      },
      {
        id: "KEYAPI-12",
        rule: "`DELETE /org/api-keys/{keyId}` removes the key for good: 204, then 401 for whoever uses it",
        by: ["src/modules/api-keys/api-keys.test.ts > revoking a key > removes it for good"],
      },
      {
        id: "KEYAPI-13",
        rule: "A request that was let in before goes on to its end",
        by: [
          "src/modules/api-keys/api-keys.test.ts > revoking a key > lets a request end that it had let in",
        ],
      },
      {
        id: "KEYAPI-14",
        rule: "Keys of another organization, and such as there are none, are 404",
        by: [
          "src/modules/api-keys/api-keys.test.ts > revoking a key > of another organization is as if there were none",
          "src/modules/api-keys/api-keys.test.ts > revoking a key > removes it for good",
        ],
      },
      {
        id: "KEYAPI-15",
        rule: "`GET /org/api-keys/revoked` tells any login of the organization how its last hundred revoked keys were called",
        by: [
          "src/modules/api-keys/api-keys.test.ts > revoking a key > keeps its name, for whoever sees what it asked for",
        ],
      },
    ],
  },
  {
    of: "interface",
    title: "Webhook administration",
    code: "HOOKAPI",
    rules: [
      {
        id: "HOOKAPI-01",
        rule: "Webhooks are administered by a login of an owner or admin; no API key opens these routes",
        by: ["src/modules/webhooks/webhooks.test.ts > who may > are owners and admins, by login"],
      },
      {
        id: "HOOKAPI-02",
        rule: "`GET /org/webhooks` lists them as `webhooks`, without their secrets",
        by: [
          "src/modules/webhooks/webhooks.test.ts > subscribing > answers the webhook with its secret, which nothing shows again",
        ],
      },
      {
        id: "HOOKAPI-03",
        rule: "`POST /org/webhooks` subscribes: 201 with `webhook` and, only here, its secret",
        by: [
          "src/modules/webhooks/webhooks.test.ts > subscribing > answers the webhook with its secret, which nothing shows again",
        ],
      },
      {
        id: "HOOKAPI-04",
        rule: "It needs an HTTPS `url` and at least one event in `events`; `description` is optional, `enabled` true unless said otherwise",
        by: [
          "src/modules/webhooks/webhooks.test.ts > subscribing > is refused at %s for %p",
          "src/modules/webhooks/webhooks.test.ts > subscribing > takes every event, disabled from the start if wanted, without a description",
        ],
      },
      {
        id: "HOOKAPI-05",
        rule: "An event that is unknown or cannot be subscribed to is 400",
        by: [
          "src/modules/webhooks/webhooks.test.ts > subscribing > is refused at %s for %p [events.0]",
        ],
      },
      {
        id: "HOOKAPI-06",
        rule: "`GET /org/webhooks/{webhookId}` shows one, without its secret",
        by: [
          "src/modules/webhooks/webhooks.test.ts > subscribing > answers the webhook with its secret, which nothing shows again",
        ],
      },
      {
        id: "HOOKAPI-07",
        rule: "`PATCH /org/webhooks/{webhookId}` changes `url`, `description`, `events` or `enabled`; 400 for an empty body",
        by: [
          "src/modules/webhooks/webhooks.test.ts > changing a webhook > changes what is named, and says when",
          "src/modules/webhooks/webhooks.test.ts > changing a webhook > takes no %p",
        ],
      },
      {
        id: "HOOKAPI-08",
        rule: "Setting `enabled` to true sets `failureCount` to 0",
        by: [
          "src/modules/webhooks/webhooks.test.ts > changing a webhook > enabling it sets its failures to nought, disabling it does not",
        ],
      },
      {
        id: "HOOKAPI-09",
        rule: "`DELETE /org/webhooks/{webhookId}` removes it with all its deliveries: 204",
        by: [
          "src/modules/webhooks/webhooks.test.ts > deliveries > go with their webhook, all of them, and those of others stay",
        ],
      },
      {
        id: "HOOKAPI-10",
        rule: "`POST /org/webhooks/{webhookId}/rotate-secret` replaces the secret at once and shows the new one once",
        by: [
          "src/modules/webhooks/webhooks.test.ts > a new secret > is shown once, and is another one",
          "src/modules/webhooks/delivery.test.ts > a test delivery that arrives > is signed by the new secret alone after a rotation",
        ],
      },
      {
        id: "HOOKAPI-11",
        rule: "`POST /org/webhooks/{webhookId}/test` sends `webhook.test` to that webhook alone, waits for the end, keeps the delivery and answers it",
        by: [
          "src/modules/webhooks/delivery.test.ts > a test delivery that arrives > is a signed POST of the event, to that webhook alone, and is kept",
        ],
      },
      {
        id: "HOOKAPI-15",
        rule: "Additive: `POST /org/webhooks/{webhookId}/replay` with `deliveryId` delivers the event of a delivery once more, under its id, or attempts at once the one that still waits; 409 for a test and a disabled webhook",
        by: [
          "src/modules/webhooks/deliveries.test.ts > a delivery that is replayed > is made once more, at once, whatever became of it, under the same event id",
          "src/modules/webhooks/deliveries.test.ts > a delivery that is replayed > is attempted at once, and not made a second time, while it still waits",
          "src/modules/webhooks/deliveries.test.ts > a delivery that is replayed > is one of that webhook, which is enabled, and no test",
        ],
      },
      {
        id: "HOOKAPI-12",
        rule: "`GET /org/webhooks/{webhookId}/deliveries` lists its deliveries, newest first, filtered by `status`, with a `limit` of 1 to 200, by default 50",
        by: [
          "src/modules/webhooks/webhooks.test.ts > deliveries > are listed newest first, whole, by status, up to the limit",
        ],
      },
      {
        id: "HOOKAPI-13",
        rule: "A wrong `limit` or `status` is 400",
        by: ["src/modules/webhooks/webhooks.test.ts > deliveries > cannot be asked for with %s"],
      },
      {
        id: "HOOKAPI-14",
        rule: "All of them are 404 for a webhook of another organization, and for none",
        by: [
          "src/modules/webhooks/webhooks.test.ts > who may > sees nothing of another organization's",
          "src/modules/webhooks/webhooks.test.ts > who may > names one that is not there, in vain",
        ],
      },
    ],
  },
];
