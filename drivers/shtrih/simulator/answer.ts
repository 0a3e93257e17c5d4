/** The fields of answers. */

const DECODER = new TextDecoder("windows-1251");
const BYTES: ReadonlyMap<string, number> = new Map(
  Array.from({ length: 256 }, (_, byte) => [DECODER.decode(Uint8Array.of(byte)), byte]),
);
const QUESTION_MARK = 0x3f;

/** An unsigned integer, low byte first; what does not fit is cut, as a register overflows. */
export function number(value: number, size: number): number[] {
  return Array.from({ length: size }, (_, at) => Math.floor(value / 256 ** at) % 256);
}

/** Text in Windows-1251, filled up with zeros where a size is given. */
export function text(value: string, size?: number): number[] {
  const bytes = Array.from(value, (letter) => BYTES.get(letter) ?? QUESTION_MARK);
  if (size === undefined) return bytes;
  return Array.from({ length: size }, (_, at) => bytes[at] ?? 0);
}

/** `DD MM YY` of a device instant. */
export function date(at: number): number[] {
  const day = new Date(at);
  return [day.getUTCDate(), day.getUTCMonth() + 1, day.getUTCFullYear() % 100];
}

/** `HH MM SS` of a device instant. */
export function time(at: number): number[] {
  const day = new Date(at);
  return [day.getUTCHours(), day.getUTCMinutes(), day.getUTCSeconds()];
}
