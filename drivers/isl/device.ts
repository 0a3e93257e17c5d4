/**
 * A device at the end of a session: device commands by name instead of bytes. Encodes by the
 * dialect's templates, reads answers, and turns refusals into fiscal errors.
 */

import type { DeviceInfo, DeviceStatus } from "#core/device/device.ts";
import type { DriverEnvironment } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { cutText, decodeText, encodeText } from "../shared/codepage.ts";
import { deviceFault, isStateRefusal, LackedReads } from "../shared/device-fault.ts";
import { KeptFacts } from "../shared/kept-facts.ts";
import type { VatRates } from "../shared/vat-groups.ts";
import { Answer } from "./answer.ts";
import type { Action, ActionName, IslDialect, LogoFormat } from "./dialect.ts";
import { errorNumberMeaning, NOT_PERMITTED_NUMBER } from "./error-numbers.ts";
import type { ResendPolicy } from "./exchange-rules.ts";
import type { IslSession, SessionReply, SessionRequest } from "./session.ts";
import {
  hasFlag,
  readDeviceStatus,
  refineNotPermitted,
  type StatusFlag,
  statusFault,
} from "./status.ts";
import { fillTemplate, type TemplateValues } from "./template.ts";

/** What was read when the device was identified, and stays as it is. */
export interface DeviceFacts {
  info: DeviceInfo;
  /** Printable characters of a line. */
  lineWidth: number;
  /** Characters of each line of an item's name. */
  nameWidth: number;
  /** How large a logo may be; undefined when the device takes none. */
  logo: LogoFormat | undefined;
}

export interface DeviceOptions {
  readonly environment: DriverEnvironment;
  readonly info: DeviceInfo;
}

export class IslDevice {
  readonly dialect: IslDialect;
  readonly environment: DriverEnvironment;
  readonly facts: DeviceFacts;
  readonly kept: KeptFacts<VatRates>;
  readonly #session: IslSession;
  /** What is refused while something stands open may be told afterwards. */
  readonly #lacked = new LackedReads((fault) => isStateRefusal(fault) || this.#standsOpen());
  #status: Uint8Array = new Uint8Array();

  constructor(session: IslSession, dialect: IslDialect, options: DeviceOptions) {
    this.#session = session;
    this.dialect = dialect;
    this.environment = options.environment;
    this.kept = new KeptFacts(options.environment);
    this.facts = {
      info: options.info,
      lineWidth: dialect.widths.line,
      nameWidth: dialect.widths.name,
      logo: dialect.logo,
    };
  }

  /** True when the dialect has this device command. */
  can(name: ActionName): boolean {
    return this.dialect.actions[name] !== undefined;
  }

  /**
   * Sends a device command. A refusal is in the answer's `fault`.
   * @throws FiscalError E201 when the dialect lacks the command, or a line fault
   */
  async send(name: ActionName, values: TemplateValues = {}): Promise<Answer> {
    const { action, request } = this.#requestOf(name, values);
    const reply = await this.#exchange(request, action.resend ?? "always");
    return this.#read(action, reply);
  }

  /**
   * Sends a device command a single time, for what must hit what was read right before it.
   * @returns the answer, or why there is none; the device can still be asked what came of it
   * @throws FiscalError as `send`, where the line is lost
   */
  async sendOnce(name: ActionName, values: TemplateValues = {}): Promise<Answer | FiscalError> {
    const { action, request } = this.#requestOf(name, values);
    const reply = await this.#session.exchangeOnce(request);
    return reply instanceof FiscalError ? reply : this.#read(action, reply);
  }

  /** As `send`, but a refusal is thrown. @throws FiscalError */
  async ask(name: ActionName, values: TemplateValues = {}): Promise<Answer> {
    const answer = await this.send(name, values);
    if (answer.fault) throw answer.fault;
    return answer;
  }

  /**
   * As `ask`: undefined where the dialect or the device lacks it.
   * @throws FiscalError a refusal that the device may take back, or a line fault
   */
  askUnlessLacking(name: ActionName, values: TemplateValues = {}): Promise<Answer | undefined> {
    return this.#lacked.unlessLacking(name, () => this.ask(name, values));
  }

  /** As `ask`, for those who can do without: undefined when the device refuses. */
  async tryAsk(name: ActionName, values: TemplateValues = {}): Promise<Answer | undefined> {
    if (!this.can(name)) return undefined;
    const answer = await this.send(name, values);
    return answer.fault ? undefined : answer;
  }

  /** Sends bytes unchecked and returns the answer whatever it says. @throws FiscalError */
  async sendRaw(command: number, data: Uint8Array): Promise<Answer> {
    const reply = await this.#exchange({ command, data }, "if_refused");
    return this.#read({ command, request: "" }, reply);
  }

