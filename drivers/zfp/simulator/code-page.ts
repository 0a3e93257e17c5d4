/** Text in windows-1251, the code page of the devices. */

const DECODER = new TextDecoder("windows-1251");
const QUESTION_MARK = 0x3f;
const HIGH: ReadonlyMap<string, number> = new Map(
  Array.from({ length: 128 }, (_, index) => [
    DECODER.decode(Uint8Array.of(128 + index)),
    128 + index,
  ]),
);

/** Bytes as text. */
export function decodeText(bytes: Uint8Array): string {
  return DECODER.decode(bytes);
}

/** Text as bytes; what the code page lacks becomes a question mark. */
export function encodeText(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    bytes[at] = code < 128 ? code : (HIGH.get(text.charAt(at)) ?? QUESTION_MARK);
  }
  return bytes;
}
