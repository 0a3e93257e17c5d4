/** Opening a session with a device, and hearing when its line goes while nothing is asked of it. */

import type { DeviceConfig } from "#core/device/device.ts";
import type { DriverEnvironment, DriverSession, Line } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import type { ControllerEnvironment } from "./environment.ts";

/**
 * Opens the line and lets the driver find out which device is there.
 * @param onLost called once when the line breaks, whoever was listening
 * @throws FiscalError E201 when this version has no such driver, E200 when the device speaks
 * another protocol, or the fault of the line
 */
export async function openSession(
  device: DeviceConfig,
  environment: ControllerEnvironment,
  onLost: () => void,
): Promise<DriverSession> {
  const driver = environment.findDriver(device.driver);
  if (driver === undefined) {
    throw new FiscalError("E201", `This version has no driver ${device.driver}`);
  }
  const line = await environment.openLine(device);
  try {
    return await driver.connect(observe(line, onLost), driverEnvironment(device, environment));
  } catch (error) {
    line.close();
    throw error;
  }
}

function observe(line: Line, onLost: () => void): Line {
  return {
    write: (bytes) => line.write(bytes),
    close: () => line.close(),
    listen: (listener) =>
      line.listen({
        data: (chunk) => listener.data(chunk),
        closed: (error) => {
          listener.closed(error);
          onLost();
        },
      }),
  };
}

function driverEnvironment(
  device: DeviceConfig,
  environment: ControllerEnvironment,
): DriverEnvironment {
  const { clock } = environment;
  const log = environment.log.child({ deviceId: device.id, driver: device.driver });
  return {
    now: () => clock.now(),
    setTimer: (ms, callback) => clock.setTimer(ms, callback),
    random: (bound) => environment.random(bound),
    timezone: device.timezone,
    log: (level, sentence, fields) => log[level](sentence, fields),
  };
}
