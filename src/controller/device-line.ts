/** Opening a session with a device, and hearing when its line goes while nothing is asked of it. */

import type { DeviceConfig } from "#core/device/device.ts";
import type { Driver, DriverEnvironment, DriverSession, Line } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import type { ControllerEnvironment } from "./environment.ts";
import { keepSpeed, nextSpeed, speedsOf, speedToTry } from "./serial-speed.ts";

/** What a session hears and keeps beyond one line. */
export interface LineKeeper {
  /** Called once when the line breaks, whoever was listening. */
  onLost(): void;
  note(action: string, details: Record<string, unknown>): void;
  readonly remembered: Map<string, string>;
}

/**
 * Opens the line and lets the driver find out which device is there.
 * @throws FiscalError E201 when this version has no such driver, E200 when the device speaks
 * another protocol, or the fault of the line
 */
export async function openSession(
  device: DeviceConfig,
  environment: ControllerEnvironment,
  keeper: LineKeeper,
): Promise<DriverSession> {
  const driver = environment.findDriver(device.driver);
  if (driver === undefined) {
    throw new FiscalError("E201", `This version has no driver ${device.driver}`);
  }
  const speeds = speedsOf(device, driver);
  if (!speeds) return connect(driver, { device, environment, keeper });
  const { remembered } = keeper;
  const baudRate = speedToTry(speeds, remembered);
  try {
    const session = await connect(driver, { device, environment, keeper, baudRate });
    keepSpeed(baudRate, remembered);
    return session;
  } catch (error) {
    throw nextSpeed(error, baudRate, { speeds, remembered });
  }
}

interface Opening {
  readonly device: DeviceConfig;
  readonly environment: ControllerEnvironment;
  readonly keeper: LineKeeper;
  readonly baudRate?: number;
}

async function connect(driver: Driver, opening: Opening): Promise<DriverSession> {
  const { device, environment, keeper, baudRate } = opening;
  const line = await environment.openLine(device, { baudRate });
  try {
    const observed = observe(line, () => keeper.onLost());
    return await driver.connect(observed, driverEnvironment(device, environment, keeper));
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
  keeper: LineKeeper,
): DriverEnvironment {
  const { clock } = environment;
  const log = environment.log.child({ deviceId: device.id, driver: device.driver });
  return {
    now: () => clock.now(),
    setTimer: (ms, callback) => clock.setTimer(ms, callback),
    random: (bound) => environment.random(bound),
    timezone: device.timezone,
    currency: device.currency,
    remembered: keeper.remembered,
    note: (action, details) => keeper.note(action, details),
    log: (level, sentence, fields) => log[level](sentence, fields),
  };
}
