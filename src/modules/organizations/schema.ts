/** Bodies and answers of the organization routes. */

import { Type } from "@sinclair/typebox";
import { CLOSING_TIME_PATTERN } from "#core/device/closing.ts";
import { PLANS } from "#core/limits.ts";
import { patternOf } from "#core/patterns.ts";
import { CURRENCY_PATTERN } from "#core/place.ts";
import { DateTime, oneOf } from "#core/schema-parts.ts";
import { visibleName } from "#core/visible-name.ts";
import { named } from "../../http/named-schema.ts";

const ClosingTime = Type.Union(
  [
    Type.String({ pattern: patternOf(CLOSING_TIME_PATTERN, "a time of day, such as 20:30") }),
    Type.Null(),
  ],
  {
    description:
      "`HH:MM`, by the clocks of each device's location: from then on a device whose day has " +
      "receipts and no Z report has the alert `z_report_due`; null for none",
  },
);
const ClosingAutomatic = Type.Boolean({
  description:
    "The gateway makes the Z report by itself, once for each device and fiscal day, within six " +
    "hours of `closingTime`: as soon as the device is ready, says that its day is open, and " +
    "nothing of it waits or is in doubt. Never on simulated printers",
});

const OrganizationFields = Type.Object({
  id: Type.String(),
  name: Type.String(),
  currency: Type.String(),
  timezone: Type.String(),
  plan: oneOf(PLANS),
  closingTime: ClosingTime,
  closingAutomatic: ClosingAutomatic,
  createdAt: DateTime,
  updatedAt: DateTime,
});
export const OrganizationRecord = named("Organization", OrganizationFields);

/** At least one of them. */
export const UpdateOrganizationBody = Type.Object(
  {
    name: Type.Optional(visibleName(255)),
    currency: Type.Optional(
      Type.String({ pattern: CURRENCY_PATTERN, description: "Code of ISO 4217" }),
    ),
    timezone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          "IANA name; device clocks run in it where their location names no other, from the next document on",
      }),
    ),
    closingTime: Type.Optional(ClosingTime),
    closingAutomatic: Type.Optional(ClosingAutomatic),
  },
  {
    examples: [
      { name: "Corner Shop", timezone: "Europe/Bucharest" },
      { closingTime: "20:30", closingAutomatic: true },
    ],
  },
);
