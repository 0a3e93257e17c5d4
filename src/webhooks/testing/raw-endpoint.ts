/** A server on the loopback that a test gives its bytes, right or wrong: what no HTTP server sends. */

import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { Certificate } from "./https-endpoint.ts";

/** What the server does with each connection. @param heard the head of the request is there */
export type Behaviour = (socket: Socket, heard: Promise<void>) => void;

/**
 * Starts one.
 * @param certificate none for a server that speaks no TLS
 */
export async function startRawEndpoint(
  certificate: Pick<Certificate, "key" | "cert"> | undefined,
  behave: Behaviour,
) {
  const sockets = new Set<Socket>();
  let connections = 0;
  const take = (socket: Socket): void => {
    connections += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    // The gateway ends it in the middle: that is what is tried here.
    socket.on("error", () => undefined);
    behave(socket, headOf(socket));
  };
  const server: Server =
    certificate === undefined
      ? createTcpServer(take)
      : createTlsServer({ key: certificate.key, cert: certificate.cert }, take);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    port: address.port,
    /** Connections that got as far as this server speaks: with TLS those that took its certificate. */
    connections: () => connections,
    /** Of these, the ones that still stand. */
    open: () => sockets.size,
    stop(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

export type RawEndpoint = Awaited<ReturnType<typeof startRawEndpoint>>;

function headOf(socket: Socket): Promise<void> {
  let text = "";
  return new Promise((resolve) => {
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      if (text.includes("\r\n\r\n")) resolve();
    });
  });
}
