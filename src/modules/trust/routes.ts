/** The gateway's own authority for those who are to trust it: the certificate, and how. */

import { Elysia } from "elysia";
import { ApiError } from "#core/errors.ts";
import { type Authority, TRUST_POLICY, trustPage } from "./trust-page.ts";

/** What others trust, and by which an authority elsewhere knows this machine. */
export interface TrustPort {
  /** Undefined where the gateway has none of its own. */
  authority(): Authority | undefined;
  /** What to answer for a token of ACME; undefined for one that nobody waits for. */
  acmeAnswer(token: string): string | undefined;
}

/** The routes. */
export function trustRoutes({ authority, acmeAnswer }: TrustPort) {
  const hidden = { detail: { hide: true } };
  const present = (): Authority => {
    const found = authority();
    if (found === undefined) throw new ApiError("NOT_FOUND", "This gateway has no own authority");
    return found;
  };
  return new Elysia()
    .get(
      "/ca",
      () =>
        new Response(trustPage(present()), {
          headers: {
            "Content-Type": "text/html; charset=utf-8",
            "Content-Security-Policy": TRUST_POLICY,
            "X-Content-Type-Options": "nosniff",
          },
        }),
      hidden,
    )
    .get("/ca.crt", () => file(present().der, "application/x-x509-ca-cert", "crt"), hidden)
    .get("/ca.pem", () => file(present().pem, "application/x-pem-file", "pem"), hidden)
    .get(
      "/.well-known/acme-challenge/:token",
      ({ params }) => {
        const answer = acmeAnswer(params.token);
        if (answer === undefined) throw new ApiError("NOT_FOUND", "No authority asked for that");
        return new Response(answer, { headers: { "Content-Type": "application/octet-stream" } });
      },
      hidden,
    );
}

function file(content: string | Uint8Array<ArrayBuffer>, type: string, suffix: string): Response {
  return new Response(content, {
    headers: {
      "Content-Type": type,
      "Content-Disposition": `attachment; filename="fiscald-ca.${suffix}"`,
      "X-Content-Type-Options": "nosniff",
    },
  });
}
