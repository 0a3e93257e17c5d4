/** Why a connection to a device did not come about, as a fault and in words. */

import { isIPv6, type Socket } from "node:net";
import type { DriverEnvironment } from "#core/driver.ts";
import { FiscalError, type FiscalErrorCode } from "#core/errors.ts";

/**
 * A host that is there refuses at once, or when it is asked again after a second where that was lost.
 * A system looks for one that is not there for three seconds.
 */
const REFUSAL_LIMIT_MS = 2_500;

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
const NOBODY = ["E101", "nobody answers at that address"] as const;

/** The system's name for what went wrong; empty where it has none. */
export function systemCode(cause: unknown): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : "";
}

/**
 * Looks on while a socket connects. Bun calls whatever fails then a refusal, with no way to ask what it
 * was, so how long it took tells who refused, and the system is asked whether there is a way at all.
 */
export class ConnectAttempt {
  readonly #where: string;
  #address: string | undefined;
  #isLate = false;
  #cancelTimer = (): void => {};

  /** @param where what the other end is called in faults */
  constructor(socket: Socket, where: string, setTimer: DriverEnvironment["setTimer"]) {
    this.#where = where;
    // Not before: to look a name up may take longer.
    socket.on("connectionAttempt", (address: string) => {
      this.end();
      [this.#address, this.#isLate] = [address, false];
      this.#cancelTimer = setTimer(REFUSAL_LIMIT_MS, () => {
        this.#isLate = true;
      });
    });
  }

  /** It is over, however it went. */
  end(): void {
    this.#cancelTimer();
  }

  async fault(cause: Error): Promise<FiscalError> {
    this.end();
    const [code, reason] = await this.#kind(systemCode(cause));
    return new FiscalError(code, `Cannot reach ${this.#where}: ${reason}`, { cause });
  }

  async #kind(told: string): Promise<readonly [FiscalErrorCode, string]> {
    if (told === "ECONNREFUSED" && this.#isLate) return NOBODY;
    const system = told === "ECONNREFUSED" ? ((await noWay(this.#address)) ?? told) : told;
    return CONNECT_ERRORS[system] ?? ["E100", system || "no connection"];
  }
}

/** Asks the system by a datagram socket, which sends nothing. @returns its name for why there is no way */
async function noWay(address: string | undefined): Promise<string | undefined> {
  if (address === undefined) return undefined;
  const hostname = isIPv6(address) ? "::" : "0.0.0.0";
  try {
    const socket = await Bun.udpSocket({ hostname, connect: { hostname: address, port: 1 } });
    socket.close();
    return undefined;
  } catch (error) {
    const code = systemCode(error);
    return ["EHOSTUNREACH", "ENETUNREACH"].includes(code) ? code : undefined;
  }
}
