/** Table of rules: what the service is for. */

import type { Section } from "../rule.ts";

export const SERVICE: readonly Section[] = [
  {
    of: "interface",
    title: "What the service does",
    code: "SVC",
    rules: [
      {
        id: "SVC-01",
        rule: "A sale sent as JSON over HTTP is printed by a device of each driver, whose protocol the client does not know",
        by: [
          "src/e2e/simulate-all.test.ts > registers one of each as printed, and each prints a receipt",
        ],
      },
      {
        id: "SVC-02",
        rule: "Requests and answers may travel over HTTPS",
        by: [
          "src/e2e/https.test.ts > HTTPS > with the own authority answers those who trust it, and is off unless asked for",
        ],
      },
      {
        id: "SVC-03",
        rule: "A command that is submitted over REST is stored in a queue, handed to a controller, and its end comes back to the client who asks",
        by: [
          "src/modules/commands/commands.test.ts > reading a command > shows each step of it",
          "src/e2e/trade-day.test.ts > fiscal memories and the API agree to the cent after a day of trade and faults, seed %d",
        ],
      },
      {
        id: "SVC-04",
        rule: "Devices are reached over TCP and over serial ports",
        by: [
          "drivers/contract.test.ts > driver %s > carries out each command type that it names on one of its devices at least, over %s",
          "src/e2e/serial.test.ts > a printer on a serial port > is told of truly when the gateway is killed at any frame",
        ],
      },
      {
        id: "SVC-05",
        rule: "A controller is reached over a WebSocket",
        by: [
          "src/e2e/remote-controller.test.ts > a sale waits for the controller, is printed there, and its receipt is stored",
        ],
      },
      {
        id: "SVC-06",
        rule: "A client learns how a command ended by asking for it again",
        by: [
          "src/modules/commands/commands.test.ts > waiting for the end of a command > answers as soon as it is final",
        ],
      },
      {
        id: "SVC-07",
        rule: "A client learns how a command ended from the organization's events",
        by: ["src/e2e/events.test.ts > after a kill both ways of listening go on where they were"],
      },
      {
        id: "SVC-08",
        rule: "A client learns how a command ended by a webhook",
        by: ["src/e2e/webhook.test.ts > goes on with what a kill broke off"],
      },
      {
        id: "SVC-09",
        rule: "Submitting a command answers at once with status `pending`",
        by: [
          "src/modules/commands/commands.test.ts > submitting a command > for the device in the body answers 202 with the record inside",
          "src/modules/commands/commands.test.ts > submitting a command > needs no controller: the command waits for one",
        ],
      },
      {
        id: "SVC-10",
        rule: "A live route waits for the device and answers with what it said",
        by: [
          "src/modules/live/live.test.ts > %s > sends its command as one of its own and answers when that is completed",
        ],
      },
      {
        id: "SVC-11",
        rule: "What another organization has does not exist for a caller: 404",
        by: ["src/modules/access.test.ts > another shop > reads and changes nothing with its %s"],
      },
      {
        id: "SVC-12",
        rule: "A controller that is not connected is woken by a push notification to the token stored for it",
        by: [
          "src/e2e/wake-up.test.ts > a sleeping app is woken for a command, and the command is sent to it",
        ],
      },
      {
        id: "SVC-13",
        rule: "The portal uses the same interface",
        by: [
          "src/portal/journeys/first-start.test.ts > the portal of a new box > makes the till's key, with which it prints the first receipt",
        ],
      },
    ],
  },
];
