/** Whose printers a driver is for. */

import type { components } from "../../client/index.ts";

/** Name of a driver. */
export type Driver = components["schemas"]["Device"]["driver"];

/** Makers, as their names are written. */
export const MAKERS = {
  "vendorA.isl": "Datecs",
  "vendorB.isl": "Daisy",
  "vendorC.isl": "Eltrade",
  "vendorD.isl": "Incotex",
  "vendorE.zfp": "Tremol",
  "vendorF.shtrih": "Shtrih-M",
  "custom.serial": "CUSTOM",
} as const satisfies Record<Driver, string>;

/** For a choice. */
export const DRIVER_CHOICES = Object.entries(MAKERS).map(([value, label]) => ({ value, label }));

/** True for the name of a driver. */
export function isDriver(name: string): name is Driver {
  return Object.hasOwn(MAKERS, name);
}
