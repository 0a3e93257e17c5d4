/** Lines over sockets: network printers and serial servers, and what this machine simulates. */

import { connect, type Socket } from "node:net";
import type { DriverEnvironment, Line, LineListener } from "#core/driver.ts";
import { FiscalError, type FiscalErrorCode } from "#core/errors.ts";
import { UNSENT_BYTES_MAX } from "./bounded-line.ts";
import { LineInbox } from "./line-inbox.ts";

/** How long a connection attempt may take. */
const CONNECT_TIMEOUT_MS = 5_000;

export interface TcpOptions {
  readonly connectTimeoutMs?: number;
  readonly setTimer: DriverEnvironment["setTimer"];
}

/** What the system says, as a fault and in words. */
const CONNECT_ERRORS: Readonly<Record<string, readonly [FiscalErrorCode, string]>> = {
  ECONNREFUSED: ["E100", "connection refused"],
  ETIMEDOUT: ["E101", "no answer"],
  ENOTFOUND: ["E103", "no host of that name"],
  EAI_AGAIN: ["E103", "the name could not be looked up"],
  EHOSTUNREACH: ["E103", "no way to that host"],
  ENETUNREACH: ["E103", "no way to that network"],
  EADDRNOTAVAIL: ["E103", "no such address"],
};

/**
 * Connects to a device.
 * @throws FiscalError E100 refused, E101 no answer in time, E103 no such host or no way to it
 */
export function openTcp(
  { host, port }: { readonly host: string; readonly port: number },
  options: TcpOptions,
): Promise<Line> {
  return open(`${host}:${port}`, () => connect({ host, port, noDelay: true }), options);
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
  return open(where, () => connect({ path }), options);
}

function open(where: string, connected: () => Socket, options: TcpOptions): Promise<Line> {
  const timeoutMs = options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
  return new Promise((resolve, reject) => {
    const socket = connected();
    const cancelTimer = options.setTimer(timeoutMs, () => {
      socket.destroy();
      reject(new FiscalError("E101", `${where} did not answer within ${timeoutMs} ms`));
    });
    socket.once("error", (error) => {
      cancelTimer();
      socket.destroy();
      reject(connectError(where, error));
    });
    socket.once("connect", () => {
      cancelTimer();
      socket.removeAllListeners("error");
      resolve(new TcpLine(socket));
    });
  });
}

function connectError(where: string, cause: Error): FiscalError {
  const system = "code" in cause ? String(cause.code) : "";
  const [code, reason] = CONNECT_ERRORS[system] ?? ["E100", system || "no connection"];
  return new FiscalError(code, `Cannot reach ${where}: ${reason}`, { cause });
}

/** A connected socket as a line. */
class TcpLine implements Line {
  readonly #socket: Socket;
  readonly #inbox = new LineInbox();

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (chunk) => {
      // Text comes only from a socket with an encoding, which this one is never given.
      if (typeof chunk !== "string" && !this.#inbox.hear(chunk)) socket.destroy();
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
    this.#socket.destroy();
  }

  #lose(cause: Error | undefined): void {
    this.#socket.destroy();
    this.#inbox.lose(cause);
  }
}
