/** Opening and closing the HTTP port. */

import { createServer } from "node:net";
import type { AnyElysia } from "elysia";
import type { Clock } from "../platform/clock.ts";
import { errorCode } from "../platform/thrown.ts";
import { limitConnections } from "./connection-limits.ts";
import type { HttpServer } from "./request-server.ts";
import { closeSockets, SOCKETS } from "./socket.ts";
import { turns } from "./turns.ts";

/** Bun's own. */
const DEFAULT_BODY_BYTES = 128 * 1024 * 1024;

/** The address is taken by another process, or is not one of this machine. */
export class AddressUnavailable extends Error {
  override readonly name = "AddressUnavailable";

  constructor(
    readonly address: string,
    readonly code: string,
  ) {
    super(`cannot listen on ${address}: ${code}`);
  }
}

/** A server that takes requests. */
export interface RunningHttp {
  /** `http://host:port`, or `https`, with the port that was picked when 0 was asked for. */
  readonly url: string;
  /**
   * Takes no new connections, ends the WebSockets, lets requests under way finish for at most
   * `graceMs`, then closes what is left.
   */
  stop(graceMs: number): Promise<void>;
}

export interface ListenOptions {
  readonly hostname: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly clock: Clock;
  /** How many connections there may be; unlimited where it is not said. */
  readonly connections?: Parameters<typeof limitConnections>[1];
}

/**
 * Opens the port.
 * @throws AddressUnavailable
 */
export function startHttp(app: AnyElysia, options: ListenOptions): RunningHttp {
  const { hostname, port, clock, connections } = options;
  const fetch = (request: Request) => app.fetch(request);
  let server: HttpServer;
  try {
    // Elysia's own `listen` makes the app's handler twice over, and then has garbage collected.
    server = Bun.serve({ ...settingsOf(app), hostname, port, reusePort: false, fetch });
  } catch (error) {
    throw listenFault(error, options);
  }
  app.server = server;
  const unlimited = connections && limitConnections(server.port ?? port, connections);
  const watched = turns.watch(server.port ?? port);
  return {
    url: urlOf("http", hostname, server.port ?? port),
    async stop(graceMs) {
      watched.close();
      await stopGently(server, graceMs, clock);
      unlimited?.();
    },
  };
}

/** What a server of the app is opened with, wherever it listens. */
export function settingsOf(app: AnyElysia) {
  const { maxRequestBodySize = DEFAULT_BODY_BYTES, idleTimeout = 0 } = app.config.serve ?? {};
  return { maxRequestBodySize, idleTimeout, development: false, websocket: SOCKETS };
}

/** What a server's failure to begin means. @returns AddressUnavailable, or the error as it was */
export function listenFault(error: unknown, { hostname, port }: ListenOptions): unknown {
  const code = errorCode(error);
  // Bun tells all failures to bind by one of these.
  if (code !== "EADDRINUSE" && code !== "EACCES" && code !== "EADDRNOTAVAIL") return error;
  return new AddressUnavailable(addressText(hostname, port), code);
}

/** `http://10.0.0.9:8080` */
export function urlOf(scheme: "http" | "https", hostname: string, port: number): string {
  return `${scheme}://${addressText(hostname, port)}`;
}

/** Ends the WebSockets, lets requests under way finish for at most `graceMs`, and closes the rest. */
export async function stopGently(
  server: HttpServer,
  graceMs: number,
  clock: Pick<Clock, "setTimer">,
): Promise<void> {
  let cancel = (): void => {};
  const graceIsOver = new Promise<void>((resolve) => {
    cancel = clock.setTimer(graceMs, resolve);
  });
  const isIdle = server.stop();
  // They would never end by themselves.
  closeSockets(server);
  await Promise.race([isIdle, graceIsOver]);
  cancel();
  await server.stop(true);
}

function addressText(hostname: string, port: number): string {
  return hostname.includes(":") ? `[${hostname}]:${port}` : `${hostname}:${port}`;
}

/**
 * Tries whether an address can be listened on, and lets go of it again: so that a start that would
 * fail on it fails before anything is touched.
 * @param port 0 tries the host alone
 * @throws AddressUnavailable
 */
export async function requireFreeAddress(hostname: string, port: number): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: Error & { code?: string }) =>
      reject(new AddressUnavailable(addressText(hostname, port), error.code ?? "")),
    );
    server.listen({ host: hostname, port, exclusive: true }, () => server.close(() => resolve()));
  });
}
