/** What the built-in controller is given by whoever starts it. */

import type { DeviceConfig } from "#core/device/device.ts";
import type { Driver, DriverId, Line } from "#core/driver.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";

export interface ControllerEnvironment {
  readonly clock: Clock;
  readonly log: Log;
  /** A random integer in 0..bound-1. */
  random(bound: number): number;
  findDriver(id: DriverId): Driver | undefined;
  /** Opens the line to a device. @throws FiscalError */
  openLine(device: DeviceConfig): Promise<Line>;
  /** Waiting between two readings of an idle device's state. Milliseconds. */
  readonly statusPollMs: number;
  /** How long a document may stand paused. Milliseconds. */
  readonly pauseLimitMs: number;
}
