/** Table of rules: what live routes answer, and what results hold. */

import type { Section } from "../rule.ts";

export const LIVE_ROUTES: readonly Section[] = [
  {
    of: "decisions",
    title: "Live routes",
    code: "ANSWER",
    rules: [
      {
        id: "ANSWER-01",
        rule: "A live route queues a command with the source `live`, which is listed like any other",
        by: [
          "src/modules/live/live.test.ts > %s > sends its command as one of its own and answers when that is completed",
        ],
      },
      {
        id: "ANSWER-02",
        rule: "It waits 30 s, for a Z report 120 s",
        by: ["src/modules/live/live.test.ts > each waits for 30 seconds, and the Z report for 120"],
      },
      {
        id: "ANSWER-03",
        rule: "What is still `pending` at the limit is cancelled with `E903`: 503",
        by: [
          "src/modules/live/live.test.ts > %s > takes back what still waits at the limit, and answers 503",
          "src/modules/live/held.test.ts > a read goes on, anything that waits for a person is refused at once",
        ],
      },
      {
        id: "ANSWER-04",
        rule: "What was sent goes on: a read is 503, anything else 409 with `commandId` and `outcome`",
        by: [
          "src/modules/live/live.test.ts > %s > lets go on what was sent, and says at the limit what is not known",
        ],
      },
      {
        id: "ANSWER-05",
        rule: "Refusals come in the order 401, 403, 404, 400, 503",
        by: [
          "src/modules/live/live.test.ts > %s > is refused with 401 to nobody, with 403 without its scope, whatever is asked",
          "src/modules/live/live.test.ts > %s > is refused with 404 for a device that is not of the organization",
          "src/modules/live/live.test.ts > %s > refuses a body that is none before it looks for the device's line",
        ],
      },
      {
        id: "ANSWER-06",
        rule: "All answer 200, the reversal and the reports 201",
        by: ["src/modules/live/live.test.ts > there is one for each row of the specification"],
      },
      {
        id: "ANSWER-07",
        rule: "A write answers `success`, `message`, `deviceId` and `timestamp`",
        by: ["src/modules/live/answers.test.ts > a write says that it was done > %s"],
      },
      {
        id: "ANSWER-08",
        rule: "A read answers its fields with `deviceId` and `timestamp`",
        by: [
          "src/modules/live/answers.test.ts > a read answers with the fields of the result > %s",
        ],
      },
      {
        id: "ANSWER-09",
        rule: "`POST /devices/{deviceId}/logo` and `DELETE /devices/{deviceId}/logo` need `devices:write`",
        by: ["src/modules/live/live.test.ts > there is one for each row of the specification"],
      },
      {
        id: "ANSWER-10",
        rule: "`GET /devices/{deviceId}/header-footer` and `GET /devices/{deviceId}/header-footer-capabilities` need `devices:read`",
        by: ["src/modules/live/live.test.ts > there is one for each row of the specification"],
      },
      {
        id: "ANSWER-11",
        rule: "`GET /devices/{deviceId}/datetime` needs `devices:read`",
        by: ["src/modules/live/live.test.ts > there is one for each row of the specification"],
      },
      {
        id: "ANSWER-12",
        rule: "`GET /devices/{deviceId}/operators` needs `devices:read`, and never shows a password",
        by: [
          "src/modules/live/live.test.ts > there is one for each row of the specification",
          "src/modules/live/answers.test.ts > a read answers with the fields of the result > GET operators, never with a password that a device tells",
        ],
      },
      {
        id: "ANSWER-13",
        rule: "`GET /devices/{deviceId}/live-status` needs `devices:read` and sends `get_status`",
        by: ["src/modules/live/live.test.ts > there is one for each row of the specification"],
      },
      {
        id: "ANSWER-14",
        rule: "`POST /devices/{deviceId}/reports/x` and `POST /devices/{deviceId}/reports/z` need `reports` and answer 201 with `report`",
        by: [
          "src/modules/live/live.test.ts > there is one for each row of the specification",
          "src/modules/live/answers.test.ts > a report is answered as the device tells it > %s",
        ],
      },
      {
        id: "ANSWER-15",
        rule: "`lastReceipt` and `info` stand under their names, what a device can do under `capabilities`",
        by: [
          "src/modules/live/answers.test.ts > a read answers with the fields of the result > %s",
          "src/modules/live/answers.test.ts > a read answers with the fields of the result > %s, as capabilities",
        ],
      },
      {
        id: "ANSWER-16",
        rule: "An error of the device is 422 with `commandId`, `errorCode` and `errorMessage`",
        by: [
          "src/modules/live/live.test.ts > %s > answers an error of the device with 422 and what it was",
        ],
      },
      {
        id: "ANSWER-17",
        rule: "A fault of the connection is 503 for reads and where the outcome is `not_printed`, else 409",
        by: [
          "src/modules/live/live.test.ts > %s > answers %s with 503 only where asking again does nothing twice",
          "src/modules/live/live.test.ts > %s > answers a lost line with 503 where the device says that nothing happened",
          "src/modules/live/answers.test.ts > a command that failed > with %s is %s for a read, and %s for what prints",
        ],
      },
      {
        id: "ANSWER-18",
        rule: "A tender of a reversal is named `method` or `type`; both and different is 400",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > is refused at %p in %j [payments.0.type]",
          "src/modules/commands/payloads.test.ts > the payload of %s > may be %j",
        ],
      },
      {
        id: "ANSWER-19",
        rule: "A reversal without payments is paid in cash",
        by: [
          "src/core/command/types/print-reversal-receipt.test.ts > a reversal without payments is paid back in cash, the whole amount",
        ],
      },
      {
        id: "ANSWER-20",
        rule: "`raw_command` takes `command` and `data` or `dataHex`, and tells `dataHex`, `data` and `statusHex`",
        by: [
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > passes raw commands on, and tells the answer whatever it says",
        ],
      },
      {
        id: "ANSWER-21",
        rule: "`void_receipt` takes the id of a stored receipt or a fiscal id, and prints a storno of it",
        by: [
          "src/modules/receipts/storno.test.ts > a storno by a command that names a stored sale > counts as void_receipt, by the id of the sale or its fiscal id",
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > prints a storno, and voids a receipt that the gateway knows",
        ],
      },
      {
        id: "ANSWER-22",
        rule: "Where the original is unknown it is `E401`",
        by: [
          "src/queue/command-queue.test.ts > a device's queue > fails a void of an unknown receipt without sending it",
        ],
      },
      {
        id: "ANSWER-23",
        rule: "It tells `voidedReceiptId`",
        by: [
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > prints a storno, and voids a receipt that the gateway knows",
        ],
      },
    ],
  },
  {
    of: "decisions",
    title: "Result data",
    code: "DATA",
    rules: [
      {
        id: "DATA-01",
        rule: "`get_status` tells paper, cover, open receipts, fiscal day, fiscal memory, clock, hardware, errors and the raw state, null where the protocol does not",
        by: [
          "drivers/zfp/commands.test.ts > the command types > on a device of variant ${model} > tells its state",
          "drivers/contract.test.ts > over %s > a device of ${kind.driver}, ${kind.model} > <title> [is identified, tells its state, and is left and found again]",
        ],
      },
      {
        id: "DATA-02",
        rule: "`get_vat_rates` tells `rates` of `group`, `rate` and `enabled`",
        by: [
          "drivers/zfp/commands.test.ts > the command types > on a device of variant ${model} > tells rates and what it can",
        ],
      },
      {
        id: "DATA-03",
        rule: "`set_vat_rates` as a command takes `VAT1` to `VAT16` alone; the live route takes `exempt` too",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > is refused at %p in %j [rates.0.group]",
          "src/modules/live/bodies.test.ts > a body > that is right for %s is the payload",
        ],
      },
      {
        id: "DATA-04",
        rule: "`get_vat_capabilities` tells `maxRates`, `groups`, `namesProgrammable`, `ratesProgrammable` and `changesLeft`",
        by: [
          "drivers/contract.test.ts > driver %s > carries out each command type that it names on one of its devices at least, over %s",
          "src/modules/live/answers.test.ts > a read answers with the fields of the result > %s, as capabilities",
        ],
      },
      {
        id: "DATA-05",
        rule: "`x_report` and `z_report` tell number, counts, totals, VAT, payments and times, null where the protocol does not",
        by: [
          "drivers/contract.test.ts > driver %s > carries out each command type that it names on one of its devices at least, over %s",
          "drivers/testing/result-faults.test.ts > a result has a fault > unless it is as the catalogue says",
        ],
      },
      {
        id: "DATA-06",
        rule: "Each is stored as a report",
        by: [
          "src/modules/reports/stored-reports.test.ts > %s > that is completed is stored with all that the device told, and is an event",
        ],
      },
      {
        id: "DATA-07",
        rule: "`get_logo_capabilities`, by `GET /devices/{deviceId}/logo-capabilities`, tells `maxWidth`, `maxHeight` and `maxBytes` of a logo, null where there is no such limit",
        by: [
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > takes a black-and-white BMP as its logo, and nothing else",
          "src/modules/live/answers.test.ts > a read answers with the fields of the result > %s, as capabilities",
        ],
      },
    ],
  },
];
