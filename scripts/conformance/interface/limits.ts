/** Table of rules: limits and versions. */

import type { Section } from "../rule.ts";

export const LIMITS: readonly Section[] = [
  {
    of: "interface",
    title: "Rate limits",
    code: "RATE",
    rules: [
      {
        id: "RATE-01",
        rule: "A request counts in each bucket that it belongs to",
        by: [
          "src/modules/commands/commands.test.ts > both ways to submit share one bucket of commands, which reading leaves alone",
          "src/http/server.test.ts > rate limits > count %s %s, which queues a command, by a bucket of its own too",
        ],
      },
      {
        id: "RATE-02",
        rule: "The buckets hold 150 requests, 30 of authentication and 50 commands in 10 minutes unless the settings say otherwise",
        by: [
          "src/config/load-config.test.ts > the settings that others rely on have these names and defaults",
        ],
      },
      {
        id: "RATE-03",
        rule: "A client is known by the first 20 characters of its key, without one by its address",
        by: [
          "src/http/server.test.ts > rate limits > tell clients apart by 20 characters of the key, else by address",
        ],
      },
      {
        id: "RATE-04",
        rule: "Addresses of IPv6 count by their network",
        by: [
          "src/http/server.test.ts > rate limits > tell clients apart by 20 characters of the key, else by address",
          "src/http/rate-limiter.test.ts > the address that is counted > of %p is %p",
        ],
      },
      {
        id: "RATE-05",
        rule: "Authentication counts by address",
        by: [
          "src/http/server.test.ts > rate limits > count authentication by the address, whatever key is sent",
          "src/modules/auth/forgotten-passwords.test.ts > a forgotten password > %s counts as authentication",
        ],
      },
      {
        id: "RATE-06",
        rule: "Routes that queue a command count in the bucket of commands",
        by: [
          "src/modules/commands/commands.test.ts > both ways to submit share one bucket of commands, which reading leaves alone",
          "src/modules/live/live.test.ts > %s > counts in the bucket of commands",
          "src/modules/live/openapi.test.ts > every route that queues a command says that it counts as one",
        ],
      },
      {
        id: "RATE-07",
        rule: "Answers carry `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset` of the bucket that decided",
        by: [
          "src/http/server.test.ts > rate limits > say on every answer of the API what is left",
          "src/http/server.test.ts > rate limits > count %s %s, which queues a command, by a bucket of its own too",
        ],
      },
      {
        id: "RATE-08",
        rule: "An empty bucket is 429 with `Retry-After`, before the route runs, alike for all three",
        by: [
          "src/http/server.test.ts > rate limits > refuse with a flat body and Retry-After before the route runs",
          "src/modules/idempotency/idempotency.test.ts > a refusal before the handler keeps nothing > 429 when the bucket is empty",
        ],
      },
    ],
  },
  {
    of: "interface",
    title: "Other limits",
    code: "LIM",
    rules: [
      {
        id: "LIM-01",
        rule: "`free` has room for 2 devices and no key",
        by: [
          "src/modules/devices/devices.test.ts > registering a device > stops at the plan's cap, before the body is looked at",
          "src/modules/api-keys/api-keys.test.ts > creating a key > is refused on the free plan before the body is looked at",
        ],
      },
      {
        id: "LIM-02",
        rule: "`pro` has room for 10 devices, and keys",
        by: [
          "src/modules/billing/billing.test.ts > the plan > pro has room for ten devices, enterprise for any number",
          "src/modules/api-keys/api-keys.test.ts > creating a key > shows its text once and stores only its hash",
        ],
      },
      {
        id: "LIM-03",
        rule: "`enterprise` has room for any number of devices, and keys",
        by: [
          "src/modules/billing/billing.test.ts > the plan > pro has room for ten devices, enterprise for any number",
        ],
      },
      {
        id: "LIM-04",
        rule: "A device's `name` has 1 to 255 characters",
        by: [
          "src/modules/devices/devices.test.ts > registering a device > counts the characters of a name, of which an emoji is one",
          "src/modules/devices/devices.test.ts > registering a device > refuses a wrong %s [name]",
        ],
      },
      {
        id: "LIM-05",
        rule: "`connectionParams.port` is 1 to 65535",
        by: [
          "src/modules/devices/devices.test.ts > registering a device > refuses a wrong %s [connectionParams.port]",
        ],
      },
      {
        id: "LIM-06",
        rule: "A line or header of a slip has at most 48 characters",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > is refused at %p in %j [lines.1]",
          "src/modules/live/bodies.test.ts > a body > that is not right for %s is refused with the paths %j, and nothing is queued [lines.1]",
        ],
      },
      {
        id: "LIM-07",
        rule: "Header and footer have at most 10 lines of 48 characters each",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > is refused at %p in %j [header.0]",
          "src/modules/live/bodies.test.ts > a body > that is not right for %s is refused with the paths %j, and nothing is queued [footer.1]",
        ],
      },
      {
        id: "LIM-08",
        rule: "An operator has an `operatorId` from 1, a `name` of 1 to 32 characters and a `password` of at most 8",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > is refused at %p in %j [password]",
          "src/modules/live/bodies.test.ts > a body > that is not right for %s is refused with the paths %j, and nothing is queued [password]",
        ],
      },
      {
        id: "LIM-09",
        rule: "A key's `label` has 1 to 100 characters",
        by: [
          "src/modules/api-keys/api-keys.test.ts > creating a key > refuses a wrong %s [label]",
          "src/modules/api-keys/api-keys.test.ts > creating a key > takes a label at its bounds",
        ],
      },
      {
        id: "LIM-10",
        rule: "A webhook's `description` has at most 500 characters",
        by: [
          "src/modules/webhooks/webhooks.test.ts > subscribing > takes texts at their bounds, and not beyond",
        ],
      },
      {
        id: "LIM-11",
        rule: "`fcmToken` has 1 to 4096 characters, and a controller's `locationId` 1 to 255",
        by: [
          "src/modules/controllers/controllers.test.ts > the push token > has 1 to 4096 characters",
          "src/modules/controllers/controllers.test.ts > registering a controller > takes a location at its bounds",
        ],
      },
      {
        id: "LIM-12",
        rule: "A device's connection history shows its latest 20 events",
        by: [
          "src/modules/devices/release.test.ts > the connection history > shows the latest 20 and is kept for seven days",
        ],
      },
      {
        id: "LIM-13",
        rule: "A list's `limit` is 1 to 100, that of deliveries 1 to 200, each 50 by default",
        by: [
          "src/http/server.test.ts > a query > has defaults: fifty, the newest first",
          "src/modules/webhooks/webhooks.test.ts > deliveries > are listed newest first, whole, by status, up to the limit",
          "src/modules/receipts/list.test.ts > a list has fifty receipts unless it is told otherwise",
        ],
      },
      {
        id: "LIM-14",
        rule: "An idempotency key counts for 24 hours and has 1 to 128 characters",
        by: [
          "src/modules/idempotency/idempotency.test.ts > a request with a key > runs again after 24 hours, not a moment earlier",
          "src/modules/idempotency/idempotency.test.ts > what is no key > is not %p",
        ],
      },
      {
        id: "LIM-15",
        rule: "A command waits 60 s for a controller, and 180 s in all",
        by: [
          "src/queue/deadlines.test.ts > the time rules > time out after 60 s while no controller connects",
          "src/queue/deadlines.test.ts > the time rules > time out after 180 s when a printer stays off behind its controller",
        ],
      },
      {
        id: "LIM-16",
        rule: "What is sold and what is paid may differ by 0.01",
        by: [
          "src/modules/receipts/store.test.ts > a receipt is refused > not 0.01 off balance, which is within the tolerance",
          "src/modules/commands/payloads.test.ts > the payload of %s > may be %j",
        ],
      },
      {
        id: "LIM-17",
        rule: "A delivery is tried 5 times, and 20 that failed disable the webhook",
        by: [
          "src/modules/webhooks/deliveries.test.ts > a delivery that fails > is tried again after 60 s, 5 min, 30 min and 2 h, a tenth later at most",
          "src/modules/webhooks/deliveries.test.ts > 20 deliveries that fail in a row > disable the webhook; what waits ends failed, and is not made up for",
        ],
      },
    ],
  },
  {
    of: "interface",
    title: "Versioning",
    code: "VER",
    rules: [
      {
        id: "VER-01",
        rule: "Every route stands below `/api/v1/`",
        by: [
          "src/modules/access.test.ts > the contract's table > has exactly the routes of the app",
        ],
      },
      {
        id: "VER-02",
        rule: "The version stands in the path alone: no header and no parameter changes it, and another one in the path is 404",
        by: ["src/http/server.test.ts > a path > alone tells the version of the API"],
      },
    ],
  },
];
