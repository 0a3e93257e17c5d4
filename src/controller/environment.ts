/** What a controller is given by whoever starts it. */

import type { DetectDevices } from "#core/device/detection.ts";
import type { DeviceConfig } from "#core/device/device.ts";
import type { SerialSettings } from "#core/device/serial-address.ts";
import type { Driver, Line } from "#core/driver.ts";
import type { DriverId } from "#core/driver-id.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import type { ResultKeeper } from "./result-keeper.ts";

export interface ControllerEnvironment {
  readonly clock: Clock;
  readonly log: Log;
  /** A random integer in 0..bound-1. */
  random(bound: number): number;
  findDriver(id: DriverId): Driver | undefined;
  /**
   * Opens the line to a device.
   * @param options the settings of a serial port where its address names none; `isKnown` where the
   * device was spoken to on an earlier line since it was given to this controller
   * @throws FiscalError
   */
  openLine(
    device: DeviceConfig,
    options: { readonly settings?: SerialSettings | undefined; readonly isKnown?: boolean },
  ): Promise<Line>;
  /**
   * Calls back when a device that is not there may be reached again, so that nobody has to wait
   * for the next attempt. @returns ends the watch
   */
  watchArrival?(device: DeviceConfig, arrived: () => void): () => void;
  /** True while bytes of a killed process are on their way to one of these TCP ports, wherever that is. */
  isLeftSending?(ports: readonly number[]): boolean;
  /** Searches for devices; absent where there is nothing to search. */
  readonly detect?: DetectDevices;
  /** Absent in a controller that ends with the gateway, of which the devices are asked then. */
  readonly results?: ResultKeeper;
  /** Waiting between two readings of an idle device's state. Milliseconds. */
  readonly statusPollMs: number;
  /** How long a document may stand paused. Milliseconds. */
  readonly pauseLimitMs: number;
}
