/**
 * A device at the end of a session: commands by name instead of bytes, refusals as fiscal errors,
 * and what is known of its state.
 */

import type { DeviceInfo, DeviceStatus } from "#core/device/device.ts";
import type { DriverEnvironment } from "#core/driver.ts";
import type { FiscalError } from "#core/errors.ts";
import { decodeText, encodeText } from "../shared/codepage.ts";
import { deviceFault, LackedReads } from "../shared/device-fault.ts";
import { KeptFacts } from "../shared/kept-facts.ts";
import type { VatRates } from "../shared/vat-groups.ts";
import { Answer } from "./answer.ts";
import { DEVICE_COMMANDS, type DeviceCommand, type DeviceCommandName } from "./device-commands.ts";
import type { ZfpDialect } from "./dialect.ts";
import { refusalOf } from "./refusals.ts";
import type { SessionReply, ZfpSession } from "./session.ts";
import { readSensors, type Sensors, StatusBytes } from "./status.ts";
import { CODE_PAGE } from "./text.ts";

/** What was read when the device was identified, and stays as it is. */
export interface DeviceFacts {
  readonly info: DeviceInfo;
}

export class ZfpDevice {
  readonly dialect: ZfpDialect;
  readonly environment: DriverEnvironment;
  readonly facts: DeviceFacts;
  readonly kept: KeptFacts<VatRates>;
  /** True once it was seen to count a receipt as it is opened; others count it as it is closed. */
  countsAtOpening = false;
  readonly #session: ZfpSession;
  readonly #lacked = new LackedReads();
  #status: StatusBytes | undefined;
  #sensors: Sensors | null = null;
  /** False once the device said that it has no such command. */
  #hasSensors = true;

  constructor(
    session: ZfpSession,
    dialect: ZfpDialect,
    options: { readonly environment: DriverEnvironment; readonly info: DeviceInfo },
  ) {
    this.#session = session;
    this.dialect = dialect;
    this.environment = options.environment;
    this.facts = { info: options.info };
    this.kept = new KeptFacts(options.environment);
  }

  /**
   * Sends a command. A refusal is in the answer's `fault`.
   * @throws FiscalError a line fault
   */
  async send(name: DeviceCommandName, data: string | Uint8Array = ""): Promise<Answer> {
    const about: DeviceCommand = DEVICE_COMMANDS[name];
    const reply = await this.#session.exchange({
      command: about.command,
      data: typeof data === "string" ? encodeText(data, CODE_PAGE) : data,
      reads: about.reads === true,
      ...(about.limit && { limit: about.limit }),
    });
    const answer = toAnswer(reply, about.needsReceipt === true);
    if (answer.fault?.code !== "E306" || about.reads) return answer;
    const { data: bytes, text, status } = answer;
    return new Answer({ data: bytes, text, status, fault: await this.#explain(answer.fault) });
  }

  /** As `send`, but a refusal is thrown. @throws FiscalError */
  async ask(name: DeviceCommandName, data: string | Uint8Array = ""): Promise<Answer> {
    const answer = await this.send(name, data);
    if (answer.fault) throw answer.fault;
    return answer;
  }

  /**
   * As `ask`: undefined where the device lacks it.
   * @throws FiscalError a refusal that it may take back, or a line fault
   */
  askUnlessLacking(name: DeviceCommandName): Promise<Answer | undefined> {
    return this.#lacked.unlessLacking(name, () => this.ask(name));
  }

  /** As `ask`, for those who can do without: undefined when the device refuses. */
  async tryAsk(name: DeviceCommandName, data = ""): Promise<Answer | undefined> {
    const answer = await this.send(name, data);
    return answer.fault ? undefined : answer;
  }

  /** Sends bytes unchecked and returns the answer whatever it says. @throws FiscalError */
  async sendRaw(command: number, data: Uint8Array): Promise<Answer> {
    return toAnswer(await this.#session.exchange({ command, data, reads: false }), false);
  }

  /** Reads the status bytes. @throws FiscalError */
  async readStatus(): Promise<StatusBytes> {
    const answer = await this.ask("status");
    this.#status = new StatusBytes(answer.data);
    return this.#status;
  }

  /** Reads the status bytes, and the sensors where the device has them. @throws FiscalError */
  async readState(): Promise<DeviceStatus> {
    const status = await this.readStatus();
    if (this.#hasSensors) {
      const { fault, data } = await this.send("sensors");
      this.#hasSensors = fault?.code !== "E201";
      this.#sensors = fault ? null : readSensors(data);
    }
    return this.#describe(status);
  }

  /** The state as last read; undefined before the first time. */
  status(): DeviceStatus | undefined {
    return this.#status && this.#describe(this.#status);
  }

  #describe(status: StatusBytes): DeviceStatus {
    const { closeRequired: dayCloseRequired } = this.kept.day;
    return status.describe({ sensors: this.#sensors, dayCloseRequired });
  }

  /** "Out of paper, or the printer fails" is one code: the sensors say which. */
  async #explain(fault: FiscalError): Promise<FiscalError> {
    const { paper, cover } = await this.readState();
    const device = fault.device ?? { code: "STE 31", message: "out of paper" };
    if (paper === "out") return fault;
    if (cover === "open") return deviceFault("E307", { ...device, message: "cover open" });
    return deviceFault("E304", { ...device, message: "printer failure" });
  }
}

function toAnswer(reply: SessionReply, needsReceipt: boolean): Answer {
  if (reply.kind === "data") {
    const text = decodeText(reply.data, CODE_PAGE);
    return new Answer({ data: reply.data, text, fault: undefined, status: new Uint8Array() });
  }
  return new Answer({
    data: new Uint8Array(),
    text: "",
    fault: refusalOf(reply, needsReceipt),
    status: Uint8Array.of(reply.deviceError, reply.commandError),
  });
}
