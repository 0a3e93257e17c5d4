/** Table of rules: idempotency and request ids. */

import type { Section } from "../rule.ts";

export const REQUESTS: readonly Section[] = [
  {
    of: "interface",
    title: "Idempotency",
    code: "IDEM",
    rules: [
      {
        id: "IDEM-01",
        rule: "`POST /commands` takes an `Idempotency-Key`",
        by: [
          "src/modules/idempotency/idempotency.test.ts > a request with a key > runs once: the same key gives the first answer again",
        ],
      },
      {
        id: "IDEM-02",
        rule: "`POST /receipts` takes one too",
        by: [
          "src/modules/receipts/store.test.ts > an Idempotency-Key > stores once, and answers again what it answered",
        ],
      },
      {
        id: "IDEM-03",
        rule: "All other routes ignore it (but for `POST /receipts/{receiptId}/storno`, which prints and has keys of its own, beyond the contract)",
        by: [
          "src/modules/receipts/storno-key.test.ts > the key of a %s takes back a sale all the same",
          "src/modules/idempotency/idempotency.test.ts > what is no key > is any header on the route below a device",
          "src/modules/live/live.test.ts > %s > tells whoever sends an Idempotency-Key that it means nothing here",
          "src/modules/commands/openapi.test.ts > the OpenAPI document of the commands > names the Idempotency-Key where it is honoured, and only there",
        ],
      },
      {
        id: "IDEM-04",
        rule: "It has 1 to 128 letters, digits, `_` and `-`",
        by: [
          "src/modules/idempotency/idempotency.test.ts > what is no key > is not %p",
          "src/modules/idempotency/idempotency.test.ts > what is no key > %s is refused, and nothing runs or is kept",
        ],
      },
      {
        id: "IDEM-05",
        rule: "Any other value is 400 `VALIDATION_ERROR`, and nothing runs",
        by: [
          "src/modules/idempotency/idempotency.test.ts > what is no key > %s is refused, and nothing runs or is kept",
        ],
      },
      {
        id: "IDEM-06",
        rule: "Without a key, or with an empty one, the request runs and nothing is kept",
        by: [
          "src/modules/idempotency/idempotency.test.ts > what is no key > is an empty one, as of a variable that was not set: it runs, and says so",
        ],
      },
      {
        id: "IDEM-07",
        rule: "The first answer under a key is kept with its status and body, an error's too",
        by: [
          "src/modules/idempotency/idempotency.test.ts > a request with a key > runs once: the same key gives the first answer again",
          "src/modules/idempotency/idempotency.test.ts > a refusal by the handler is kept like any answer > %s",
        ],
      },
      {
        id: "IDEM-08",
        rule: "A key belongs to an organization",
        by: [
          "src/modules/idempotency/idempotency.test.ts > a request with a key > means something else in another shop, and the same for every caller of one",
        ],
      },
      {
        id: "IDEM-09",
        rule: "A request with the same key gets the kept answer and does not run, whatever its body",
        by: [
          "src/modules/idempotency/idempotency.test.ts > a request with a key > is answered as before to another body, which says so",
        ],
      },
      {
        id: "IDEM-10",
        rule: "It is kept for 24 hours; after them the request runs again",
        by: [
          "src/modules/idempotency/idempotency.test.ts > a request with a key > runs again after 24 hours, not a moment earlier",
        ],
      },
    ],
  },
  {
    of: "interface",
    title: "Request tracing",
    code: "TRACE",
    rules: [
      {
        id: "TRACE-01",
        rule: "A request's `X-Request-Id` comes back unchanged, of any length and with any characters",
        by: [
          "src/http/server.test.ts > request tracing > puts the client's id on the answer of %p unchanged",
          "src/http/listen.test.ts > a listening server > gives back a request id of %s bytes as they came",
        ],
      },
      {
        id: "TRACE-02",
        rule: "Without one, or with an empty one, the answer has a UUID v4",
        by: [
          "src/http/server.test.ts > request tracing > makes a UUID v4 when the client sent none or an empty one",
        ],
      },
      {
        id: "TRACE-03",
        rule: "Probes answer with one too",
        by: ["src/http/server.test.ts > request tracing > writes no access line for the probe %s"],
      },
      {
        id: "TRACE-04",
        rule: "An id that comes again is another request",
        by: [
          "src/modules/commands/commands.test.ts > a request id that comes again is another request, and is kept nowhere",
        ],
      },
      {
        id: "TRACE-05",
        rule: "The id is kept nowhere but in the log",
        by: [
          "src/modules/commands/commands.test.ts > a request id that comes again is another request, and is kept nowhere",
        ],
      },
      {
        id: "TRACE-06",
        rule: "`/health`, `/ready`, `/healthz` and `/livez` write no line of access",
        by: ["src/http/server.test.ts > request tracing > writes no access line for the probe %s"],
      },
      {
        id: "TRACE-07",
        rule: "What went wrong inside stands in the log under the id",
        by: [
          "src/http/server.test.ts > a failure > that nobody expected is a fixed 500 and is logged with the request's id",
        ],
      },
    ],
  },
];
