/** Table of rules: receipts and reports. */

import type { Section } from "../rule.ts";

export const BOOKS: readonly Section[] = [
  {
    of: "decisions",
    title: "Receipts and reports",
    code: "BOOKS",
    rules: [
      {
        id: "BOOKS-01",
        rule: "Commands are kept for two years, those with an open outcome for as long as it is open",
        by: [
          "src/app/retention.test.ts > commands go after two years unless one is in doubt; receipts, reports and audit stay",
          "db/stores/purge.test.ts > old commands go in parts, but for those that are not settled",
        ],
      },
      {
        id: "BOOKS-02",
        rule: "Receipts, reports and the audit log are kept for good",
        by: [
          "src/app/retention.test.ts > commands go after two years unless one is in doubt; receipts, reports and audit stay",
        ],
      },
      {
        id: "BOOKS-03",
        rule: "Deliveries are kept for 30 days",
        by: ["src/modules/webhooks/webhooks.test.ts > deliveries > are kept for 30 days"],
      },
      {
        id: "BOOKS-04",
        rule: "The connection history is kept for 7 days",
        by: [
          "src/modules/devices/release.test.ts > the connection history > shows the latest 20 and is kept for seven days",
        ],
      },
      {
        id: "BOOKS-06",
        rule: "A receipt shows all its fields, null where there is nothing",
        by: [
          "src/modules/receipts/store.test.ts > a receipt made elsewhere > is stored as it was sent and shown as it was stored",
          "src/modules/receipts/store.test.ts > a receipt made elsewhere > is issued now and has no other names unless they are given",
        ],
      },
      {
        id: "BOOKS-07",
        rule: "A completed `print_receipt` leaves a `sale` in the transaction that completes it",
        by: [
          "src/queue/command-queue.test.ts > a device's queue > keeps a receipt in the transaction that completes the command",
        ],
      },
      {
        id: "BOOKS-08",
        rule: "A completed `print_reversal_receipt` leaves a `storno`, and no event of a receipt made elsewhere",
        by: [
          "src/modules/receipts/storno.test.ts > the storno of a sale > leaves a receipt that names the sale, and no event of one made elsewhere",
        ],
      },
      {
        id: "BOOKS-09",
        rule: "`POST /receipts` needs `receipts` and stores one made elsewhere, or a `refund`: 201 with `{ receipt }`, told as `receipt.created`",
        by: [
          "src/modules/receipts/store.test.ts > a receipt made elsewhere > is stored as it was sent and shown as it was stored",
          "src/modules/receipts/store.test.ts > a receipt made elsewhere > is told as receipt.created once it is on disk, and stands in the audit log",
          "src/modules/receipts/store.test.ts > a receipt is refused > %d with the scopes %p",
        ],
      },
      {
        id: "BOOKS-10",
        rule: "It needs `deviceId`, `type`, `fiscalId`, `items` and `payments`, and `originalReceiptId` for what gives money back",
        by: ["src/modules/receipts/store.test.ts > a receipt is refused > 400 at %s: %s"],
      },
      {
        id: "BOOKS-11",
        rule: "`issuedAt` is now unless it is given",
        by: [
          "src/modules/receipts/store.test.ts > a receipt made elsewhere > is issued now and has no other names unless they are given",
        ],
      },
      {
        id: "BOOKS-12",
        rule: "A receipt that does not balance is 400",
        by: [
          "src/modules/receipts/store.test.ts > a receipt is refused > 400 at %s: %s [0.02 off balance]",
        ],
      },
      {
        id: "BOOKS-13",
        rule: "More than is left of the sale is 422",
        by: [
          "src/modules/receipts/store.test.ts > what gives money back > may take the whole sale in parts, and nothing beyond it",
          "src/modules/receipts/store.test.ts > what gives money back > is given once, of two that come together",
        ],
      },
      {
        id: "BOOKS-35",
        rule: "`GET /receipts/{receiptId}/reversible` tells what each line has left, and a storno takes no more of it, to the cent",
        by: [
          "src/modules/receipts/parts.test.ts > the parts of a line come to what it was sold for > in two halves, of which the second is the rest",
          "src/modules/receipts/parts.test.ts > a storno of a till that takes more than a line has left > is refused, and says what is left of it; another VAT group keeps what it has",
        ],
      },
      {
        id: "BOOKS-36",
        rule: "`tenders` of it are those in which the printer pays reversals back, none where it prints none, as its driver refuses or takes them; `payments` are what was paid in each tender and has not gone back in it",
        by: [
          "drivers/reversal-tenders.test.ts > %s, model %s > tells of its reversals what it prints and what it refuses",
          "src/modules/receipts/parts.test.ts > the tenders of a sale that goes back > are those that the printer pays reversals back in, and none where it prints none",
          "src/modules/receipts/parts.test.ts > the tenders of a sale that goes back > have what was paid in them and has not gone back in them, printed or about to be",
        ],
      },
      {
        id: "BOOKS-14",
        rule: "A `fiscalId` that is stored for the device already is 409",
        by: [
          "src/modules/receipts/store.test.ts > a receipt made elsewhere > has a fiscal id that its device gave to no other",
          "src/modules/receipts/store.test.ts > a receipt made elsewhere > has a fiscal id that its device printed for no command either",
        ],
      },
      {
        id: "BOOKS-15",
        rule: "`GET /receipts` needs `receipts` or `receipts:read`, and pages as `receipts`",
        by: [
          "src/modules/receipts/list.test.ts > what a list refuses > or not: %d with the scopes %p",
          "src/modules/receipts/list.test.ts > a list of receipts > tells whether there is more at its limit",
        ],
      },
      {
        id: "BOOKS-16",
        rule: "It sorts by `createdAt`, `issuedAt` or `total`",
        by: [
          "src/modules/receipts/list.test.ts > a list of receipts > %p is in its order, without what is not asked for",
        ],
      },
      {
        id: "BOOKS-17",
        rule: "It filters by `deviceId`, `type`, `from`, `to`, `fiscalId` and `q`",
        by: [
          "src/modules/receipts/list.test.ts > a list of receipts > %p is in its order, without what is not asked for",
          "src/modules/receipts/list.test.ts > a list of receipts > of a device has that device's only, with the same filters",
          "src/modules/receipts/list.test.ts > a search by q > %p finds what has it in a number or a name, or as its total",
        ],
      },
      {
        id: "BOOKS-18",
        rule: "`GET /receipts/{receiptId}` answers `{ receipt }`",
        by: [
          "src/modules/receipts/store.test.ts > a receipt made elsewhere > is stored as it was sent and shown as it was stored",
        ],
      },
      {
        id: "BOOKS-19",
        rule: "`GET /receipts/export` needs `receipts:admin` and is an attachment, CSV or JSON, of a span",
        by: [
          "src/modules/receipts/export.test.ts > an export > as CSV has a row for each receipt, oldest first",
          "src/modules/receipts/export.test.ts > an export > as JSON has the receipts as the API shows them",
          "src/modules/receipts/export.test.ts > an export > has what was issued from the one instant up to the other",
          "src/modules/receipts/export.test.ts > an export is refused > or not: %d with the scopes %p",
        ],
      },
      {
        id: "BOOKS-20",
        rule: "It is made as it is read",
        by: [
          "src/modules/receipts/export.test.ts > a long export > is made as it is read: nothing is kept for a reader who does not",
        ],
      },
      {
        id: "BOOKS-21",
        rule: "`POST /receipts/{receiptId}/storno` needs `receipts:admin`, takes `reason`, `items` or `lines`, and `payments`, and queues a reversal: 202 with `{ command }`",
        by: [
          "src/modules/receipts/storno.test.ts > the storno of a sale > is a command for the printer of the sale, with all that it has to name",
          "src/modules/receipts/storno.test.ts > the storno of a sale > takes the items and payments that are given",
          "src/modules/receipts/storno.test.ts > a storno is refused > or not: %d with the scopes %p",
        ],
      },
      {
        id: "BOOKS-22",
        rule: "It reserves what it reverses until its command ends as `not_printed`; more than that is 422",
        by: [
          "src/modules/receipts/storno.test.ts > what a storno reverses is reserved > until its command was not printed",
          "src/modules/receipts/storno.test.ts > what a storno reverses is reserved > while nobody knows, and after a person said that it was printed",
          "src/modules/receipts/storno.test.ts > what a storno reverses is reserved > once, of several that are asked for at the same time",
          "src/modules/receipts/storno.test.ts > a command that reverses a stored sale > is refused once the sale is reversed, by whichever route, and allowed when it was not printed",
        ],
      },
      {
        id: "BOOKS-23",
        rule: "`GET /devices/{deviceId}/receipts` answers `receipts`, `hasMore` and `lastId`",
        by: [
          "src/modules/receipts/list.test.ts > a list of receipts > of a device has that device's only, with the same filters",
        ],
      },
      {
        id: "BOOKS-24",
        rule: "`GET /reports` needs `reports`, pages as `reports` and filters by `deviceId`, `type`, `from` and `to`",
        by: [
          "src/modules/reports/report-list.test.ts > the list of reports > filters by %s",
          "src/modules/reports/report-list.test.ts > the list of reports > filters by device, also together with a type",
          "src/modules/reports/report-list.test.ts > the list of reports > is read page by page, %s",
          "src/modules/reports/report-list.test.ts > whoever asks > with the scope %s gets 403",
        ],
      },
      {
        id: "BOOKS-25",
        rule: "`GET /reports/{reportId}` shows one",
        by: [
          "src/modules/reports/stored-reports.test.ts > %s > that is completed is stored with all that the device told, and is an event",
          "src/modules/reports/report-list.test.ts > whoever asks > for a report that is not there gets 404",
        ],
      },
      {
        id: "BOOKS-26",
        rule: "`GET /reports/daily` puts the sums of stored receipts beside the Z report, with their difference",
        by: [
          "src/modules/reports/daily.test.ts > a fiscal day > shows the exact sums of its receipts, which agree with its Z report",
          "src/modules/reports/daily.test.ts > a fiscal day > shows what was rung up at the printer itself",
        ],
      },
      {
        id: "BOOKS-27",
        rule: "`GET /reports/summary`, which is additive, sums stored receipts by time, tender, VAT group or device",
        by: [
          "src/modules/reports/summary.test.ts > by day > begins days by the clocks of the organization, and shows empty ones",
          "src/modules/reports/summary.test.ts > by its parts > a tender has what was paid by it, in the order of the tenders",
        ],
      },
      {
        id: "BOOKS-28",
        rule: "`GET /reports/journal` is an attachment of `application/xml`",
        by: ["src/modules/reports/journal.test.ts > the file > is an attachment of XML"],
      },
      {
        id: "BOOKS-29",
        rule: "It keeps to its schema, as a validator that is not ours finds",
        by: [
          "src/modules/reports/journal.test.ts > the file > of a day with everything keeps to its schema",
          "src/modules/reports/journal.test.ts > the schema > refuses %s",
        ],
      },
      {
        id: "BOOKS-30",
        rule: "`GET /schemas/journal.xsd` serves that schema to everybody",
        by: [
          "src/modules/reports/journal.test.ts > the schema > is there for everybody, and may be kept",
        ],
      },
      {
        id: "BOOKS-31",
        rule: "`GET /today`, which is additive, shows the day's bounds, each device with what it does and needs, and what a person is asked, with `devices:read`; with `locationId` that of one place",
        by: [
          "src/modules/today/today.test.ts > the day > is that of the organization's clocks",
          "src/modules/today/today.test.ts > the day > is that of a location's clocks where one is named",
          "src/modules/today/today.test.ts > a device > is shown as elsewhere: its record, why it is away, and its alerts",
          "src/modules/today/today.test.ts > a device > tells what it is at since when, and how many wait",
          "src/modules/today/today.test.ts > a device > tells paper, cover and day as last read, as long as it can be reached",
          "src/modules/today/today.test.ts > a device > tells its last Z report",
          "src/modules/today/today.test.ts > a device > tells the cash in its drawer from the newest word about it: %s",
          "src/modules/today/today.test.ts > what is in doubt > is told until a person has settled it",
          "src/modules/today/today.test.ts > what is in doubt > of a device that was removed is told too, without its name",
        ],
      },
      {
        id: "BOOKS-32",
        rule: "Beside it stands what was sold, as `GET /reports/summary` says it, and a week before, for those who may read `reports`",
        by: [
          "src/modules/today/today.test.ts > what was sold > is added up as a whole and by hour, tender, VAT group and device",
          "src/modules/today/today.test.ts > what was sold > is what the summary says of the same day",
          "src/modules/today/today.test.ts > what was sold > a week before stands beside it by the hour",
          "src/modules/today/today.test.ts > what was sold > at a location is what its devices sold",
          "src/modules/today/today.test.ts > what was sold > on a removed device counts",
          "src/modules/today/today.test.ts > what was sold > is for credentials that may read reports, all else for those that may read devices",
        ],
      },
      {
        id: "BOOKS-33",
        rule: "`GET /reports/calendar`, which is additive, shows of each date of a month what a device sold, its Z reports with their difference, and whether one is missing",
        by: [
          "src/modules/reports/calendar.test.ts > a month > has each date by the clocks of the place, and its sums",
          "src/modules/reports/calendar.test.ts > a Z report > stands on the date on which it was made, beside all that it closed",
          "src/modules/reports/calendar.test.ts > a Z report > has the differences that the report of its date has",
          "src/modules/reports/calendar.test.ts > a Z report > is not missing before its date is over, nor on one without receipts",
        ],
      },
      {
        id: "BOOKS-34",
        rule: "`GET /today` sets the last Z report of a device beside the stored receipts of its day, and tells when somebody looked at it first, by `POST /reports/{reportId}/look`, which is additive",
        by: [
          "src/modules/today/today.test.ts > a device > tells how its last Z report compares with the receipts stored of its day",
        ],
      },
    ],
  },
];
