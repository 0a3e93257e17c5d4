/** A way to a printer or a gateway that can be cut and mended, as a network beside a cable. */

import { connect, createServer, type Socket } from "node:net";
import { ownPlace } from "./own-host.ts";

export interface SeverableLine {
  readonly host: string;
  readonly port: number;
  /** Ends what goes over it, and lets nobody through from then on. */
  cut(): void;
  mend(): void;
  /** Carries nothing more of what is open, and ends none of it; what is opened from then on gets through. */
  forget(): void;
  close(): void;
}

/** @param to the own address of what it leads to */
export async function startSeverableLine(to: {
  readonly host: string;
  readonly port: number;
}): Promise<SeverableLine> {
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const printer = connect(to.port, to.host);
    const end = (): void => {
      for (const socket of [client, printer]) {
        open.delete(socket);
        socket.destroy();
      }
    };
    for (const socket of [client, printer]) {
      open.add(socket);
      socket.on("error", end).on("close", end);
    }
    client.pipe(printer);
    printer.pipe(client);
  });
  const { host, port } = ownPlace();
  await new Promise<void>((resolve) => server.listen(port, host, () => resolve()));
  const cut = (): void => {
    isCut = true;
    for (const socket of [...open]) socket.destroy();
  };
  return {
    ...{ host, port, cut },
    mend(): void {
      isCut = false;
    },
    forget(): void {
      for (const socket of open) socket.unpipe();
    },
    close(): void {
      cut();
      server.close();
    },
  };
}
