/**
 * A simulated CUSTOM device with hosts at its lines, for tests. A host sends what it is told to,
 * confirms what it is told to, and neither resends nor interprets anything.
 */

import { RawLine } from "../../../simulator/testing/raw-line.ts";
import { SimulatorRig } from "../../../simulator/testing/simulator-rig.ts";

export const ACK = "\u0006";
export const NACK = "\u0015";
/** 15 March 2024, 12:05:09 UTC: 13:05:09 in Rome. */
export const START = Date.UTC(2024, 2, 15, 12, 5, 9);

/** A frame around a command, its checksum given up to the sum of its characters. */
export function framed(counter: string, command: string): string {
  const inner = `${counter}0${command}`;
  const sum = [...inner].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  return `\u0002${inner}${String(sum % 100).padStart(2, "0")}\u0003`;
}

/** The frame with a checksum that is wrong. */
export function misreckoned(frame: string): string {
  return `${frame.slice(0, -3)}##${frame.slice(-1)}`;
}

/** One line to the device. */
export class RawHost {
  readonly #line: RawLine;

  private constructor(line: RawLine) {
    this.#line = line;
  }

  static async connect(port: number): Promise<RawHost> {
    return new RawHost(await RawLine.connect(port));
  }

  send(text: string): void {
    this.#line.write(Buffer.from(text, "latin1"));
  }

  /** Takes as many bytes as come next. @throws Error when they do not come in time */
  async take(count: number): Promise<string> {
    return (await this.#line.take(count)).toString("latin1");
  }

  /** Takes everything up to this character and that itself. */
  async takeThrough(end: string): Promise<string> {
    return (await this.#line.takeThrough(end.charCodeAt(0))).toString("latin1");
  }

  /** What has come and was not taken. */
  get pending(): string {
    return this.#line.heard.toString("latin1");
  }

  closed(): Promise<void> {
    return this.#line.closed();
  }

  close(): void {
    this.#line.close();
  }
}

/** A receipt as `GET /books` shows it, as far as tests look at it. */
interface BookedReceipt {
  readonly number: number;
  readonly dayNumber: number | null;
  readonly kind: string;
  readonly total: number;
  readonly change: number;
  readonly time: string;
  readonly vat: readonly { readonly group: number; readonly turnover: number }[];
  readonly payments: readonly { readonly method: string; readonly amount: number }[];
  readonly items: readonly {
    readonly name: string;
    readonly price: number;
    readonly quantity: number;
    readonly adjustment: number;
    readonly total: number;
  }[];
  readonly texts: readonly string[];
  readonly subtotalAdjustment: number;
  readonly original?: { readonly number: number; readonly fiscalMemory: string };
  readonly reason?: string;
}

export interface Books {
  readonly receipts: readonly BookedReceipt[];
  readonly cancelled: readonly { readonly total: number }[];
  readonly zNumber: number;
  readonly cash: number;
  readonly openDocument: { readonly kind: string; readonly total?: number } | null;
  readonly clock: { readonly time: string };
  readonly header: readonly string[];
  readonly vatRates: readonly { readonly rateBasisPoints: number; readonly enabled: boolean }[];
  readonly settings: Readonly<Record<string, string>>;
  readonly frames: number;
}

export type ModelName = "gen3" | "gen2" | "xonxoff";

/** A switched-on device with a host that has connected. */
export class Rig extends SimulatorRig {
  readonly #model: ModelName;
  /** What the computer's clock says; tests move it. */
  now = START;
  #host: RawHost | undefined;
  #counter = 0;

  private constructor(model: ModelName) {
    super();
    this.#model = model;
  }

  static async start(model: ModelName): Promise<Rig> {
    const rig = new Rig(model);
    await rig.switchOn();
    return rig;
  }

  async switchOn(): Promise<void> {
    await this.startDevice({ driver: "custom.serial", model: this.#model, now: () => this.now });
    await this.reconnect();
  }

  /** Switches the device off and on again, which empties what no battery keeps. */
  async restart(): Promise<void> {
    await this.switchOff();
    await this.switchOn();
  }

  override async switchOff(): Promise<void> {
    this.#host?.close();
    await super.switchOff();
  }

  get host(): RawHost {
    if (!this.#host) throw new Error("no host has connected");
    return this.#host;
  }

  /** Lets another host connect, in the place of the one before. */
  async reconnect(): Promise<void> {
    this.#host?.close();
    this.#host = await RawHost.connect(this.port);
  }

  nextCounter(): string {
    this.#counter = (this.#counter % 99) + 1;
    return String(this.#counter).padStart(2, "0");
  }

  /** Sends a command and confirms its acknowledgement. @returns the answer behind the echo */
  async ask(command: string): Promise<string> {
    const counter = this.nextCounter();
    this.host.send(framed(counter, command));
    if ((await this.host.take(1)) !== ACK) throw new Error(`${command} was not taken`);
    this.host.send(ACK);
    const answer = await this.answer(counter);
    return answer.startsWith(command.slice(0, 4)) ? answer.slice(4) : answer;
  }

  /** Carries commands out, all of which must be. */
  async do(...commands: readonly string[]): Promise<void> {
    for (const command of commands) {
      const answer = await this.ask(command);
      if (answer.startsWith("ERR")) throw new Error(`${command}: ${answer}`);
    }
  }

  /** The text of the answer that comes next, whose frame must be right where there is one. */
  async answer(counter: string): Promise<string> {
    if (this.#model !== "gen3") return this.#bareAnswer();
    const frame = await this.host.takeThrough("\u0003");
    const text = frame.slice(4, -3);
    if (frame !== framed(counter, text)) throw new Error(`a bad frame: ${JSON.stringify(frame)}`);
    return text;
  }

  /** Bare answers end where nothing follows: a read of a status closes each one off. */
  async #bareAnswer(): Promise<string> {
    // Without a confirmation all that comes back is the acknowledgement.
    this.host.send(framed("00", "1009"));
    const answer = await this.host.takeThrough(ACK);
    return answer.slice(0, -1);
  }

  books(): Books {
    return this.currentBooks() as unknown as Books;
  }
}

/** A sale of one piece, by 3301. */
export function sale(name: string, amountMinor: number, more: Partial<SaleFields> = {}): string {
  const { type = "1", quantity = 0, department = 1, vatId = 0 } = more;
  return [
    `3301${type}`,
    filled(quantity, 9),
    filled(department, 3),
    filled(name.length, 2),
    name,
    filled(amountMinor, 9),
    filled(vatId, 2),
  ].join("");
}

export interface SaleFields {
  readonly type: string;
  /** Thousandths; 0 is one. */
  readonly quantity: number;
  readonly department: number;
  readonly vatId: number;
}

/** A payment by 3007; without an amount it pays the rest. */
export function pay(code = "01", amountMinor = 0): string {
  return `3007${code}0000${filled(amountMinor, 9)}`;
}

function filled(value: number, width: number): string {
  return String(value).padStart(width, "0");
}
