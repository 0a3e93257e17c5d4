import { describe, expect, test } from "bun:test";
import { createPlainRedirect } from "./plain-redirect.ts";

const redirect = (mode: "all" | "pages", peer: string | undefined) =>
  createPlainRedirect({
    mode,
    plainFrom: ["192.168.1.20", "10.1.0.0/16", "fd00::/64"],
    ownAddresses: () => ["192.168.1.9"],
    peerAddress: () => peer,
    target: () => ({ port: 8443, name: "kasa1" }),
  });

function sentTo(path: string, given: { mode?: "all" | "pages"; peer?: string; host?: string }) {
  const { mode = "all", peer = "192.168.1.77", host = "192.168.1.9:8080" } = given;
  const request = new Request(`http://${host}${path}?a=b`, { headers: { host } });
  const answer = redirect(mode, peer)(request, path);
  return answer && [answer.status, answer.headers.get("location")];
}

describe("plain HTTP where HTTPS is on", () => {
  test("sends pages and the API on, to the name it was asked by", () => {
    const here = "https://192.168.1.9:8443";
    expect(sentTo("/", {})).toEqual([307, `${here}/?a=b`]);
    expect(sentTo("/api/v1/commands", {})).toEqual([307, `${here}/api/v1/commands?a=b`]);
    expect(sentTo("/", { host: "fiscald.local" })).toEqual([
      307,
      "https://fiscald.local:8443/?a=b",
    ]);
  });

  test("answers the machine itself, old tills, probes, and whoever gives or takes trust", () => {
    for (const peer of ["127.0.0.1", "::1", "192.168.1.9", "::ffff:192.168.1.20", "10.1.2.3"]) {
      expect(sentTo("/api/v1/commands", { peer })).toBeUndefined();
    }
    expect(sentTo("/", { peer: "fd00::9" })).toBeUndefined();
    const acme = "/.well-known/acme-challenge/token";
    for (const path of ["/livez", "/api/v1/health", "/ca", "/ca.crt", "/ca.pem", acme]) {
      expect(sentTo(path, {})).toBeUndefined();
    }
  });

  test("sends on only pages where that is set", () => {
    expect(sentTo("/api/v1/commands", { mode: "pages" })).toBeUndefined();
    expect(sentTo("/", { mode: "pages" })?.[0]).toBe(307);
  });
});
