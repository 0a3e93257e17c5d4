/** Printers that may be ahead of a state that was put back from a copy. */

import { eq } from "drizzle-orm";
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
export function createRestoredPrinterStore({ orm, rows }: Database) {
  const all = prepareLater(() => orm.select().from(restoredPrinters));
  /** Each look at a device asks for all of them, and they seldom change. */
  const kept = rows.over<[], readonly RestoredPrinter[]>(() => all.all());
  const known = () => kept.get() ?? [];
  const insert = prepareLater(() => insertWhole(orm, restoredPrinters).onConflictDoNothing());
  return {
    /** Keeps one; does nothing when the device has a row. */
    raise(printer: Omit<RestoredPrinter, "state" | "questionId">): void {
      kept.drop();
      insert.run({ ...printer, state: "asked", questionId: null } satisfies RestoredPrinter);
    },
    get(deviceId: string): RestoredPrinter | undefined {
      return known().find((one) => one.deviceId === deviceId);
    },
    /** Of the whole appliance. */
    list(): readonly RestoredPrinter[] {
      return known();
    },
    update(deviceId: string, change: RestoredChange): void {
      kept.drop();
      orm.update(restoredPrinters).set(change).where(eq(restoredPrinters.deviceId, deviceId)).run();
    },
    /** The printer is known not to be ahead, or the state was accepted. */
    remove(deviceId: string): void {
      kept.drop();
      orm.delete(restoredPrinters).where(eq(restoredPrinters.deviceId, deviceId)).run();
    },
  };
}
