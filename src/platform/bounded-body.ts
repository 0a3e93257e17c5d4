/** Reading a body of HTTP of which nobody knows the length. */

/**
 * Reads it as far as it may go; beyond that the rest is not read, and the other end is hung up on.
 * @returns undefined where there is more
 */
export async function readBody(
  body: ReadableStream<Uint8Array> | null,
  bytesMax: number,
): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body ?? []) {
    length += piece.length;
    if (length > bytesMax) return undefined;
    pieces.push(piece);
  }
  return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces, length);
}
