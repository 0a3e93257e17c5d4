/** Table of rules: refusals and failures. */

import type { Section } from "../rule.ts";

export const ERRORS: readonly Section[] = [
  {
    of: "interface",
    title: "HTTP envelope",
    code: "ERR",
    rules: [
      {
        id: "ERR-01",
        rule: "A refusal is `{ error: { code, message } }`, with `details` where there are any",
        by: [
          "src/http/docs/documented-answers.test.ts > an answer held against the document > is refused: %s",
          "src/http/server.test.ts > a path > nobody knows is 404 in the envelope",
        ],
      },
      {
        id: "ERR-02",
        rule: "The `details` of a `VALIDATION_ERROR` are a list of `{ path, message }`",
        by: [
          "src/http/server.test.ts > a body > is refused with one dotted path for each fault, and nothing is coerced",
        ],
      },
      {
        id: "ERR-03",
        rule: "What nobody expected is 500 `INTERNAL_ERROR` with one fixed message, and the reason only in the log",
        by: [
          "src/http/server.test.ts > a failure > that nobody expected is a fixed 500 and is logged with the request's id",
        ],
      },
      {
        id: "ERR-04",
        rule: "The 429 is flat: `{ code, message, status }`",
        by: [
          "src/http/server.test.ts > rate limits > refuse with a flat body and Retry-After before the route runs",
        ],
      },
      {
        id: "ERR-05",
        rule: "It has `Retry-After` in whole seconds, at least 1",
        by: [
          "src/http/server.test.ts > rate limits > refuse with a flat body and Retry-After before the route runs",
          "src/http/rate-limiter.test.ts > a rate limiter > allows exactly its limit in a window and says when the next one begins",
        ],
      },
      {
        id: "ERR-06",
        rule: "Each code has its status",
        by: ["src/core/errors.test.ts > each code of a refusal has the status of the contract"],
      },
      {
        id: "ERR-07",
        rule: "`UNAUTHORIZED`: no credential, or one that is malformed, unknown, revoked, inactive or expired",
        by: [
          "src/modules/access.test.ts > a caller > with %s gets 401, and what is open to everybody",
        ],
      },
      {
        id: "ERR-08",
        rule: "`TOKEN_EXPIRED`: an access token that has expired",
        by: [
          "src/modules/auth/auth.test.ts > an access token > expires after 15 minutes, also when it was used before",
        ],
      },
      {
        id: "ERR-09",
        rule: "`FORBIDDEN`: a scope or role that does not cover the route, and a release that names another controller",
        by: [
          "src/modules/access.test.ts > a caller > with a key of just %s gets what it covers",
          "src/modules/devices/release.test.ts > releasing a device > is refused for %s",
        ],
      },
      {
        id: "ERR-10",
        rule: "`VALIDATION_ERROR`: a body, a query or an `Idempotency-Key` that does not fit",
        by: [
          "src/http/server.test.ts > a body > is refused with one dotted path for each fault, and nothing is coerced",
          "src/http/server.test.ts > a query > reports every fault at once",
          "src/modules/idempotency/idempotency.test.ts > what is no key > %s is refused, and nothing runs or is kept",
        ],
      },
      {
        id: "ERR-11",
        rule: "`BAD_REQUEST`: no JSON, another content type, a body that is too large",
        by: [
          "src/http/server.test.ts > a body > that %s is a BAD_REQUEST",
          "src/http/listen.test.ts > a listening server > refuses a body beyond 1 MiB with the envelope, declared or chunked",
        ],
      },
      {
        id: "ERR-12",
        rule: "`NOT_FOUND`: what is not there in the caller's organization",
        by: ["src/modules/access.test.ts > another shop > reads and changes nothing with its %s"],
      },
      {
        id: "ERR-13",
        rule: "`CONFLICT`: cancelling what has ended, rotating an inactive key, changing a disabled webhook",
        by: [
          "src/modules/commands/commands.test.ts > cancelling a command > that was sent, runs or is final answers 409 and changes nothing",
          "src/modules/api-keys/api-keys.test.ts > rotating a key > that is inactive already is a conflict, also for the later of two at once",
          "src/modules/webhooks/webhooks.test.ts > changing a webhook > while it is disabled conflicts for %p",
        ],
      },
      {
        id: "ERR-14",
        rule: "`UNPROCESSABLE_ENTITY`: a refund beyond the sale",
        by: [
          "src/modules/receipts/store.test.ts > what gives money back > may take the whole sale in parts, and nothing beyond it",
          "src/modules/receipts/storno.test.ts > a command that reverses a stored sale > is 422 because: %s",
        ],
      },
      {
        id: "ERR-15",
        rule: "`RATE_LIMIT_EXCEEDED`: a bucket is empty",
        by: [
          "src/http/server.test.ts > rate limits > refuse with a flat body and Retry-After before the route runs",
        ],
      },
      {
        id: "ERR-16",
        rule: "`TIER_LIMIT_EXCEEDED`: a device beyond the plan's cap, a key on `free`",
        by: [
          "src/modules/devices/devices.test.ts > registering a device > stops at the plan's cap, before the body is looked at",
          "src/modules/api-keys/api-keys.test.ts > creating a key > is refused on the free plan before the body is looked at",
        ],
      },
      {
        id: "ERR-17",
        rule: "`INTERNAL_ERROR`: a defect, and a device that answered without what was asked for",
        by: [
          "src/http/server.test.ts > a failure > that nobody expected is a fixed 500 and is logged with the request's id",
          "src/modules/live/live.test.ts > %s > answers 500 when the device said %s",
        ],
      },
      {
        id: "ERR-18",
        rule: "`SERVICE_UNAVAILABLE`: a live route whose device is offline or without a controller",
        by: [
          "src/modules/live/live.test.ts > %s > is refused with 503 while the device is offline, and nothing is queued",
        ],
      },
    ],
  },
  {
    of: "interface",
    title: "Device and fiscal codes",
    code: "CODE",
    rules: [
      {
        id: "CODE-01",
        rule: "They stand in `result.errorCode` of a command that failed or timed out",
        by: [
          "src/modules/commands/commands.test.ts > reading a command > shows why it failed",
          "src/modules/commands/openapi.test.ts > the OpenAPI document of the commands > names each error code of a failed command",
        ],
      },
      {
        id: "CODE-02",
        rule: "Each has its name, and E101, E102, E306, E307, E500, E501 and E502 may be tried again",
        by: [
          "src/core/errors.test.ts > each fiscal code has the name and the retry rule of the contract",
        ],
      },
      {
        id: "CODE-03",
        rule: "`E100`: the connection was refused",
        by: [
          "drivers/transport/tcp.test.ts > a TCP line > is refused with E100 where nobody listens",
        ],
      },
      {
        id: "CODE-04",
        rule: "`E101`: connecting took too long",
        by: [
          "drivers/transport/tcp.test.ts > a TCP line > times out with E101 when the limit is over before it is connected",
        ],
      },
      {
        id: "CODE-05",
        rule: "`E102`: the connection was lost",
        by: [
          "drivers/transport/tcp.test.ts > a TCP line > tells once, with E102, that the device hung up, even to a late listener",
        ],
      },
      {
        id: "CODE-06",
        rule: "`E103`: the address leads nowhere",
        by: [
          "drivers/transport/tcp.test.ts > a TCP line > is not found with E103 where there is no such host",
        ],
      },
      {
        id: "CODE-07",
        rule: "`E200`: the device speaks another protocol than the driver",
        by: [
          "drivers/contract.test.ts > over %s > a device of ${kind.driver}, ${kind.model} > <title> [is none of any other driver's, which tell so in time]",
        ],
      },
      {
        id: "CODE-08",
        rule: "`E201`: the device's protocol has no such command, and nothing is sent",
        by: [
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > lacks what its protocol has no command for: E201 before a byte is sent",
        ],
      },
      {
        id: "CODE-09",
        rule: "`E202`: a frame has a wrong checksum",
        by: [
          "drivers/isl/session.test.ts > a session > gives up with E202 when every answer is damaged",
        ],
      },
      {
        id: "CODE-10",
        rule: "`E203`: a frame is malformed",
        by: [
          "drivers/isl/session.test.ts > a session > gives up with E203 when every number is the device's last one",
        ],
      },
      {
        id: "CODE-11",
        rule: "`E300`: the fiscal memory is full",
        by: [
          "src/e2e/device-states.test.ts > a state that stands before a receipt > a full fiscal memory fails it with E300",
        ],
      },
      {
        id: "CODE-12",
        rule: "`E301`: a receipt is open already",
        by: [
          "drivers/shared/left-slip.test.ts > a command while a slip stands open > fails with E301 when it stays open, and has marked and changed nothing",
        ],
      },
      {
        id: "CODE-13",
        rule: "`E302`: no receipt is open where one has to be",
        by: [
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > has no receipt to void when none is open",
        ],
      },
      {
        id: "CODE-14",
        rule: "`E303`: the fiscal day has to be closed first",
        by: [
          "src/e2e/device-states.test.ts > a fiscal day > that the device counts as too long fails a receipt with E303 until the Z report",
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > closes the day, and lets VAT rates be set only then",
        ],
      },
      {
        id: "CODE-15",
        rule: "`E304`: the hardware has a fault",
        by: [
          "src/e2e/device-states.test.ts > a state that stands before a receipt > a fault of the hardware fails it with E304",
        ],
      },
      {
        id: "CODE-16",
        rule: "`E305`: the device refuses for another reason, which the message tells",
        by: [
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > moves cash, and refuses to give out more than there is",
        ],
      },
      {
        id: "CODE-17",
        rule: "`E306`: there is no paper, and the alert `paper_out` stands meanwhile",
        by: [
          "src/e2e/device-states.test.ts > a state that stands before a receipt > no paper fails a receipt beforehand with E306",
        ],
      },
      {
        id: "CODE-18",
        rule: "`E307`: the cover is open",
        by: [
          "src/e2e/device-states.test.ts > a state that stands before a receipt > an open cover fails it with E307, or E306 where only the paper is watched",
        ],
      },
      {
        id: "CODE-19",
        rule: "`E400`: the driver refuses the payload",
        by: [
          "drivers/contract.test.ts > over %s > a device of ${kind.driver}, ${kind.model} > <title> [is sent nothing of a bad payload]",
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > passes raw commands on, and tells the answer whatever it says",
        ],
      },
      {
        id: "CODE-20",
        rule: "`E401`: a field is missing that the device needs",
        by: [
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > demands a unique sale number: E401 before a byte is sent",
        ],
      },
      {
        id: "CODE-21",
        rule: "`E402`: an amount that may not be",
        by: [
          "drivers/isl/plan.test.ts > a document that the device cannot print is refused before a byte is sent > ${what}: ${code} [payments that differ]",
        ],
      },
      {
        id: "CODE-22",
        rule: "`E403`: a VAT group that there is not, or not on the device",
        by: [
          "drivers/contract.test.ts > over %s > a device of ${kind.driver}, ${kind.model} > <title> [sells in the VAT groups that it tells, and in no others]",
        ],
      },
      {
        id: "CODE-23",
        rule: "`E500`: the command did not end in its time",
        by: [
          "src/queue/deadlines.test.ts > the time rules > time out after 180 s when a printer stays off behind its controller",
        ],
      },
      {
        id: "CODE-24",
        rule: "`E501`: the device began and did not answer in time",
        by: [
          "drivers/shtrih/session.test.ts > an exchange > leaves open what became of a command that the device holds no answer to",
        ],
      },
      {
        id: "CODE-25",
        rule: "`E900`: the device tells an error that nobody knows",
        by: [
          "drivers/zfp/rules.test.ts > refusals > take the digits above nine as letters too, and know no others",
        ],
      },
      {
        id: "CODE-26",
        rule: "`E901`: the driver has a defect",
        by: [
          "src/controller/runtime.test.ts > a defect of a driver > elsewhere fails the command with E901",
        ],
      },
      {
        id: "CODE-27",
        rule: "`E902`: the device answered what nobody understands",
        by: [
          "drivers/custom-serial/connect.test.ts > a device > that does not say what it is is tried again",
          "src/core/command/told-result.test.ts > what is told of a device > is E902 where a reading has nothing that could be told",
        ],
      },
    ],
  },
];
