/** Bodies and answers of the organization routes. */

import { Type } from "@sinclair/typebox";
import { PLANS } from "#core/limits.ts";
import { CURRENCY_PATTERN } from "#core/place.ts";
import { named } from "../../http/named-schema.ts";

const OrganizationFields = Type.Object({
  id: Type.String(),
  name: Type.String(),
  currency: Type.String(),
  timezone: Type.String(),
  plan: Type.Union(PLANS.map((plan) => Type.Literal(plan))),
  createdAt: Type.String({ format: "date-time" }),
  updatedAt: Type.String({ format: "date-time" }),
});
export const OrganizationRecord = named("Organization", OrganizationFields);

/** At least one of the three. */
export const UpdateOrganizationBody = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    currency: Type.Optional(
      Type.String({ pattern: CURRENCY_PATTERN, description: "Code of ISO 4217" }),
    ),
    timezone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: "IANA name; device clocks run in it where their location names no other",
      }),
    ),
  },
  { examples: [{ name: "Corner Shop", timezone: "Europe/Bucharest" }] },
);
