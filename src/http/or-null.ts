/** Schemas of what may be missing. */

import { type TSchema, Type } from "@sinclair/typebox";

/** The schema, or null. */
export function orNull<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}
