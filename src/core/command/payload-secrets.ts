/** What is nobody's to read: the passwords by which fiscal operators are known. */

const SECRET_FIELDS: readonly string[] = ["operatorPassword", "password", "oldPassword"];
const MASK = "***";

/** The payload with its passwords masked; the same object where it has none. */
export function maskSecrets(payload: unknown): unknown {
  if (typeof payload !== "object" || payload === null) return payload;
  const present = SECRET_FIELDS.filter((name) => Object.hasOwn(payload, name));
  if (present.length === 0) return payload;
  return { ...payload, ...Object.fromEntries(present.map((name) => [name, MASK])) };
}

/** A copy of plain data without its passwords, however deep they are. */
export function withoutPasswords<T>(value: T): T {
  return cleared(value) as T;
}

function cleared(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleared);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([name]) => !SECRET_FIELDS.includes(name));
  return Object.fromEntries(fields.map(([name, inner]) => [name, cleared(inner)]));
}
