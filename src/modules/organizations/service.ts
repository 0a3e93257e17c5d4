/** The caller's own organization. */

import type { Static } from "@sinclair/typebox";
import type { Caller } from "#core/access.ts";
import { placeOf } from "#core/device/device.ts";
import { validationError } from "#core/errors.ts";
import { deviceEvent } from "#core/events.ts";
import { placeIssues, timezoneName } from "#core/place.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Organization } from "#db/stores/organizations.ts";
import type { Transaction, Writer } from "#db/writer.ts";
import type { Clock } from "../../platform/clock.ts";
import { organizationRecord } from "./records.ts";
import type { UpdateOrganizationBody } from "./schema.ts";

export interface OrganizationServiceOptions {
  readonly stores: Pick<Stores, "organizations" | "locations" | "devices" | "audit">;
  readonly writer: Writer;
  readonly clock: Pick<Clock, "now">;
}

export type OrganizationService = ReturnType<typeof createOrganizationService>;

/** Makes the service. */
export function createOrganizationService(options: OrganizationServiceOptions) {
  const { stores, writer, clock } = options;
  return {
    get: (orgId: string) => organizationRecord(stores.organizations.of(orgId)),

    /** @throws ApiError VALIDATION_ERROR */
    async update(caller: Caller, body: Static<typeof UpdateOrganizationBody>) {
      const issues = placeIssues(body);
      if (issues.length > 0) throw validationError(issues);
      const { orgId } = caller;
      const { name, currency, closingTime, closingAutomatic } = body;
      const timezone = body.timezone === undefined ? undefined : timezoneName(body.timezone);
      const change = {
        ...(name === undefined ? {} : { name }),
        ...(currency === undefined ? {} : { currency }),
        ...(timezone === undefined ? {} : { timezone }),
        ...(closingTime === undefined ? {} : { closingTime }),
        ...(closingAutomatic === undefined ? {} : { closingAutomatic }),
      };
      const changed = await writer.run((tx) => {
        const before = stores.organizations.of(orgId);
        const at = clock.now();
        const isClosing = closingTime !== undefined || closingAutomatic !== undefined;
        const set = isClosing ? { closingSetAt: at } : {};
        stores.organizations.update(orgId, { ...change, ...set, updatedAt: at });
        const action = "organization.updated";
        stores.audit.append({ ...caller, at, action, resource: orgId, details: change });
        tellMoved(tx, stores, { before, after: stores.organizations.of(orgId) });
        return stores.organizations.of(orgId);
      });
      return organizationRecord(changed);
    },
  };
}

/** The controllers of the devices hear of it: their drivers set clocks and name the currency. */
function tellMoved(
  tx: Transaction,
  { devices, locations }: OrganizationServiceOptions["stores"],
  { before, after }: { readonly before: Organization; readonly after: Organization },
): void {
  for (const device of devices.list(after.id)) {
    const location = locations.get(device.orgId, device.locationId);
    const isSame = Bun.deepEquals(placeOf(before, location), placeOf(after, location));
    if (!isSame) tx.emit(deviceEvent("device.updated", device));
  }
}
