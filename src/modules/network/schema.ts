/** How the gateway is reached, as the API shows it. */

import { type Static, Type } from "@sinclair/typebox";
import { DateTime, orNull, TextOrNull } from "#core/schema-parts.ts";

const Fingerprint = Type.String({ description: "SHA-256: `AB:CD:...`" });

const ReachedAddress = Type.Object({
  url: Type.String(),
  host: Type.String(),
  kind: Type.Union([Type.Literal("name"), Type.Literal("address")]),
  secure: Type.Boolean({ description: "HTTPS" }),
  qr: Type.String({ description: "The URL as a QR code: a whole SVG image" }),
});

const Certificate = Type.Object({
  names: Type.Array(Type.String(), { description: "Names and addresses that it is good for" }),
  validFrom: DateTime,
  validUntil: DateTime,
  fingerprint: Fingerprint,
});

const HttpsState = Type.Object({
  status: Type.Union([
    Type.Literal("ok"),
    Type.Literal("degraded", { description: "The certificate ends soon, or is not renewed" }),
    Type.Literal("failed", { description: "Nothing can be served with" }),
  ]),
  detail: TextOrNull,
  source: Type.Union([
    Type.Literal("own", { description: "Of the gateway's own authority, renewed by itself" }),
    Type.Literal("acme", { description: "Of a public authority, renewed by itself" }),
    Type.Literal("files", { description: "Files that `https.certFile` names" }),
  ]),
  port: Type.Integer(),
  certificate: orNull(Certificate),
  authority: orNull(
    Type.Object(
      { fingerprint: Fingerprint },
      { description: "Whoever trusts it sees no warning; `/ca` offers it" },
    ),
  ),
});

/** What `/network` is about, of which a flag or a variable may have been given. */
export const NETWORK_SETTINGS = [
  "http.listen",
  "http.redirect",
  "http.plainFrom",
  "https.certificate",
  "mdns.name",
] as const;

const Settings = Type.Object(
  {
    file: Type.String({ description: "The settings file, whether there is one yet or not" }),
    isService: Type.Boolean({
      description: "systemd has started the gateway; else somebody has, or another program",
    }),
    restart: orNull(
      Type.String({
        description: "The line that has systemd start it anew; null where it did not",
      }),
    ),
    given: Type.Array(
      Type.Object({
        key: Type.Union(NETWORK_SETTINGS.map((key) => Type.Literal(key))),
        by: Type.Union([Type.Literal("flag"), Type.Literal("environment")]),
        name: Type.String({ description: "As `--http-listen` or `FISCALD_HTTP_LISTEN`" }),
      }),
      { description: "What was given otherwise, which counts before the file" },
    ),
  },
  { description: "How these settings are changed, before the next start" },
);

export const NetworkAnswer = Type.Object({
  hostname: Type.String(),
  mdnsName: orNull(
    Type.String({ description: "By which the network finds the gateway, as `fiscald.local`" }),
  ),
  addresses: Type.Array(ReachedAddress, {
    description: "Where tills, phones and browsers reach it, the best first",
  }),
  onlyHere: Type.Boolean({ description: "It listens to its own machine alone" }),
  http: Type.Object({
    port: Type.Integer(),
    redirect: Type.Union([Type.Literal("all"), Type.Literal("pages"), Type.Literal("none")], {
      description: "What plain HTTP sends on to HTTPS, as `http.redirect` where that counts",
    }),
    plainFrom: Type.Array(Type.String(), {
      description:
        "Addresses and networks of old tills that are served over plain HTTP all the same",
    }),
    behindProxy: Type.Boolean({ description: "A proxy in front decides what is sent on" }),
  }),
  https: orNull(HttpsState),
  settings: Settings,
});
export type Network = Static<typeof NetworkAnswer>;
