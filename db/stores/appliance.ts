/** Values the appliance makes for itself once. */

import { eq } from "drizzle-orm";
import type { Database } from "../connection.ts";
import { applianceValues } from "../schema/settings.ts";
import { insertRow } from "./whole-row.ts";

export type ApplianceStore = ReturnType<typeof createApplianceStore>;

/** Since a repair has lost what tills have sent; afterwards when that ends, in counted time. */
const FORGOTTEN = "repair.forgotten";
const SINCE_REPAIR = "repaired";
/** What was lost would itself have been kept for less. */
const FORGOTTEN_KEPT_MS = 7 * 86_400_000;

/** All queries on appliance values. */
export function createApplianceStore({ orm }: Database) {
  const find = (name: string): string | undefined =>
    orm.select().from(applianceValues).where(eq(applianceValues.name, name)).get()?.value;
  const put = (name: string, value: string): void => {
    orm
      .insert(applianceValues)
      .values({ name, value })
      .onConflictDoUpdate({ target: applianceValues.name, set: { value } })
      .run();
  };
  return {
    /** The value of that name; undefined when there is none. */
    find,
    /** Keeps a value, whatever it was before. */
    put,
    /** A repair has lost what keeps a receipt from being printed again. */
    forget: () => put(FORGOTTEN, SINCE_REPAIR),
    /** True in the week behind such a repair. */
    hasForgotten: () => find(FORGOTTEN) !== undefined,
    /**
     * Lets that week begin, and end.
     * @param now counted time, UTC milliseconds
     */
    endForgotten(now: number): void {
      const end = find(FORGOTTEN);
      if (end === undefined) return;
      if (end === SINCE_REPAIR) put(FORGOTTEN, String(now + FORGOTTEN_KEPT_MS));
      else if (Number(end) <= now)
        orm.delete(applianceValues).where(eq(applianceValues.name, FORGOTTEN)).run();
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
