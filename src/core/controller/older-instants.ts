/** Instants in messages of version 0.1.0, which wrote them in UTC milliseconds. */

/** The latest instant that a `Date` can hold. */
const INSTANT_MAX = 8.64e15;

/** A value with these fields of it in ISO 8601; what is no instant is left to the schema. */
export function withInstantTexts(value: unknown, names: readonly string[]): unknown {
  if (typeof value !== "object" || value === null) return value;
  const texts = Object.entries(value).flatMap(([name, at]) =>
    names.includes(name) && typeof at === "number" && Math.abs(at) <= INSTANT_MAX
      ? [[name, new Date(at).toISOString()] as const]
      : [],
  );
  return { ...value, ...Object.fromEntries(texts) };
}
