/** Values the appliance makes for itself once. */

import { eq } from "drizzle-orm";
import type { Database } from "../connection.ts";
import { applianceValues } from "../schema/settings.ts";
import { insertRow } from "./whole-row.ts";

/** All queries on appliance values. */
export function createApplianceStore({ orm }: Database) {
  return {
    /** The value of that name, made by `create` the first time. */
    getOrCreate(name: string, create: () => string): string {
      const row = orm.select().from(applianceValues).where(eq(applianceValues.name, name)).get();
      if (row) return row.value;
      const value = create();
      insertRow(orm, applianceValues, { name, value });
      return value;
    },
  };
}
