/** The models as which the devices of a driver are simulated. */

import type { DriverId } from "../driver-id.ts";

/** By driver, the default one first. What each of them is stands in docs/simulator.md. */
export const SIMULATED_MODELS = {
  "vendorA.isl": ["x", "ro-x", "p", "c", "c-fw3", "ro-legacy"],
  "vendorB.isl": ["dy"],
  "vendorC.isl": ["ed"],
  "vendorD.isl": ["in"],
  "vendorE.zfp": ["v1", "v2"],
  "vendorF.shtrih": ["fr-k", "light", "mobile"],
  "custom.serial": ["gen3", "gen2", "xonxoff"],
} as const satisfies Record<DriverId, readonly [string, ...string[]]>;

export type SimulatedModelName<Driver extends DriverId = DriverId> =
  (typeof SIMULATED_MODELS)[Driver][number];

/** Devices that never say a word can only be driven by a profile that is named. */
const PROFILES: Readonly<Record<string, string>> = { xonxoff: "custom-xonxoff" };

/** The profile that a model has to be registered with; undefined where it tells what it is. */
export function profileOfModel(model: string): string | undefined {
  return PROFILES[model];
}
