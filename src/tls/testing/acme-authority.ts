/**
 * An authority that signs by ACME (RFC 8555), over plain HTTP on the loopback. It looks for its proof
 * over HTTP as a real one does. What it signs is valid by the clock that it is given, and it can be made
 * to refuse. It does not check signatures: Pebble does, in src/e2e/acme.test.ts.
 */

import { calculateJwkThumbprint, type JWK } from "jose";
import type { Clock } from "../../platform/clock.ts";
import { createAuthority, library, signCertificate } from "../authority.ts";
import type { KeyAndCertificate } from "../pem.ts";

const DAY_MS = 86_400_000;

/** A running authority. */
export interface AcmeAuthority {
  /** URL of its directory. */
  readonly directory: string;
  /** PEM of its certificate, which whoever connects has to trust. */
  readonly root: string;
  /** Orders that were begun, refused ones too. */
  readonly orders: () => number;
  /** From now on orders are refused with these words; undefined to sign again. */
  refuse(reason: string | undefined): void;
  stop(): void;
}

interface Request {
  readonly protected: { readonly jwk?: JWK };
  readonly payload: {
    readonly identifiers?: readonly [{ readonly value: string }];
    readonly csr?: string;
  };
}

interface AuthorityOptions {
  readonly clock: Pick<Clock, "now">;
  /** For so many a certificate is valid, from a moment before it is signed. */
  readonly days: number;
  /** Where the proof is looked for, in place of 80. */
  readonly port: () => number;
}

/** Starts one. It has one client at a time. */
export async function startAcmeAuthority(options: AuthorityOptions): Promise<AcmeAuthority> {
  const now = options.clock.now();
  const pair = await createAuthority({
    ...{ name: "Test authority", domains: ["example"] },
    validity: { notBefore: now - DAY_MS, notAfter: now + 3_650 * DAY_MS },
  });
  const desk = new OrderDesk(options, pair);
  let reason: string | undefined;
  const respond = async (request: globalThis.Request): Promise<Response> => {
    const { origin, pathname } = new URL(request.url);
    const headers = { "replay-nonce": "n", location: request.url };
    if (request.method === "HEAD") return new Response(null, { headers });
    if (pathname === "/") return Response.json(directoryOf(origin));
    const asked = readRequest(await request.text());
    if (asked.payload.identifiers !== undefined) {
      desk.begun += 1;
      const problem = { type: "urn:ietf:params:acme:error:serverInternal", detail: reason };
      if (reason !== undefined) return Response.json(problem, { status: 503, headers });
    }
    const answer = await desk.answer(pathname, origin, asked);
    return typeof answer === "string"
      ? new Response(answer, { headers })
      : Response.json(answer, { headers });
  };
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: respond });
  return {
    ...{ directory: server.url.href, root: pair.certificate, orders: () => desk.begun },
    refuse(why) {
      reason = why;
    },
    stop: () => void server.stop(true),
  };
}

const directoryOf = (origin: string) => ({
  newNonce: `${origin}/nonce`,
  newAccount: `${origin}/account`,
  newOrder: `${origin}/order`,
});

/** What becomes of the one order that there is. */
class OrderDesk {
  /** Orders so far. */
  begun = 0;
  #thumbprint = "";
  #name = "";
  #isProven = false;
  #certificate = "";

  constructor(
    private readonly options: AuthorityOptions,
    private readonly pair: KeyAndCertificate,
  ) {}

  async answer(path: string, origin: string, asked: Request): Promise<object | string> {
    const token = `token-${this.begun}`;
    switch (path) {
      case "/account":
        if (asked.protected.jwk)
          this.#thumbprint = await calculateJwkThumbprint(asked.protected.jwk);
        return { status: "valid" };
      case "/order":
        if (asked.payload.identifiers) this.#open(asked.payload.identifiers[0].value);
        return {
          ...{ status: this.#certificate === "" ? "pending" : "valid" },
          ...{ authorizations: [`${origin}/proof`], finalize: `${origin}/sign` },
          certificate: `${origin}/certificate`,
        };
      case "/proof":
        return {
          status: this.#isProven ? "valid" : "invalid",
          identifier: { type: "dns", value: this.#name },
          challenges: [{ type: "http-01", token, url: `${origin}/look` }],
        };
      case "/look":
        this.#isProven = (await this.#found(token)) === `${token}.${this.#thumbprint}`;
        return {};
      case "/sign":
        if (this.#isProven) this.#certificate = await this.#signed(asked.payload.csr ?? "");
        return {};
      default:
        return this.#certificate;
    }
  }

  #open(name: string): void {
    this.#name = name;
    this.#isProven = false;
    this.#certificate = "";
  }

  async #found(token: string): Promise<string> {
    const path = `/.well-known/acme-challenge/${token}`;
    return (await fetch(`http://127.0.0.1:${this.options.port()}${path}`)).text();
  }

  async #signed(csr: string): Promise<string> {
    const { clock, days } = this.options;
    const x509 = await library();
    const request = new x509.Pkcs10CertificateRequest(Buffer.from(csr, "base64url"));
    const notBefore = clock.now() - 60_000;
    return signCertificate(this.pair, {
      ...{ domains: [this.#name], addresses: [] },
      validity: { notBefore, notAfter: notBefore + days * DAY_MS },
      publicKey: await request.publicKey.export(crypto),
    });
  }
}

/** What is inside the signature. */
function readRequest(text: string): Request {
  const { protected: head, payload } = JSON.parse(text) as { protected: string; payload: string };
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString() || "{}");
  return { protected: read(head), payload: read(payload) } as Request;
}
