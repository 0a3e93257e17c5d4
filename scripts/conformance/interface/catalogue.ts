/** Table of rules: the command types, their payloads and results. */

import type { Section } from "../rule.ts";

export const CATALOGUE: readonly Section[] = [
  {
    of: "interface",
    title: "Command type catalogue",
    code: "TYPE",
    rules: [
      {
        id: "TYPE-01",
        rule: "Every driver carries out the types that it names, with the result that the catalogue shows, and changes the books by just that",
        by: [
          "drivers/contract.test.ts > driver %s > carries out each command type that it names on one of its devices at least, over %s",
          "src/modules/commands/openapi.test.ts > the OpenAPI document of the commands > shows what comes of each command type",
        ],
      },
      {
        id: "TYPE-02",
        rule: "`print_receipt` prints a fiscal sale, whose number is `result.fiscalId`",
        by: [
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > prints a receipt with every number in its books",
          "drivers/contract.test.ts > driver %s > carries out each command type that it names on one of its devices at least, over %s",
        ],
      },
      {
        id: "TYPE-03",
        rule: "`void_receipt` reverses an earlier receipt by its id",
        by: [
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > prints a storno, and voids a receipt that the gateway knows",
          "src/modules/receipts/storno.test.ts > a storno by a command that names a stored sale > counts as void_receipt, by the id of the sale or its fiscal id",
        ],
      },
      {
        id: "TYPE-04",
        rule: "`print_reversal_receipt` prints a storno with a fiscal id of its own",
        by: [
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > prints a storno, and voids a receipt that the gateway knows",
        ],
      },
      {
        id: "TYPE-05",
        rule: "`void_open_receipt` cancels the receipt that stands open on the device",
        by: [
          "src/e2e/live-routes.test.ts > a printer of %s > cancels a receipt that somebody left open",
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > has no receipt to void when none is open",
        ],
      },
      {
        id: "TYPE-06",
        rule: "`print_duplicate` prints the last receipt again and books nothing",
        by: [
          "src/e2e/live-routes.test.ts > a printer of %s > prints what it is told, once, and its books agree",
        ],
      },
      {
        id: "TYPE-07",
        rule: "`non_fiscal_receipt` prints free text, books nothing and has no fiscal id",
        by: [
          "src/e2e/live-routes.test.ts > a printer of %s > prints what it is told, once, and its books agree",
          "drivers/contract.test.ts > driver %s > carries out each command type that it names on one of its devices at least, over %s",
        ],
      },
      {
        id: "TYPE-08",
        rule: "`x_report` reads the day's sums and leaves the day open",
        by: [
          "src/e2e/live-routes.test.ts > a printer of %s > makes X and Z reports, and only the Z closes the day",
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > prints slips, duplicates and an X report, and opens the drawer",
        ],
      },
      {
        id: "TYPE-09",
        rule: "`z_report` closes the fiscal day",
        by: [
          "src/e2e/live-routes.test.ts > a printer of %s > makes X and Z reports, and only the Z closes the day",
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > closes the day, and lets VAT rates be set only then",
        ],
      },
      {
        id: "TYPE-10",
        rule: "A completed `x_report` or `z_report` is told as `report.generated`",
        by: [
          "src/modules/reports/stored-reports.test.ts > %s > that is completed is stored with all that the device told, and is an event",
        ],
      },
      {
        id: "TYPE-11",
        rule: "`cash_in` and `cash_out` book a deposit and a withdrawal",
        by: [
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > moves cash, and refuses to give out more than there is",
        ],
      },
      {
        id: "TYPE-12",
        rule: "`get_cash_amount` tells `cashBalance` and `currency`",
        by: [
          "src/e2e/live-routes.test.ts > a printer of %s > prints what it is told, once, and its books agree",
        ],
      },
      {
        id: "TYPE-13",
        rule: "`open_drawer` opens the drawer and books nothing",
        by: [
          "drivers/contract.test.ts > driver %s > carries out each command type that it names on one of its devices at least, over %s",
        ],
      },
      {
        id: "TYPE-14",
        rule: "`set_datetime` sets the device's clock",
        by: [
          "drivers/contract.test.ts > over %s > a device of ${kind.driver}, ${kind.model} > <title> [takes times without an offset as its place's]",
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > keeps the time of its place",
        ],
      },
      {
        id: "TYPE-15",
        rule: "`set_logo` sets a bitmap as the logo, `delete_logo` takes it away",
        by: [
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > takes a black-and-white BMP as its logo, and nothing else",
        ],
      },
      {
        id: "TYPE-16",
        rule: "`set_vat_rates` sets the VAT table",
        by: [
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > closes the day, and lets VAT rates be set only then",
        ],
      },
      {
        id: "TYPE-17",
        rule: "`set_header_footer` replaces header and footer lines",
        by: [
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > keeps header and footer",
        ],
      },
      {
        id: "TYPE-18",
        rule: "`set_operator` sets a cashier's place",
        by: [
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > names operators and changes their passwords",
        ],
      },
      {
        id: "TYPE-19",
        rule: "`get_operators` lists the operators",
        by: [
          "drivers/zfp/commands.test.ts > the command types > on a device of variant ${model} > sets and reads clock, lines and operators",
        ],
      },
      {
        id: "TYPE-20",
        rule: "`get_status` tells of paper, cover, fiscal day and errors",
        by: [
          "drivers/zfp/commands.test.ts > the command types > on a device of variant ${model} > tells its state",
        ],
      },
      {
        id: "TYPE-21",
        rule: "`get_info` tells `serialNumber`, `firmwareVersion`, `fiscalMemorySerialNumber`, `manufacturer` and `model`",
        by: [
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > is identified, with its serial numbers and model",
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > tells its state and itself",
        ],
      },
      {
        id: "TYPE-22",
        rule: "`get_last_receipt_info` tells `receiptNumber`, `receiptDateTime`, `receiptAmount` and `fiscalMemorySerialNumber`, each null where the device does not",
        by: [
          "drivers/zfp/commands.test.ts > the command types > on a device of variant ${model} > prints a sale and tells of it",
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > tells of its last receipt",
          "src/modules/live/answers.test.ts > a read answers with the fields of the result > %s",
        ],
      },
      {
        id: "TYPE-23",
        rule: "`get_date_time` tells the device's time in ISO 8601",
        by: [
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > keeps the time of its place",
        ],
      },
      {
        id: "TYPE-24",
        rule: "`get_vat_rates` tells `group`, `rate` and `enabled` as the device has them",
        by: [
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > closes the day, and lets VAT rates be set only then",
        ],
      },
      {
        id: "TYPE-25",
        rule: "`get_vat_capabilities` tells which rates the device takes",
        by: [
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > closes the day, and lets VAT rates be set only then",
        ],
      },
      {
        id: "TYPE-26",
        rule: "`get_header_footer_capabilities` tells `maxHeaderLines`, `maxFooterLines` and `maxCharsPerLine`",
        by: [
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > keeps header and footer",
        ],
      },
      {
        id: "TYPE-27",
        rule: "`get_header_footer` tells the lines as they are",
        by: [
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > keeps header and footer",
        ],
      },
      {
        id: "TYPE-28",
        rule: "`get_operator_capabilities` tells `maxOperators`, `maxNameLength`, `maxPasswordLength`, `supportsPassword`, `passwordChangeRequiresOldPassword` and `canGetOperators`",
        by: [
          "src/e2e/live-routes.test.ts > a printer of %s > answers %s",
          "src/modules/live/answers.test.ts > a read answers with the fields of the result > %s, as capabilities",
        ],
      },
      {
        id: "TYPE-29",
        rule: "`get_operators` works where the capabilities say `canGetOperators`, and is refused everywhere else",
        by: [
          "drivers/contract.test.ts > over %s > a device of ${kind.driver}, ${kind.model} > <title> [lists its operators where it says that it can, and nowhere else]",
        ],
      },
      {
        id: "TYPE-30",
        rule: "`oldPassword` is required where the device has `passwordChangeRequiresOldPassword`",
        by: [
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > names operators and changes their passwords",
        ],
      },
      {
        id: "TYPE-31",
        rule: "`raw_command` goes to the driver as it is, unchecked",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > may be %j",
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > passes raw commands on, and tells the answer whatever it says",
        ],
      },
      {
        id: "TYPE-32",
        rule: "Types without a payload take an empty object",
        by: ["src/modules/commands/payloads.test.ts > the payload of %s > may be %j"],
      },
      {
        id: "TYPE-33",
        rule: "`print_receipt`: `items` is not empty",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > is refused at %p in %j [items]",
        ],
      },
      {
        id: "TYPE-34",
        rule: "An item's `name` is not empty",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > is refused at %p in %j [items.1.name]",
        ],
      },
      {
        id: "TYPE-35",
        rule: "An item's `quantity` is above 0",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > is refused at %p in %j [items.0.quantity]",
        ],
      },
      {
        id: "TYPE-36",
        rule: "An item has a `price`",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > is refused at %p in %j [items.0.price]",
        ],
      },
      {
        id: "TYPE-37",
        rule: "An item's `vatGroup` is `VAT1` to `VAT16` or `exempt`",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > is refused at %p in %j [items.0.vatGroup]",
          "drivers/contract.test.ts > over %s > a device of ${kind.driver}, ${kind.model} > <title> [sells in the VAT groups that it tells, and in no others]",
        ],
      },
      {
        id: "TYPE-38",
        rule: "An item may name its `department`, an index on the device",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > may be %j",
          "drivers/zfp/commands.test.ts > the command types > on a device of variant ${model} > prints a sale and tells of it",
        ],
      },
      {
        id: "TYPE-39",
        rule: "`subtotalModifiers` are amounts that are taken off or added, in their order",
        by: [
          "drivers/contract.test.ts > over %s > a device of ${kind.driver}, ${kind.model} > <title> [counts quantities and adjustments to the cent]",
        ],
      },
      {
        id: "TYPE-40",
        rule: "They work on `vendorA.isl`, `vendorE.zfp` and `custom.serial`, and are `E201` on all others",
        by: [
          "drivers/contract.test.ts > over %s > a device of ${kind.driver}, ${kind.model} > <title> [counts quantities and adjustments to the cent]",
        ],
      },
      {
        id: "TYPE-41",
        rule: "A modifier's `type` is `discount-amount` or `surcharge-amount`, its `value` above 0",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > is refused at %p in %j [subtotalModifiers.0.value]",
        ],
      },
      {
        id: "TYPE-42",
        rule: "`customerCif` is printed where the device can",
        by: [
          "drivers/isl/plan.test.ts > a planned document > gives a Romanian device the customer's code, and a Bulgarian one a line of text",
          "drivers/custom-serial/plan.test.ts > a sale > prints its unique number and the customer's code behind the first line",
        ],
      },
      {
        id: "TYPE-43",
        rule: "`payments` is not empty, and may have several tenders",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > is refused at %p in %j [payments]",
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > prints a receipt with every number in its books",
        ],
      },
      {
        id: "TYPE-44",
        rule: "A payment's `method` is one of the nineteen tenders",
        by: [
          "src/modules/commands/payloads.test.ts > every tender of the contract is taken, and no other",
          "drivers/contract.test.ts > over %s > a device of ${kind.driver}, ${kind.model} > <title> [takes each tender, or is not asked to]",
        ],
      },
      {
        id: "TYPE-45",
        rule: "A payment's `amount` is above 0",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > is refused at %p in %j [payments.1.amount]",
        ],
      },
      {
        id: "TYPE-46",
        rule: "What the items come to with the modifiers equals what is paid, within 0.01",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > is refused at %p in %j [payments]",
          "src/modules/commands/payloads.test.ts > the payload of %s > may be %j",
        ],
      },
      {
        id: "TYPE-47",
        rule: "`void_receipt` needs a `receiptId`",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > is refused at %p in %j [receiptId]",
        ],
      },
      {
        id: "TYPE-48",
        rule: "`print_reversal_receipt` needs `uniqueSaleNumber`, `originalReceiptNumber`, `originalReceiptDateTime`, `fiscalMemorySerialNumber`, `reason` and `items`",
        by: ["src/modules/commands/payloads.test.ts > a reversal names all that it lacks"],
      },
      {
        id: "TYPE-49",
        rule: "`originalReceiptDateTime` is an ISO 8601 time",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > is refused at %p in %j [originalReceiptDateTime]",
        ],
      },
      {
        id: "TYPE-50",
        rule: "`originalZReportNumber` is taken if it is there",
        by: ["src/modules/commands/payloads.test.ts > the payload of %s > may be %j"],
      },
      {
        id: "TYPE-51",
        rule: "`reason` is `operator-error`, `refund` or `tax-base-reduction`",
        by: [
          "src/modules/commands/payloads.test.ts > every reason of a reversal is taken, and no other",
        ],
      },
      {
        id: "TYPE-52",
        rule: "The items of a reversal have the same rules as those of a sale",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > is refused at %p in %j [items.0.price]",
        ],
      },
      {
        id: "TYPE-53",
        rule: "The payments of a reversal, if there are any, have to balance",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > is refused at %p in %j [payments]",
        ],
      },
      {
        id: "TYPE-54",
        rule: "`non_fiscal_receipt` needs `lines`, not empty, and may have a `header`",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > is refused at %p in %j [lines]",
        ],
      },
      {
        id: "TYPE-55",
        rule: "`cash_in` and `cash_out` need an `amount` above 0 and may have a `description`",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > is refused at %p in %j [amount]",
        ],
      },
      {
        id: "TYPE-56",
        rule: "`set_datetime` may have a `datetime`, which is an ISO 8601 time; without one the device gets the gateway's",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > is refused at %p in %j [datetime]",
          "src/e2e/locations.test.ts > a printer follows the zone of its location, and without one the organization's",
        ],
      },
      {
        id: "TYPE-57",
        rule: "`set_logo` needs a `logo` in base64",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > is refused at %p in %j [logo]",
        ],
      },
      {
        id: "TYPE-58",
        rule: "`set_vat_rates` needs `rates`, each with a `group` `VAT1` to `VAT16`, a `rate` not below 0 and `enabled`",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > is refused at %p in %j [rates.0.rate]",
        ],
      },
      {
        id: "TYPE-59",
        rule: "`set_header_footer` needs `header` and `footer`, which may be empty",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > is refused at %p in %j [footer]",
          "src/modules/commands/payloads.test.ts > the payload of %s > may be %j",
        ],
      },
      {
        id: "TYPE-60",
        rule: "`set_operator` needs an `operatorId` from 1 and a `name`, and may have `password` and `oldPassword`",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > is refused at %p in %j [operatorId]",
          "src/modules/commands/payloads.test.ts > the payload of %s > may be %j",
        ],
      },
    ],
  },
];
