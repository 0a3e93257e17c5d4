/** The drivers whose devices can be simulated, one line each. */

import type { DriverId } from "#core/driver-id.ts";
import { customSimulators } from "../custom-serial/simulator/index.ts";
import {
  vendorASimulators,
  vendorBSimulators,
  vendorCSimulators,
  vendorDSimulators,
} from "../isl/simulator/index.ts";
import { shtrihSimulators } from "../shtrih/simulator/index.ts";
import { zfpSimulators } from "../zfp/simulator/index.ts";
import type { SimulatorFamily } from "./family.ts";

export const SIMULATORS: ReadonlyMap<DriverId, SimulatorFamily> = new Map([
  ["vendorA.isl", vendorASimulators],
  ["vendorB.isl", vendorBSimulators],
  ["vendorC.isl", vendorCSimulators],
  ["vendorD.isl", vendorDSimulators],
  ["vendorE.zfp", zfpSimulators],
  ["vendorF.shtrih", shtrihSimulators],
  ["custom.serial", customSimulators],
]);
