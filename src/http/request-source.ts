/**
 * Where a request comes from, for the routes that a stranger must not reach: one who got to the
 * port first, or a page of theirs in a browser of the shop.
 */

import { ApiError } from "#core/errors.ts";
import { hostNameOf, namesLoopback, namesMachine } from "#core/machine-names.ts";
import { machineNames } from "../platform/machine-names.ts";
import { isLoopback } from "./client-address.ts";

/** What a proxy adds to a request that it hands on. */
const FORWARDING = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
] as const;

/** Tells where requests come from. */
export interface RequestSources {
  /** True for a call from the machine itself to itself that no proxy handed on. */
  isAtTheBox(request: Request): boolean;
  /** @throws ApiError FORBIDDEN when `Host` or `Origin` names neither this machine nor an origin */
  requireOwnNames(request: Request): void;
  /** True for what a browser sent for a page that is neither of this machine nor of an origin. */
  isForeignPage(request: Request): boolean;
  /** True when it came by HTTPS, to here or to the proxy that is trusted. */
  isSecure(request: Request): boolean;
}

/**
 * @param options.origins configured ones: `https://till.example.com`
 * @param options.trustProxy behind a proxy nobody is known to be at the box: one that adds no header
 * hands on every stranger's call as its own
 */
export function createRequestSources(options: {
  readonly origins: readonly string[];
  /** Names of this machine that the system does not know, and addresses. */
  readonly ownNames: () => readonly string[];
  readonly trustProxy: boolean;
  readonly peerAddress: (request: Request) => string | undefined;
}): RequestSources {
  const { origins, ownNames, trustProxy, peerAddress } = options;
  const configured = new Set(origins.map((origin) => new URL(origin).hostname));
  const isOwnName = (name: string): boolean =>
    ownNames().some((own) => hostNameOf(own.includes(":") ? `[${own}]` : own) === name);
  const isOwnHost = (host: string): boolean => {
    const name = hostNameOf(host);
    if (name !== undefined && (configured.has(name) || isOwnName(name))) return true;
    return namesLoopback(host) || namesMachine(host, machineNames());
  };
  const isOwnOrigin = (origin: string): boolean => {
    if (origins.includes(origin)) return true;
    const host = /^https?:\/\/(.*)$/.exec(origin)?.[1];
    if (host === undefined) return false;
    return isOwnName(hostNameOf(host) ?? "") || namesMachine(host, machineNames());
  };
  return {
    isAtTheBox(request) {
      if (trustProxy) return false;
      const { headers } = request;
      const host = headers.get("host");
      if (host === null || !namesLoopback(host) || !isLoopback(peerAddress(request))) return false;
      return FORWARDING.every((name) => !headers.has(name));
    },
    requireOwnNames({ headers }) {
      const host = headers.get("host");
      // Only browsers can be led astray by a name, and they all send one.
      if (host !== null && !isOwnHost(host)) throw foreign("Host", host);
      const origin = headers.get("origin");
      if (origin !== null && !isOwnOrigin(origin)) throw foreign("Origin", origin);
    },
    isForeignPage({ headers }) {
      const origin = headers.get("origin");
      return origin !== null && !isOwnOrigin(origin);
    },
    isSecure({ url, headers }) {
      if (url.startsWith("https:")) return true;
      // As of the address, the last entry is the proxy's own.
      const forwarded = trustProxy ? headers.get("x-forwarded-proto") : null;
      return forwarded?.split(",").at(-1)?.trim().toLowerCase() === "https";
    },
  };
}

function foreign(header: "Host" | "Origin", value: string): ApiError {
  return new ApiError(
    "FORBIDDEN",
    `The ${header} ${JSON.stringify(value.slice(0, 100))} is no name of this machine: call it by ` +
      "its address or host name, or list the origin in http.corsOrigins",
  );
}
