/** What schemas of answers and results are made of, whatever they tell. */

import { type TSchema, Type } from "@sinclair/typebox";

/** The value, or null where there is none or nobody can tell. */
export function orNull<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/** One of these words. */
export function oneOf<const Word extends string>(words: readonly Word[]) {
  return Type.Union(words.map((word) => Type.Literal(word)));
}

/** An instant as the API tells it. */
export const DateTime = Type.String({ format: "date-time" });
export const DateTimeOrNull = orNull(DateTime);
export const TextOrNull = orNull(Type.String());
