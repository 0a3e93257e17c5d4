/**
 * A device command by name: password and parameters in, data or refusal out. A refusal that only
 * says "not now" ends here: printing is waited for, a printer that was loaded with paper is
 * told to go on, and what the mode forbids is told in the words of the mode.
 */

import type { DeviceInfo, DeviceStatus } from "#core/device/device.ts";
import type { DriverEnvironment } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { fromLocalTime } from "#core/local-time.ts";
import { DeviceBusy, givenUntilTaken } from "../shared/busy.ts";
import { LackedReads, unlessUnknown } from "../shared/device-fault.ts";
import { KeptFacts } from "../shared/kept-facts.ts";
import { DEFAULT_OPERATOR } from "../shared/operator.ts";
import { delay } from "../shared/pause.ts";
import { clockShown } from "../shared/shown-time.ts";
import { type CommandLine, codeSize } from "./command-line.ts";
import { FACTORY } from "./dialects/factory.ts";
import type { TextRows } from "./dialects/text-rows.ts";
import {
  deviceFault,
  FIELD_BYTES,
  PAPER_BYTES,
  refusalOf,
  STATE_BYTES,
  STILL_PRINTING,
  UNSUPPORTED,
  WAITS_FOR_CONTINUE,
  WRONG_PASSWORD,
} from "./error-bytes.ts";
import { FieldReader, join, uint } from "./fields.ts";
import { answerMsOf, REQUESTS, type RequestName } from "./requests.ts";
import {
  describeState,
  type FullState,
  isPrinting,
  MODE,
  printFaultOf,
  readFullState,
  readPrinterState,
  type Sensors,
  type ShortState,
  SUBMODE,
} from "./status.ts";

/** How often a printing device is asked whether it has finished, and how many times. */
const PRINTING_POLL_MS = 300;
const PRINTING_POLLS_MAX = 200;
const PRINTING = { pollMs: PRINTING_POLL_MS, limitMs: PRINTING_POLLS_MAX * PRINTING_POLL_MS };

/**
 * The passwords, as the maker sets them, of what goes out in nobody's name: an operator's is the
 * operator's number. Shops change that of operator 1, who sells; then the administrator's does as well.
 */
const OWN_PASSWORDS = [DEFAULT_OPERATOR, FACTORY.administratorPassword] as const;

/** What was read when the device was identified. */
export interface DeviceFacts {
  readonly info: DeviceInfo;
  readonly sensors: Sensors;
  readonly texts: TextRows;
  /** Number of the first logo line that is printed, 0 to 2. */
  readonly firstLogoLine: number;
  /** Characters in a line of the first font. */
  readonly lineWidth: number;
}

/** An answer: data, or why there is none. */
export interface Reply {
  readonly errorByte: number;
  readonly data: Uint8Array;
  readonly fault: FiscalError | undefined;
}

const NOTHING = new Uint8Array(0);

export class ShtrihDevice {
  readonly environment: DriverEnvironment;
  /** The day is part of each status, and the VAT table is read whenever it is needed. */
  readonly kept: KeptFacts<undefined>;
  readonly #session: CommandLine;
  readonly #lacked = new LackedReads();
  #facts: DeviceFacts;
  /** What the device took last of `OWN_PASSWORDS`. */
  #ownPassword: number = DEFAULT_OPERATOR;
  /** By table and field, read once. */
  readonly #fieldSizes = new Map<string, number>();
  /** The last full status, as read. */
  #last: { readonly state: FullState; readonly rawHex: string } | undefined;

  constructor(session: CommandLine, environment: DriverEnvironment, facts: DeviceFacts) {
    this.#session = session;
    this.environment = environment;
    this.kept = new KeptFacts(environment);
    this.#facts = facts;
  }

  get facts(): DeviceFacts {
    return this.#facts;
  }

  /** Goes on by what the device has told of itself. */
  identified(facts: DeviceFacts): void {
    this.#facts = facts;
  }

  /**
   * Sends a command; a refusal is in the reply.
   * @param password of the operator in whose name it is, where it is an operator's command; in
   *   nobody's when absent
   * @throws FiscalError a line fault
   */
  send(name: RequestName, parameters: Uint8Array = NOTHING, password?: number): Promise<Reply> {
    return givenUntilTaken(this.environment, () => this.offer(name, parameters, password));
  }

