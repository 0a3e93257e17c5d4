/** Answers of the running gateway, which may be of another version than this program. */

import { FormatRegistry, type Static, type TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

// The schemas of answers name this format; the server's library knows it, which is not loaded here.
FormatRegistry.Set("date-time", (text) => !Number.isNaN(Date.parse(text)));

/** A value as the schema has it. @throws Error when it is not */
export function readAnswer<S extends TSchema>(schema: S, value: unknown): Static<S> {
  return Value.Parse(schema, value);
}
