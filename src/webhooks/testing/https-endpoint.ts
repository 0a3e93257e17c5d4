/** A receiver of webhooks: a real HTTPS server on the loopback, with a certificate of its own. */

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The name that the certificate is made for, beside the address 127.0.0.1. */
export const ENDPOINT_NAME = "hooks.test";

/** A key, and a certificate that is its own authority. */
export interface Certificate {
  readonly caFile: string;
  readonly key: Buffer;
  readonly cert: Buffer;
  remove(): void;
}

/**
 * Makes one with the machine's openssl.
 * @param name that it is made for, beside 127.0.0.1
 */
export function makeCertificate(name = ENDPOINT_NAME): Certificate {
  const folder = mkdtempSync(join(tmpdir(), "fiscald-hooks-"));
  const [keyFile, caFile] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const names = `subjectAltName=DNS:${name},IP:127.0.0.1`;
  const made = Bun.spawnSync([
    ...["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"],
    ...["-nodes", "-days", "2", "-subj", `/CN=${name}`, "-addext", names],
    ...["-keyout", keyFile, "-out", caFile],
  ]);
  if (made.exitCode !== 0) throw new Error(made.stderr.toString());
  return {
    caFile,
    key: readFileSync(keyFile),
    cert: readFileSync(caFile),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** A request as it arrived. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The name that was asked for before the certificate was shown. */
  readonly serverName: string | undefined;
}

/** Starts one. @param answer says what each request gets; 204 unless given */
export async function startEndpoint(
  { key, cert }: Certificate,
  answer: (response: ServerResponse, received: Received) => void = noContent,
) {
  const received: Received[] = [];
  let connections = 0;
  let open = 0;
  const server = createServer({ key, cert }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url: path = "", headers, socket } = request;
      const serverName = nameOf(socket);
      const plain = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
      const one: Received = {
        ...{ method, path, headers: Object.fromEntries(plain), serverName },
        body: Buffer.concat(chunks).toString(),
      };
      received.push(one);
      answer(response, one);
    });
  });
  server.on("connection", (socket) => {
    connections += 1;
    open += 1;
    socket.once("close", () => {
      open -= 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    port: address.port,
    received,
    /** Connections that were ever made. */
    connections: () => connections,
    /** Those of them that neither side has closed. */
    openConnections: () => open,
    stop(): Promise<void> {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

export type Endpoint = Awaited<ReturnType<typeof startEndpoint>>;

function noContent(response: ServerResponse): void {
  response.writeHead(204).end();
}

/** Of the server's end of a connection; the types know it only of the client's. */
function nameOf(socket: object): string | undefined {
  const name: unknown = "servername" in socket ? socket.servername : undefined;
  return typeof name === "string" ? name : undefined;
}
