/** Detection on this machine: its ports, its network, and what is known to use them. */

import type { DetectDevices } from "#core/device/detection.ts";
import type { Driver } from "#core/driver.ts";
import { DRIVERS } from "#drivers/registry.ts";
import { openLine } from "#drivers/transport/index.ts";
import { portUser } from "#drivers/transport/port-users.ts";
import { portKeys } from "#drivers/transport/same-port.ts";
import { listSerialPorts } from "#drivers/transport/serial-ports.ts";
import { detectDevices } from "./detector.ts";
import type { DetectorEnvironment } from "./detector-environment.ts";

/** What differs between whoever looks on the machine. */
export interface MachineDetectionOptions
  extends Pick<DetectorEnvironment, "clock" | "log" | "random" | "registered"> {
  /** Those of this build unless given. */
  readonly drivers?: readonly Driver[];
  /** The machine's own lines unless given. */
  readonly openLine?: DetectorEnvironment["openLine"];
}

/** Makes the search. */
export function machineDetection(options: MachineDetectionOptions): DetectDevices {
  const { clock } = options;
  const environment: DetectorEnvironment = {
    drivers: [...DRIVERS.values()],
    openLine: (address, lineOptions) => openLine(address, clock, lineOptions),
    ...options,
    listPorts: listSerialPorts,
    addressKeys: (address) => portKeys(address, clock),
    portUser,
  };
  return (request) => detectDevices(request, environment);
}
