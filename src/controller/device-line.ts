/** Opening a session with a device, and hearing when its line goes while nothing is asked of it. */

import type { DeviceConfig } from "#core/device/device.ts";
import type { SerialSettings } from "#core/device/serial-address.ts";
import {
  type Driver,
  type DriverEnvironment,
  type DriverSession,
  IDENTIFIED,
  type Line,
} from "#core/driver.ts";
import { DocumentInDoubt, FiscalError } from "#core/errors.ts";
import { tapped } from "#core/tapped-line.ts";
import type { Log } from "../platform/log.ts";
import type { ControllerEnvironment } from "./environment.ts";
import type { Job } from "./job.ts";
import type { LineTrace } from "./line-trace.ts";
import {
  choicesOf,
  keepSettings,
  nextSettings,
  settingsText,
  settingsToTry,
} from "./serial-search.ts";
import { tracedLine } from "./traced-line.ts";

const LEFT_ELSEWHERE =
  "Waiting until the printer has what was sent to another address of it before a restart";

/** What a session hears and keeps beyond one line. */
export interface LineKeeper {
  /** Called once when the line breaks, whoever was listening. */
  onLost(): void;
  note(action: string, details: Record<string, unknown>): void;
  /** See `DriverEnvironment`. */
  mayFinish(): boolean;
  readonly remembered: Map<string, string>;
  /** The command of which it is to be found out what became. */
  inDoubt(): Pick<Job, "otherPorts"> | undefined;
  /** Takes what passes on the line. */
  readonly trace: LineTrace;
}

/**
 * Opens the line and lets the driver find out which device is there.
 * @throws FiscalError E201 when this version has no such driver, E200 when the device speaks
 * another protocol, or the fault of the line; E101 while something may arrive behind a doubt's answer
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
  try {
    // Before a line is up of which nothing could be asked: it would go down at once, over and over.
    requireArrived({ environment, keeper });
  } catch (error) {
    keeper.trace.event("failed", faultWords(error));
    throw error;
  }
  const choices = choicesOf(device, driver);
  if (!choices) return connect(driver, { device, environment, keeper });
  const { remembered } = keeper;
  const settings = settingsToTry(choices, remembered);
  try {
    const session = await connect(driver, { device, environment, keeper, settings });
    keepSettings(settings, remembered);
    return session;
  } catch (error) {
    throw nextSettings(error, settings, { choices, remembered });
  }
}

interface Opening {
  readonly device: DeviceConfig;
  readonly environment: ControllerEnvironment;
  readonly keeper: LineKeeper;
  readonly settings?: SerialSettings;
}

async function connect(driver: Driver, opening: Opening): Promise<DriverSession> {
  const { device, environment, keeper, settings } = opening;
  const { trace } = keeper;
  // The printer may have another record, under which the command in doubt went out somewhere else.
  const isKnown = keeper.remembered.has(IDENTIFIED) && keeper.inDoubt() === undefined;
  const line = await environment.openLine(device, { settings, isKnown }).catch((error: unknown) => {
    trace.event("failed", faultWords(error));
    throw error;
  });
  const how = settings === undefined ? "" : ` at ${settingsText(settings)}`;
  trace.event("opened", placeOf(device) + how);
  const surroundings = driverEnvironment(device, environment, keeper);
  const openReader = () => driver.frameReader?.(surroundings);
  const traced = tracedLine(line, { trace, openReader, log: environment.log });
  try {
    const observed = tapped(traced, { lost: () => keeper.onLost() });
    const session = await driver.connect(observed, surroundings);
    keeper.remembered.set(IDENTIFIED, "");
    const { manufacturer, model, serialNumber } = session.info;
    trace.event("identified", [manufacturer, model, serialNumber].filter(Boolean).join(" "));
    return lookingBehind(session, { ...opening, line: observed });
  } catch (error) {
    trace.event("failed", faultWords(error));
    traced.close();
    throw error;
  }
}

/**
 * Looks for what may still arrive at the printer of a doubt. The printer may have another record, whose
 * process was killed while this line was up, or before it was opened by somebody who knew the device: what
 * it had sent would arrive behind the verdict, at this address or another.
 * @param looking with the line once that is open; as it opens, it looks for itself at its address
 * @throws FiscalError E101 while something may arrive
 */
function requireArrived(looking: Looking): void {
  const { environment, keeper, line } = looking;
  line?.lookBehind?.();
  const { otherPorts = [] } = keeper.inDoubt() ?? {};
  if (environment.isLeftSending?.(otherPorts)) throw new FiscalError("E101", LEFT_ELSEWHERE);
}

interface Looking extends Pick<Opening, "environment" | "keeper"> {
  readonly line?: Line;
}

/** The same session, which asks nothing about a doubt while something may follow. */
function lookingBehind(session: DriverSession, looking: Looking): DriverSession {
  return {
    info: session.info,
    execute: (command, progress) => session.execute(command, progress),
    async resolve(command, evidence, keep) {
      requireArrived(looking);
      return await session.resolve(command, evidence, keep);
    },
    readStatus: () => session.readStatus(),
    close: () => session.close(),
  };
}

function placeOf({ connectionParams: params }: DeviceConfig): string {
  return "host" in params ? `${params.host}:${params.port}` : params.address;
}

/** Why a line was given up. What a defect says may hold secrets, and goes to the log alone. */
export function faultWords(error: unknown): string {
  if (error instanceof DocumentInDoubt) return error.message;
  return error instanceof FiscalError ? `${error.code}: ${error.message}` : "the driver failed";
}

function driverEnvironment(
  device: DeviceConfig,
  environment: ControllerEnvironment,
  keeper: LineKeeper,
): DriverEnvironment {
  const { clock } = environment;
  // Made for who has something to say: most lines to a device that is away are opened in vain.
  let log: Log | undefined;
  const ownLog = () => {
    log ??= environment.log.child({ deviceId: device.id, driver: device.driver });
    return log;
  };
  const { profile } = device.connectionParams;
  return {
    ...(profile === undefined ? {} : { profile }),
    now: () => clock.now(),
    setTimer: (ms, callback) => clock.setTimer(ms, callback),
    random: (bound) => environment.random(bound),
    timezone: device.timezone,
    currency: device.currency,
    remembered: keeper.remembered,
    mayFinish: () => keeper.mayFinish(),
    note: (action, details) => keeper.note(action, details),
    log: (level, sentence, fields) => ownLog()[level](sentence, fields),
  };
}
