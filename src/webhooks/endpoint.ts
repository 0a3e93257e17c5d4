/**
 * Where a webhook may be. An organization names the address and this machine connects to it, from
 * inside the shop's network: it must not become a way to what only this machine can reach.
 */

import { isIP } from "node:net";
import type { Clock } from "../platform/clock.ts";
import { type AddressKind, addressKind } from "./address-kind.ts";

/** What the settings allow beyond public addresses. */
export interface EndpointPolicy {
  readonly allowPrivate: boolean;
  readonly allowLoopback: boolean;
}

export interface EndpointOptions extends EndpointPolicy {
  readonly clock: Pick<Clock, "setTimer">;
  /** All addresses of a name. @throws Error when there are none */
  lookup(name: string): Promise<readonly string[]>;
  /** Of this machine's interfaces. */
  ownAddresses(): readonly string[];
}

/** An address that nobody may have a webhook at. The message is for the one who named it. */
export class EndpointRefused extends Error {
  override readonly name = "EndpointRefused";
}

export type Endpoints = ReturnType<typeof createEndpoints>;

const KIND_WORDS: Readonly<Record<Exclude<AddressKind, "public">, string>> = {
  own: "which is the gateway's own machine",
  "link-local": "which is a link-local address",
  private: "which is a private address (webhooks.allowPrivate is false)",
  none: "which is no machine's address",
};

/** How long a look-up may take while somebody waits who names a webhook. */
const LOOKUP_MS = 2_000;

/** Names that mean this machine, whatever the look-up says. */
const LOCALHOST = /(^|\.)localhost\.?$/;
/** What the URL parser takes away without a word. */
const STRIPPED = /[\s\p{Cc}]/u;

/** Makes what decides over endpoints. */
export function createEndpoints(options: EndpointOptions) {
  const isAllowed = (kind: AddressKind): boolean => {
    if (kind === "public") return true;
    if (kind === "private") return options.allowPrivate;
    return kind === "own" && options.allowLoopback;
  };

  /** @throws EndpointRefused */
  const requireAllowed = (name: string, address: string): void => {
    const kind = addressKind(address, options.ownAddresses());
    if (kind === "public" || isAllowed(kind)) return;
    const way = name === address ? name : `${name} leads to ${address}`;
    throw new EndpointRefused(`${way}, ${KIND_WORDS[kind]}`);
  };

  const endpoints = {
    /**
     * What is wrong with a URL that somebody names, in words; undefined when a webhook may be there
     * for all that is known now. A name that cannot be looked up may still come to lead somewhere.
     */
    async faultOf(text: string): Promise<string | undefined> {
      const fault = urlFault(text);
      if (fault !== undefined) return fault;
      const { promise: late, resolve } = Promise.withResolvers<readonly string[]>();
      const cancel = options.clock.setTimer(LOOKUP_MS, () => resolve([]));
      try {
        await Promise.race([endpoints.addressesOf(new URL(text)), late]);
        return undefined;
      } catch (error) {
        return error instanceof EndpointRefused ? error.message : undefined;
      } finally {
        cancel();
      }
    },

    /**
     * The addresses that a URL leads to now, each of them allowed. Connect to one of these and not
     * to the name: a second look-up may find another.
     * @throws EndpointRefused, or the look-up's Error
     */
    async addressesOf(url: URL): Promise<readonly string[]> {
      const name = hostOf(url);
      if (isIP(name) !== 0) {
        requireAllowed(name, name);
        return [name];
      }
      if (LOCALHOST.test(name) && !options.allowLoopback) {
        throw new EndpointRefused(`${name} is the gateway's own machine`);
      }
      const addresses = await options.lookup(name);
      for (const address of addresses) requireAllowed(name, address.split("%")[0] ?? "");
      return addresses;
    },
  };
  return endpoints;
}

/** What is wrong with the text of a URL, in words; undefined when it can be one of a webhook. */
function urlFault(text: string): string | undefined {
  if (STRIPPED.test(text) || !URL.canParse(text)) return "Expected a URL";
  const { protocol, port, username, password } = new URL(text);
  if (protocol !== "https:" || !/^https:\/\//i.test(text)) return "Expected an https:// URL";
  if (port === "0") return "Expected a port from 1 to 65535";
  if (username !== "" || password !== "") {
    return "Expected a URL without user and password: every member would see them";
  }
  return undefined;
}

/** Name or address, an IPv6 one without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
}
