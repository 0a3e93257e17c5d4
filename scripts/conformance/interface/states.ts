/** Table of rules: states and what changes them. */

import type { Section } from "../rule.ts";

export const STATES: readonly Section[] = [
  {
    of: "interface",
    title: "Command status",
    code: "LIFE",
    rules: [
      {
        id: "LIFE-01",
        rule: "A command that is accepted and stored is `pending`",
        by: [
          "src/modules/commands/commands.test.ts > submitting a command > for the device in the path answers 201 with the bare record",
        ],
      },
      {
        id: "LIFE-02",
        rule: "It is `sent` when it goes out to its device's controller",
        by: [
          "src/modules/commands/commands.test.ts > reading a command > shows each step of it",
          "src/modules/commands/commands.test.ts > submitting a command > needs no controller: the command waits for one",
        ],
      },
      {
        id: "LIFE-03",
        rule: "It is `sent` after a push notification has woken its controller",
        by: [
          "src/push/wake-ups.test.ts > a command is on its way once the relay has taken the wake-up, and is sent when the app is there",
          "src/e2e/wake-up.test.ts > a sleeping app is woken for a command, and the command is sent to it",
        ],
      },
      {
        id: "LIFE-04",
        rule: "It is `completed` when the device says that it was done, with `result.data` and a receipt's `result.fiscalId`, and `command.completed` is told",
        by: [
          "src/modules/commands/events.test.ts > a command that completes is told as command.completed, once",
        ],
      },
      {
        id: "LIFE-05",
        rule: "It is `failed` when the device answers with an error, with `result.errorCode` and `result.errorMessage`, and `command.failed` is told",
        by: [
          "src/modules/commands/events.test.ts > a command that fails is told as command.failed, once",
          "src/modules/commands/commands.test.ts > reading a command > shows why it failed",
        ],
      },
      {
        id: "LIFE-06",
        rule: "It is `failed` when it cannot be delivered any more",
        by: [
          "src/queue/command-queue.test.ts > a device that is taken from its controller > ends what had begun but not reached it",
        ],
      },
      {
        id: "LIFE-07",
        rule: "It is `timeout` with `E500` when no controller has come within 60 s, and `command.timeout` is told",
        by: [
          "src/queue/deadlines.test.ts > the time rules > time out after 60 s while no controller connects",
          "src/modules/commands/events.test.ts > a command that times out is told as command.timeout, once",
        ],
      },
      {
        id: "LIFE-08",
        rule: "It is `timeout` with `E500` when it is stuck for 180 s in all",
        by: [
          "src/queue/deadlines.test.ts > the time rules > time out after 180 s when a printer stays off behind its controller",
        ],
      },
      {
        id: "LIFE-09",
        rule: "What is `completed`, `failed` or `timeout` is never changed afterwards",
        by: [
          "src/queue/command-queue.test.ts > a device's queue > takes a result once and answers a repeated one the same way",
          "src/queue/deadlines.test.ts > the time rules > keep a result that comes after the time-out out of the command, and ask a person",
          "src/core/controller/judge.test.ts > a command that has ended > takes no mark, and is never told that one is stored",
        ],
      },
      {
        id: "LIFE-10",
        rule: "Cancelling what is completed or failed is 409 `CONFLICT`",
        by: [
          "src/modules/commands/commands.test.ts > cancelling a command > that was sent, runs or is final answers 409 and changes nothing",
          "src/modules/commands/commands.test.ts > cancelling a command > twice answers 409 the second time",
        ],
      },
    ],
  },
  {
    of: "interface",
    title: "Device connectivity",
    code: "LINK",
    rules: [
      {
        id: "LINK-01",
        rule: "A device that a controller announces with its link up is `online` and that controller's, and `device.online` is told",
        by: [
          "src/gateway/ownership.test.ts > a device that a controller announces > is its own, and online",
        ],
      },
      {
        id: "LINK-02",
        rule: "A device whose connection drops is `offline`, and `device.offline` is told",
        by: [
          "src/gateway/ownership.test.ts > a device that a controller announces > is free when its owner is gone",
          "src/modules/devices/connectivity.test.ts > the status of a device follows its controller's connection and the line",
        ],
      },
      {
        id: "LINK-03",
        rule: "What is submitted meanwhile waits until the device is back",
        by: [
          "src/modules/commands/commands.test.ts > submitting a command > needs no controller: the command waits for one",
          "src/e2e/outages.test.ts > a printer that is off > prints what was submitted meanwhile when it is switched on",
        ],
      },
      {
        id: "LINK-04",
        rule: "A device that is released is `offline` and without a controller until one announces it again",
        by: [
          "src/modules/devices/release.test.ts > releasing a device > takes it from the controller, which is told, until one announces it again",
        ],
      },
      {
        id: "LINK-05",
        rule: "A release is told as `device.released` to whoever listens to the organization's events",
        by: [
          "src/modules/events/events.test.ts > by %s > a listener hears what happens, in order, with the records of the API",
          "src/modules/devices/release.test.ts > releasing a device > takes it from the controller, which is told, until one announces it again",
        ],
      },
      {
        id: "LINK-06",
        rule: "Another controller does not get a device while its owner's link is up, and gets it when that is down",
        by: [
          "src/gateway/ownership.test.ts > a device that a controller announces > is not taken while its owner's link is up",
          "src/gateway/ownership.test.ts > a device that a controller announces > is taken when its owner reports its link as down, and the owner is told",
        ],
      },
    ],
  },
  {
    of: "interface",
    title: "Webhook delivery status",
    code: "RETRY",
    rules: [
      {
        id: "RETRY-01",
        rule: "A delivery begins as `pending` when its event is dispatched",
        by: [
          "src/modules/webhooks/deliveries.test.ts > an event > is one delivery for each of a hundred webhooks, of which 64 are attempted at once",
        ],
      },
      {
        id: "RETRY-02",
        rule: "An answer of 2xx makes it `success` for good, and so the webhook's `lastDeliveryStatus`",
        by: [
          "src/modules/webhooks/delivery.test.ts > an answer > of %i is a %s",
          "src/modules/webhooks/delivery.test.ts > a test delivery that arrives > is a signed POST of the event, to that webhook alone, and is kept",
        ],
      },
      {
        id: "RETRY-03",
        rule: "After any other answer it is tried again after 60 s, 5 min, 30 min, 2 h and 12 h",
        by: [
          "src/modules/webhooks/deliveries.test.ts > a delivery that fails > is tried again after 60 s, 5 min, 30 min and 2 h, a tenth later at most",
          "src/modules/webhooks/deliveries.test.ts > a delivery that fails > is tried a sixth time 12 h later where the settings say so",
        ],
      },
      {
        id: "RETRY-04",
        rule: "After the fifth attempt it is `failed` for good, and so the webhook's `lastDeliveryStatus`",
        by: [
          "src/modules/webhooks/deliveries.test.ts > a delivery that fails > is tried again after 60 s, 5 min, 30 min and 2 h, a tenth later at most",
        ],
      },
      {
        id: "RETRY-05",
        rule: "A webhook with 20 deliveries that failed one after another is disabled",
        by: [
          "src/modules/webhooks/deliveries.test.ts > 20 deliveries that fail in a row > disable the webhook; what waits ends failed, and is not made up for",
          "src/modules/webhooks/deliveries.test.ts > 20 deliveries that fail in a row > are 20: the 19th leaves it enabled",
        ],
      },
      {
        id: "RETRY-06",
        rule: "Enabling it sets `failureCount` to 0",
        by: [
          "src/modules/webhooks/webhooks.test.ts > changing a webhook > enabling it sets its failures to nought, disabling it does not",
        ],
      },
    ],
  },
  {
    of: "interface",
    title: "API key activity",
    code: "KEYACT",
    rules: [
      {
        id: "KEYACT-01",
        rule: "A key set to `active: false` is refused at once",
        by: [
          "src/modules/api-keys/api-keys.test.ts > changing a key > renames, deactivates and reactivates it at once",
        ],
      },
      {
        id: "KEYACT-02",
        rule: "A key set to `active: true` is good again",
        by: [
          "src/modules/api-keys/api-keys.test.ts > changing a key > renames, deactivates and reactivates it at once",
        ],
      },
      {
        id: "KEYACT-03",
        rule: "Rotating ends an active key and makes its successor in one step, each naming the other",
        by: [
          "src/modules/api-keys/api-keys.test.ts > rotating a key > ends the old one and begins its successor in one step",
          "src/modules/api-keys/api-keys.test.ts > rotating a key > that is inactive already is a conflict, also for the later of two at once",
        ],
      },
      {
        id: "KEYACT-04",
        rule: "Deleting a key removes it for good",
        by: ["src/modules/api-keys/api-keys.test.ts > revoking a key > removes it for good"],
      },
      {
        id: "KEYACT-05",
        rule: "A key is refused from `expiresAt` on with 401 `UNAUTHORIZED`, and the message says that it has expired",
        by: [
          "src/modules/api-keys/api-keys.test.ts > using a key > ends when it expires, and says so",
        ],
      },
    ],
  },
];
