/** How large a payload is. */

const encoder = new TextEncoder();

/** A payload is the same object in every state of its command. */
const known = new WeakMap<object, number>();

/**
 * Bytes of a payload as JSON in UTF-8.
 * @param payload what JSON can hold; nobody may change it afterwards
 */
export function payloadBytes(payload: unknown): number {
  if (typeof payload !== "object" || payload === null) return count(payload);
  let bytes = known.get(payload);
  if (bytes === undefined) {
    bytes = count(payload);
    known.set(payload, bytes);
  }
  return bytes;
}

function count(payload: unknown): number {
  return encoder.encode(JSON.stringify(payload)).length;
}
