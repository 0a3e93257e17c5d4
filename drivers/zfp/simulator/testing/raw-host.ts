/**
 * A host at the line of a simulated ZFP device, for tests: it sends the bytes that it is told to,
 * and neither resends nor interprets anything.
 */

import { RawLine } from "../../../simulator/testing/raw-line.ts";
import { SimulatorRig } from "../../../simulator/testing/simulator-rig.ts";
import type { SimulatedBooks } from "../../../testing/simulated-device.ts";
import { encodeRequest, MESSAGE_NUMBERS, ReplyDecoder } from "../../frame.ts";
import { decodeText, encodeText } from "../code-page.ts";

const LF = 0x0a;
/** 15 March 2024, 12:05:09 UTC: 14:05:09 in Sofia. */
const START = Date.UTC(2024, 2, 15, 12, 5, 9);

/** What the books show besides the parts that every protocol's tests look at. */
export interface ZfpBooks extends SimulatedBooks {
  readonly zReports: readonly { readonly total: number; readonly stornoTotal: number }[];
  readonly cancelled: readonly { readonly total: number }[];
  readonly documentNumber: number;
}

export class ZfpRig extends SimulatorRig {
  #line: RawLine | undefined;
  #nbl: number = MESSAGE_NUMBERS.min;

  /** Starts a device and connects a host. */
  static async start(model: "v1" | "v2" = "v1", delayMs = 0): Promise<ZfpRig> {
    const rig = new ZfpRig();
    await rig.startDevice({ driver: "vendorE.zfp", model, now: () => START, delayMs });
    rig.#line = await RawLine.connect(rig.port);
    return rig;
  }

  get #connected(): RawLine {
    if (!this.#line) throw new Error("no host is connected");
    return this.#line;
  }

  send(...bytes: readonly number[]): void {
    this.#connected.write(Uint8Array.from(bytes));
  }

  /** The next bytes of the device, as hexadecimal. */
  async hear(count: number): Promise<string> {
    return (await this.#connected.take(count)).toString("hex");
  }

  /** What the device says up to the next line feed, that included. */
  async hearLine(): Promise<string> {
    return (await this.#connected.takeThrough(LF)).toString("latin1");
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
    return this.currentBooks() as unknown as ZfpBooks;
  }

  override async switchOff(): Promise<void> {
    this.#line?.close();
    await super.switchOff();
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
