/**
 * A simulated CUSTOM device with hosts at its lines, for tests. A host sends what it is told to,
 * confirms what it is told to, and neither resends nor interprets anything.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Simulator, startSimulator } from "../../../simulator/host.ts";

const DEADLINE_MS = 5_000;
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
  readonly #socket: Socket;
  #received = "";
  #isClosed = false;
  #wake: () => void = () => undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding("latin1");
    socket.on("data", (chunk) => {
      this.#received += String(chunk);
      this.#wake();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.#isClosed = true;
      this.#wake();
    });
  }

  static connect(port: number): Promise<RawHost> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: "127.0.0.1", noDelay: true });
      socket.once("error", reject);
      socket.once("connect", () => {
        socket.off("error", reject);
        resolve(new RawHost(socket));
      });
    });
  }

  send(text: string): void {
    this.#socket.write(text, "latin1");
  }

  /** Takes as many bytes as come next. @throws Error when they do not come in time */
  async take(count: number): Promise<string> {
    await this.#until(() => this.#received.length >= count || this.#isClosed);
    if (this.#received.length < count) throw new Error("the line closed");
    const taken = this.#received.slice(0, count);
    this.#received = this.#received.slice(count);
    return taken;
  }

  /** Takes everything up to this text and the text itself. */
  async takeThrough(end: string): Promise<string> {
    await this.#until(() => this.#received.includes(end) || this.#isClosed);
    const at = this.#received.indexOf(end);
    if (at < 0) throw new Error("the line closed");
    return this.take(at + end.length);
  }

  /** What has come and was not taken. */
  get pending(): string {
    return this.#received;
  }

  closed(): Promise<void> {
    return this.#until(() => this.#isClosed);
  }

  close(): void {
    this.#socket.destroy();
  }

  #until(isDone: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`nothing came in time behind ${JSON.stringify(this.#received)}`)),
        DEADLINE_MS,
      );
      this.#wake = () => {
        if (!isDone()) return;
        clearTimeout(timer);
        this.#wake = () => undefined;
        resolve();
      };
      this.#wake();
    });
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
export class Rig {
  readonly #folder = mkdtempSync(join(tmpdir(), "fiscald-custom-"));
  readonly #model: ModelName;
  /** What the computer's clock says; tests move it. */
  now = START;
  #simulator: Simulator | undefined;
  #host: RawHost | undefined;
  #counter = 0;

  private constructor(model: ModelName) {
    this.#model = model;
  }

  static async start(model: ModelName): Promise<Rig> {
    const rig = new Rig(model);
    await rig.switchOn();
    return rig;
  }

  async switchOn(): Promise<void> {
    this.#simulator = await startSimulator({
      driver: "custom.serial",
      model: this.#model,
      listen: { host: "127.0.0.1", port: 0 },
      control: { host: "127.0.0.1", port: 0 },
      stateFile: join(this.#folder, "device.state"),
      now: () => this.now,
    });
    await this.reconnect();
  }

  /** Switches the device off and on again, which empties what no battery keeps. */
  async restart(): Promise<void> {
    await this.#switchOff();
    await this.switchOn();
  }

  async end(): Promise<void> {
    await this.#switchOff();
    rmSync(this.#folder, { recursive: true });
  }

  async #switchOff(): Promise<void> {
    this.#host?.close();
    await this.#simulator?.stop();
  }

  get host(): RawHost {
    if (!this.#host) throw new Error("no host has connected");
    return this.#host;
  }

  /** Lets another host connect, in the place of the one before. */
  async reconnect(): Promise<void> {
    this.#host?.close();
    this.#host = await RawHost.connect(this.#simulator?.port ?? 0);
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
    return this.#simulator?.books() as unknown as Books;
  }

  /** Brings a fault upon the device. */
  async fault(fault: Record<string, unknown>): Promise<void> {
    await this.#control("/fault", fault);
  }

  async clear(): Promise<void> {
    await this.#control("/clear", {});
  }

  /** What the device has printed. */
  async paper(): Promise<string> {
    const answer = await fetch(`http://127.0.0.1:${this.#simulator?.controlPort}/paper`);
    return answer.text();
  }

  async #control(path: string, body: unknown): Promise<void> {
    const url = `http://127.0.0.1:${this.#simulator?.controlPort}${path}`;
    const answer = await fetch(url, { method: "POST", body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
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
