/** Waiting until the gateway has read what a server of a test has sent it. */

import { once } from "node:events";
import { connect } from "node:tls";

/**
 * Makes another connection to a server, and ends it. Both ends of all of them are in this process,
 * which takes bytes in as they come: what was written before has been read when this comes back.
 */
export async function roundTrip({ port }: { readonly port: number }): Promise<void> {
  const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false });
  await once(socket, "secureConnect");
  socket.destroy();
}