  /**
   * As `send`, but a device that still prints, or was just told to go on with that, is not given it again:
   * the refusal is a `DeviceBusy`. For what is right only as long as nothing has changed since the last
   * look at the device.
   */
  async offer(
    name: RequestName,
    parameters: Uint8Array = NOTHING,
    password?: number,
  ): Promise<Reply> {
    const reply = await this.#sendOnce(name, parameters, password);
    const { errorByte } = reply;
    if (errorByte === WAITS_FOR_CONTINUE && name !== "proceed") return this.#toldToGoOn(reply);
    if (!isJudgedByState(errorByte) || name === "printerState") return reply;
    const state = await this.#whenPrinted(() => this.printerState());
    if (state.submode === SUBMODE.waitsForContinue) return this.#toldToGoOn(reply);
    return { ...reply, fault: this.#refusalIn(state, errorByte) };
  }

  /** Whoever loaded the paper may have done more at the device, so what was refused waits for a look. */
  async #toldToGoOn(refused: Reply): Promise<Reply> {
    await this.#sendOnce("proceed");
    return { ...refused, fault: new DeviceBusy(refusalOf(refused.errorByte), PRINTING) };
  }

  /** Sends a command and returns its data. @throws FiscalError a refusal or a line fault */
  async ask(name: RequestName, parameters?: Uint8Array, password?: number): Promise<FieldReader> {
    const { fault, data } = await this.send(name, parameters, password);
    if (fault) throw fault;
    return new FieldReader(data);
  }

  /** The same for commands that not every model has: undefined when it is refused. */
  async tryAsk(name: RequestName, parameters?: Uint8Array): Promise<FieldReader | undefined> {
    const { fault, data } = await this.send(name, parameters);
    return fault ? undefined : new FieldReader(data);
  }

  /** Sends a body as it is. @throws FiscalError a line fault, or E400 */
  async sendRaw(body: Uint8Array): Promise<{ errorByte: number; data: Uint8Array }> {
    const answerMs = answerMsOf(body[0] ?? 0);
    const answer = await this.#session.exchange({ body, answerMs, isRead: false });
    const size = codeSize(body);
    return { errorByte: answer[size] ?? 0, data: answer.subarray(size + 1) };
  }

  async printerState(): Promise<ShortState> {
    const { fault, data } = await this.#sendOnce("printerState");
    if (fault) throw fault;
    return readPrinterState(data);
  }

  /** Reads mode, numbers and clock. @throws FiscalError */
  async fullState(): Promise<FullState> {
    const { fault, data } = await this.#sendOnce("fullState");
    if (fault) throw fault;
    const state = readFullState(data);
    this.#last = { state, rawHex: Buffer.from(data).toString("hex") };
    this.kept.noteZNumber(state.lastClosedDay);
    const instant = this.instantOf(state);
    if (instant !== undefined) this.kept.noteClock(instant);
    return state;
  }

  /**
   * The same once nothing is being printed any more: what is open, which document was the last, and
   * whether the next one can begin, are sure only then.
   * @throws FiscalError E500 when the device does not stop printing in time, and what the read throws
   */
  settledState(): Promise<FullState> {
    return this.#whenPrinted(() => this.fullState());
  }

  /** The last full status in the words of the API; undefined before the first. */
  status(): DeviceStatus | undefined {
    const last = this.#last;
    return last && describeState(last.state, this.facts.sensors, last.rawHex);
  }

  /** What keeps the device from printing; undefined when nothing does. */
  printFault(state: ShortState): FiscalError | undefined {
    return printFaultOf(state, this.facts.sensors);
  }

  /** The instant that the device's clock showed; undefined when it showed none. */
  instantOf({ clock }: FullState): number | undefined {
    const { environment } = this;
    return clock && clockShown(fromLocalTime(clock, environment.timezone), environment);
  }

  /** A register of money, in minor units. @throws FiscalError */
  async money(register: number): Promise<number> {
    const reader = await this.ask("moneyRegister", Uint8Array.of(register));
    reader.bytes(1);
    return reader.uint(6);
  }

  /**
   * The same where a model may lack it: undefined then.
   * @throws FiscalError a refusal by the device's state, or a line fault
   */
  moneyUnlessLacking(register: number): Promise<number | undefined> {
    return this.#lacked.unlessLackingNow(`money ${register}`, () => this.money(register));
  }

  /** A register of counts. @throws FiscalError */
  async count(register: number): Promise<number> {
    const reader = await this.ask("countRegister", Uint8Array.of(register));
    reader.bytes(1);
    return reader.uint(2);
  }

  /**
   * The same where a model may lack it: undefined then.
   * @throws FiscalError a refusal by the device's state, or a line fault
   */
  countUnlessLacking(register: number): Promise<number | undefined> {
    return this.#lacked.unlessLackingNow(`count ${register}`, () => this.count(register));
  }

