/** Text in the single-byte code pages of the devices. */

/** A code page of the devices. */
export type CodePage = "windows-1251" | "windows-1252";

const DECODERS = {
  "windows-1251": new TextDecoder("windows-1251"),
  "windows-1252": new TextDecoder("windows-1252"),
} as const satisfies Record<CodePage, TextDecoder>;

const ENCODINGS = {
  "windows-1251": encodingOf("windows-1251"),
  "windows-1252": encodingOf("windows-1252"),
} as const satisfies Record<CodePage, ReadonlyMap<string, number>>;

const QUESTION_MARK = 0x3f;

function encodingOf(codePage: CodePage): ReadonlyMap<string, number> {
  const high = Array.from({ length: 128 }, (_, index) => 128 + index);
  return new Map(high.map((byte) => [DECODERS[codePage].decode(Uint8Array.of(byte)), byte]));
}

/** Bytes as text. */
export function decodeText(bytes: Uint8Array, codePage: CodePage): string {
  return DECODERS[codePage].decode(bytes);
}

/** Text as bytes; what the code page lacks becomes a question mark. */
export function encodeText(text: string, codePage: CodePage): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    bytes[at] = code < 128 ? code : (ENCODINGS[codePage].get(text.charAt(at)) ?? QUESTION_MARK);
  }
  return bytes;
}
