/**
 * What plain HTTP sends on to HTTPS. A till that was told `http://` has then sent its key in the
 * clear once, so nothing is carried out: the answer says where to ask.
 */

import { BlockList, isIPv4 } from "node:net";
import { hostNameOf } from "#core/machine-names.ts";
import { machineNames } from "../platform/machine-names.ts";
import { isLoopback, wholeAddress } from "./client-address.ts";
import { isApiPath, isProbe } from "./request-path.ts";
import { isOverTls } from "./request-server.ts";

/** Sends a request on; undefined where it may be answered as it came. */
export type PlainRedirect = (request: Request, path: string) => Response | undefined;

export interface PlainRedirectOptions {
  readonly mode: "all" | "pages";
  /** Addresses and networks of old tills. */
  readonly plainFrom: readonly string[];
  readonly peerAddress: (request: Request) => string | undefined;
  /** Of this machine; as the system has them unless given. */
  readonly ownAddresses?: () => readonly string[];
  /** Where HTTPS is, and what to call this machine where a request names none. */
  readonly target: () => { readonly port: number; readonly name: string };
}

/** What whoever does not trust the authority yet has to reach. */
const TRUST_PATHS: ReadonlySet<string> = new Set(["/ca", "/ca.crt", "/ca.pem"]);
/** What an authority elsewhere asks for, before there is a certificate (RFC 8555, 8.3). */
const ACME_PATHS = "/.well-known/acme-challenge/";
const HTTPS_PORT = 443;

/** Makes it. Not for a gateway behind a proxy: that one decides. */
export function createPlainRedirect(options: PlainRedirectOptions): PlainRedirect {
  const { mode, peerAddress, target } = options;
  const { ownAddresses = () => machineNames().addresses } = options;
  const isOldTill = listOf(options.plainFrom);
  const mayStay = (request: Request, path: string): boolean => {
    if (isOverTls(request) || isProbe(path) || TRUST_PATHS.has(path)) return true;
    if (path.startsWith(ACME_PATHS)) return true;
    if (mode === "pages" && isApiPath(path)) return true;
    const peer = peerAddress(request);
    // Without a socket there is no network that could listen.
    if (peer === undefined || isLoopback(peer) || isOldTill(peer)) return true;
    return ownAddresses().includes(wholeAddress(peer) ?? "");
  };
  return (request, path) => {
    if (mayStay(request, path)) return undefined;
    const { port, name } = target();
    const host = hostNameOf(request.headers.get("host") ?? "") ?? name;
    const { url } = request;
    const rest = url.slice(url.indexOf(path, url.indexOf("://") + 3));
    const location = `https://${host}${port === HTTPS_PORT ? "" : `:${port}`}${rest}`;
    // Not for good: browsers would keep to it after HTTPS was turned off.
    return new Response(`This gateway is to be asked over HTTPS: ${location}\n`, {
      status: 307,
      headers: { Location: location, "Content-Type": "text/plain; charset=utf-8" },
    });
  };
}

function listOf(entries: readonly string[]): (peer: string) => boolean {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = "", bits] = entry.split("/");
    const family = isIPv4(address) ? "ipv4" : "ipv6";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (peer) => {
    const address = wholeAddress(peer) ?? "";
    return list.check(address, isIPv4(address) ? "ipv4" : "ipv6");
  };
}