  /** A field of a table, as bytes. @throws FiscalError */
  async readField(table: number, row: number, field: number): Promise<Uint8Array> {
    const reader = await this.ask("readTable", join(table, uint(row, 2), field));
    return reader.bytes(reader.left);
  }

  async writeField(at: readonly [table: number, row: number, field: number], value: Uint8Array) {
    const [table, row, field] = at;
    await this.ask("writeTable", join(table, uint(row, 2), field, value));
  }

  /** Rows of a table; zero when the model does not have it. @throws FiscalError */
  async rowsOf(table: number): Promise<number> {
    const reader = await unlessUnknown(this.ask("tableStructure", Uint8Array.of(table)));
    if (!reader) return 0;
    reader.bytes(40);
    return reader.uint(2);
  }

  /** Bytes of a field, read once. @throws FiscalError */
  async sizeOf(table: number, field: number): Promise<number> {
    const key = `${table}.${field}`;
    const known = this.#fieldSizes.get(key);
    if (known !== undefined) return known;
    const reader = await this.ask("fieldStructure", Uint8Array.of(table, field));
    reader.bytes(41);
    const size = reader.uint(1);
    this.#fieldSizes.set(key, size);
    return size;
  }

  async #sendOnce(
    name: RequestName,
    parameters: Uint8Array = NOTHING,
    password?: number,
  ): Promise<Reply> {
    const isOwn = password === undefined && REQUESTS[name].role === "operator";
    const reply = await this.#sendAs(password ?? this.#ownPassword, name, parameters);
    if (!isOwn || reply.errorByte !== WRONG_PASSWORD) return reply;
    const other = OWN_PASSWORDS.find((one) => one !== this.#ownPassword) ?? DEFAULT_OPERATOR;
    const again = await this.#sendAs(other, name, parameters);
    if (again.errorByte === WRONG_PASSWORD) return reply;
    this.#ownPassword = other;
    return again;
  }

  async #sendAs(password: number, name: RequestName, parameters: Uint8Array): Promise<Reply> {
    const { code, role, isRead, answerMs } = REQUESTS[name];
    const identity =
      role === "none"
        ? NOTHING
        : uint(role === "administrator" ? FACTORY.administratorPassword : password, 4);
    const body = join(code, identity, parameters);
    const answer = await this.#session.exchange({ body, answerMs, isRead });
    const errorByte = answer[1] ?? 0;
    return {
      errorByte,
      data: answer.subarray(2),
      fault: errorByte === 0 ? undefined : faultOf(errorByte),
    };
  }

  async #whenPrinted<State extends ShortState>(read: () => Promise<State>): Promise<State> {
    for (let polls = 0; ; polls += 1) {
      const state = await read();
      if (!isPrinting(state)) return state;
      if (polls >= PRINTING_POLLS_MAX) throw refusalOf(STILL_PRINTING);
      await delay(this.environment, PRINTING_POLL_MS);
    }
  }

  #refusalIn(state: ShortState, errorByte: number): FiscalError {
    const fault = this.printFault(state);
    const device = deviceFault(errorByte);
    if (fault) return new FiscalError(fault.code, fault.message, { device });
    if (PAPER_BYTES.has(errorByte)) return refusalOf(errorByte);
    if (state.mode === MODE.dayOver) return withDevice("E303", "Make a Z report first", device);
    if (state.mode === MODE.documentOpen) return withDevice("E301", "A document is open", device);
    if (state.mode === MODE.dayOpen && FIELD_BYTES.has(errorByte)) {
      return withDevice("E303", "This is changed after a Z report alone: make one first", device);
    }
    return refusalOf(errorByte);
  }
}

function faultOf(errorByte: number): FiscalError {
  const refusal = refusalOf(errorByte);
  return errorByte === STILL_PRINTING ? new DeviceBusy(refusal, PRINTING) : refusal;
}

/** True for bytes whose meaning depends on the state that the device shows. */
function isJudgedByState(errorByte: number): boolean {
  return [STATE_BYTES, FIELD_BYTES, PAPER_BYTES].some((bytes) => bytes.has(errorByte));
}

function withDevice(
  code: "E301" | "E303",
  message: string,
  device: ReturnType<typeof deviceFault>,
): FiscalError {
  return new FiscalError(code, message, { device });
}

/** True for the answer of a model that does not have the command. */
export function isUnsupported(reply: Reply): boolean {
  return reply.errorByte === UNSUPPORTED;
}
