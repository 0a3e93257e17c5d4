/** Values the appliance makes for itself once. */

import { eq } from "drizzle-orm";
import type { Database } from "../connection.ts";
import { applianceValues } from "../schema/settings.ts";
import { insertRow } from "./whole-row.ts";

export type ApplianceStore = ReturnType<typeof createApplianceStore>;

/** All queries on appliance values. */
export function createApplianceStore({ orm }: Database) {
  const find = (name: string): string | undefined =>
    orm.select().from(applianceValues).where(eq(applianceValues.name, name)).get()?.value;
  return {
    /** The value of that name; undefined when there is none. */
    find,
    /** Keeps a value, whatever it was before. */
    put(name: string, value: string): void {
      orm
        .insert(applianceValues)
        .values({ name, value })
        .onConflictDoUpdate({ target: applianceValues.name, set: { value } })
        .run();
    },
    /** The value of that name, made by `create` the first time. */
    getOrCreate(name: string, create: () => string): string {
      const known = find(name);
      if (known !== undefined) return known;
      const value = create();
      insertRow(orm, applianceValues, { name, value });
      return value;
    },
  };
}
