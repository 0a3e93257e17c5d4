/** The shops of an organization. A device belongs to the one whose id its `locationId` is. */

import type { Caller } from "#core/access.ts";
import type { AuditAction } from "#core/audit.ts";
import { ApiError, noSuch, validationError } from "#core/errors.ts";
import { deviceEvent } from "#core/events.ts";
import { requireNotFull } from "#core/org-rows.ts";
import { placeIssues, timezoneName } from "#core/place.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Location } from "#db/stores/locations.ts";
import type { Transaction, Writer } from "#db/writer.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Random } from "../../platform/random.ts";
import { type CreateLocationBody, locationRecord, type UpdateLocationBody } from "./schema.ts";

export interface LocationServiceOptions {
  readonly stores: Pick<Stores, "locations" | "devices" | "audit">;
  readonly writer: Writer;
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
}

export type LocationService = ReturnType<typeof createLocationService>;

/** Makes the service. */
export function createLocationService(options: LocationServiceOptions) {
  const { writer, clock, random } = options;
  const { locations, devices, audit } = options.stores;
  const existing = (orgId: string, locationId: string): Location => {
    const location = locations.get(orgId, locationId);
    if (location === undefined) throw noSuch("location");
    return location;
  };
  const note = (caller: Caller, action: AuditAction, { id, name, updatedAt: at }: Location): void =>
    audit.append({ ...caller, at, action, resource: id, details: { name } });
  /** The controllers of its devices hear of it: their drivers set clocks. */
  const tellDevices = (tx: Transaction, { orgId, id }: Location): void => {
    for (const device of devices.list(orgId, { locationId: id })) {
      tx.emit(deviceEvent("device.updated", device));
    }
  };

  return {
    /** @throws ApiError NOT_FOUND */
    existing,

    /** In the order in which they were added. */
    list: (orgId: string) => ({ locations: locations.list(orgId).map(locationRecord) }),

    /** @throws ApiError NOT_FOUND */
    get: (orgId: string, locationId: string) => locationRecord(existing(orgId, locationId)),

    /** @throws ApiError VALIDATION_ERROR, or CONFLICT where there are as many as there may be */
    async create(caller: Caller, body: CreateLocationBody) {
      const timezone = checkedTimezone(body.timezone) ?? null;
      const location = await writer.run(() => {
        const now = clock.now();
        const { orgId } = caller;
        requireNotFull("locations", locations.count(orgId));
        const { name, address = null } = body;
        const id = random.id("loc");
        const row = { id, orgId, name, address, timezone, createdAt: now, updatedAt: now };
        locations.insert(row);
        note(caller, "location.created", row);
        return row;
      });
      return locationRecord(location);
    },

    /** @throws ApiError NOT_FOUND or VALIDATION_ERROR */
    async update(caller: Caller, locationId: string, body: UpdateLocationBody) {
      const timezone = checkedTimezone(body.timezone);
      const { name, address } = body;
      const change = {
        ...(name === undefined ? {} : { name }),
        ...(address === undefined ? {} : { address }),
        ...(timezone === undefined ? {} : { timezone }),
      };
      const location = await writer.run((tx) => {
        const { orgId } = caller;
        const before = existing(orgId, locationId);
        locations.update(orgId, locationId, { ...change, updatedAt: clock.now() });
        const row = existing(orgId, locationId);
        note(caller, "location.updated", row);
        if (row.timezone !== before.timezone) tellDevices(tx, row);
        return row;
      });
      return locationRecord(location);
    },

    /** @throws ApiError NOT_FOUND, or CONFLICT while devices stand there: their clocks follow it */
    async remove(caller: Caller, locationId: string): Promise<void> {
      await writer.run(() => {
        const row = existing(caller.orgId, locationId);
        requireEmpty(devices.list(caller.orgId, { locationId }).length);
        locations.remove(caller.orgId, locationId);
        note(caller, "location.removed", { ...row, updatedAt: clock.now() });
      });
    },
  };
}

function requireEmpty(count: number): void {
  if (count === 0) return;
  const standing = count === 1 ? "1 device stands" : `${count} devices stand`;
  throw new ApiError("CONFLICT", `${standing} there: give each another locationId first`);
}

/** The zone that was given, as it is spelled. @throws ApiError VALIDATION_ERROR */
function checkedTimezone(timezone: string | null | undefined): string | null | undefined {
  const issues = placeIssues({ timezone });
  if (issues.length > 0) throw validationError(issues);
  return typeof timezone === "string" ? timezoneName(timezone) : timezone;
}
