/** Opens the line to a device by its transport. */

import type { DeviceConfig } from "#core/device/device.ts";
import type { DriverEnvironment, Line } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { openTcp } from "./tcp.ts";

/**
 * Opens a line to a device.
 * @throws FiscalError E100 refused, E101 timed out, E103 not found
 */
export async function openLine(
  device: Pick<DeviceConfig, "transport" | "connectionParams">,
  environment: Pick<DriverEnvironment, "setTimer">,
): Promise<Line> {
  const { transport, connectionParams } = device;
  if (transport !== "tcp") {
    throw new FiscalError("E100", `This appliance opens no ${transport} lines`);
  }
  if (!("host" in connectionParams)) {
    throw new FiscalError("E103", "A tcp device needs a host and a port");
  }
  return openTcp(connectionParams, { setTimer: environment.setTimer });
}
