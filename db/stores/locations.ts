/** Locations: the shops of an organization. */

import { and, eq, sql } from "drizzle-orm";
import type { Database } from "../connection.ts";
import { locations } from "../schema/locations.ts";
import { countOfOrg } from "./count-of-org.ts";
import { prepareLater } from "./prepared-query.ts";
import { insertRow } from "./whole-row.ts";

export type Location = typeof locations.$inferSelect;

export type LocationStore = ReturnType<typeof createLocationStore>;

/** What may change of a location. */
export type LocationChange = Partial<Pick<Location, "name" | "address" | "timezone" | "updatedAt">>;

/** All queries on locations. */
export function createLocationStore({ orm, rows }: Database) {
  const byId = prepareLater(() =>
    orm
      .select()
      .from(locations)
      .where(
        and(
          eq(locations.orgId, sql.placeholder("orgId")),
          eq(locations.id, sql.placeholder("locationId")),
        ),
      ),
  );
  // Asked for with each command: a device's clock runs in the zone of its location.
  const cache = rows.over((orgId: string, locationId: string) => byId.get({ orgId, locationId }));
  const one = (orgId: string, locationId: string) =>
    and(eq(locations.orgId, orgId), eq(locations.id, locationId));
  return {
    insert(location: Location): void {
      cache.drop();
      insertRow(orm, locations, location);
    },
    get(orgId: string, locationId: string): Location | undefined {
      return cache.get(orgId, locationId);
    },
    count: (orgId: string): number => countOfOrg(orm, locations, orgId),
    /** In the order in which they were added. */
    list(orgId: string): Location[] {
      return orm
        .select()
        .from(locations)
        .where(eq(locations.orgId, orgId))
        .orderBy(locations.createdAt, locations.id)
        .all();
    },
    update(orgId: string, locationId: string, change: LocationChange): Location | undefined {
      cache.drop();
      return orm.update(locations).set(change).where(one(orgId, locationId)).returning().get();
    },
    remove(orgId: string, locationId: string): void {
      cache.drop();
      orm.delete(locations).where(one(orgId, locationId)).run();
    },
  };
}
