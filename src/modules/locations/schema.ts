/** Bodies and answers of the location routes. */

import { type Static, Type } from "@sinclair/typebox";
import { isoTime } from "#core/iso-time.ts";
import { DateTime, TextOrNull } from "#core/schema-parts.ts";
import { visibleName } from "#core/visible-name.ts";
import type { Location } from "#db/stores/locations.ts";
import { named } from "../../http/named-schema.ts";

const Name = visibleName(255);
const shortOrNull = (maxLength: number, description: string) =>
  Type.Union([Type.String({ minLength: 1, maxLength }), Type.Null()], { description });
const Address = shortOrNull(500, "The postal address; null for none");
const Timezone = shortOrNull(
  64,
  "IANA name: the clocks of the location's devices run in it; null for the organization's",
);

export const CreateLocationBody = Type.Object(
  {
    name: Name,
    address: Type.Optional(Address),
    timezone: Type.Optional(Timezone),
  },
  { examples: [{ name: "Main street", address: "1 Main St, Cluj", timezone: "Europe/Bucharest" }] },
);
export type CreateLocationBody = Static<typeof CreateLocationBody>;

/** At least one of the three. */
export const UpdateLocationBody = Type.Object(
  {
    name: Type.Optional(Name),
    address: Type.Optional(Address),
    timezone: Type.Optional(Timezone),
  },
  { examples: [{ address: "2 Main St, Cluj" }] },
);
export type UpdateLocationBody = Static<typeof UpdateLocationBody>;

const LocationFields = Type.Object({
  id: Type.String(),
  orgId: Type.String(),
  name: Type.String(),
  address: TextOrNull,
  timezone: TextOrNull,
  createdAt: DateTime,
  updatedAt: DateTime,
});
const LocationRecord = named("Location", LocationFields);

export const LocationAnswer = Type.Object({ location: LocationRecord });
export const LocationList = Type.Object({ locations: Type.Array(LocationRecord) });

/** A location as the API shows it. */
export function locationRecord(location: Location) {
  const { id, orgId, name, address, timezone, createdAt, updatedAt } = location;
  return {
    ...{ id, orgId, name, address, timezone },
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  };
}
