/**
 * The device's end of the line: finds commands in what a host sends, and frames the answers.
 * Written from the manual apart from the driver's own frames. Source: CUSTOM protocol manual for
 * fiscal devices, rev. 6.00.
 */

export const ACK = 0x06;
export const NACK = 0x15;
const STX = 0x02;
const ETX = 0x03;
const START = String.fromCharCode(STX);
const END = String.fromCharCode(ETX);
const IDENT = "0";
/** The last character that the device has in its font. */
const CHARACTER_MAX = 0x7d;
const CHARACTER_MIN = 0x20;
/** Between STX and ETX: counter, identifier, command with its four digits, checksum. */
const INNER_BYTES_MIN = 2 + 1 + 4 + 2;
const INNER_BYTES_MAX = 256;

export type HostEvent =
  | { readonly kind: "command"; readonly counter: string; readonly command: string }
  /** A frame that is cut, has a wrong checksum, or characters that the device does not have. */
  | { readonly kind: "damaged" }
  /** The host has heard ACK or NACK. */
  | { readonly kind: "confirmed" };

/** Finds what a host says, whatever pieces it comes in; keeps at most one unfinished frame. */
export class HostDecoder {
  readonly #inner = Buffer.alloc(INNER_BYTES_MAX);
  /** Bytes since STX; undefined between frames. Above the most it goes on counting one over. */
  #length: number | undefined;

  push(chunk: Uint8Array): HostEvent[] {
    const events: HostEvent[] = [];
    for (const byte of chunk) {
      if (byte === STX) {
        // A host that begins anew has given up the frame before.
        this.#length = 0;
      } else if (this.#length === undefined) {
        if (byte === ACK) events.push({ kind: "confirmed" });
      } else if (byte === ETX) {
        events.push(
          this.#length > INNER_BYTES_MAX
            ? { kind: "damaged" }
            : readInner(this.#inner.toString("latin1", 0, this.#length)),
        );
        this.#length = undefined;
      } else if (this.#length < INNER_BYTES_MAX) {
        this.#inner[this.#length] = byte;
        this.#length += 1;
      } else {
        this.#length = INNER_BYTES_MAX + 1;
      }
    }
    return events;
  }
}

/** What is in a frame, each byte as the character of its code. */
function readInner(inner: string): HostEvent {
  const text = inner.slice(0, -2);
  const checksum = inner.slice(-2);
  const isWhole =
    inner.length >= INNER_BYTES_MIN && /^\d\d/.test(text) && text.slice(2, 3) === IDENT;
  if (!isPrintable(text) || !isWhole || checksum !== checksumOf(text)) return { kind: "damaged" };
  return { kind: "command", counter: text.slice(0, 2), command: text.slice(3) };
}

function isPrintable(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const byte = text.charCodeAt(at);
    if (byte < CHARACTER_MIN || byte > CHARACTER_MAX) return false;
  }
  return true;
}

/** The sum of the bytes as they are on the line, modulo 100, as two digits. */
function checksumOf(text: string): string {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum += text.charCodeAt(at);
  return String(sum % 100).padStart(2, "0");
}

/** An answer in a frame with the counter of its command. */
export function frameReply(counter: string, text: string): Uint8Array {
  const checked = counter + IDENT + text;
  return bareReply(START + checked + checksumOf(checked) + END);
}

/** An answer without anything around it. */
export function bareReply(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}
