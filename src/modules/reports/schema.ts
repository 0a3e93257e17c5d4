/** What the report routes answer. */

import { Type } from "@sinclair/typebox";
import { MONTH_PATTERN } from "#core/calendar.ts";
import { ReportResult } from "#core/command/report-result.ts";
import { Amount, Count } from "#core/command/result-fields.ts";
import { PAYMENT_METHODS } from "#core/receipt.ts";
import { DateTime, oneOf, orNull, TextOrNull } from "#core/schema-parts.ts";
import { VAT_GROUP_PATTERN } from "#core/vat.ts";
import { named } from "../../http/named-schema.ts";
import { pageOf } from "../../http/paging.ts";
import { Simulated } from "../../http/simulated.ts";
import { SUMMARY_KEYS } from "./summary.ts";

const ReportFields = Type.Object({
  id: Type.String(),
  orgId: Type.String(),
  deviceId: Type.String(),
  locationId: TextOrNull,
  commandId: Type.String(),
  ...ReportResult.properties,
  currency: orNull(
    Type.String({ description: "Of its amounts; null where that is not known any more" }),
  ),
  bookedAt: {
    ...DateTime,
    description: "When the device was asked for it: what was printed before belongs to it",
  },
  date: Type.String({
    format: "date",
    description: "Of `bookedAt`, by the clocks of the place where the device stands",
  }),
  createdAt: DateTime,
  simulated: Simulated,
});
export const ReportRecordSchema = named("Report", ReportFields);

export const ReportAnswer = Type.Object({ report: ReportRecordSchema });
export const ReportList = pageOf("reports", ReportRecordSchema);

const Group = Type.String({ pattern: VAT_GROUP_PATTERN });
const Method = oneOf(PAYMENT_METHODS);
const Returned = { reversals: Amount, refunds: Amount };

const ReceiptSums = {
  receiptCount: Count,
  reversalCount: Count,
  refundCount: Count,
  totals: Type.Object({ gross: Amount, ...Returned, net: Amount }),
  vat: Type.Array(Type.Object({ group: Group, turnover: Amount, ...Returned })),
  payments: Type.Array(Type.Object({ method: Method, amount: Amount, ...Returned })),
};
/** Beside a `currency`. */
const Stored = {
  stored: Type.Object(ReceiptSums, {
    description:
      "Sums of the stored receipts in this currency; amounts are magnitudes, net is what remains",
  }),
  otherCurrencies: Type.Array(Type.Object({ currency: Type.String(), ...ReceiptSums }), {
    description:
      "The same of receipts in another one, where the shop changed its currency in between: then " +
      "nothing is compared, and difference is null",
  }),
};
const DayCurrency = Type.String({
  description: "Of the last receipt, else of the Z report, else the shop's",
});

const balanced = orNull(
  Type.Boolean({ description: "Number and worth of sales and stornos agree, as far as told" }),
);
/** A Z report beside stored receipts. */
export const Comparison = {
  difference: orNull(
    Type.Object(
      {
        receiptCount: orNull(Type.Integer()),
        reversalCount: orNull(Type.Integer()),
        totals: Type.Object({ gross: orNull(Amount), reversals: orNull(Amount) }),
        vat: orNull(Type.Array(Type.Object({ group: Group, turnover: Amount }))),
        payments: orNull(Type.Array(Type.Object({ method: Method, amount: Amount }))),
      },
      {
        description:
          "What the Z report has beyond the stored receipts; negative where it has less, null " +
          "where the device does not tell, and null as a whole without a Z report",
      },
    ),
  ),
  balanced,
};

const unseenReports = orNull(
  Type.Object(
    { first: Type.Integer(), last: Type.Integer() },
    {
      description:
        "Numbers of the Z reports that the device made between this one and the one that is stored " +
        "before it. Null where there is none, or one of the two numbers is not known",
    },
  ),
);

const DeviceDate = Type.Object({
  deviceId: Type.String(),
  locationId: TextOrNull,
  timezone: Type.String(),
  from: DateTime,
  to: DateTime,
  currency: DayCurrency,
  simulated: Simulated,
  ...Stored,
  ...Comparison,
  fiscalDays: Type.Array(
    Type.Object({
      from: DateTime,
      to: DateTime,
      currency: DayCurrency,
      report: orNull(ReportRecordSchema),
      unseenReports,
      ...Stored,
      ...Comparison,
    }),
    {
      description:
        "Each fiscal day that a Z report of the date closed, with all that was printed since the " +
        "one before; then, with report null, what was printed behind the last one",
    },
  ),
});

export const DailyAnswer = Type.Object({
  date: Type.String({ format: "date" }),
  devices: Type.Array(DeviceDate),
});

/** Sums of receipts of one currency. */
export const Sums = {
  currency: Type.String(),
  receiptCount: Count,
  reversalCount: Count,
  refundCount: Count,
  gross: Amount,
  ...Returned,
  net: Amount,
};

/** `GET /reports/calendar`. */
export const CalendarAnswer = Type.Object({
  deviceId: Type.String(),
  month: Type.String({ pattern: MONTH_PATTERN }),
  timezone: Type.String(),
  simulated: Simulated,
  from: DateTime,
  to: DateTime,
  totals: Type.Array(Type.Object(Sums), { description: "Of the month, one for each currency" }),
  days: Type.Array(
    Type.Object({
      date: Type.String({ format: "date" }),
      from: DateTime,
      to: DateTime,
      sums: Type.Array(Type.Object(Sums), {
        description: "Of the receipts of the date, one for each currency",
      }),
      reports: Type.Array(
        Type.Object({
          reportId: Type.String(),
          reportNumber: orNull(Type.Integer()),
          at: DateTime,
          currency: orNull(
            Type.String({
              description: "Of the difference; null where that is not known any more",
            }),
          ),
          difference: Type.Object(
            {
              receiptCount: orNull(Type.Integer()),
              reversalCount: orNull(Type.Integer()),
              totals: Type.Object({ gross: orNull(Amount), reversals: orNull(Amount) }),
            },
            {
              description:
                "Null is what the device did not tell, and all of it where the fiscal day has " +
                "receipts of several currencies",
            },
          ),
          balanced,
          unseenReports,
        }),
        { description: "Z reports of the date, each beside the receipts of its fiscal day" },
      ),
      openCount: Type.Integer({
        minimum: 0,
        description: "Receipts of the date behind its last Z report, or all where none was made",
      }),
      missing: Type.Boolean({
        description: "The date is over and has receipts, and no Z report was made on it",
      }),
    }),
  ),
});

/** Sums of one key and currency. */
export const SummaryBucket = named(
  "SummaryBucket",
  Type.Object({
    key: Type.String({
      description:
        "A date, an hour with its offset from UTC, a tender, a VAT group or the id of a device",
    }),
    from: Type.Optional(DateTime),
    to: Type.Optional(DateTime),
    ...Sums,
  }),
);

export const SummaryAnswer = Type.Object({
  from: DateTime,
  to: DateTime,
  by: oneOf(SUMMARY_KEYS),
  timezone: Type.String(),
  simulated: Simulated,
  buckets: Type.Array(SummaryBucket),
  totals: Type.Array(Type.Object(Sums), { description: "One for each currency" }),
});
