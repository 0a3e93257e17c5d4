/** What printers told of their last documents, and what they are still to be asked. */

import { eq, sql } from "drizzle-orm";
import type { ShopPrinter } from "#core/device/printer.ts";
import type { Database } from "../connection.ts";
import { documentChecks } from "../schema/document-checks.ts";
import { prepareOrder } from "./order.ts";
import { prepareLater } from "./prepared-query.ts";
import { prepareChange } from "./prepared-write.ts";
import { insertWhole } from "./whole-row.ts";

export type DocumentCheck = typeof documentChecks.$inferSelect;

/** What is not said of a row that is made is as long as its printer has told nothing. */
type NewDocumentCheck = Pick<DocumentCheck, keyof ShopPrinter | "state" | "raisedAt"> &
  Partial<DocumentCheck>;

/** A printer that has told nothing yet, and of which nobody has accepted anything. */
export const NOTHING_TOLD = {
  ...{ questionId: null, number: null, day: null, documents: null, since: null },
  ...{ acceptedAt: null, acceptedOrder: null, seq: 0 },
} as const;

/** What of a row changes. */
export type DocumentCheckChange = Partial<Omit<DocumentCheck, "deviceId" | "orgId">>;

/** What an acceptance is stored by. */
export type Acceptance = Pick<DocumentCheck, "acceptedAt" | "acceptedOrder">;

export type DocumentCheckStore = ReturnType<typeof createDocumentCheckStore>;

/** All queries on them; one a device, and those of removed ones. */
export function createDocumentCheckStore(database: Database) {
  const { orm } = database;
  const all = prepareLater(() => orm.select().from(documentChecks));
  /** Each look at a device asks for all of them, and they seldom change. */
  const kept = database.rows.over<[], readonly DocumentCheck[]>(() => all.all());
  const known = () => kept.get() ?? [];
  const ofDevice = eq(documentChecks.deviceId, sql.placeholder("ofDevice"));
  const changeOne = prepareChange(database, documentChecks, ofDevice);
  const removeOne = prepareLater(() => orm.delete(documentChecks).where(ofDevice));
  const insert = prepareLater(() => insertWhole(orm, documentChecks).onConflictDoNothing());
  const orderNow = prepareOrder({ orm });
  return {
    /** What its printer has printed counts as known from now on, UTC milliseconds. */
    acceptance: (now: number): Acceptance => ({ acceptedAt: now, acceptedOrder: orderNow() }),
    /** Keeps one; does nothing when the device has a row. */
    raise(row: NewDocumentCheck): void {
      kept.drop();
      insert.run({ ...NOTHING_TOLD, ...row });
    },
    get(deviceId: string): DocumentCheck | undefined {
      return known().find((one) => one.deviceId === deviceId);
    },
    /** Of the whole appliance. */
    list(): readonly DocumentCheck[] {
      return known();
    },
    /** Whose printers have to answer first. */
    listAsked(): DocumentCheck[] {
      return known().filter(({ state }) => state === "asked");
    },
    update(deviceId: string, change: DocumentCheckChange): void {
      kept.drop();
      changeOne(change, { ofDevice: deviceId });
    },
    remove(deviceId: string): void {
      kept.drop();
      removeOne.run({ ofDevice: deviceId });
    },
  };
}
