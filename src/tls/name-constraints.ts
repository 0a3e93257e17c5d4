/**
 * The domains that an authority of ours may vouch for, as the extension of its certificate that says
 * so (RFC 5280, 4.2.1.10). It is not critical: what knows it keeps to it, and what does not, such as
 * some embedded stacks, can still use the certificate. It says nothing of addresses: BoringSSL, which
 * Android, Bun and many programs have, refuses every certificate below one that does.
 */

import { isIP } from "node:net";

/** Object identifier of the extension. */
export const NAME_CONSTRAINTS = "2.5.29.30";

/** Domains that no public authority vouches for (RFC 6762, RFC 8375, ICANN's `internal`). */
export const PRIVATE_DOMAINS: readonly string[] = [
  ...["local", "localhost", "lan", "home.arpa", "internal"],
];

const SEQUENCE = 0x30;
const PERMITTED = 0xa0;
const DNS_NAME = 0x82;
/** The first byte of a length says how many bytes of length follow, from here on. */
const LONG_LENGTH = 0x80;

/** True for an address, and for a name that is one of the domains or below it. */
export function permits(domains: readonly string[], name: string): boolean {
  if (isIP(name) !== 0) return true;
  return domains.some((domain) => name === domain || name.endsWith(`.${domain}`));
}

/** The value of the extension, as DER. */
export function encodeConstraints(domains: readonly string[]): Uint8Array<ArrayBuffer> {
  const subtrees = domains.map((domain) =>
    tagged(SEQUENCE, tagged(DNS_NAME, Buffer.from(domain, "ascii"))),
  );
  return new Uint8Array(tagged(SEQUENCE, tagged(PERMITTED, Buffer.concat(subtrees))));
}

/** Reads what `encodeConstraints` made. */
export function decodeConstraints(der: Uint8Array): string[] {
  const [whole] = elements(Buffer.from(der));
  const permitted = elements(whole?.content).find(({ tag }) => tag === PERMITTED);
  return elements(permitted?.content)
    .flatMap(({ content }) => elements(content))
    .filter(({ tag }) => tag === DNS_NAME)
    .map(({ content }) => content.toString("ascii"));
}

/** A DER element of at most 65,535 bytes. */
function tagged(tag: number, content: Uint8Array): Buffer {
  const { length } = content;
  const long =
    length < 0x100 ? [LONG_LENGTH + 1, length] : [LONG_LENGTH + 2, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...(length < LONG_LENGTH ? [length] : long)]), content]);
}

interface Element {
  readonly tag: number;
  readonly content: Buffer;
}

function elements(bytes: Buffer = Buffer.alloc(0)): Element[] {
  const found: Element[] = [];
  for (let at = 0; at + 1 < bytes.length; ) {
    const first = bytes[at + 1] ?? 0;
    const more = first < LONG_LENGTH ? 0 : first - LONG_LENGTH;
    const length = more === 0 ? first : bytes.readUIntBE(at + 2, more);
    const start = at + 2 + more;
    found.push({ tag: bytes[at] ?? 0, content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return found;
}
