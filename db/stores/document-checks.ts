/** What printers told of their last documents, and what they are still to be asked. */

import { eq, sql } from "drizzle-orm";
import type { Database } from "../connection.ts";
import { documentChecks } from "../schema/document-checks.ts";
import { prepareOrder } from "./order.ts";
import { prepareLater } from "./prepared-query.ts";
import { insertWhole } from "./whole-row.ts";

export type DocumentCheck = typeof documentChecks.$inferSelect;

/** What of a row changes. */
export type DocumentCheckChange = Partial<Omit<DocumentCheck, "deviceId" | "orgId">>;

/** What an acceptance is stored by. */
export type Acceptance = Pick<DocumentCheck, "acceptedAt" | "acceptedOrder">;

export type DocumentCheckStore = ReturnType<typeof createDocumentCheckStore>;

/** All queries on them; one a device, and those of removed ones. */
export function createDocumentCheckStore({ orm }: Database) {
  const all = prepareLater(() => orm.select().from(documentChecks));
  const asked = prepareLater(() =>
    orm.select().from(documentChecks).where(eq(documentChecks.state, "asked")),
  );
  const byDevice = prepareLater(() =>
    orm
      .select()
      .from(documentChecks)
      .where(eq(documentChecks.deviceId, sql.placeholder("deviceId"))),
  );
  const insert = prepareLater(() => insertWhole(orm, documentChecks).onConflictDoNothing());
  const orderNow = prepareOrder({ orm });
  return {
    /** What its printer has printed counts as known from now on, UTC milliseconds. */
    acceptance: (now: number): Acceptance => ({ acceptedAt: now, acceptedOrder: orderNow() }),
    /** Keeps one; does nothing when the device has a row. */
    raise(row: DocumentCheck): void {
      insert.run(row);
    },
    get(deviceId: string): DocumentCheck | undefined {
      return byDevice.get({ deviceId });
    },
    /** Of the whole appliance. */
    list(): DocumentCheck[] {
      return all.all();
    },
    /** Whose printers have to answer first. */
    listAsked(): DocumentCheck[] {
      return asked.all();
    },
    update(deviceId: string, change: DocumentCheckChange): void {
      orm.update(documentChecks).set(change).where(eq(documentChecks.deviceId, deviceId)).run();
    },
    remove(deviceId: string): void {
      orm.delete(documentChecks).where(eq(documentChecks.deviceId, deviceId)).run();
    },
  };
}
