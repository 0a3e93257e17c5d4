/** What controllers said of themselves. Who is connected is known to the live registry. */

import { and, desc, eq, sql } from "drizzle-orm";
import type { Database } from "../connection.ts";
import { controllers } from "../schema/controllers.ts";
import { countOfOrg } from "./count-of-org.ts";
import { prepareLater } from "./prepared-query.ts";

export type ControllerRow = typeof controllers.$inferSelect;
/** What may be said of a controller; what is undefined stays as it is. */
export type ControllerChange = {
  readonly [K in Exclude<keyof ControllerRow, "orgId" | "controllerId" | "createdAt">]?:
    | ControllerRow[K]
    | undefined;
};

/** All queries on controllers. */
export function createControllerStore({ orm }: Database) {
  const byKey = prepareLater(() =>
    orm
      .select()
      .from(controllers)
      .where(
        and(
          eq(controllers.orgId, sql.placeholder("orgId")),
          eq(controllers.controllerId, sql.placeholder("controllerId")),
        ),
      ),
  );
  return {
    get: (orgId: string, controllerId: string): ControllerRow | undefined =>
      byKey.get({ orgId, controllerId }),
    count: (orgId: string): number => countOfOrg(orm, controllers, orgId),
    /** Of an organization, the last one that was heard of first. */
    list: (orgId: string, limit: number): ControllerRow[] =>
      orm
        .select()
        .from(controllers)
        .where(eq(controllers.orgId, orgId))
        .orderBy(desc(controllers.updatedAt), controllers.controllerId)
        .limit(limit)
        .all(),
    remove(orgId: string, controllerId: string): void {
      orm
        .delete(controllers)
        .where(and(eq(controllers.orgId, orgId), eq(controllers.controllerId, controllerId)))
        .run();
    },
    /** Changes what is known of a controller, which need not have a row yet. */
    put(
      orgId: string,
      controllerId: string,
      change: ControllerChange & { readonly updatedAt: number },
    ): ControllerRow {
      return orm
        .insert(controllers)
        .values({ ...change, orgId, controllerId, createdAt: change.updatedAt })
        .onConflictDoUpdate({
          target: [controllers.orgId, controllers.controllerId],
          set: change,
        })
        .returning()
        .get();
    },
  };
}
