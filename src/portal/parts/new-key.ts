/** A key for what is to happen once. */

/** As long as chance needs; over plain HTTP browsers have no `crypto.randomUUID`. */
const BYTES = 16;

export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return `portal-${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