  /** True when the last answer's status bytes show this state. */
  shows(flag: StatusFlag): boolean {
    return hasFlag(this.dialect.statusTable, this.#status, flag);
  }

  #exchange(request: SessionRequest, resend: ResendPolicy): Promise<SessionReply> {
    if (resend !== "if_refused" || !this.can("status")) {
      return this.#session.exchange({ ...request, resend });
    }
    const question = this.#requestOf("status", {}).request;
    return this.#session.exchange({ ...request, resend, question });
  }

  #standsOpen(): boolean {
    return this.shows("fiscal_receipt_open") || this.shows("non_fiscal_receipt_open");
  }

  /** The state as of the last answer. */
  status(): DeviceStatus {
    return readDeviceStatus(this.dialect.statusTable, this.#status, this.kept.day);
  }

  /** Text as the device prints it, cut to a width. A cut is not an error. */
  fit(text: string, width: number): string {
    return cutText(text, width, this.dialect.codePage);
  }

  /** @throws FiscalError E201 when the dialect lacks the command */
  #requestOf(
    name: ActionName,
    values: TemplateValues,
  ): { action: Action; request: SessionRequest } {
    const action: Action | undefined = this.dialect.actions[name];
    if (!action) throw new FiscalError("E201", `These devices have no command for ${name}`);
    const request = {
      command: action.command,
      data: encodeText(fillTemplate(action.request, values), this.dialect.codePage),
      ...(action.limit && { limit: action.limit }),
      reads: action.reads === true,
    };
    return { action, request };
  }

  #read(action: Action, reply: SessionReply): Answer {
    const { data, status } = reply.frame;
    const earlier = this.#status;
    this.#status = status;
    const text = decodeText(data, this.dialect.codePage);
    const { errorNumber, list, fields } = this.#parse(action, text);
    const isBare = Object.values(fields).every((value) => value.trim() === "");
    const fault = this.#faultOf(action, { errorNumber, fields, text, status, isBare, earlier });
    return new Answer({
      isBare,
      fields,
      list,
      data,
      status,
      resentInDoubt: reply.resentInDoubt,
      fault,
      wholeAmounts: this.dialect.wholeAmounts,
    });
  }

  #parse(action: Action, text: string) {
    const all = text.split(this.dialect.fieldSeparator);
    // Where each field is followed by a separator, the last piece is nothing.
    if (this.dialect.numbersErrors && all.at(-1) === "") all.pop();
    const errorNumber = this.dialect.numbersErrors ? all.shift() : undefined;
    if (action.reply instanceof RegExp) {
      const fields: Record<string, string> = { ...action.reply.exec(text)?.groups };
      return { errorNumber, list: all, fields };
    }
    const names = action.reply ?? [];
    const fields = Object.fromEntries(names.map((name, index) => [name, all[index] ?? ""]));
    return { errorNumber, list: all, fields };
  }

  #faultOf(
    action: Action,
    told: {
      errorNumber: string | undefined;
      fields: Readonly<Record<string, string>>;
      text: string;
      status: Uint8Array;
      isBare: boolean;
      earlier: Uint8Array;
    },
  ): FiscalError | undefined {
    const table = this.dialect.statusTable;
    const context = {
      reads: action.reads === true,
      demands: action.demands,
      numbers: this.dialect.errorNumbers,
      isBare: action.reply === undefined ? undefined : told.isBare,
      earlier: told.earlier,
    };
    if (!this.dialect.numbersErrors) {
      return statusFault(table, told.status, context) ?? this.#letterFault(action, told);
    }
    const number = told.errorNumber?.trim() ?? "";
    if (!/^-?\d{1,9}$/.test(number)) {
      // A device too puzzled to number its error still sets the bits.
      return (
        statusFault(table, told.status, context) ??
        deviceFault("E305", { code: number, message: "no error number in the answer" })
      );
    }
    const value = Number(number);
    if (value === 0) return undefined;
    const meaning = errorNumberMeaning(value);
    if (meaning.code === "warning") return undefined;
    const code =
      value === NOT_PERMITTED_NUMBER
        ? refineNotPermitted(table, told.status, action.demands)
        : meaning.code;
    return deviceFault(code, { code: number, message: meaning.text });
  }

  /** `F`, alone or before a list: a refusal even when the status bits are clean. */
  #letterFault(
    action: Action,
    told: { fields: Readonly<Record<string, string>>; text: string; status: Uint8Array },
  ): FiscalError | undefined {
    const letter = told.fields.result ?? told.fields.outcome;
    const refused = letter === "F" || (!action.reads && /^F(,|$)/.test(told.text));
    if (!refused) return undefined;
    // A pinpad's number stands last: `F,PP,-111560`.
    const number = /-\d+$/.exec(told.text)?.[0];
    if (number) return deviceFault("E305", { code: number, message: "answered F" });
    const code = refineNotPermitted(this.dialect.statusTable, told.status, action.demands);
    return deviceFault(code, { code: "F", message: "answered F" });
  }
}
