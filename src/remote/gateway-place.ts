/** Where a gateway is, and how this controller is known there. */

/** What a person says of it. */
export interface GatewayAddress {
  /** `https://gateway.example`, or with `wss`, `http` or `ws`. */
  readonly url: URL;
  /** An API key of scope `devices:write`; `devices` for one that looks for its devices itself. */
  readonly key: string;
  readonly controllerId: string;
  /** Shown to people: `name`, `appVersion`, `deviceModel`, `osVersion`, `locationId`. */
  readonly about: Readonly<Record<string, string>>;
  /** PEM text of the authority that signed the gateway's certificate, where it is a private one. */
  readonly authority?: string | undefined;
}

export interface GatewayPlace {
  /** As people know it, and as requests are sent to: `https://gateway.example`. */
  readonly origin: string;
  readonly connectUrl: string;
  readonly headers: { readonly authorization: string };
  readonly tls?: { readonly ca: string };
}

/** Works out the addresses. */
export function gatewayPlace({
  url,
  key,
  controllerId,
  about,
  authority,
}: GatewayAddress): GatewayPlace {
  const isSecure = url.protocol === "https:" || url.protocol === "wss:";
  const base = `${url.host}${url.pathname.replace(/\/+$/, "")}`;
  const query = new URLSearchParams({ controllerId, marks: "1", ...about });
  return {
    origin: `${isSecure ? "https" : "http"}://${base}`,
    connectUrl: `${isSecure ? "wss" : "ws"}://${base}/api/v1/controllers/connect?${query}`,
    headers: { authorization: `Bearer ${key}` },
    ...(authority === undefined ? {} : { tls: { ca: authority } }),
  };
}
