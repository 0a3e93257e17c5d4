/** What `GET /today` answers. */

import { Type } from "@sinclair/typebox";
import { CATALOGUE, COMMAND_TYPES } from "#core/command/catalogue.ts";
import { Amount, Count } from "#core/command/result-fields.ts";
import { DateTime, oneOf, orNull } from "#core/schema-parts.ts";
import { Simulated } from "../../http/simulated.ts";
import { AlertRecord, DeviceRecord } from "../devices/schema.ts";
import { Comparison, SummaryBucket, Sums } from "../reports/schema.ts";

const CommandTypeName = oneOf(COMMAND_TYPES);
const { paper, cover, fiscalDayOpen } = CATALOGUE.get_status.result.properties;

const DeviceToday = Type.Object({
  device: DeviceRecord,
  reason: orNull(Type.String({ description: "Why it is offline, where anybody knows" })),
  reading: orNull(
    Type.Object(
      { paper, cover, fiscalDayOpen, readAt: DateTime },
      { description: "As last read; null while the device is offline, or nothing was read yet" },
    ),
  ),
  doing: orNull(
    Type.Object(
      {
        commandId: Type.String(),
        type: CommandTypeName,
        status: oneOf(["sent", "processing"]),
        since: DateTime,
      },
      { description: "The command that is out" },
    ),
  ),
  waiting: Type.Integer({ minimum: 0, description: "Commands that wait for their turn" }),
  alerts: Type.Array(AlertRecord),
  lastZ: orNull(
    Type.Object({
      ...{ reportId: Type.String(), reportNumber: orNull(Count), at: DateTime },
      lookedAt: orNull(
        Type.String({
          format: "date-time",
          description:
            "When somebody looked at it first, by POST /reports/{reportId}/look; for credentials " +
            "with receipts:admin, somebody who has that too",
        }),
      ),
      compared: orNull(
        Type.Object(
          { currency: Type.String(), ...Comparison },
          {
            description:
              "With the stored receipts of its fiscal day; null for credentials without the scope " +
              "`reports`",
          },
        ),
      ),
    }),
  ),
  cash: orNull(
    Type.Object(
      {
        amount: Amount,
        currency: orNull(Type.String({ description: "Null where it is not known any more" })),
        at: DateTime,
      },
      {
        description:
          "In the drawer, as the device told it last: with a report, a cash movement or when it " +
          "was asked. What was sold since is not added",
      },
    ),
  ),
  lastReceiptAt: orNull(
    Type.String({
      format: "date-time",
      description:
        "When its last receipt was stored: cash that was told before is what the drawer held " +
        "before it",
    }),
  ),
});

const Doubtful = Type.Object({
  commandId: Type.String(),
  deviceId: Type.String(),
  deviceName: orNull(Type.String({ description: "Null once the device is removed" })),
  type: CommandTypeName,
  simulated: Simulated,
  acceptedAt: DateTime,
  raisedAt: Type.String({ format: "date-time", description: "Since when a person is asked" }),
});

const DaySums = Type.Object({
  ...Sums,
  average: orNull(Type.Number({ description: "Of a sale, rounded to the cent; null without any" })),
});
const Hours = Type.Array(SummaryBucket, { description: "Each hour of the day, empty ones too" });
const Day = {
  date: Type.String({ format: "date" }),
  from: DateTime,
  to: DateTime,
};

export const TodayAnswer = Type.Object({
  at: DateTime,
  shop: Type.Object({ name: Type.String(), currency: Type.String(), timezone: Type.String() }),
  day: Type.Object(Day),
  devices: Type.Array(DeviceToday),
  doubtful: Type.Array(Doubtful, {
    description: "Commands of which a person is asked what became of them, the oldest first",
  }),
  sales: orNull(
    Type.Object(
      {
        totals: Type.Array(DaySums, {
          description: "One for each currency, the organization's first",
        }),
        hours: Hours,
        payments: Type.Array(SummaryBucket),
        vat: Type.Array(SummaryBucket),
        devices: Type.Array(SummaryBucket),
        weekBefore: Type.Object(
          { ...Day, totals: Type.Array(DaySums), hours: Hours },
          { description: "The same day of the week before, as a whole" },
        ),
      },
      { description: "From the stored receipts; null for credentials without the scope `reports`" },
    ),
  ),
});
