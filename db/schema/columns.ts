/** Column shapes that every table uses the same way. */

import { customType, integer, text } from "drizzle-orm/sqlite-core";
import { timezoneName } from "#core/place.ts";
import { RowSenseless } from "../doubts.ts";

/** An instant: UTC milliseconds. */
export const instant = (name: string) => integer(name, { mode: "number" });
export const flag = (name: string) => integer(name, { mode: "boolean" });
/**
 * What came first, whatever the clock showed: see `db/stores/order.ts`. Null where it did not happen, and in
 * rows of older versions.
 */
export const order = (name: string) => integer(name, { mode: "number" });
/** What a printer is known by, as it was when the row was written; null where nobody knew. */
export const printerColumns = {
  fiscalMemorySerialNumber: text("fiscal_memory_serial_number"),
  serialNumber: text("serial_number"),
  /** Where it was reached, as `keptAddress` writes it. */
  address: text("address"),
};
/**
 * A JSON value, typed by its writer. Reading what is none throws RowSenseless.
 * @param isOne tells what has another shape than all work with its row begins with
 */
export const json = <T>(name: string, isOne: Check) =>
  customType<{ data: T; driverData: string }>({
    dataType: () => "text",
    toDriver: (value) => JSON.stringify(value),
    fromDriver(value) {
      const read = parsed(value);
      if (read === undefined || !isOne(read)) throw new RowSenseless(name);
      // By its writer, and what was asked of it.
      return read as T;
    },
  })(name);

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const hasAmount = (record: Readonly<Record<string, unknown>>, field: string): boolean =>
  Number.isSafeInteger(record[field]);
const isListOf =
  (isOne: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(isOne);

/** The same of an object, of which no more is asked: an earlier version may have written it. */
export const jsonRecord = <T>(name: string) => json<T>(name, isRecord);
/**
 * The same of a list of objects.
 * @param amounts fields of each that sums are made of: whole numbers
 */
export const jsonRecords = <T>(name: string, ...amounts: readonly (keyof T & string)[]) =>
  json<readonly T[]>(
    name,
    isListOf((one) => isRecord(one) && amounts.every((field) => hasAmount(one, field))),
  );
/** The same of a list of texts. */
export const jsonTexts = <T extends string>(name: string) =>
  json<readonly T[]>(name, isListOf(isText));

/** Undefined for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Zones that were found to be some: to ask the runtime takes long. */
const KNOWN_ZONES = new Set<string>();
const KNOWN_ZONES_MAX = 1_000;

/** The name of a time zone. Reading what is none throws RowSenseless. */
export const zone = (name: string) =>
  customType<{ data: string; driverData: string }>({
    dataType: () => "text",
    fromDriver(value) {
      if (KNOWN_ZONES.has(value)) return value;
      if (timezoneName(value) === undefined) throw new RowSenseless(name);
      if (KNOWN_ZONES.size < KNOWN_ZONES_MAX) KNOWN_ZONES.add(value);
      return value;
    },
  })(name);
