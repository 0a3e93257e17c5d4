/** Table of rules: routes that queue commands, and those that wait for a device. */

import type { Section } from "../rule.ts";

export const COMMAND_ROUTES: readonly Section[] = [
  {
    of: "interface",
    title: "Commands",
    code: "CMDAPI",
    rules: [
      {
        id: "CMDAPI-01",
        rule: "`POST /devices/{deviceId}/commands` needs `commands` and queues a command: 201 with the bare record, `pending`",
        by: [
          "src/modules/commands/commands.test.ts > submitting a command > for the device in the path answers 201 with the bare record",
          "src/modules/commands/bad-requests.test.ts > %s refuses > a key that does not cover commands, before it looks at anything else",
        ],
      },
      {
        id: "CMDAPI-02",
        rule: "`type` and `payload` are required",
        by: ["src/modules/commands/bad-requests.test.ts > %s refuses > %s"],
      },
      {
        id: "CMDAPI-03",
        rule: "The payload is checked against its type before anything is sent: 400 with the paths of its faults",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > is refused at %p in %j",
          "src/modules/commands/payloads.test.ts > every fault of a payload is named",
        ],
      },
      {
        id: "CMDAPI-04",
        rule: "It is 404 for an unknown device and for one of another organization",
        by: [
          "src/modules/commands/bad-requests.test.ts > a request is refused for > an unknown device, before its payload is looked at",
          "src/modules/commands/bad-requests.test.ts > a request is refused for > another shop's device",
        ],
      },
      {
        id: "CMDAPI-05",
        rule: "It counts in the bucket of commands beside the global one: 429",
        by: [
          "src/modules/commands/commands.test.ts > both ways to submit share one bucket of commands, which reading leaves alone",
        ],
      },
      {
        id: "CMDAPI-06",
        rule: "It takes every type of the catalogue",
        by: ["src/modules/commands/payloads.test.ts > the payload of %s > may be %j"],
      },
      {
        id: "CMDAPI-07",
        rule: "The one scope `commands` opens every type",
        by: ["src/modules/commands/payloads.test.ts > the payload of %s > may be %j"],
      },
      {
        id: "CMDAPI-08",
        rule: "`POST /commands` needs `commands` and takes `deviceId`, `type` and `payload`: 202 with `{ command }`",
        by: [
          "src/modules/commands/commands.test.ts > submitting a command > for the device in the body answers 202 with the record inside",
        ],
      },
      {
        id: "CMDAPI-09",
        rule: "It honours an `Idempotency-Key`",
        by: [
          "src/modules/idempotency/idempotency.test.ts > a request with a key > runs once: the same key gives the first answer again",
        ],
      },
    ],
  },
  {
    of: "interface",
    title: "Device live routes",
    code: "LIVE",
    rules: [
      {
        id: "LIVE-01",
        rule: "`GET /devices/{deviceId}/cash-balance` needs `devices:read`, sends `get_cash_amount` and answers `cashBalance` and `currency`",
        by: [
          "src/modules/live/answers.test.ts > a read answers with the fields of the result > %s",
          "src/modules/live/live.test.ts > there is one for each row of the specification",
        ],
      },
      {
        id: "LIVE-02",
        rule: "`POST /devices/{deviceId}/set-datetime` needs `devices:write`, sends `set_datetime` with an optional `datetime`, and answers `success` and the `datetime` that was set",
        by: [
          "src/modules/live/answers.test.ts > set-datetime answers with the time that the clock was set to > else as it was asked for",
          "src/modules/live/live.test.ts > there is one for each row of the specification",
        ],
      },
      {
        id: "LIVE-03",
        rule: "Without a `datetime` the clock is set to the gateway's time",
        by: [
          "src/modules/live/answers.test.ts > set-datetime answers with the time that the clock was set to > else the gateway's",
          "src/e2e/locations.test.ts > a printer follows the zone of its location, and without one the organization's",
        ],
      },
      {
        id: "LIVE-04",
        rule: "`POST /devices/{deviceId}/print-duplicate` needs `devices:write` and sends `print_duplicate`",
        by: [
          "src/modules/live/answers.test.ts > a write says that it was done > %s",
          "src/modules/live/live.test.ts > there is one for each row of the specification",
        ],
      },
      {
        id: "LIVE-05",
        rule: "`POST /devices/{deviceId}/non-fiscal` needs `devices:write` and sends `non_fiscal_receipt`: `lines` with at least one entry, a `header` if wanted, each of at most 48 characters",
        by: [
          "src/modules/live/bodies.test.ts > a body > that is right for %s is the payload",
          "src/modules/live/bodies.test.ts > a body > that is not right for %s is refused with the paths %j, and nothing is queued",
        ],
      },
      {
        id: "LIVE-06",
        rule: "`GET /devices/{deviceId}/vat-rates` needs `devices:read`, sends `get_vat_rates` and answers `rates` of `group`, `rate` and `enabled`",
        by: [
          "src/modules/live/answers.test.ts > a read answers with the fields of the result > %s",
          "src/modules/live/live.test.ts > there is one for each row of the specification",
        ],
      },
      {
        id: "LIVE-07",
        rule: "`GET /devices/{deviceId}/vat-capabilities` needs `devices:read` and sends `get_vat_capabilities`",
        by: [
          "src/modules/live/answers.test.ts > a read answers with the fields of the result > %s, as capabilities",
          "src/modules/live/live.test.ts > there is one for each row of the specification",
        ],
      },
      {
        id: "LIVE-08",
        rule: "`POST /devices/{deviceId}/vat-rates` needs `devices:write` and sends `set_vat_rates`: at least one rate, its `group` `VAT1` to `VAT16` or `exempt`, its `rate` not below 0, and `enabled`",
        by: [
          "src/modules/live/bodies.test.ts > a body > that is right for %s is the payload",
          "src/modules/live/bodies.test.ts > a body > that is not right for %s is refused with the paths %j, and nothing is queued",
        ],
      },
      {
        id: "LIVE-09",
        rule: "`POST /devices/{deviceId}/header-footer` needs `devices:write` and sends `set_header_footer`: `header` and `footer`, both required, at most 10 lines of 48 characters each",
        by: [
          "src/modules/live/bodies.test.ts > a body > that is right for %s is the payload",
          "src/modules/live/bodies.test.ts > a body > that is not right for %s is refused with the paths %j, and nothing is queued",
        ],
      },
      {
        id: "LIVE-10",
        rule: "`GET /devices/{deviceId}/operator-capabilities` needs `devices:read` and sends `get_operator_capabilities`",
        by: [
          "src/modules/live/answers.test.ts > a read answers with the fields of the result > %s, as capabilities",
          "src/modules/live/live.test.ts > there is one for each row of the specification",
        ],
      },
      {
        id: "LIVE-11",
        rule: "`POST /devices/{deviceId}/operator` needs `devices:write` and sends `set_operator`: an `operatorId` from 1, a `name` of 1 to 32 characters, a `password` of at most 8 if wanted",
        by: [
          "src/modules/live/bodies.test.ts > a body > that is right for %s is the payload",
          "src/modules/live/bodies.test.ts > a body > that is not right for %s is refused with the paths %j, and nothing is queued",
        ],
      },
      {
        id: "LIVE-12",
        rule: "`GET /devices/{deviceId}/info` needs `devices:read` and sends `get_info`",
        by: [
          "src/modules/live/answers.test.ts > a read answers with the fields of the result > %s",
          "src/modules/live/live.test.ts > there is one for each row of the specification",
        ],
      },
      {
        id: "LIVE-13",
        rule: "`GET /devices/{deviceId}/last-receipt` needs `devices:read` and sends `get_last_receipt_info`",
        by: [
          "src/modules/live/answers.test.ts > a read answers with the fields of the result > %s",
          "src/modules/live/live.test.ts > there is one for each row of the specification",
        ],
      },
      {
        id: "LIVE-14",
        rule: "`POST /devices/{deviceId}/void-open` needs `devices:write`, sends `void_open_receipt` and answers `success` and `message`",
        by: [
          "src/modules/live/answers.test.ts > a write says that it was done > %s",
          "src/e2e/live-routes.test.ts > a printer of %s > cancels a receipt that somebody left open",
        ],
      },
      {
        id: "LIVE-15",
        rule: "`POST /devices/{deviceId}/reversal` needs `devices:write` and sends `print_reversal_receipt`: 201 with `success`, `message` and the `receiptNumber` that the device tells",
        by: [
          "src/modules/live/answers.test.ts > a reversal answers with the number of what was printed > %s",
          "src/modules/live/live.test.ts > there is one for each row of the specification",
        ],
      },
      {
        id: "LIVE-16",
        rule: "The payload of a reversal is checked before it is sent",
        by: [
          "src/modules/live/bodies.test.ts > a body > that is not right for %s is refused with the paths %j, and nothing is queued",
        ],
      },
      {
        id: "LIVE-17",
        rule: "`GET /devices/{deviceId}/datetime` sends `get_date_time` and answers `dateTime` in ISO 8601",
        by: [
          "src/modules/live/answers.test.ts > a read answers with the fields of the result > %s",
        ],
      },
      {
        id: "LIVE-18",
        rule: "Each answer has `deviceId` and `timestamp`",
        by: [
          "src/modules/live/live.test.ts > %s > sends its command as one of its own and answers when that is completed",
        ],
      },
      {
        id: "LIVE-19",
        rule: "A logo can be set, as base64 of at least one character, and removed, with `devices:write`",
        by: [
          "src/modules/live/bodies.test.ts > a body > that is not right for %s is refused with the paths %j, and nothing is queued",
          "src/modules/live/answers.test.ts > a write says that it was done > %s",
          "src/modules/live/live.test.ts > there is one for each row of the specification",
        ],
      },
      {
        id: "LIVE-20",
        rule: "Header and footer lines and what the device can have of them can be read with `devices:read`",
        by: [
          "src/modules/live/answers.test.ts > a read answers with the fields of the result > %s",
          "src/modules/live/answers.test.ts > a read answers with the fields of the result > %s, as capabilities",
          "src/modules/live/live.test.ts > there is one for each row of the specification",
        ],
      },
      {
        id: "LIVE-21",
        rule: "A live route is 404 for a device that is not there",
        by: [
          "src/modules/live/live.test.ts > %s > is refused with 404 for a device that is not of the organization",
        ],
      },
      {
        id: "LIVE-22",
        rule: "A live route with a body is 400 where that does not fit",
        by: [
          "src/modules/live/bodies.test.ts > a body > that is not right for %s is refused with the paths %j, and nothing is queued",
        ],
      },
      {
        id: "LIVE-23",
        rule: "Every live route works on the devices of every driver that has its command, or says that the device cannot",
        by: [
          "src/e2e/live-routes.test.ts > a printer of %s > answers %s",
          "src/e2e/live-routes.test.ts > a printer of %s > takes %s, or says that it cannot",
        ],
      },
      {
        id: "LIVE-24",
        rule: "`GET /devices/{deviceId}/receipts` needs `receipts` and lists the receipts of the device, newest first",
        by: [
          "src/modules/receipts/list.test.ts > a list of receipts > of a device has that device's only, with the same filters",
          "src/modules/access.test.ts > a caller > with a key of just %s gets what it covers",
        ],
      },
      {
        id: "LIVE-25",
        rule: "It filters by `type` and takes a `limit` of 1 to 100, by default 50; anything else is 400",
        by: [
          "src/modules/receipts/list.test.ts > a list of receipts > of a device has that device's only, with the same filters",
          "src/modules/receipts/list.test.ts > what a list refuses > 400 at %s: %s",
          "src/modules/receipts/list.test.ts > a list has fifty receipts unless it is told otherwise",
        ],
      },
      {
        id: "LIVE-26",
        rule: "The receipts of a device of another organization are 404",
        by: ["src/modules/receipts/list.test.ts > what a list refuses > what another shop has"],
      },
    ],
  },
];
