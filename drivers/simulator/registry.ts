/** The drivers whose devices can be simulated, one line each. */

import type { DriverId } from "#core/driver.ts";
import { islSimulators } from "../isl/simulator/index.ts";
import type { SimulatorFamily } from "./family.ts";

export const SIMULATORS: ReadonlyMap<DriverId, SimulatorFamily> = new Map([
  ["vendorA.isl", islSimulators],
]);
