/** Opening and closing the HTTPS port, and changing its certificate while it is open. */

import type { Serve } from "bun";
import type { AnyElysia } from "elysia";
import { preferSecondListener } from "../platform/reuse-port.ts";
import { limitConnections } from "./connection-limits.ts";
import {
  type ListenOptions,
  listenFault,
  type RunningHttp,
  settingsOf,
  stopGently,
  urlOf,
} from "./listen.ts";
import { cameOverTls, type HttpServer } from "./request-server.ts";
import type { SocketEvents } from "./socket.ts";
import { turns } from "./turns.ts";

/** Longer than a connection may be quiet. */
const LEAVING_MS = 60_000;

/** PEM texts. */
export interface TlsIdentity {
  readonly key: string;
  /** The server's, then those between it and the authority. */
  readonly certificate: string;
}

/** A server that takes requests over TLS. */
export interface RunningHttps extends RunningHttp {
  /**
   * Shows this certificate to whoever connects from now on. Connections that are there go on with the
   * one they began with; after each answer their clients are asked to close them, and after a minute
   * those on which nothing is under way are closed. WebSockets stay open for as long as they like.
   */
  use(identity: TlsIdentity): void;
}

/**
 * Opens the port for the app that `startHttp` opened plain HTTP for.
 *
 * Bun cannot change the certificate of a server (`reload` ignores it), so a second server takes the
 * port over (`SO_REUSEPORT`) before the first one stops listening, which it does when all that had
 * come to it was answered. That another process of the same
 * user could share the port too is why `requireFreeAddress` is to be asked first.
 * @throws AddressUnavailable
 */
export function startHttps(
  app: AnyElysia,
  options: ListenOptions & { readonly identity: TlsIdentity },
): RunningHttps {
  const { hostname, port, clock, connections } = options;
  const serve = (at: number, { key, certificate }: TlsIdentity): HttpServer => {
    const settings: Serve.Options<SocketEvents> = {
      ...{ ...settingsOf(app), hostname, port: at, reusePort: true },
      tls: { key, cert: certificate },
      async fetch(request, server) {
        cameOverTls(request, server);
        const answer = await app.fetch(request);
        // Undefined for what has become a WebSocket.
        if (server !== current) answer?.headers.set("Connection", "close");
        return answer;
      },
    };
    return Bun.serve(settings);
  };
  let current: HttpServer;
  try {
    current = serve(port, options.identity);
  } catch (error) {
    throw listenFault(error, options);
  }
  const taken = current.port ?? port;
  const unlimited = connections && limitConnections(taken, connections);
  const watched = turns.watch(taken);
  /** Those that still have connections under an older certificate. */
  const leaving = new Set<HttpServer>();
  let endFormer = (): void => {};
  return {
    url: urlOf("https", hostname, taken),
    use(identity) {
      // The kernel tells apart two at a port.
      endFormer();
      watched.listenersChange();
      const former = current;
      current = serve(taken, identity);
      leaving.add(former);
      const end = (): void => {
        cancel();
        endFormer = () => {};
        watched.listenersChange();
        void former.stop().then(() => leaving.delete(former));
      };
      const cancel = clock.setTimer(preferSecondListener(taken) ? LEAVING_MS : 0, end);
      endFormer = end;
    },
    async stop(graceMs) {
      endFormer();
      watched.close();
      await Promise.all([current, ...leaving].map((server) => stopGently(server, graceMs, clock)));
      unlimited?.();
    },
  };
}
