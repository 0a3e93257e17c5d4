/** One HTTPS request to an address that was chosen beforehand. */

import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { SecureContext } from "node:tls";
import { DELIVERY_ANSWER_BYTES } from "#core/limits.ts";
import { hostOf } from "./endpoint.ts";

export interface PostOptions {
  readonly url: URL;
  /** Where to connect; the URL's name is asked for (SNI, `Host`) and has to be certified. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whose certificates are trusted. */
  readonly secureContext: SecureContext;
  readonly signal: AbortSignal;
}

/** An answer, as much of it as is kept. */
export interface PostAnswer {
  readonly status: number;
  /** The first bytes of the body as text. */
  readonly body: string;
}

/**
 * Sends a request and reads the beginning of its answer. Nothing is followed and no proxy is used.
 * When the signal comes, what has arrived of the answer counts, if its head has.
 * @throws Error of the connection, of the certificate, or of the signal
 */
export async function httpsPost(options: PostOptions): Promise<PostAnswer> {
  const { url, address, headers, body, secureContext, signal } = options;
  // Takes as long to load as opening the database does: a start goes without.
  const { request } = await import("node:https");
  const { promise, resolve, reject } = Promise.withResolvers<PostAnswer>();
  const name = hostOf(url);
  let breakOff = (): void => reject(signal.reason);
  const sent = request(
    {
      ...{ method: "POST", agent: false, rejectUnauthorized: true, secureContext },
      ...{ host: address, port: url.port === "" ? 443 : Number(url.port) },
      // Of an address no name is asked for; its certificate names the address.
      ...(isIP(name) === 0 ? { servername: name } : {}),
      path: `${url.pathname}${url.search}`,
      headers: {
        ...headers,
        host: url.host,
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(body)),
        "accept-encoding": "identity",
      },
    },
    (answer) => {
      breakOff = readBeginning(answer, resolve);
    },
  );
  const onAbort = (): void => {
    breakOff();
    sent.destroy();
  };
  sent.on("error", reject);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  else sent.end(body);
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", onAbort);
    sent.destroy();
  }
}

/**
 * The status counts as soon as it is there, whatever becomes of the body.
 * @returns ends it with what has been read
 */
function readBeginning(answer: IncomingMessage, done: (answer: PostAnswer) => void): () => void {
  const chunks: Buffer[] = [];
  let length = 0;
  const end = (): void => {
    const bytes = Buffer.concat(chunks).subarray(0, DELIVERY_ANSWER_BYTES);
    done({ status: answer.statusCode ?? 0, body: plainText(bytes) });
  };
  answer.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= DELIVERY_ANSWER_BYTES) end();
  });
  for (const event of ["end", "error", "close"] as const) answer.on(event, end);
  return end;
}

/** Text that can be stored and shown: a character that was cut in two is left away. */
function plainText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll("\0", "");
}
