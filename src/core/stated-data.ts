/** Data as a schema states it, of what may hold more. */

import type { TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

/** A copy of the value without what the schema does not name. It may not fit the schema all the same. */
export function statedOnly(schema: TSchema, value: unknown): unknown {
  return Value.Clean(schema, withoutInherited(value));
}

/** `constructor` and the like: TypeBox takes what every object has for named. */
function withoutInherited(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutInherited);
  if (typeof value !== "object" || value === null) return value;
  const own = Object.entries(value).filter(([name]) => !(name in Object.prototype));
  return Object.fromEntries(own.map(([name, inner]) => [name, withoutInherited(inner)]));
}
