/** What a machine is called by those who connect to it. */

import { BlockList, isIP, isIPv4 } from "node:net";

/** The names of a certificate. */
export interface CertificateNames {
  /** The one that people use first. */
  readonly domains: readonly string[];
  readonly addresses: readonly string[];
}

/** Networks that nobody on the internet answers in (RFC 1918, 3927, 4193, 6598). */
const PRIVATE = new BlockList();
for (const [network, bits] of [
  ...([
    ["10.0.0.0", 8],
    ["172.16.0.0", 12],
    ["192.168.0.0", 16],
  ] as const),
  ...([
    ["169.254.0.0", 16],
    ["100.64.0.0", 10],
  ] as const),
] as const) {
  PRIVATE.addSubnet(network, bits, "ipv4");
}
PRIVATE.addSubnet("fc00::", 7, "ipv6");

const LABEL = "[a-z0-9]([a-z0-9-]*[a-z0-9])?";
const DOMAIN = new RegExp(`^${LABEL}(\\.${LABEL})*$`);

/**
 * The machine's host name, with and without `.local`, those it is announced by and the given ones;
 * of its addresses those of private networks, because others change from day to day or lead here
 * through somebody else's router.
 * @param options.extra names and addresses that only a person knows
 */
export function certificateNames(options: {
  readonly hostname: string;
  readonly addresses: readonly string[];
  /** `fiscald`, for `fiscald.local`; empty for none. */
  readonly announced: string;
  readonly extra: readonly string[];
}): CertificateNames {
  const hostname = options.hostname.toLowerCase();
  const [short = ""] = hostname.split(".");
  const extra = options.extra.map((name) => name.toLowerCase());
  const announced = options.announced === "" ? [] : [`${options.announced}.local`];
  const domains = [hostname, `${short}.local`, ...announced, "localhost", ...extra];
  const own = options.addresses
    .map((address) => address.split("%", 1)[0] ?? "")
    .filter((address) => PRIVATE.check(address, isIPv4(address) ? "ipv4" : "ipv6"));
  return {
    domains: unique(domains.filter((name) => isIP(name) === 0 && DOMAIN.test(name))),
    addresses: unique([...own, "127.0.0.1", "::1", ...extra.filter((name) => isIP(name) !== 0)]),
  };
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}
