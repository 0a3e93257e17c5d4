/** Lines over sockets: network printers and serial servers, and what this machine simulates. */

import { connect, type Socket } from "node:net";
import type { DriverEnvironment, Line, LineListener } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { UNSENT_BYTES_MAX } from "./bounded-line.ts";
import { ConnectAttempt, systemCode } from "./connect-fault.ts";
import { isLeftSending, type OpenConnection } from "./left-connections.ts";
import { LineInbox } from "./line-inbox.ts";

/** How long a connection attempt may take. */
const CONNECT_TIMEOUT_MS = 5_000;

/** Addresses of which the last line's own port is kept; the oldest is forgotten first. */
const ENDED_LINES_MAX = 256;

/**
 * The own port of the last line to each address, and whether the next attempt is to come from it.
 *
 * A line ends with a reset, which is sent once. A device whose network was away did not hear it and
 * goes on serving that line, and many serve one at a time. A connection from the same port makes
 * such a device ask about the old one, and our system says that it is gone (RFC 9293, 3.5.1). So the
 * old one has ended at the device before the new one begins. Every other attempt comes from another
 * port, for devices that would not ask.
 */
const endedLines = new Map<string, { readonly ownPort: number; isNext: boolean }>();

/** What the system says of an own port that somebody else has taken since. */
const OWN_PORT_TAKEN = new Set(["EADDRINUSE", "EADDRNOTAVAIL", "EACCES"]);

export interface TcpOptions {
  readonly connectTimeoutMs?: number | undefined;
  /**
   * Whoever opens the line has had one to the device before, and nobody else since: nothing can be
   * left there of a process that was killed. To look costs the system milliseconds in which nothing
   * else is done here, and a line over a bad network is opened often.
   */
  readonly isKnown?: boolean;
  readonly setTimer: DriverEnvironment["setTimer"];
}

/**
 * Connects to a device. A process that is killed cannot end its lines with a reset: until its last
 * bytes have arrived, or the system has given them up, no line is opened that they could follow.
 * @throws FiscalError E100 refused, E101 no answer in time or such bytes, E103 no such host or no
 *   way to it
 */
export async function openTcp(
  { host, port }: { readonly host: string; readonly port: number },
  options: TcpOptions,
): Promise<Line> {
  const where = `${host}:${port}`;
  const from = (localPort?: number) => {
    const own = localPort === undefined ? {} : { localPort };
    return open({ where, port }, () => connect({ host, port, noDelay: true, ...own }), options);
  };
  const line = await from(takeOwnPort(where)).catch((error: unknown) => {
    const isTaken = error instanceof FiscalError && OWN_PORT_TAKEN.has(systemCode(error.cause));
    if (!isTaken) throw error;
    return from();
  });
  try {
    if (!options.isKnown) line.lookBehind();
  } catch (error) {
    line.close();
    throw error;
  }
  endedLines.delete(where);
  return line;
}

/**
 * Connects to a device at a Unix socket.
 * @param where what the socket is called in faults
 * @throws FiscalError E100 refused or not there, E101 no answer in time
 */
export function openSocket(
  { path, where }: { readonly path: string; readonly where: string },
  options: TcpOptions,
): Promise<Line> {
  return open({ where }, () => connect({ path }), options);
}

/** The other end: what it is called in faults, and its port where it is no Unix socket. */
interface OtherEnd {
  readonly where: string;
  readonly port?: number;
}

function open(end: OtherEnd, connected: () => Socket, options: TcpOptions): Promise<TcpLine> {
  const { where } = end;
  const timeoutMs = options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
  return new Promise((resolve, reject) => {
    const socket = connected();
    const attempt = new ConnectAttempt(socket, where, options.setTimer);
    const cancelTimer = options.setTimer(timeoutMs, () => {
      attempt.end();
      socket.destroy();
      reject(new FiscalError("E101", `Cannot reach ${where}: no answer in ${timeoutMs / 1_000} s`));
    });
    socket.once("error", (error) => {
      cancelTimer();
      socket.destroy();
      void attempt.fault(error).then(reject);
    });
    socket.once("connect", () => {
      cancelTimer();
      attempt.end();
      socket.removeAllListeners("error");
      resolve(new TcpLine(socket, end));
    });
  });
}

/** The own port that the next attempt is to come from; undefined: any. */
function takeOwnPort(where: string): number | undefined {
  const ended = endedLines.get(where);
  if (!ended) return undefined;
  ended.isNext = !ended.isNext;
  return ended.isNext ? undefined : ended.ownPort;
}

/** Remembers the own port of a line that has ended; a Unix socket has none. */
function keepOwnPort(where: string, ownPort: number | undefined): void {
  endedLines.delete(where);
  if (ownPort === undefined) return;
  const [oldest] = endedLines.keys();
  if (endedLines.size >= ENDED_LINES_MAX && oldest !== undefined) endedLines.delete(oldest);
  endedLines.set(where, { ownPort, isNext: true });
}

/** A connected socket as a line. */
class TcpLine implements Line {
  readonly #socket: Socket;
  readonly #end: OtherEnd;
  /** As it was connected: a socket that has failed does not tell it any more. */
  readonly ownPort: number | undefined;
  readonly family: OpenConnection["family"];
  readonly #inbox = new LineInbox();
  #isEnded = false;

  constructor(socket: Socket, end: OtherEnd) {
    this.#socket = socket;
    this.#end = end;
    this.ownPort = socket.localPort;
    this.family = socket.remoteFamily === "IPv6" ? "IPv6" : "IPv4";
    socket.on("data", (chunk) => {
      // Text comes only from a socket with an encoding, which this one is never given.
      if (typeof chunk !== "string" && !this.#inbox.hear(chunk)) this.#cut();
    });
    socket.on("error", (error) => this.#lose(error));
    socket.on("end", () => this.#lose(undefined));
    socket.on("close", () => this.#lose(undefined));
  }

  write(bytes: Uint8Array): void {
    if (!this.#inbox.isOpen) return;
    this.#socket.write(bytes);
    if (this.#socket.writableLength > UNSENT_BYTES_MAX) {
      this.#lose(new Error("the device does not take what is sent"));
    }
  }

  listen(listener: LineListener): void {
    this.#inbox.listen(listener);
  }

  close(): void {
    this.#inbox.close();
    this.#cut();
  }

  lookBehind(): void {
    const [{ family, ownPort }, { where, port }] = [this, this.#end];
    if (ownPort === undefined || port === undefined) return;
    if (!isLeftSending({ family, ownPort, port })) return;
    throw new FiscalError("E101", `Waiting until ${where} has what was sent before a restart`);
  }

  #lose(cause: Error | undefined): void {
    this.#cut();
    this.#inbox.lose(cause);
  }

  /**
   * Ends the connection with a reset. An orderly end would let the system go on sending what has
   * not arrived, while the next line may be up already and the device be read there.
   */
  #cut(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    keepOwnPort(this.#end.where, this.ownPort);
    // One that has failed is destroyed before anybody hears of it.
    if (!this.#socket.destroyed) this.#socket.resetAndDestroy();
  }
}
