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
  return Uint8Array.from(text, (letter) => {
    const code = letter.charCodeAt(0);
    return code < 128 ? code : (HIGH.get(letter) ?? QUESTION_MARK);
  });
}
