/** Table of rules: commands and their queue. */

import type { Section } from "../rule.ts";

export const COMMANDS: readonly Section[] = [
  {
    of: "decisions",
    title: "Commands",
    code: "QUEUE",
    rules: [
      {
        id: "QUEUE-01",
        rule: "A command also shows `idempotencyKey`, `controllerId`, `sentAt`, `processingAt`, `finishedAt`, `expiresAt`, `source` and `requestedBy`",
        by: [
          "src/modules/commands/commands.test.ts > submitting a command > for the device in the path answers 201 with the bare record",
          "src/modules/commands/commands.test.ts > reading a command > shows each step of it",
        ],
      },
      {
        id: "QUEUE-02",
        rule: "`source` is `api` for a key, `live` for a live route and `portal` for a person, whose id is `requestedBy`",
        by: [
          "src/modules/commands/commands.test.ts > submitting a command > by a person keeps who it was, in place of a key",
          "src/modules/live/live.test.ts > %s > sends its command as one of its own and answers when that is completed",
        ],
      },
      {
        id: "QUEUE-03",
        rule: "`POST /devices/{deviceId}/commands` answers 201 with the bare record, `POST /commands` 202 with `{ command }`",
        by: [
          "src/modules/commands/commands.test.ts > submitting a command > for the device in the path answers 201 with the bare record",
          "src/modules/commands/commands.test.ts > submitting a command > for the device in the body answers 202 with the record inside",
        ],
      },
      {
        id: "QUEUE-04",
        rule: "`GET /commands/{commandId}` answers `{ command }`",
        by: ["src/modules/commands/commands.test.ts > reading a command > shows each step of it"],
      },
      {
        id: "QUEUE-05",
        rule: "`DELETE /commands/{commandId}` cancels and answers 200 with `{ command }`",
        by: [
          "src/modules/commands/commands.test.ts > cancelling a command > that is pending fails it with E903, and it never reaches the device",
        ],
      },
      {
        id: "QUEUE-06",
        rule: "All of them need the scope `commands`",
        by: ["src/modules/access.test.ts > a caller > with a key of just %s gets what it covers"],
      },
      {
        id: "QUEUE-07",
        rule: "`GET /commands` pages as `commands`",
        by: [
          "src/modules/commands/commands.test.ts > listing commands > of an empty shop is an empty page",
          "src/modules/commands/commands.test.ts > listing commands > pages through all of them once, %s",
        ],
      },
      {
        id: "QUEUE-08",
        rule: "It filters by `deviceId`, `status`, `type`, `from` and `to`, the first instant within and the last without",
        by: [
          "src/modules/commands/commands.test.ts > listing commands > filters by device, status, type and time of acceptance",
          "src/modules/commands/commands.test.ts > listing commands > of several types shows those of any of them, in one order",
        ],
      },
      {
        id: "QUEUE-09",
        rule: "`wait`, 0 to 60 seconds, answers when the command is final, or when the wait ends with what it is then",
        by: [
          "src/modules/commands/commands.test.ts > waiting for the end of a command > answers as soon as it is final",
          "src/modules/commands/commands.test.ts > waiting for the end of a command > answers with what it is when the wait ends",
          "src/modules/commands/commands.test.ts > waiting for the end of a command > for %s seconds answers 400",
        ],
      },
      {
        id: "QUEUE-10",
        rule: "A command is `processing` once its controller says that the driver has begun with the device",
        by: [
          "src/queue/deadlines.test.ts > the time rules > leave a command alone that its device has begun",
          "src/modules/commands/commands.test.ts > reading a command > shows each step of it",
          "src/modules/commands/unmarked.test.ts > it is sent until the controller acknowledges it",
        ],
      },
      {
        id: "QUEUE-11",
        rule: "A `processing` command always ends: what a driver asks a device has a limit",
        by: [
          "drivers/isl/session.test.ts > a session > waits for a device that says it is busy, for a minute",
        ],
      },
      {
        id: "QUEUE-12",
        rule: "A pause ends after 10 minutes",
        by: [
          "src/e2e/device-states.test.ts > %p in the middle of a receipt > cancels it when nobody comes, and says so",
        ],
      },
      {
        id: "QUEUE-13",
        rule: "A doubt ends after 10 minutes in which the device could be asked",
        by: [
          "src/controller/runtime.test.ts > a fault of the line > a device that cannot tell for ten minutes leaves the outcome unknown",
        ],
      },
      {
        id: "QUEUE-14",
        rule: "Only a `pending` command can be cancelled: it is `failed` with `E903`",
        by: [
          "src/modules/commands/commands.test.ts > cancelling a command > that is pending fails it with E903, and it never reaches the device",
        ],
      },
      {
        id: "QUEUE-15",
        rule: "Cancelling what is `sent`, `processing` or final is 409 `CONFLICT`",
        by: [
          "src/modules/commands/commands.test.ts > cancelling a command > that was sent, runs or is final answers 409 and changes nothing",
        ],
      },
      {
        id: "QUEUE-16",
        rule: "`result.data.outcome` stands on cash movements and Z reports that were cancelled or timed out, as on documents",
        by: [
          "src/core/command/lifecycle.test.ts > the result of a command that did not get through > says for %s whether it was printed, as far as its marks tell",
          "src/modules/commands/events.test.ts > a cash movement and a Z report that never left say that they were not made",
        ],
      },
      {
        id: "QUEUE-17",
        rule: "Commands of a device run one at a time, in the order of their acceptance, wherever they come from",
        by: [
          "src/queue/command-queue.test.ts > a device's queue > hands out one command at a time, in order of acceptance",
          "src/modules/live/live.test.ts > %s > takes back what still waits at the limit, and answers 503",
        ],
      },
      {
        id: "QUEUE-18",
        rule: "Different devices run side by side",
        by: ["src/queue/command-queue.test.ts > a device's queue > runs devices side by side"],
      },
      {
        id: "QUEUE-19",
        rule: "The 60 s run from acceptance while no controller of the device is connected",
        by: [
          "src/queue/deadlines.test.ts > the time rules > time out after 60 s while no controller connects",
        ],
      },
      {
        id: "QUEUE-20",
        rule: "They stop for good when one connects",
        by: [
          "src/queue/deadlines.test.ts > the time rules > stop the 60 s for good when a controller connects",
        ],
      },
      {
        id: "QUEUE-21",
        rule: "The 180 s run from acceptance while a command is `pending` or `sent`, behind a printer that is off and in a long queue too",
        by: [
          "src/queue/deadlines.test.ts > the time rules > time out after 180 s when a printer stays off behind its controller",
          "src/queue/deadlines.test.ts > the time rules > end a late command where it would be claimed, should its timer not have fired yet",
        ],
      },
      {
        id: "QUEUE-22",
        rule: "A command that is `processing` does not time out by them",
        by: [
          "src/queue/deadlines.test.ts > the time rules > leave a command alone that its device has begun",
        ],
      },
      {
        id: "QUEUE-23",
        rule: "A result that comes after the `timeout` changes nothing, and is kept in the audit log",
        by: [
          "src/queue/deadlines.test.ts > the time rules > keep a result that comes after the time-out out of the command, and ask a person",
        ],
      },
      {
        id: "QUEUE-24",
        rule: "A receipt that was printed too late raises the alert `late_result`",
        by: [
          "src/queue/late-results.test.ts > a result that came too late > is known of the device when it was a printed receipt",
          "src/queue/late-results.test.ts > a result that came too late > is no matter when nothing was printed",
          "src/modules/devices/devices.test.ts > alerts > name each receipt that was printed too late",
        ],
      },
      {
        id: "QUEUE-25",
        rule: "A command may be submitted while its device is offline",
        by: [
          "src/modules/commands/commands.test.ts > submitting a command > needs no controller: the command waits for one",
        ],
      },
      {
        id: "QUEUE-26",
        rule: "`type` and `payload` are both required, `{}` where a type takes none",
        by: [
          "src/modules/commands/bad-requests.test.ts > %s refuses > %s [no payload]",
          "src/modules/commands/payloads.test.ts > the payload of %s > may be %j",
        ],
      },
      {
        id: "QUEUE-27",
        rule: "The limits of live routes hold for payloads too",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > is refused at %p in %j [lines.1]",
          "src/modules/commands/payloads.test.ts > the payload of %s > is refused at %p in %j [password]",
        ],
      },
      {
        id: "QUEUE-28",
        rule: "Of `raw_command` the gateway checks only that `payload` is an object; the rest is the driver's, `E400`",
        by: [
          "src/modules/commands/bad-requests.test.ts > %s refuses > %s [a payload that is text]",
          "src/modules/commands/payloads.test.ts > the payload of %s > may be %j",
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > passes raw commands on, and tells the answer whatever it says",
        ],
      },
      {
        id: "QUEUE-29",
        rule: "`subtotalModifiers` on a driver without them are accepted, and fail with `E201` before a byte is sent",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > may be %j",
          "drivers/contract.test.ts > over %s > a device of ${kind.driver}, ${kind.model} > <title> [counts quantities and adjustments to the cent]",
        ],
      },
      {
        id: "QUEUE-30",
        rule: "Additive: a command that is read tells the `currency` of its amounts as it was at its time, whatever the organization's is now",
        by: [
          "src/modules/commands/currency.test.ts > a command keeps the currency in which the shop sold when it was accepted",
        ],
      },
    ],
  },
];
