/** What kind of place an IP address leads to. */

import { BlockList, isIPv4 } from "node:net";

/** `own` is this machine itself, under whichever name; `none` is no single machine. */
export type AddressKind = "own" | "link-local" | "private" | "none" | "public";

/** Ranges by kind; the rest is public. Source: IANA's registries of special-purpose addresses. */
const RANGES: readonly (readonly [kind: AddressKind, ...ranges: readonly string[]])[] = [
  ["own", "0.0.0.0/8", "127.0.0.0/8", "::/128", "::1/128"],
  ["link-local", "169.254.0.0/16", "fe80::/10"],
  ["none", "224.0.0.0/4", "240.0.0.0/4", "ff00::/8"],
  ["private", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"],
  ["private", "192.0.0.0/24", "198.18.0.0/15", "fc00::/7", "fec0::/10"],
];

/** IPv6 ranges that carry an IPv4 address, and the first of its four bytes. */
const CARRIERS: readonly (readonly [range: string, offset: number])[] = [
  ["::ffff:0:0/96", 12],
  // Translators within a network go by these two as well: RFC 2765, and RFC 8215 with a prefix of /96.
  ["::ffff:0:0:0/96", 12],
  ["64:ff9b:1::/48", 12],
  ["::/96", 12],
  ["64:ff9b::/96", 12],
  ["2002::/16", 2],
];

const LISTS = RANGES.map(([kind, ...ranges]) => ({ kind, list: listOf(ranges) }));
const CARRIER_LISTS = CARRIERS.map(([range, offset]) => ({ offset, list: listOf([range]) }));

/**
 * The kind of an address.
 * @param address IPv4 or IPv6 in any notation, without a zone
 * @param ownAddresses of this machine's interfaces
 */
export function addressKind(address: string, ownAddresses: readonly string[]): AddressKind {
  const own = new BlockList();
  for (const one of ownAddresses) {
    const [plain = ""] = one.split("%");
    own.addAddress(plain, familyOf(plain));
  }
  if (own.check(address, familyOf(address))) return "own";
  const known = LISTS.find(({ list }) => list.check(address, familyOf(address)));
  if (known) return known.kind;
  const carried = carriedAddress(address);
  return carried === undefined ? "public" : addressKind(carried, ownAddresses);
}

/** The IPv4 address within an IPv6 one, by which a translator would go on. */
function carriedAddress(address: string): string | undefined {
  if (isIPv4(address)) return undefined;
  const carrier = CARRIER_LISTS.find(({ list }) => list.check(address, "ipv6"));
  return (
    carrier &&
    bytesOf(address)
      .slice(carrier.offset, carrier.offset + 4)
      .join(".")
  );
}

/** The 16 bytes of an IPv6 address. */
function bytesOf(address: string): number[] {
  // The URL parser writes every notation alike: hexadecimal groups, zeros left out once.
  const plain = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = [], tail] = plain.split("::").map((side) => side.split(":").filter(Boolean));
  const missing = Array<string>(8 - head.length - (tail ?? []).length).fill("0");
  const groups = tail === undefined ? head : [...head, ...missing, ...tail];
  return groups.flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", bits] = range.split("/");
    list.addSubnet(network, Number(bits), familyOf(network));
  }
  return list;
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIPv4(address) ? "ipv4" : "ipv6";
}
