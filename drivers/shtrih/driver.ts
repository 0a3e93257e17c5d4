/** The Shtrih-M family as a driver: connects, and carries out commands by their table. */

import type { CommandType } from "#core/command/catalogue.ts";
import type { DeviceInfo, DeviceStatus } from "#core/device/device.ts";
import type {
  CommandProgress,
  CommandSuccess,
  Driver,
  DriverCommand,
  DriverSession,
  Evidence,
  Resolution,
} from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import type { ShtrihCommand } from "./command.ts";
import { COMMANDS_BY_TYPE } from "./commands/index.ts";
import { connectDevice } from "./connect.ts";
import type { ShtrihDevice } from "./device.ts";
import { readStatus } from "./read-status.ts";
import type { ShtrihSession } from "./session.ts";

/** The driver of `vendorF.shtrih`. */
export const shtrihDriver: Driver = {
  id: "vendorF.shtrih",
  commands: new Set(COMMANDS_BY_TYPE.keys()),
  async connect(line, environment) {
    const { session, device } = await connectDevice(line, environment);
    return new ShtrihDriverSession(session, device);
  },
};

class ShtrihDriverSession implements DriverSession {
  readonly #session: ShtrihSession;
  readonly #device: ShtrihDevice;

  constructor(session: ShtrihSession, device: ShtrihDevice) {
    this.#session = session;
    this.#device = device;
  }

  get info(): DeviceInfo {
    return this.#device.facts.info;
  }

  async execute(command: DriverCommand, progress: CommandProgress): Promise<CommandSuccess> {
    return find(command.type).execute({
      device: this.#device,
      command,
      progress: this.#signed(progress),
    });
  }

  async resolve(command: DriverCommand, evidence: Evidence): Promise<Resolution> {
    const { resolve } = find(command.type);
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
    return resolve({ device: this.#device, command, evidence });
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
}

function find(type: CommandType): ShtrihCommand {
  const command = COMMANDS_BY_TYPE.get(type);
  if (command) return command;
  throw new FiscalError("E201", `${type} is not supported by devices of this protocol`);
}
