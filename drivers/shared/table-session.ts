/** A session of any driver: carries out the commands of the driver's table on an identified device. */

import { type CommandType, isFiscalDocument } from "#core/command/catalogue.ts";
import { DOUBTS } from "#core/command/doubt.ts";
import { toldResult } from "#core/command/told-result.ts";
import type { DeviceInfo, DeviceStatus } from "#core/device/device.ts";
import { toDeviceText } from "#core/device-text.ts";
import type {
  CommandProgress,
  CommandSuccess,
  DriverCommand,
  DriverSession,
  Evidence,
  Resolution,
} from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import type { CommandOn, ResolveContext } from "./command.ts";
import type { KeptFacts } from "./kept-facts.ts";
import { wasSent } from "./ledger.ts";
import { type SlipOnDevice, withoutLeftSlip } from "./left-slip.ts";
import { hasNoLines } from "./resolution.ts";
import { withMark } from "./with-mark.ts";

export interface TableSessionOptions<Device> {
  readonly device: Device;
  readonly commands: ReadonlyMap<CommandType, CommandOn<Device>>;
  /** Whose devices lack the other types, for the message of E201: `protocol ZFP`. */
  readonly family: string;
  /** What more there is to say of a type that they lack. */
  readonly lacking?: (type: CommandType) => string | undefined;
  /** Reads the device's state. @throws FiscalError */
  readStatus(): Promise<DeviceStatus>;
  /** The state as of the last answer, where each answer tells it: it then goes with each result. */
  readonly lastStatus?: () => DeviceStatus;
  readonly slip: SlipOnDevice;
  /**
   * Reads the number of the last Z report, and notes it; absent where the state tells it.
   * @throws FiscalError
   */
  readZNumber?(): Promise<unknown>;
  /** Ends the session and its line. */
  close(): void;
}

/** What the device of any protocol has. */
interface IdentifiedDevice {
  readonly facts: { readonly info: DeviceInfo };
  readonly kept: KeptFacts<unknown>;
}

/** Commands by a table, each on the device that was there when the line was opened. */
export class TableSession<Device extends IdentifiedDevice> implements DriverSession {
  readonly #options: TableSessionOptions<Device>;
  readonly #info: DeviceInfo;

  constructor(options: TableSessionOptions<Device>) {
    this.#options = options;
    this.#info = toldResult("get_info", { info: options.device.facts.info }).info;
  }

  get info(): DeviceInfo {
    return this.#info;
  }

  async execute(command: DriverCommand, progress: CommandProgress): Promise<CommandSuccess> {
    const { execute } = this.#find(command.type);
    const { device, slip } = this.#options;
    const { type } = command;
    const about = { type, progress: this.#signed(progress) };
    try {
      const success = await withoutLeftSlip<CommandSuccess>(slip, about, (marked) =>
        execute({ device, command, progress: marked }),
      );
      if (isFiscalDocument(type)) device.kept.notePrinted();
      return this.#told(type, success);
    } catch (error) {
      device.kept.noteFailure(type, error);
      throw error;
    }
  }

  async resolve(
    command: DriverCommand,
    evidence: Evidence,
    keep: ResolveContext<Device>["keep"] = keepNothing,
  ): Promise<Resolution> {
    const { resolve } = this.#find(command.type);
    if (!resolve) {
      return { outcome: "unknown", doubt: DOUBTS.notTold(`what became of ${command.type}`) };
    }
    const isOther = evidence.baseline.serialNumber !== this.info.serialNumber;
    if (isOther) return exchanged(command.type, evidence);
    const { device } = this.#options;
    const resolution = await resolve({ device, command, evidence, keep });
    if (resolution.outcome !== "printed") return resolution;
    return { ...resolution, success: this.#told(command.type, resolution.success) };
  }

  async readStatus(): Promise<DeviceStatus> {
    const { device, readZNumber } = this.#options;
    if (readZNumber) await device.kept.refresh(readZNumber);
    return this.#shown(await this.#options.readStatus());
  }

  close(): void {
    this.#options.close();
  }

  /** Each baseline also says which device it was read of. */
  #signed(progress: CommandProgress): CommandProgress {
    const { serialNumber } = this.info;
    return withMark(progress, (mark, baseline) =>
      progress.mark(mark, baseline && { ...baseline, serialNumber }),
    );
  }

  /** What leaves the driver: nothing that a device says goes further as it came. */
  #told(type: CommandType, { data, fiscalId, status }: CommandSuccess): CommandSuccess {
    const shown = this.#options.lastStatus?.() ?? status;
    return {
      data: toldResult(type, data),
      ...(fiscalId === undefined ? {} : { fiscalId: toDeviceText(fiscalId) }),
      ...(shown === undefined ? {} : { status: this.#shown(shown) }),
    };
  }

  /** Beside the state goes what shows a Z report at the keys, of this line or of the time between two. */
  #shown(status: DeviceStatus): DeviceStatus {
    const lastZNumber = this.#options.device.kept.zNumber;
    const told = toldResult("get_status", status);
    return lastZNumber === null ? told : { ...told, lastZNumber };
  }

  #find(type: CommandType): CommandOn<Device> {
    const { commands, family, lacking } = this.#options;
    const command = commands.get(type);
    if (command) return command;
    const words = lacking?.(type) ?? `${type} is not supported by devices of ${family}`;
    throw new FiscalError("E201", words);
  }
}

async function keepNothing(): Promise<void> {
  // Of a caller that asks once.
}

/**
 * Another device answers than the one that printed. Its counters say nothing of ours, and what is
 * open on it is none of our business: only what had certainly not been sent was not printed.
 */
function exchanged(type: CommandType, evidence: Evidence): Resolution {
  const mayBePrinted = isFiscalDocument(type) ? !hasNoLines(evidence) : wasSent(evidence.mark);
  return mayBePrinted
    ? { outcome: "unknown", doubt: DOUBTS.otherDevice() }
    : { outcome: "not_printed", reason: "The device was exchanged before any of it was sent" };
}
