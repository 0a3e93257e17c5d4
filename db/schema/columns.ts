/** Column shapes that every table uses the same way. */

import { integer, text } from "drizzle-orm/sqlite-core";

/** An instant: UTC milliseconds. */
export const instant = (name: string) => integer(name, { mode: "number" });
export const flag = (name: string) => integer(name, { mode: "boolean" });
/** What a printer is known by, as it was when the row was written; null where nobody knew. */
export const printerColumns = {
  fiscalMemorySerialNumber: text("fiscal_memory_serial_number"),
  serialNumber: text("serial_number"),
  /** Where it was reached, in the form in which addresses are compared. */
  address: text("address"),
};
/** A JSON value, typed by its writer. */
export const json = <T>(name: string) => text(name, { mode: "json" }).$type<T>();
