/** What of a payload is nobody's to read: the passwords by which fiscal operators are known. */

const SECRET_FIELDS = ["operatorPassword", "password", "oldPassword"] as const;
const MASK = "***";

/** The payload with its passwords masked; the same object where it has none. */
export function maskSecrets(payload: unknown): unknown {
  if (typeof payload !== "object" || payload === null) return payload;
  const present = SECRET_FIELDS.filter((name) => Object.hasOwn(payload, name));
  if (present.length === 0) return payload;
  return { ...payload, ...Object.fromEntries(present.map((name) => [name, MASK])) };
}
