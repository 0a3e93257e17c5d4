/**
 * A host at the line of a simulated ZFP device, for tests: it sends the bytes that it is told to,
 * and neither resends nor interprets anything.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Simulator, startSimulator } from "../../../simulator/host.ts";
import type { SimulatedBooks } from "../../../testing/simulated-device.ts";
import { encodeRequest, MESSAGE_NUMBERS, ReplyDecoder } from "../../frame.ts";
import { decodeText, encodeText } from "../code-page.ts";

const DEADLINE_MS = 5_000;
const LF = 0x0a;
/** 15 March 2024, 12:05:09 UTC: 14:05:09 in Sofia. */
const START = Date.UTC(2024, 2, 15, 12, 5, 9);

/** What the books show besides the parts that every protocol's tests look at. */
export interface ZfpBooks extends SimulatedBooks {
  readonly zReports: readonly { readonly total: number; readonly stornoTotal: number }[];
  readonly cancelled: readonly { readonly total: number }[];
  readonly documentNumber: number;
}

export class ZfpRig {
  readonly #folder = mkdtempSync(join(tmpdir(), "fiscald-zfp-"));
  #simulator: Simulator | undefined;
  #socket: Socket | undefined;
  #heard = Buffer.alloc(0);
  #wake: () => void = () => undefined;
  #nbl: number = MESSAGE_NUMBERS.min;

  /** Starts a device and connects a host. */
  static async start(model: "v1" | "v2" = "v1", delayMs = 0): Promise<ZfpRig> {
    const rig = new ZfpRig();
    const address = { host: "127.0.0.1", port: 0 };
    rig.#simulator = await startSimulator({
      driver: "vendorE.zfp",
      model,
      listen: address,
      control: address,
      stateFile: join(rig.#folder, "device.state"),
      now: () => START,
      delayMs,
    });
    const socket = connect({ ...address, port: rig.#simulator.port, noDelay: true });
    socket.on("data", (chunk) => {
      rig.#heard = Buffer.concat([rig.#heard, Buffer.from(chunk)]);
      rig.#wake();
    });
    await new Promise<void>((resolve, reject) => {
      socket.once("connect", resolve);
      socket.once("error", reject);
    });
    rig.#socket = socket;
    return rig;
  }

  send(...bytes: readonly number[]): void {
    this.#socket?.write(Uint8Array.from(bytes));
  }

  /** The next bytes of the device, as hexadecimal. */
  async hear(count: number): Promise<string> {
    while (this.#heard.length < count) await this.#more();
    const bytes = this.#heard.subarray(0, count);
    this.#heard = this.#heard.subarray(count);
    return bytes.toString("hex");
  }

  /** What the device says up to the next line feed, that included. */
  async hearLine(): Promise<string> {
    while (!this.#heard.includes(LF)) await this.#more();
    return Buffer.from(await this.hear(this.#heard.indexOf(LF) + 1), "hex").toString("latin1");
  }

  /** Sends a whole frame and gives the answer up to its line feed, as hexadecimal. */
  async exchange(request: Uint8Array): Promise<string> {
    this.send(...request);
    return Buffer.from(await this.hearLine(), "latin1").toString("hex");
  }

  /**
   * Sends a command and waits for its answer.
   * @param data text, or bytes where a field is one
   * @returns the data, or the two error digits of an acknowledgement: `00` is done
   */
  async ask(command: number, data: string | Uint8Array = ""): Promise<string> {
    const { min, max } = MESSAGE_NUMBERS;
    this.#nbl = this.#nbl >= max ? min : this.#nbl + 1;
    const bytes = typeof data === "string" ? encodeText(data) : data;
    const answer = await this.exchange(encodeRequest({ nbl: this.#nbl, command, data: bytes }));
    const [event] = new ReplyDecoder().push(Uint8Array.from(Buffer.from(answer, "hex")));
    if (event?.kind === "ack" && event.nbl === this.#nbl) {
      return String.fromCharCode(event.deviceError, event.commandError);
    }
    if (event?.kind !== "data" || event.nbl !== this.#nbl || event.command !== command) {
      throw new Error(`${command.toString(16)} was answered by ${answer}`);
    }
    return decodeText(event.data);
  }

  books(): ZfpBooks {
    return this.#simulator?.books() as unknown as ZfpBooks;
  }

  async fault(body: Record<string, unknown>): Promise<void> {
    await this.#control("/fault", body);
  }

  async clear(): Promise<void> {
    await this.#control("/clear", {});
  }

  async paper(): Promise<string> {
    return (await fetch(`http://127.0.0.1:${this.#simulator?.controlPort}/paper`)).text();
  }

  async end(): Promise<void> {
    this.#socket?.destroy();
    await this.#simulator?.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #control(path: string, body: Record<string, unknown>): Promise<void> {
    const url = `http://127.0.0.1:${this.#simulator?.controlPort}${path}`;
    const answer = await fetch(url, { method: "POST", body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(await answer.text());
  }

  #more(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("the device is silent")), DEADLINE_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** An article's name as frames carry it. */
export function name36(name: string): string {
  return name.padEnd(36);
}

export const USN = "ZK126720-0001-0000001";

/** Opens a sale and sells a coffee of 12.50 in the second VAT group. */
export async function openWithSale(rig: ZfpRig): Promise<void> {
  await rig.ask(0x30, `1;0000;1;1;0$${USN}`);
  await rig.ask(0x31, `${name36("Coffee")};Б;12.50`);
}

/** A whole receipt of 12.50, paid exactly in cash. */
export async function printReceipt(rig: ZfpRig): Promise<void> {
  await openWithSale(rig);
  await rig.ask(0x36);
}
