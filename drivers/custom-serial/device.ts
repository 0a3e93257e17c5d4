/**
 * A device at the end of a session: actions by name instead of bytes, refusals as fiscal errors,
 * and what is known of its state.
 */

import type { DeviceInfo, DeviceStatus } from "#core/device/device.ts";
import type { DriverEnvironment } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { DeviceBusy, givenUntilTaken } from "../shared/busy.ts";
import { unlessUnknown, unlessUntold } from "../shared/device-fault.ts";
import { KeptFacts } from "../shared/kept-facts.ts";
import { type ActionName, type ActionRule, ruleOf } from "./actions.ts";
import { lacks, type Profile, type ProfileCommand } from "./compile-profile.ts";
import type { Flag } from "./profile.ts";
import { plainNumber, type Refusal, refusalNumber, refusalOf } from "./refusals.ts";
import type { CustomSession } from "./session.ts";
import { type DeviceReading, describeState, flagsUp, type Position } from "./status.ts";
import { match, render, type Values } from "./template.ts";

/** Between two attempts while the device is busy with something else. */
const BUSY_POLL_MS = 500;
/** For how long a busy device is asked at most, whatever a profile says. */
const BUSY_MS_MAX = 120_000;

/** What was read when the device was identified, and stays as it is. */
export interface DeviceFacts {
  info: DeviceInfo;
  /** Whether it is in fiscal service; null when it does not tell. */
  fiscalized: boolean | null;
}

/** An answer: its fields by name, or why the device refused. */
export interface Reply {
  readonly body: string;
  readonly fields: ReadonlyMap<string, string>;
  readonly fault: FiscalError | undefined;
}

type Request = Parameters<CustomSession["exchange"]>[0];

const UNKNOWN: DeviceInfo = {
  serialNumber: null,
  firmwareVersion: null,
  fiscalMemorySerialNumber: null,
  manufacturer: null,
  model: null,
};
const NO_FIELDS: ReadonlyMap<string, string> = new Map();

export class CustomDevice {
  readonly environment: DriverEnvironment;
  readonly facts: DeviceFacts = { info: UNKNOWN, fiscalized: null };
  /** Of the VAT table the code of the group for exempt articles. */
  readonly kept: KeptFacts<string>;
  readonly #session: CustomSession;
  #profile: Profile;

  constructor(session: CustomSession, profile: Profile, environment: DriverEnvironment) {
    this.#session = session;
    this.#profile = profile;
    this.environment = environment;
    this.kept = new KeptFacts(environment);
  }

  get profile(): Profile {
    return this.#profile;
  }

  /** Goes on by another profile: the device has said which one is its own. */
  adopt(profile: Profile): void {
    this.#profile = profile;
    this.#session.adopt(profile);
  }

  /** False where nothing that is sent is ever answered. */
  get confirms(): boolean {
    return this.#profile.replies !== "none";
  }

  /** True when the device knows an action. */
  can(name: ActionName): boolean {
    return this.#profile.commands.has(name);
  }

  /** @throws FiscalError E201 when the device lacks one of these actions */
  require(...names: readonly ActionName[]): void {
    for (const name of names) this.#commandOf(name);
  }

  /**
   * Sends an action, to a device that is busy for as long as that may last. A refusal is in the
   * answer's `fault`.
   * @throws FiscalError a line fault; E201 for what the device lacks; E400, E402 for values that do
   *   not fit, before a byte is sent
   */
  async send(name: ActionName, values: Values = {}): Promise<Reply> {
    const reply = await this.#exchange(this.#requestOf(name, values));
    return this.#withFields(name, reply);
  }

  /**
   * As `send`, but a device that is busy is not given it again: the refusal is a `DeviceBusy`. For
   * what is right only as long as nothing has changed since the last look at the device.
   */
  async offer(name: ActionName, values: Values = {}): Promise<Reply> {
    const reply = await this.#exchangeOnce(this.#requestOf(name, values));
    return this.#withFields(name, reply);
  }

  #requestOf(name: ActionName, values: Values): Request {
    const command = this.#commandOf(name);
    const isWhole = (answer: string) => this.#isWhole(answer, command);
    const body = render(command.template, values);
    return { body, effect: this.#effectOf(name), slow: command.slow, isWhole };
  }

