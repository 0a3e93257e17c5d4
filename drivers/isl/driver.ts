/** The ISL family as a driver: connects, and carries out commands by the dialect's table. */

import type { CommandType } from "#core/command/catalogue.ts";
import type { DeviceInfo, DeviceStatus } from "#core/device/device.ts";
import type {
  CommandProgress,
  CommandSuccess,
  Driver,
  DriverCommand,
  DriverId,
  DriverSession,
  Evidence,
  Resolution,
} from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import type { IslCommand } from "./command.ts";
import { commandsOf } from "./commands/index.ts";
import { connectDevice } from "./connect.ts";
import type { IslDevice } from "./device.ts";
import type { IslDialect } from "./dialect.ts";
import { readStatus } from "./read-status.ts";
import type { IslSession } from "./session.ts";

/**
 * Speeds of the serial port, as delivered first; devices of the older generation are set by
 * switches. Source: Datecs X manual 2.02 for the first; UNCONFIRMED: in which order the others are
 * met, as the manuals of the older devices give only the range.
 */
const SPEEDS_BAUD = [115_200, 9_600, 19_200, 38_400, 57_600];

/** A driver of the family for the devices of one maker. */
export function islDriver(id: DriverId, dialects: readonly IslDialect[]): Driver {
  return {
    id,
    serialSpeedsBaud: SPEEDS_BAUD,
    commands: new Set(dialects.flatMap((dialect) => [...commandsOf(dialect).keys()])),
    async connect(line, environment) {
      const { session, device } = await connectDevice(line, dialects, environment);
      return new IslDriverSession(session, device);
    },
  };
}

class IslDriverSession implements DriverSession {
  readonly #session: IslSession;
  readonly #device: IslDevice;
  readonly #commands: ReadonlyMap<CommandType, IslCommand>;

  constructor(session: IslSession, device: IslDevice) {
    this.#session = session;
    this.#device = device;
    this.#commands = commandsOf(device.dialect);
  }

  get info(): DeviceInfo {
    return this.#device.facts.info;
  }

  async execute(command: DriverCommand, progress: CommandProgress): Promise<CommandSuccess> {
    const success = await this.#find(command.type).execute({
      device: this.#device,
      command,
      progress: this.#signed(progress),
    });
    return { ...success, status: this.#device.status() };
  }

  async resolve(command: DriverCommand, evidence: Evidence): Promise<Resolution> {
    const { resolve } = this.#find(command.type);
    if (!resolve) return { outcome: "unknown", reason: `Nothing tells of ${command.type}` };
    const { serialNumber } = evidence.baseline;
    if (serialNumber !== this.info.serialNumber) {
      // Its counters say nothing of ours, and what is open on it is none of our business. Lines
      // follow only after `opened` is stored, so before that the other one printed nothing either.
      return evidence.mark === "baseline"
        ? {
            outcome: "not_printed",
            reason: "The device was exchanged before the document had lines",
          }
        : { outcome: "unknown", reason: "Another device answers than the one that printed" };
    }
    const resolution = await resolve({ device: this.#device, command, evidence });
    if (resolution.outcome !== "printed") return resolution;
    return { ...resolution, success: { ...resolution.success, status: this.#device.status() } };
  }

  readStatus(): Promise<DeviceStatus> {
    return readStatus(this.#device);
  }

  close(): void {
    this.#session.close();
  }

  /** Each baseline also says which device it was read of. */
  #signed(progress: CommandProgress): CommandProgress {
    const { serialNumber } = this.info;
    return {
      mark: (mark, baseline) => progress.mark(mark, baseline && { ...baseline, serialNumber }),
      paused: (reason) => progress.paused(reason),
      pauseLimitMs: progress.pauseLimitMs,
    };
  }

  #find(type: CommandType): IslCommand {
    const command = this.#commands.get(type);
    if (command) return command;
    const { name } = this.#device.dialect;
    throw new FiscalError("E201", `${type} is not supported by devices of protocol ${name}`);
  }
}
