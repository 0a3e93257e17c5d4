/** The drivers of this build: one line each. */

import type { Driver, DriverId } from "#core/driver.ts";
import { VENDOR_A } from "./isl/dialects/index.ts";
import { islDriver } from "./isl/index.ts";

export const DRIVERS: ReadonlyMap<DriverId, Driver> = new Map<DriverId, Driver>([
  ["vendorA.isl", islDriver("vendorA.isl", VENDOR_A)],
]);

/** The driver of an id; undefined when this build has none. */
export function findDriver(id: DriverId): Driver | undefined {
  return DRIVERS.get(id);
}
