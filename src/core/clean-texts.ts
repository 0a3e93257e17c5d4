/** Cleaning every text of a value that comes from outside. */

/** Fields of bytes, which are hexadecimal and not to be cut. */
const OF_BYTES = /Hex$/;

/** A copy of plain data with all its texts cleaned; what is hexadecimal stays. */
export function cleanTexts<T>(value: T, clean: (text: string) => string): T {
  return cleaned(value, "", clean) as T;
}

function cleaned(value: unknown, name: string, clean: (text: string) => string): unknown {
  if (typeof value === "string") return OF_BYTES.test(name) ? value : clean(value);
  if (Array.isArray(value)) return value.map((item) => cleaned(item, name, clean));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, cleaned(inner, key, clean)]),
  );
}
