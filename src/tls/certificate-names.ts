/** What a machine is called by those who connect to it. */

import { BlockList, isIP, isIPv4 } from "node:net";

/** The names of a certificate. */
export interface CertificateNames {
  /** The one that people use first. */
  readonly domains: readonly string[];
  readonly addresses: readonly string[];
}

/** Of IPv6 the networks of a site (RFC 4193): others change from day to day. */
const SITE_LOCAL = new BlockList();
SITE_LOCAL.addSubnet("fc00::", 7, "ipv6");

const LABEL = "[a-z0-9]([a-z0-9-]*[a-z0-9])?";
const DOMAIN = new RegExp(`^${LABEL}(\\.${LABEL})*$`);

/**
 * The machine's host name, with and without `.local`, those it is announced by and the given ones;
 * of its addresses those that stay.
 * @param options.extra names and addresses that only a person knows
 */
export function certificateNames(options: {
  readonly hostname: string;
  readonly addresses: readonly string[];
  /** `fiscald`, for `fiscald.local`; empty for none. */
  readonly announced: readonly string[];
  readonly extra: readonly string[];
}): CertificateNames {
  const hostname = options.hostname.toLowerCase();
  const [short = ""] = hostname.split(".");
  const extra = options.extra.map((name) => name.toLowerCase());
  const announced = options.announced.filter((name) => name !== "").map((name) => `${name}.local`);
  const domains = [hostname, `${short}.local`, ...announced, "localhost", ...extra];
  const own = options.addresses
    .map((address) => address.split("%", 1)[0] ?? "")
    .filter((address) => isIPv4(address) || SITE_LOCAL.check(address, "ipv6"));
  return {
    domains: unique(domains.filter((name) => isIP(name) === 0 && DOMAIN.test(name))),
    addresses: unique([...own, "127.0.0.1", "::1", ...extra.filter((name) => isIP(name) !== 0)]),
  };
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}
