/** Where a simulated device is reached: a TCP port, a Unix socket or a pseudo-terminal. */

import type { DriverEnvironment } from "#core/driver.ts";
import type { EngineLine } from "../engine.ts";

/** A line to a host, as its port sees it. */
export interface PortLine extends EngineLine {
  readonly isOpen: boolean;
}

/** What a port needs of the device behind it. */
export interface PortDevice {
  /** Takes a new line. @returns what its bytes go to */
  connect(line: PortLine): (chunk: Uint8Array) => void;
  /** Told of a host that was turned away. */
  turnedAway?(): void;
  readonly setTimer: DriverEnvironment["setTimer"];
}

export interface DevicePort {
  /** Number of the TCP port; 0 where there is none. */
  readonly number: number;
  /** Breaks every line at once, and lets nobody in until `restore`. */
  interrupt(): void;
  restore(): void;
  stop(): Promise<void>;
}

/** A host that leaves this much unread is not listening any more. */
export const UNREAD_BYTES_MAX = 65_536;
