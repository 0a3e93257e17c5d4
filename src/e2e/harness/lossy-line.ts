/** A line to a gateway that loses the answer to the first submission under each key. */

import { connect, createServer, type Server, type Socket } from "node:net";

const SUBMISSION = /^POST \/api\/v1\/commands HTTP/;
const KEY = /^idempotency-key: *(\S+)/im;

export interface LossyLine {
  /** In place of the gateway's. */
  readonly url: string;
  /** Keys of the submissions that the gateway answered and nobody heard. */
  readonly lost: ReadonlySet<string>;
  close(): void;
}

/** @param url of the gateway */
export async function startLossyLine(url: string): Promise<LossyLine> {
  const lost = new Set<string>();
  const open = new Set<Socket>();
  const { hostname, port } = new URL(url);
  const server = createServer((client) => {
    const gateway = connect(Number(port), hostname);
    let losesAnswer = false;
    const end = () => {
      for (const socket of [client, gateway]) {
        open.delete(socket);
        socket.destroy();
      }
    };
    for (const socket of [client, gateway]) {
      open.add(socket);
      socket.on("error", end).on("close", end);
    }
    client.on("data", (chunk) => {
      const head = chunk.toString("latin1");
      const key = SUBMISSION.test(head) ? KEY.exec(head)?.[1] : undefined;
      if (key !== undefined && !lost.has(key)) {
        lost.add(key);
        losesAnswer = true;
      }
      gateway.write(chunk);
    });
    gateway.on("data", (chunk) => {
      if (losesAnswer) end();
      else client.write(chunk);
    });
  });
  await listen(server);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port to listen at");
  return {
    url: `http://127.0.0.1:${address.port}`,
    lost,
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
}