  #withFields(name: ActionName, reply: Reply): Reply {
    if (reply.fault || !this.confirms) return reply;
    return { ...reply, fields: readFields(this.#commandOf(name), reply) };
  }

  /** As `send`, but a refusal is thrown. @throws FiscalError */
  async ask(name: ActionName, values: Values = {}): Promise<ReadonlyMap<string, string>> {
    const { fields, fault } = await this.send(name, values);
    if (fault) throw fault;
    return fields;
  }

  /** As `ask`, for reads that a device may lack or refuse: undefined then. @throws FiscalError */
  async tryAsk(
    name: ActionName,
    values: Values = {},
  ): Promise<ReadonlyMap<string, string> | undefined> {
    if (!this.can(name) || !this.confirms) return undefined;
    const { fields, fault } = await this.send(name, values);
    return fault ? undefined : fields;
  }

  /** Sends a command unchecked and returns the answer whatever it says. @throws FiscalError */
  async sendRaw(body: string): Promise<string> {
    await this.#passSync("once");
    return this.#session.exchange({ body, effect: "once", slow: true });
  }

  /**
   * Which documents stand open; undefined when the device does not tell.
   * @throws FiscalError also a refusal of a device that can tell: it does not mean that none does
   */
  async readPosition(): Promise<Position | undefined> {
    const open = await this.#askIfKnown("openDocuments");
    const digit = (await this.#askIfKnown("step"))?.get("step");
    const step = digit === undefined ? undefined : this.#profile.status.steps[digit];
    if (!open && step === undefined) return undefined;
    const isUnderWay = step === "lines" || step === "paying" || step === "paid";
    return {
      // Once it is closed the receipt stands only to be cut off, whatever the other answer says.
      fiscalOpen: isUnderWay || (step !== "closed" && isSet(open, "fiscal", "invoice")),
      slipOpen: step === "nonFiscal" || isSet(open, "nonFiscal"),
      step,
    };
  }

  /** Reads all that the device tells of its state. @throws FiscalError as `readPosition` */
  readState(): Promise<DeviceReading> {
    return this.#readState(() => this.readPosition());
  }

  /** What is shown of it: a device that refuses to say what stands open is shown without. */
  async readStatus(): Promise<DeviceStatus> {
    return describeState(await this.#readState(() => unlessUntold(this.readPosition())));
  }

  async #readState(position: () => Promise<Position | undefined>): Promise<DeviceReading> {
    const { status } = this.#profile;
    const sensors = (await this.tryAsk("sensors"))?.get("flags");
    const hardware = (await this.tryAsk("hardware"))?.get("flags");
    return {
      sensors: sensors === undefined ? undefined : flagsUp(sensors, status.sensors),
      hardware: hardware === undefined ? undefined : flagsUp(hardware, status.hardware),
      position: await position(),
      dayCloseRequired: this.kept.day.closeRequired,
      fiscalized: this.facts.fiscalized,
      raw: [sensors ?? "", hardware ?? ""].join(" ").trim(),
    };
  }

  /** The sensors alone, for somebody who waits for them. @throws FiscalError */
  async readSensors(): Promise<ReadonlySet<Flag> | undefined> {
    const flags = (await this.tryAsk("sensors"))?.get("flags");
    return flags === undefined ? undefined : flagsUp(flags, this.#profile.status.sensors);
  }

  /** As `tryAsk`, but of all refusals only "there is no such command" means that it is lacking. */
  async #askIfKnown(name: ActionName): Promise<ReadonlyMap<string, string> | undefined> {
    return this.confirms ? unlessUnknown(this.ask(name)) : undefined;
  }

  #commandOf(name: ActionName): ProfileCommand {
    const command = this.#profile.commands.get(name);
    if (command) return command;
    throw lacks(this.#profile, name);
  }

  /** What a second execution did is seen in the sums of the receipt; without them it would not be found out. */
  #effectOf(name: ActionName): ActionRule["effect"] {
    const { effect } = ruleOf(name);
    return effect === "repeatable" && !this.can("account") ? "once" : effect;
  }

  /** A refusal may always go on: its number has two digits or three. */
  #isWhole(answer: string, { whole }: ProfileCommand): boolean {
    if (answer.startsWith(this.#profile.errors.prefix)) return false;
    return whole !== undefined && match(whole, answer) !== undefined;
  }

  /** A device that is busy has done nothing: the command is given to it again under a new counter. */
  #exchange(request: Request): Promise<Reply> {
    return givenUntilTaken(this.environment, () => this.#exchangeOnce(request));
  }

  async #exchangeOnce(request: Request): Promise<Reply> {
    await this.#passSync(request.effect);
    const body = await this.#session.exchange(request);
    const refusal = await this.#refusalIn(body);
    if (!refusal?.isBusy) return { body, fields: NO_FIELDS, fault: refusal?.fault };
    const limitMs = Math.min(BUSY_MS_MAX, this.#profile.timeouts.busyMs);
    const fault = new DeviceBusy(refusal.fault, { pollMs: BUSY_POLL_MS, limitMs });
    return { body, fields: NO_FIELDS, fault };
  }

  async #refusalIn(body: string): Promise<Refusal | undefined> {
    const { errors, commands } = this.#profile;
    const number = refusalNumber(body, errors);
    if (number === undefined) return undefined;
    const isExtended = number === errors.extended && commands.has("lastError");
    if (!isExtended) return refusalOf(number, errors);
    const command = this.#commandOf("lastError");
    await this.#passSync("reads");
    const answer = await this.#session.exchange({
      body: render(command.template, {}),
      effect: "reads",
      slow: false,
    });
    // A device that cannot tell more has refused all the same.
    const told = command.pattern && match(command.pattern, answer)?.get("number");
    return refusalOf(told === undefined ? number : plainNumber(told), errors);
  }

  /** Spends counter 0 on a question, because a device would take anything else twice. */
  async #passSync(effect: string): Promise<void> {
    if (effect === "reads" || !this.#session.isAtSync) return;
    const { template } = this.#commandOf("openDocuments");
    await this.#session.exchange({ body: render(template, {}), effect: "reads", slow: false });
  }
}

function readFields({ pattern }: ProfileCommand, { body }: Reply): ReadonlyMap<string, string> {
  if (!pattern) return NO_FIELDS;
  const fields = match(pattern, body);
  if (fields) return fields;
  throw new FiscalError("E902", "The device's answer has another form than the profile says");
}

function isSet(
  fields: ReadonlyMap<string, string> | undefined,
  ...names: readonly string[]
): boolean {
  return names.some((name) => (fields?.get(name) ?? "0") !== "0");
}

/** An integer of an answer. @throws FiscalError E902 when it is none */
export function integerOf(fields: ReadonlyMap<string, string>, name: string): number {
  const text = fields.get(name) ?? "";
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new FiscalError("E902", `The device's ${name} is no number`);
}
