/** Opens the line to a device by its transport. */

import type { DeviceConfig } from "#core/device/device.ts";
import { parseSerialAddress, type SerialSettings } from "#core/device/serial-address.ts";
import type { DriverEnvironment, Line } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { openBluetooth } from "./bluetooth.ts";
import { boundedLine } from "./bounded-line.ts";
import { openSerial } from "./serial.ts";
import { watchArrival } from "./serial-arrival.ts";
import { openTcp } from "./tcp.ts";

/** What a line is opened with besides the device's own settings. */
export interface LineOptions {
  /** Settings of a serial port where its address names none; else it is 115,200 at 8N1. */
  readonly settings?: SerialSettings | undefined;
  /** As in `TcpOptions`; false unless given. */
  readonly isKnown?: boolean;
  /** How long a device of the network may take to be connected to; some seconds unless given. */
  readonly connectTimeoutMs?: number | undefined;
}

/**
 * Opens a line to a device.
 * @throws FiscalError E100 refused, in use or no such transport here; E101 timed out; E103 not found,
 * or simulated: its gateway opens the line itself
 */
export async function openLine(
  device: Pick<DeviceConfig, "transport" | "connectionParams">,
  environment: Pick<DriverEnvironment, "setTimer">,
  options: LineOptions = {},
): Promise<Line> {
  return boundedLine(await openUnbounded(device, environment, options));
}

async function openUnbounded(
  device: Pick<DeviceConfig, "transport" | "connectionParams">,
  environment: Pick<DriverEnvironment, "setTimer">,
  { settings, isKnown = false, connectTimeoutMs }: LineOptions,
): Promise<Line> {
  const { transport, connectionParams } = device;
  const setTimer: DriverEnvironment["setTimer"] = (ms, callback) =>
    environment.setTimer(ms, callback);
  if (transport === "tcp") {
    const tcp = { setTimer, isKnown, connectTimeoutMs };
    if ("host" in connectionParams) return openTcp(connectionParams, tcp);
    throw new FiscalError("E103", "A tcp device needs a host and a port");
  }
  if (transport === "simulated") {
    throw new FiscalError("E103", "A simulated printer is reached by its own gateway alone");
  }
  if (!("address" in connectionParams)) {
    throw new FiscalError("E103", `A ${transport} device needs an address`);
  }
  const { address } = connectionParams;
  switch (transport) {
    case "bluetooth":
      return openBluetooth(address, { setTimer });
    case "serial": {
      const serial = parseSerialAddress(address);
      if (typeof serial === "string") throw new FiscalError("E103", serial);
      return openSerial({ ...settings, ...serial }, { setTimer });
    }
    default: {
      const unknown: never = transport;
      throw new Error(`unknown transport ${String(unknown)}`);
    }
  }
}

/**
 * Calls back when the port of a serial device appears that is not there now.
 * @returns ends the watch
 */
export function watchDevice(
  { transport, connectionParams }: Pick<DeviceConfig, "transport" | "connectionParams">,
  arrived: () => void,
): () => void {
  if (transport === "serial" && "address" in connectionParams) {
    const serial = parseSerialAddress(connectionParams.address);
    if (typeof serial !== "string") return watchArrival(serial.path, arrived);
  }
  return () => {
    // Nothing tells when a printer on the network or in the air is there again.
  };
}
