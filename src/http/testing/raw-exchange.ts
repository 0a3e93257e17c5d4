/** HTTP as bytes on a socket, for tests of what a client library would put right. */

import { connect } from "node:net";

/** Sends bytes as they are and gives everything that comes back until the connection closes. */
export function exchange(url: string, request: string | Buffer): Promise<Buffer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(request));
    socket.on("data", (chunk) => chunks.push(Buffer.from(chunk)));
    socket.on("error", reject);
    socket.on("close", () => resolve(Buffer.concat(chunks)));
  });
}
