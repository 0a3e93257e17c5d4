/** Where others reach the gateway, gathered from its ports, its certificate and its machine. */

import { isIP } from "node:net";
import { withoutBrackets } from "#core/machine-names.ts";
import { type CertificateSource, environmentName, flagName } from "../config.ts";
import { NETWORK_SETTINGS, type Network } from "../modules/network/schema.ts";
import { machineNames } from "../platform/machine-names.ts";
import { lineOfUser } from "../platform/user-line.ts";
import { authorityOf, type Https, redirectOf } from "./https.ts";
import type { Foundation } from "./parts.ts";
import { qrSvg } from "./qr-svg.ts";
import { isOwnHost, reachableHosts } from "./reachable.ts";

/** The ports as they are now. */
export interface Ports {
  /** Of plain HTTP. */
  readonly url: string;
  readonly https: Https | undefined;
  /** What the gateway is called in its network; empty for nothing. */
  readonly announced: string;
}

/** What `GET /network` answers. */
export async function describeNetwork(
  { config, origin }: Pick<Foundation, "config" | "origin">,
  { url, https, announced }: Ports,
): Promise<Network> {
  const { hostname, addresses } = machineNames();
  const mdnsName = announced === "" ? null : `${announced}.local`;
  const plain = new URL(url);
  const secureUrl = https?.url();
  const secure = secureUrl === undefined ? undefined : new URL(secureUrl);
  const ownNames = mdnsName === null ? [] : [mdnsName];
  // A certificate from elsewhere is good for the names that it has, and for no address.
  const isOwn = config["https.certificate"] === "own";
  const served = https?.certificate()?.names.filter((name) => !isAddress(name)) ?? [];
  const publicNames = isOwn ? ownNames : served;
  const reached = [secure, plain].flatMap((listening) => {
    if (listening === undefined) return [];
    const hosts = reachableHosts(listening.hostname, addresses);
    // A name leads to all interfaces.
    const isOpen = hosts[0] !== listening.hostname;
    const isSecure = listening.protocol === "https:";
    const names = !isOpen || hosts.length === 0 ? [] : isSecure ? publicNames : ownNames;
    return [...names, ...hosts].map((host) => ({ host, listening }));
  });
  return {
    ...{ hostname, mdnsName },
    addresses: await Promise.all(reached.map(({ host, listening }) => address(host, listening))),
    onlyHere: reached.every(({ host }) => isOwnHost(host)),
    http: {
      port: portOf(plain),
      redirect: redirectOf(config, https)?.mode ?? "none",
      plainFrom: [...config["http.plainFrom"]],
      behindProxy: config["http.trustProxy"],
    },
    https: https === undefined ? null : httpsState(config["https.certificate"], https),
    settings: howToSet(origin),
  };
}

function howToSet({ sources, ...rest }: Foundation["origin"]): Network["settings"] {
  const given = NETWORK_SETTINGS.flatMap((key): Network["settings"]["given"] => {
    const by = sources.get(key);
    if (by !== "flag" && by !== "environment") return [];
    return [{ key, by, name: by === "flag" ? flagName(key) : environmentName(key) }];
  });
  // As this machine takes it, which need not have sudo.
  const restart = lineOfUser("root", ["systemctl", "restart", "fiscald"]);
  return { ...rest, restart: rest.isService ? restart : null, given };
}

async function address(host: string, { protocol, port }: URL) {
  const url = `${protocol}//${host}${port === "" ? "" : `:${port}`}/`;
  const kind = isAddress(host) ? "address" : "name";
  return { url, host, kind, secure: protocol === "https:", qr: await qrSvg(url) } as const;
}

function isAddress(host: string): boolean {
  return isIP(withoutBrackets(host)) !== 0;
}

function httpsState(source: CertificateSource, https: Https): Network["https"] {
  const { status, detail = null } = https.health();
  const served = https.certificate();
  const authority = authorityOf(https);
  return {
    ...{ status, detail, port: https.target().port },
    source: source === "off" ? "own" : source,
    certificate: served
      ? {
          names: [...served.names],
          validFrom: new Date(served.notBefore).toISOString(),
          validUntil: new Date(served.notAfter).toISOString(),
          fingerprint: served.fingerprint,
        }
      : null,
    authority: authority ? { fingerprint: authority.fingerprint } : null,
  };
}

function portOf({ protocol, port }: URL): number {
  if (port !== "") return Number(port);
  return protocol === "https:" ? 443 : 80;
}
