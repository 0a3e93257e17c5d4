/** The drivers whose devices can be simulated, one line each. */

import { DRIVER_IDS, type DriverId } from "#core/driver-id.ts";
import { customSimulators } from "../custom-serial/simulator/index.ts";
import {
  vendorASimulators,
  vendorBSimulators,
  vendorCSimulators,
  vendorDSimulators,
} from "../isl/simulator/index.ts";
import { shtrihSimulators } from "../shtrih/simulator/index.ts";
import { zfpSimulators } from "../zfp/simulator/index.ts";
import type { ModelsOf, SimulatedModel } from "./family.ts";

const FAMILIES: { readonly [Driver in DriverId]: ModelsOf<Driver> } = {
  "vendorA.isl": vendorASimulators,
  "vendorB.isl": vendorBSimulators,
  "vendorC.isl": vendorCSimulators,
  "vendorD.isl": vendorDSimulators,
  "vendorE.zfp": zfpSimulators,
  "vendorF.shtrih": shtrihSimulators,
  "custom.serial": customSimulators,
};

/** The models of each driver's devices by name. */
export const SIMULATORS: ReadonlyMap<DriverId, ReadonlyMap<string, SimulatedModel>> = new Map(
  DRIVER_IDS.map((driver) => [driver, new Map(Object.entries(FAMILIES[driver]))]),
);
