/** A line both ends of which are in this process: simulated time stands still while it is busy. */

import type { Line } from "#core/driver.ts";
import type { SetTimer } from "../simulator/engine.ts";
import type { DevicePort, PortDevice } from "../simulator/port/port.ts";

/** What simulated time must know of a line. */
export interface Wire {
  /** Bytes that were heard at either end so far. */
  readonly bytes: number;
  /** True when nothing is on its way: no connection, no end of one, no bytes. */
  readonly isQuiet: boolean;
  /** What is on its way, for whoever waits for it in vain. */
  describe(): string;
}

/** The line to one simulated device. */
export interface DeviceWire extends Wire {
  /** Opens the device's end; once. */
  openPort(device: PortDevice): Promise<DevicePort>;
  /** Opens the gateway's end, as often as it likes. @throws FiscalError as the transport does */
  openLine(setTimer: SetTimer): Promise<Line>;
}
