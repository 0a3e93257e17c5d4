/**
 * Google's end of a push notification, on loopback: the token server of OAuth, reached by its real
 * name through a proxy, and Firebase Cloud Messaging (FCM), which takes what its reference describes
 * and nothing else.
 * Sources: https://developers.google.com/identity/protocols/oauth2/service-account,
 * https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages
 * https://firebase.google.com/docs/cloud-messaging/error-codes
 */

import { generateKeyPairSync, randomBytes, verify } from "node:crypto";
import { writeFileSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { makeCertificate } from "../../webhooks/testing/https-endpoint.ts";
import { type FcmMessage, fcmFault } from "./fcm-message.ts";

const PROJECT = "corner-shop-1";
const ACCOUNT = `relay@${PROJECT}.iam.gserviceaccount.com`;
const TOKEN_HOST = "oauth2.googleapis.com";
const TOKEN_URL = `https://${TOKEN_HOST}/token`;
const SCOPE = "https://www.googleapis.com/auth/firebase.messaging";
const GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const LIFE_SECONDS = 3_600;
const FCM_ERROR = "type.googleapis.com/google.firebase.fcm.v1.FcmError";
const BAD_REQUEST = "type.googleapis.com/google.rpc.BadRequest";

/** What FCM was asked to send, and its answer. */
export interface FcmCall {
  readonly message: FcmMessage;
  readonly status: number;
}

/** An error of FCM's, in its own envelope. */
export interface FcmError {
  readonly code: number;
  readonly status: string;
  readonly message?: string;
  /** In the details, as FCM's own kind of error. */
  readonly errorCode?: string;
  /** A field of the request that is wrong. */
  readonly field?: string;
  readonly retryAfter?: string;
}

export interface Google {
  /** What a program needs in its environment to find all of this. */
  readonly env: Readonly<Record<string, string>>;
  /** Well-formed messages that came with a valid access token. */
  readonly calls: readonly FcmCall[];
  /** Requests to send that were refused before they were looked at, each with its reason. */
  readonly faults: readonly string[];
  /** What nobody else may read: access tokens and the account's key. */
  secrets(): readonly string[];
  /** From now on, has FCM answer a registration token so: an error, or nothing at all. */
  answer(token: string, error: FcmError | "silence"): void;
  /** Takes that back: messages to it are delivered. */
  deliver(token: string): void;
  kill(): Promise<void>;
}

/** @param folder where the key of the service account is kept */
export async function startGoogle(folder: string): Promise<Google> {
  const oauth = new TokenServer();
  const fcm = new Fcm(oauth);
  const certificate = makeCertificate(TOKEN_HOST);
  const servers = [
    Bun.serve({
      ...{ hostname: "127.0.0.1", port: 0, tls: { key: certificate.key, cert: certificate.cert } },
      fetch: (request) => oauth.answer(request),
    }),
    // Longer than anybody waits for silence.
    Bun.serve({
      ...{ hostname: "127.0.0.1", port: 0, idleTimeout: 60 },
      fetch: (request) => fcm.answer(request),
    }),
  ] as const;
  const proxy = await startProxy(servers[0].port ?? 0);
  const keyFile = join(folder, "service-account.json");
  writeFileSync(keyFile, JSON.stringify(oauth.account), { mode: 0o600 });
  return {
    env: {
      FCM_URL: `http://127.0.0.1:${servers[1].port}`,
      GOOGLE_APPLICATION_CREDENTIALS: keyFile,
      ...{ HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: "127.0.0.1" },
      NODE_EXTRA_CA_CERTS: certificate.caFile,
    },
    calls: fcm.calls,
    faults: fcm.faults,
    secrets: () => [...oauth.issued, ...oauth.account.private_key.split("\n").filter(isKeyLine)],
    answer: (token, error) => fcm.errors.set(token, error),
    deliver: (token) => fcm.errors.delete(token),
    async kill() {
      await Promise.all(servers.map((server) => server.stop(true)));
      proxy.close();
      certificate.remove();
    },
  };
}

function isKeyLine(line: string): boolean {
  return line !== "" && !line.startsWith("-----");
}

/** Gives access tokens for what a service account has signed. */
class TokenServer {
  readonly issued = new Set<string>();
  readonly account;
  readonly #publicKey;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
    this.#publicKey = publicKey;
    this.account = {
      ...{ type: "service_account", project_id: PROJECT, private_key_id: "k1" },
      private_key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
      ...{ client_email: ACCOUNT, client_id: "1", token_uri: TOKEN_URL },
    };
  }

  async answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (request.method !== "POST" || pathname !== "/token") {
      return new Response("", { status: 404 });
    }
    const form = new URLSearchParams(await request.text());
    const fault =
      form.get("grant_type") === GRANT
        ? this.#fault(form.get("assertion") ?? "")
        : "Invalid grant_type.";
    if (fault !== undefined) {
      return Response.json({ error: "invalid_grant", error_description: fault }, { status: 400 });
    }
    const token = `ya29.${randomBytes(24).toString("base64url")}`;
    this.issued.add(token);
    const answer = { access_token: token, expires_in: LIFE_SECONDS - 1, token_type: "Bearer" };
    return Response.json(answer);
  }

  /** What is wrong with an assertion; undefined when nothing is. */
  #fault(assertion: string): string | undefined {
    const [head = "", claims = "", signature = ""] = assertion.split(".");
    const signed = Buffer.from(`${head}.${claims}`);
    if (partOf(head).alg !== "RS256") return "Invalid JWT algorithm.";
    if (!verify("RSA-SHA256", signed, this.#publicKey, Buffer.from(signature, "base64url"))) {
      return "Invalid JWT Signature.";
    }
    const { iss, scope, aud, exp, iat } = partOf(claims);
    if (iss !== ACCOUNT) return "Invalid issuer.";
    if (scope !== SCOPE) return "Invalid OAuth scope.";
    if (aud !== TOKEN_URL) return "Invalid audience.";
    const now = Date.now() / 1_000;
    const isTimely = Number(iat) <= now + 1 && Number(exp) > now;
    return isTimely && Number(exp) - Number(iat) <= LIFE_SECONDS ? undefined : "Invalid lifetime.";
  }
}

