/** The drivers of this build: one line each. */

import type { Driver } from "#core/driver.ts";
import type { DriverId } from "#core/driver-id.ts";
import { customDriver } from "./custom-serial/index.ts";
import type { ProfileSet } from "./custom-serial/profile-set.ts";
import { VENDOR_A, VENDOR_B, VENDOR_C, VENDOR_D } from "./isl/dialects/index.ts";
import { islDriver } from "./isl/index.ts";
import { shtrihDriver } from "./shtrih/index.ts";
import { VENDOR_E } from "./zfp/dialects/index.ts";
import { zfpDriver } from "./zfp/index.ts";

/** What a gateway may add to the drivers of its build. */
export interface DriverExtras {
  /** Profiles of `custom.serial`, beside or instead of those built in. */
  readonly customProfiles?: ProfileSet;
}

/** The drivers of this build. */
export function createDrivers({
  customProfiles,
}: DriverExtras = {}): ReadonlyMap<DriverId, Driver> {
  return new Map<DriverId, Driver>([
    ["vendorA.isl", islDriver("vendorA.isl", VENDOR_A)],
    ["vendorB.isl", islDriver("vendorB.isl", VENDOR_B)],
    ["vendorC.isl", islDriver("vendorC.isl", VENDOR_C)],
    ["vendorD.isl", islDriver("vendorD.isl", VENDOR_D)],
    ["vendorE.zfp", zfpDriver("vendorE.zfp", VENDOR_E)],
    ["vendorF.shtrih", shtrihDriver],
    ["custom.serial", customDriver(customProfiles)],
  ]);
}

/** The same without anything added. */
export const DRIVERS = createDrivers();

/** The driver of an id; undefined when this build has none. */
export function findDriver(id: DriverId): Driver | undefined {
  return DRIVERS.get(id);
}
