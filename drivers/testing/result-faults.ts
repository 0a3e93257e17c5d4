/** What is wrong with what a driver answers, by the catalogue. */

import type { TSchema } from "@sinclair/typebox";
import { CATALOGUE, type CommandType } from "#core/command/catalogue.ts";
import { toMinor } from "#core/money.ts";
import { schemaCheckOf } from "#core/schema-check.ts";
import { statedOnly } from "#core/stated-data.ts";

/** What is wrong with the result of a command of this type, in words; empty when nothing is. */
export function resultFaults(type: CommandType, data: unknown): string[] {
  const schema: TSchema = CATALOGUE[type].result;
  const faults = schemaCheckOf(schema)
    .issues(data)
    .map(({ path, message }) => `${path}: ${message}, in ${JSON.stringify(data)}`);
  return [...faults, ...surplus(schema, data), ...inexactNumbers(data)];
}

/** Clients are told of every field: what the schema does not name has no place in the data. */
function surplus(schema: TSchema, data: unknown): string[] {
  const named = statedOnly(schema, data);
  if (Bun.deepEquals(named, data)) return [];
  return [`${JSON.stringify(data)} holds more than ${JSON.stringify(named)}`];
}

/** Amounts and rates have two decimals at most; what has more was summed in floating point. */
function inexactNumbers(value: unknown): string[] {
  if (typeof value === "number") {
    return toMinor(value) === undefined ? [`${value} has more than two decimals`] : [];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(inexactNumbers);
}
