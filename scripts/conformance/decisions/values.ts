/** Table of rules: how values are written and bounded. */

import type { Section } from "../rule.ts";

export const VALUES: readonly Section[] = [
  {
    of: "decisions",
    title: "Values",
    code: "VALUE",
    rules: [
      {
        id: "VALUE-01",
        rule: "Money crosses the API as JSON numbers in units of the currency",
        by: [
          "src/core/money.test.ts > a JSON number as money > goes out as it came in, for every amount of a till",
          "src/modules/receipts/store.test.ts > a receipt made elsewhere > is stored as it was sent and shown as it was stored",
        ],
      },
      {
        id: "VALUE-02",
        rule: "Inside it is an exact number of minor units, quantities of thousandths",
        by: [
          "src/core/money.test.ts > a JSON number as money > is exact where a multiplication is not",
          "src/core/money.test.ts > a JSON number as money > is refused where a double is no longer exact",
        ],
      },
      {
        id: "VALUE-03",
        rule: "A price or amount with more than 2 decimals, or a quantity with more than 3, is 400",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > is refused at %p in %j [items.0.quantity]",
          "src/modules/receipts/store.test.ts > a receipt is refused > 400 at %s: %s [with 3 decimals]",
        ],
      },
      {
        id: "VALUE-04",
        rule: "A line is worth quantity times price, rounded half up, each line by itself",
        by: [
          "src/core/money.test.ts > a line is rounded half up, also where the product passes 2^53",
          "src/modules/commands/payloads.test.ts > the payload of %s > may be %j",
        ],
      },
      {
        id: "VALUE-05",
        rule: "The balance rule compares the sum of the lines, less the modifiers, with the payments within 0.01",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > is refused at %p in %j [payments]",
          "src/modules/receipts/store.test.ts > a receipt is refused > not 0.01 off balance, which is within the tolerance",
        ],
      },
      {
        id: "VALUE-06",
        rule: "Its message names both sums",
        by: [
          "src/modules/commands/payloads.test.ts > sums that differ are both named",
          "src/modules/receipts/store.test.ts > a receipt is refused > with both sums in the words of the balance rule",
        ],
      },
      {
        id: "VALUE-07",
        rule: "`currency` is a setting of the organization, `RON` unless changed",
        by: [
          "src/modules/auth/auth.test.ts > registering > makes an organization with its owner, logged in",
          "src/modules/organizations/organizations.test.ts > changing the organization > sets what is given, for admins too, and says so in the audit log",
        ],
      },
      {
        id: "VALUE-08",
        rule: "Ids are their kind and 26 characters of Crockford's base32",
        by: [
          "src/platform/random.test.ts > ids > of kind %s are the kind and 26 base32 characters",
        ],
      },
      {
        id: "VALUE-09",
        rule: "They sort by the time at which they were made",
        by: [
          "src/platform/random.test.ts > ids > sort by the order in which they were made",
          "src/platform/random.test.ts > ids > do not go back when the clock is set back",
        ],
      },
      {
        id: "VALUE-10",
        rule: "An `orgId` is 12 lower-case characters of base32 and has no `_`",
        by: [
          "src/platform/random.test.ts > ids > of organizations are 12 lower-case base32 characters without an underscore",
        ],
      },
      {
        id: "VALUE-11",
        rule: "Timestamps go out in UTC with milliseconds and `Z`",
        by: [
          "src/modules/devices/devices.test.ts > registering a device > answers the whole record, offline and unassigned",
        ],
      },
      {
        id: "VALUE-12",
        rule: "Timestamps come in with an offset, 400 without one",
        by: [
          "src/http/server.test.ts > a query > refuses the time %s, which is no instant",
          "src/modules/receipts/store.test.ts > a receipt is refused > 400 at %s: %s [issued at a local time]",
        ],
      },
      {
        id: "VALUE-13",
        rule: "`datetime` and `originalReceiptDateTime` may be the device's local time, without an offset",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > may be %j",
          "drivers/contract.test.ts > over %s > a device of ${kind.driver}, ${kind.model} > <title> [takes times without an offset as its place's]",
        ],
      },
      {
        id: "VALUE-14",
        rule: "A device's clock runs in its location's time zone",
        by: [
          "src/e2e/locations.test.ts > a printer follows the zone of its location, and without one the organization's",
        ],
      },
      {
        id: "VALUE-15",
        rule: "Properties of a body that nobody knows are ignored",
        by: [
          "src/http/server.test.ts > a body > is taken with properties nobody declared",
          "src/modules/devices/devices.test.ts > registering a device > answers the whole record, offline and unassigned",
        ],
      },
      {
        id: "VALUE-16",
        rule: "Parameters of a query that nobody knows are ignored",
        by: [
          "src/http/server.test.ts > a query > is converted by its declaration, with defaults, and unknown parameters are ignored",
        ],
      },
      {
        id: "VALUE-17",
        rule: "A word on a line of a document that is nearly a known one, or means the same, is 400 with its path and the known one",
        by: [
          "src/core/command/unknown-words.test.ts > an unknown word on a line of a document > %s is refused, naming %s",
          "src/modules/commands/payloads.test.ts > the payload of %s > is refused at %p in %j [payments.0.amonut]",
          "src/modules/commands/payloads.test.ts > a strange word on a line is told what the known one is",
        ],
      },
      {
        id: "VALUE-18",
        rule: "So is one that names a discount, surcharge, tax, rate or total",
        by: [
          "src/core/command/unknown-words.test.ts > an unknown word on a line of a document > %s is refused, since it names money",
          "src/modules/commands/payloads.test.ts > the payload of %s > is refused at %p in %j [items.0.discount]",
          "src/core/command/unknown-words.test.ts > an unknown word on a line of a document > %s is refused, since quantity and price come to it",
          "src/modules/commands/payloads.test.ts > the payload of %s > is refused at %p in %j [payments.0.total]",
        ],
      },
      {
        id: "VALUE-19",
        rule: "Other words on such a line are ignored",
        by: [
          "src/core/command/unknown-words.test.ts > an unknown word on a line of a document > %s is ignored",
          "src/modules/commands/payloads.test.ts > the payload of %s > may be %j",
        ],
      },
      {
        id: "VALUE-20",
        rule: "A value of another type is refused and never converted, but in a query",
        by: [
          "src/http/server.test.ts > a body > is refused with one dotted path for each fault, and nothing is coerced",
          "src/http/server.test.ts > a query > is converted by its declaration, with defaults, and unknown parameters are ignored",
        ],
      },
      {
        id: "VALUE-21",
        rule: "A parameter that is given twice, or a filter that is empty, is 400",
        by: [
          "src/http/server.test.ts > a query > refuses %s when it is empty or given twice",
          "src/modules/devices/devices.test.ts > listing devices > refuses the filter %p, which may mean less than its caller thinks",
        ],
      },
      {
        id: "VALUE-31",
        rule: "A flag of a query is true when it stands there by its name alone",
        by: ["src/http/server.test.ts > a query > has a flag that %p makes %p"],
      },
      {
        id: "VALUE-32",
        rule: "`from` after `to` is 400, naming `from`, wherever a period is asked for; one without length is empty",
        by: [
          "src/http/server.test.ts > a query > refuses a period that ends before it begins, and takes an empty one",
          "src/modules/reports/summary.test.ts > a span > %p is refused by name",
          "src/modules/reports/summary.test.ts > a span > without length has nothing in it",
        ],
      },
      {
        id: "VALUE-22",
        rule: "An empty `startAfter` is the first page",
        by: [
          "src/http/server.test.ts > a query > is converted by its declaration, with defaults, and unknown parameters are ignored",
          "src/modules/receipts/list.test.ts > what a list refuses > not %s [startAfter=]",
        ],
      },
      {
        id: "VALUE-23",
        rule: "An empty parameter of a controller's handshake is none",
        by: [
          "src/modules/controllers/connect.test.ts > a handshake > makes a controller known, and whoever follows is told",
        ],
      },
      {
        id: "VALUE-24",
        rule: "Lengths count code points",
        by: [
          "src/http/server.test.ts > a body > counts the characters of a text, not its code units",
          "src/core/text.test.ts > %p has %d characters",
        ],
      },
      {
        id: "VALUE-25",
        rule: "A lone surrogate or a NUL in a text is 400",
        by: [
          "src/http/server.test.ts > a body > is refused with the text %s in it",
          "src/http/server.test.ts > a query > refuses a text with NUL, lone surrogates or no characters: %s",
        ],
      },
      {
        id: "VALUE-26",
        rule: "A payload has at most 64 KiB, a logo 700,000 characters",
        by: [
          "src/modules/commands/payloads.test.ts > a payload is bounded > by 64 KiB, whatever its type",
          "src/modules/commands/payloads.test.ts > a payload is bounded > by 700,000 characters for a logo",
        ],
      },
      {
        id: "VALUE-27",
        rule: "A body has at most 32 levels",
        by: [
          "src/modules/commands/payloads.test.ts > a payload is bounded > by 32 levels",
          "src/http/server.test.ts > a body > is refused when it is nested too deep, and without being walked",
        ],
      },
      {
        id: "VALUE-28",
        rule: "At most 1,000 commands wait for a device: then 503, and nothing is stored",
        by: [
          "src/modules/commands/room.test.ts > a thousand wait for one device; one more is refused, and its key stays good",
        ],
      },
      {
        id: "VALUE-29",
        rule: "At most 10,000 wait in all",
        by: ["src/modules/commands/room.test.ts > ten thousand wait in all"],
      },
      {
        id: "VALUE-30",
        rule: "What a device says is kept without control characters and cut at 255 characters",
        by: [
          "src/core/command/told-result.test.ts > what is told of a device > has no control characters but those between the fields of a raw answer, and 255 characters at most, but for bytes in hexadecimal",
          "src/core/command/told-result.test.ts > a refusal and a stranger's name are cleaned wherever they are thrown",
        ],
      },
    ],
  },
];