/** A part of a JSON Web Token. */
function partOf(text: string): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(text, "base64url").toString());
}

/** `projects.messages.send`. */
class Fcm {
  readonly calls: FcmCall[] = [];
  readonly faults: string[] = [];
  readonly errors = new Map<string, FcmError | "silence">();
  readonly #oauth: TokenServer;

  constructor(oauth: TokenServer) {
    this.#oauth = oauth;
  }

  async answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (request.method !== "POST" || pathname !== `/v1/projects/${PROJECT}/messages:send`) {
      return this.#refuse({ code: 404, status: "NOT_FOUND", message: `no ${pathname}` });
    }
    const access = request.headers.get("authorization")?.replace(/^Bearer /, "") ?? "";
    if (!this.#oauth.issued.has(access)) {
      return this.#refuse({ code: 401, status: "UNAUTHENTICATED" });
    }
    const { message, fault } = fcmFault(await request.text());
    if (fault) return this.#refuse({ code: 400, status: "INVALID_ARGUMENT", ...fault });
    const error = this.errors.get(message.token);
    if (error === "silence") return new Promise(() => undefined);
    this.calls.push({ message, status: error?.code ?? 200 });
    if (error) return errorAnswer(error);
    return Response.json({ name: `projects/${PROJECT}/messages/0:${this.calls.length}` });
  }

  #refuse(error: FcmError): Response {
    this.faults.push([error.code, error.field, error.message ?? error.status].join(" "));
    return errorAnswer(error);
  }
}

function errorAnswer(error: FcmError): Response {
  const { code, status, message = status, errorCode, field, retryAfter } = error;
  const fieldViolations = [{ field, description: message }];
  const details = [
    ...(errorCode === undefined ? [] : [{ "@type": FCM_ERROR, errorCode }]),
    ...(field === undefined ? [] : [{ "@type": BAD_REQUEST, fieldViolations }]),
  ];
  const headers = retryAfter === undefined ? undefined : { "retry-after": retryAfter };
  return Response.json(
    { error: { code, message, status, details } },
    { status: code, ...(headers === undefined ? {} : { headers }) },
  );
}

/** A proxy that leads to the token server, and nowhere else. @param port of that server */
async function startProxy(port: number): Promise<{ readonly port: number; close(): void }> {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    open.add(client);
    client.on("error", () => client.destroy()).on("close", () => open.delete(client));
    client.once("data", (head) => {
      if (!head.toString("latin1").startsWith(`CONNECT ${TOKEN_HOST}:443 `)) {
        client.end("HTTP/1.1 403 Forbidden\r\n\r\n");
        return;
      }
      const inside = connect(port, "127.0.0.1", () => {
        client.write("HTTP/1.1 200 Connection established\r\n\r\n");
        client.pipe(inside).pipe(client);
      });
      open.add(inside);
      inside.on("error", () => client.destroy()).on("close", () => open.delete(inside));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: portOf(server),
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port to listen at");
  return address.port;
}
