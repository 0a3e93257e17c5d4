/**
 * A load generator's HTTP client: one keep-alive connection, one request at a time, nothing but
 * what it takes to send JSON and find the end of the answer. `fetch` costs the client about as much
 * processor time as the server needs to answer, and here both share two cores.
 */

import { connect, type Socket } from "node:net";

interface Waiting {
  readonly resolve: (answer: { status: number; body: string }) => void;
  readonly reject: (error: Error) => void;
}

const END_OF_HEAD = "\r\n\r\n";

export class RawHttp {
  readonly #socket: Socket;
  readonly #host: string;
  readonly #credential: string;
  #received = "";
  #waiting: Waiting | undefined;
  #isClosed = false;

  private constructor(socket: Socket, host: string, credential: string) {
    this.#socket = socket;
    this.#host = host;
    this.#credential = credential;
    socket.setEncoding("latin1");
    socket.on("data", (chunk) => this.#hear(String(chunk)));
    socket.on("error", (error) => this.#waiting?.reject(error));
    socket.on("close", () => {
      this.#isClosed = true;
      this.#waiting?.reject(new Error("the server closed the connection"));
    });
  }

  /** Connects with a key, or with the access token of a login. */
  static open(url: string, credential: string | { readonly token: string }): Promise<RawHttp> {
    const { hostname, port, host } = new URL(url);
    const header =
      typeof credential === "string"
        ? `X-Api-Key: ${credential}`
        : `Authorization: Bearer ${credential.token}`;
    return new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      socket.once("error", reject);
      socket.once("connect", () => resolve(new RawHttp(socket, host, header)));
    });
  }

  request(
    method: string,
    path: string,
    {
      body = "",
      idempotencyKey,
    }: { readonly body?: string; readonly idempotencyKey?: string } = {},
  ): Promise<{ status: number; body: string }> {
    const head = [
      `${method} ${path} HTTP/1.1`,
      `Host: ${this.#host}`,
      this.#credential,
      ...(idempotencyKey === undefined ? [] : [`Idempotency-Key: ${idempotencyKey}`]),
      ...(body === ""
        ? []
        : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`]),
    ].join("\r\n");
    return new Promise((resolve, reject) => {
      if (this.#isClosed) throw new Error("the server has closed the connection");
      this.#waiting = { resolve, reject };
      this.#socket.write(`${head}${END_OF_HEAD}${body}`);
    });
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #hear(chunk: string): void {
    this.#received += chunk;
    const headEnd = this.#received.indexOf(END_OF_HEAD);
    if (headEnd < 0) return;
    const head = this.#received.slice(0, headEnd);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    const begin = headEnd + END_OF_HEAD.length;
    if (this.#received.length < begin + length) return;
    const body = this.#received.slice(begin, begin + length);
    this.#received = this.#received.slice(begin + length);
    this.#waiting?.resolve({ status: Number(head.slice(9, 12)), body });
  }
}
