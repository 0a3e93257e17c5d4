/** Column shapes that every table uses the same way. */

import { integer, text } from "drizzle-orm/sqlite-core";

/** An instant: UTC milliseconds. */
export const instant = (name: string) => integer(name, { mode: "number" });
export const flag = (name: string) => integer(name, { mode: "boolean" });
/** A JSON value, typed by its writer. */
export const json = <T>(name: string) => text(name, { mode: "json" }).$type<T>();
