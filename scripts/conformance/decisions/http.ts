/** Table of rules: what holds for every request. */

import type { Section } from "../rule.ts";

export const HTTP: readonly Section[] = [
  {
    of: "decisions",
    title: "HTTP",
    code: "HTTP",
    rules: [
      {
        id: "HTTP-01",
        rule: "What a request is for comes from its target alone; the `Host` header changes no routing",
        by: [
          "src/http/request-target.test.ts > with %s > router, limiter, readiness and log read the path that was sent",
          "src/http/request-target.test.ts > with %s > no path reaches the login without being counted there",
        ],
      },
      {
        id: "HTTP-02",
        rule: "A credential that is not valid counts by its address, apart from keys and from that address's valid requests",
        by: [
          "src/http/server.test.ts > rate limits > count what is no valid credential by its address, apart from all that is valid",
          "src/e2e/strangers.test.ts > a shop goes on > while somebody tries keys that begin like its own",
        ],
      },
      {
        id: "HTTP-03",
        rule: "An address holds at most as many connections as the settings say; more of them end",
        by: [
          "src/http/connection-limits.test.ts > a port > ends what one address holds too many of, the last that came, and no other's",
          "src/config/load-config.test.ts > the settings that others rely on have these names and defaults",
        ],
      },
      {
        id: "HTTP-04",
        rule: "Loopback and trusted proxies may hold more",
        by: ["src/http/connection-limits.test.ts > a port > lets an exempt address hold more"],
      },
      {
        id: "HTTP-05",
        rule: "Head and body have to arrive in time; the answer may take its own",
        by: [
          "src/http/slow-clients.test.ts > slow requests are cut off, and slow answers are waited for",
        ],
      },
      {
        id: "HTTP-06",
        rule: "All connections together stay below the descriptors there are",
        by: [
          "src/http/connection-limits.test.ts > all connections together > stay below the descriptors there are",
          "src/e2e/strangers.test.ts > a gateway with few descriptors > answers others while one address holds slow bodies beyond all of them",
        ],
      },
      {
        id: "HTTP-07",
        rule: "401 carries `WWW-Authenticate: Bearer`",
        by: [
          "src/modules/access.test.ts > a caller > with %s gets 401, and what is open to everybody",
        ],
      },
      {
        id: "HTTP-08",
        rule: "The OpenAPI document lists the probes too",
        by: [
          "src/modules/health/health.test.ts > the probes > are in the OpenAPI document, at one of the places",
        ],
      },
      {
        id: "HTTP-09",
        rule: "`/ready` is 503 for a moment before the listener closes",
        by: [
          "src/cli/serve.test.ts > fiscald serve > says on /ready that it is about to stop, and takes requests until it does",
        ],
      },
      {
        id: "HTTP-10",
        rule: "A body over 1 MiB is 400 `BAD_REQUEST`",
        by: [
          "src/http/listen.test.ts > a listening server > refuses a body beyond 1 MiB with the envelope, declared or chunked",
          "src/http/server.test.ts > a body > beyond 1 MiB is a BAD_REQUEST, declared or not",
        ],
      },
      {
        id: "HTTP-11",
        rule: "An unknown path is 404 `NOT_FOUND`",
        by: ["src/http/server.test.ts > a path > nobody knows is 404 in the envelope"],
      },
      {
        id: "HTTP-12",
        rule: "A known path with another method is 405 `METHOD_NOT_ALLOWED`, with `Allow`",
        by: [
          "src/http/server.test.ts > a path > with the wrong method is 405 and names the right ones",
        ],
      },
      {
        id: "HTTP-13",
        rule: "`details[].path` is dotted from the body's root, a parameter of the query by its name",
        by: [
          "src/http/server.test.ts > a body > is refused with one dotted path for each fault, and nothing is coerced",
          "src/http/server.test.ts > a query > reports every fault at once",
        ],
      },
      {
        id: "HTTP-14",
        rule: "The balance rule names `payload.payments`, on receipts `payments`",
        by: [
          "src/modules/commands/payloads.test.ts > sums that differ are both named",
          "src/modules/receipts/store.test.ts > a receipt is refused > 400 at %s: %s [0.02 off balance]",
        ],
      },
      {
        id: "HTTP-15",
        rule: "In a list a `limit` out of range, an unknown `sortBy` and an unknown `startAfter` are 400",
        by: [
          "src/modules/commands/commands.test.ts > listing commands > refuses %s in %s",
          "src/modules/receipts/list.test.ts > what a list refuses > 400 at %s: %s",
        ],
      },
      {
        id: "HTTP-16",
        rule: "`lastId` is empty on an empty page",
        by: [
          "src/modules/commands/commands.test.ts > listing commands > of an empty shop is an empty page",
        ],
      },
      {
        id: "HTTP-17",
        rule: "Probes stand beside the API and below it",
        by: [
          "src/modules/health/health.test.ts > the probes > answer at both places, without a login",
        ],
      },
      {
        id: "HTTP-18",
        rule: "`GET /livez` and `GET /healthz` answer 200 with `status` `ok`",
        by: [
          "src/modules/health/health.test.ts > the probes > answer at both places, without a login",
          "src/modules/health/health.test.ts > a gateway > that starts or stops is alive, but not ready",
        ],
      },
      {
        id: "HTTP-19",
        rule: "`GET /ready` is 503 while the gateway starts and stops",
        by: [
          "src/modules/health/health.test.ts > a gateway > that starts or stops is alive, but not ready",
        ],
      },
      {
        id: "HTTP-20",
        rule: "`GET /health` tells `status`, `version`, `uptimeSeconds` and `checks` of database, disk, timers, controllers, clock and printers",
        by: [
          "src/modules/health/health.test.ts > a gateway > is as well as its worst part, and answers 503 when that failed",
        ],
      },
      {
        id: "HTTP-21",
        rule: "The OpenAPI document can be browsed without a network",
        by: ["src/http/docs/docs.test.ts > the page > loads nothing from anywhere else"],
      },
      {
        id: "HTTP-22",
        rule: "The OpenAPI document is valid, as two readers find that are not ours",
        by: ["src/modules/openapi-valid.test.ts > for %s > the document is valid"],
      },
      {
        id: "HTTP-23",
        rule: "`/metrics` tells figures on the loopback, or with the scope `all`",
        by: [
          "src/e2e/watching.test.ts > the figures > are Prometheus's to read, with bounded labels",
          "src/e2e/watching.test.ts > the figures > are for the machine itself, the key of their own, and scope all",
        ],
      },
      {
        id: "HTTP-24",
        rule: "The first set-up writes limits that suit a shop, and says so",
        by: [
          "src/config/first-setup.test.ts > the first set-up > writes limits for a shop, which count from then on",
          "src/cli/serve.test.ts > fiscald serve > writes settings at the first start only, and says so",
        ],
      },
      {
        id: "HTTP-25",
        rule: "`RateLimit-*` stands on every answer below `/api/v1`; probes are not counted",
        by: [
          "src/http/server.test.ts > rate limits > say on every answer of the API what is left",
          "src/http/server.test.ts > rate limits > do not count probes",
        ],
      },
      {
        id: "HTTP-26",
        rule: "`X-Forwarded-For` counts only where the settings trust a proxy",
        by: [
          "src/http/server.test.ts > rate limits > believe X-Forwarded-For only when told to",
          "src/http/rate-limiter.test.ts > the address that is counted > behind a proxy that sent %p is %p",
        ],
      },
      {
        id: "HTTP-27",
        rule: "Addresses of IPv6 are masked to /64",
        by: [
          "src/http/server.test.ts > rate limits > tell clients apart by 20 characters of the key, else by address",
        ],
      },
      {
        id: "HTTP-28",
        rule: "Pages of other origins may call only where the settings list them",
        by: [
          "src/http/server.test.ts > cross-origin calls > get no permission unless the origin is configured",
          "src/http/server.test.ts > cross-origin calls > from a configured origin may be asked about and made",
        ],
      },
      {
        id: "HTTP-29",
        rule: "The portal stands at `/` and at every address that no route has and a browser opens",
        by: [
          "src/http/pages.test.ts > the page > is what %s shows",
          "src/http/pages.test.ts > what is no page > %s is 404 in the API's words",
        ],
      },
      {
        id: "HTTP-40",
        rule: "`GET /diagnostics` tells owners and admins what somebody who helps has to know, without secrets",
        by: [
          "src/e2e/watching.test.ts > at the machine > diagnostics holds none of the secrets that there are",
        ],
      },
      {
        id: "HTTP-41",
        rule: "Additive: `GET /network` tells owners and admins where the gateway is reached, with QR codes, and its HTTPS",
        by: [
          "src/e2e/https.test.ts > HTTPS > with the own authority answers those who trust it, and is off unless asked for",
          "src/modules/updates/updates.test.ts > where the gateway is reached is for owners and admins too",
        ],
      },
      {
        id: "HTTP-42",
        rule: "Additive: `GET /update` tells them the version, a newer one where `update.from` is set, and what the last update came to; `POST /update/check` looks now, 409 without",
        by: [
          "src/app/updates.test.ts > a newer version is told, with what brings it",
          "src/app/updates.test.ts > what the last update came to is told, and the versions that ran",
          "src/modules/updates/updates.test.ts > versions are for owners and admins, who may have newer ones looked for",
        ],
      },
      {
        id: "HTTP-43",
        rule: "Additive: `GET /diagnostics`, `GET /network`, `GET /update`, `POST /update/check`, the reasons and folders in `GET /health` and the figures of the machine in `/metrics` are of no other organization than the first that was registered: 403, or left out",
        by: [
          "src/modules/access.test.ts > another shop > reads and changes nothing with its %s",
          "src/modules/health/health.test.ts > a gateway > names folders and the system's reasons to who is logged in at the box's shop, and to nobody else",
          "src/e2e/watching.test.ts > the figures > tell another shop at the box of its own devices alone",
        ],
      },
    ],
  },
];
