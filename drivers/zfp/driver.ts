/** The ZFP family as a driver: connects, and carries out commands by its table. */

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
import type { ZfpCommand } from "./command.ts";
import { COMMANDS } from "./commands/index.ts";
import { connectDevice } from "./connect.ts";
import type { ZfpDevice } from "./device.ts";
import type { ZfpDialect } from "./dialect.ts";
import type { ZfpSession } from "./session.ts";

/** A driver of the family for the devices of one maker. */
export function zfpDriver(id: DriverId, dialects: readonly ZfpDialect[]): Driver {
  return {
    id,
    commands: new Set(COMMANDS.keys()),
    async connect(line, environment) {
      const { session, device } = await connectDevice(line, dialects, environment);
      return new ZfpDriverSession(session, device);
    },
  };
}

class ZfpDriverSession implements DriverSession {
  readonly #session: ZfpSession;
  readonly #device: ZfpDevice;

  constructor(session: ZfpSession, device: ZfpDevice) {
    this.#session = session;
    this.#device = device;
  }

  get info(): DeviceInfo {
    return this.#device.facts.info;
  }

  async execute(command: DriverCommand, progress: CommandProgress): Promise<CommandSuccess> {
    const { execute } = find(command.type);
    return execute({ device: this.#device, command, progress: this.#signed(progress) });
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
    return this.#device.readState();
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

function find(type: DriverCommand["type"]): ZfpCommand {
  const command = COMMANDS.get(type);
  if (command) return command;
  throw new FiscalError("E201", `${type} is not supported by devices of protocol ZFP`);
}
