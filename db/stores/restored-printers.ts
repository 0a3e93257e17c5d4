/** Printers that may be ahead of a state that was put back from a copy. */

import { eq, sql } from "drizzle-orm";
import type { Database } from "../connection.ts";
import { restoredPrinters } from "../schema/restored.ts";
import { prepareLater } from "./prepared-query.ts";
import { insertWhole } from "./whole-row.ts";

export type RestoredPrinter = typeof restoredPrinters.$inferSelect;

/** What may be learnt of one, and which printer it stands for once its record leads elsewhere. */
type RestoredChange = Partial<
  Pick<RestoredPrinter, "state" | "questionId" | "address"> &
    Pick<RestoredPrinter, "serialNumber" | "fiscalMemorySerialNumber">
>;

export type RestoredPrinterStore = ReturnType<typeof createRestoredPrinterStore>;

/** All queries on them; one a device, and those of removed ones. */
export function createRestoredPrinterStore({ orm }: Database) {
  const all = prepareLater(() => orm.select().from(restoredPrinters));
  const deviceId = sql.placeholder("deviceId");
  const byDevice = prepareLater(() =>
    orm.select().from(restoredPrinters).where(eq(restoredPrinters.deviceId, deviceId)),
  );
  const insert = prepareLater(() => insertWhole(orm, restoredPrinters).onConflictDoNothing());
  return {
    /** Keeps one; does nothing when the device has a row. */
    raise(printer: Omit<RestoredPrinter, "state" | "questionId">): void {
      insert.run({ ...printer, state: "asked", questionId: null } satisfies RestoredPrinter);
    },
    get(deviceId: string): RestoredPrinter | undefined {
      return byDevice.get({ deviceId });
    },
    /** Of the whole appliance. */
    list(): RestoredPrinter[] {
      return all.all();
    },
    update(deviceId: string, change: RestoredChange): void {
      orm.update(restoredPrinters).set(change).where(eq(restoredPrinters.deviceId, deviceId)).run();
    },
    /** The printer is known not to be ahead, or the state was accepted. */
    remove(deviceId: string): void {
      orm.delete(restoredPrinters).where(eq(restoredPrinters.deviceId, deviceId)).run();
    },
  };
}
