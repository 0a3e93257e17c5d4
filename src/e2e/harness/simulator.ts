/** A simulated printer in a process of its own, and its control port. */

import { rm } from "node:fs/promises";
import { ask } from "./ask.ts";
import { ownPlace } from "./own-host.ts";
import { printerExecutable, type Running, readyText, startProduct } from "./program.ts";

/** A fiscal document as the printer's own books have it. Amounts in minor units. */
export interface BookedReceipt {
  readonly number: number;
  /** Its number within the fiscal day. */
  readonly dayNumber: number;
  readonly kind: "sale" | "storno";
  readonly total: number;
  readonly zNumber: number;
  readonly items: readonly { readonly name: string; readonly total: number }[];
  readonly payments: readonly { readonly method: string; readonly amount: number }[];
}

/** What tests look at of the printer's books. */
export interface Books {
  readonly receipts: readonly BookedReceipt[];
  readonly receiptCount: number;
  /** Of the last one that was finished; 0 when there is none. */
  readonly lastReceiptNumber: number;
  readonly cancelled: readonly { readonly number: number }[];
  readonly documentNumber: number;
  readonly zNumber: number;
  /** Of the current fiscal day. */
  readonly day: {
    readonly vat: readonly { readonly turnover: number }[];
    readonly stornoVat: readonly { readonly turnover: number }[];
  };
  readonly cash: number;
  /** Sums in minor units. */
  readonly openDocument: { readonly total: number; readonly paid: number } | null;
  /** Frames received since the printer was switched on, but for those that were sent again. */
  readonly frames: number;
  /** True while a fault holds an answer. */
  readonly holding: boolean;
}

export interface SimulatedPrinter extends Running {
  readonly host: string;
  readonly port: number;
  /** Last digits of its serial numbers: each printer of a test run has others. */
  readonly number: string;
  readonly driver: string;
  readonly stateFile: string;
  /** URL of its control port. */
  readonly control: string;
  /** @param after only receipts with a document number above this */
  books(after?: number): Promise<Books>;
  /** Frames received since it was switched on, but for those that were sent again. */
  frames(): Promise<number>;
  paper(): Promise<string>;
  /** Sets a fault. Its `at` counts as `frames` does. */
  fault(fault: Readonly<Record<string, unknown>>): Promise<void>;
  /** True while a fault holds an answer, be it that to a frame that was sent again. */
  isHolding(): Promise<boolean>;
  /** Lets an answer go that a fault holds. */
  release(): Promise<void>;
  /** Ends every fault. */
  clear(): Promise<void>;
}

export interface PrinterOptions {
  readonly stateFile: string;
  readonly driver?: string;
  readonly model?: string;
  readonly delayMs?: number;
  /** Where it takes frames; a place of its own unless given. */
  readonly place?: { readonly host: string; readonly port: number; readonly number?: string };
  /** Path of the serial port it is at instead. */
  readonly serialPort?: string;
  /** Path of the executable; the printer's own, built from the source, unless given. */
  readonly program?: string;
}

/** Above any document's number, so that no receipt is listed. */
const DOCUMENT_NUMBER_MAX = 999_999_999;

/** Takes the printer's process away and switches it on again at the same address. */
export async function restartPrinter(
  printer: SimulatedPrinter,
  options: PrinterOptions,
): Promise<SimulatedPrinter> {
  await printer.kill();
  return startPrinter({ ...options, place: printer });
}

let printers = 0;

/** No two printers that one test process starts are the same device. */
function nextNumber(): string {
  printers += 1;
  return String(printers).padStart(4, "0");
}

/** A heap that is not looked at each second: it is all that a printer does that nobody asks. */
const UNWATCHED = process.env.NODE_ENV === "test" ? { BUN_GC_TIMER_DISABLE: "1" } : {};

/** Switches a simulated printer on. */
export async function startPrinter(options: PrinterOptions): Promise<SimulatedPrinter> {
  const { host, port: listenPort } = options.place ?? ownPlace();
  const number = options.place?.number ?? nextNumber();
  const { serialPort, driver = "vendorA.isl" } = options;
  const running = await startProduct(
    [
      "simulate",
      `--driver=${driver}`,
      `--number=${number}`,
      serialPort === undefined ? `--listen=${host}:${listenPort}` : `--pty=${serialPort}`,
      "--control=127.0.0.1:0",
      `--state=${options.stateFile}`,
      ...(options.model === undefined ? [] : [`--model=${options.model}`]),
      ...(options.delayMs === undefined ? [] : [`--delay-ms=${options.delayMs}`]),
    ],
    "simulating",
    { program: options.program ?? printerExecutable(), env: UNWATCHED },
  );
  const control = readyText(running, "control");
  const listen = serialPort === undefined ? readyText(running, "listen") : "none:0";
  const { port } = new URL(`tcp://${listen}`);
  const post = async (path: string, body?: unknown): Promise<void> => {
    const response = await ask(`${control}${path}`, {
      method: "POST",
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  };
  const books = async (after: number): Promise<Books> => {
    const response = await ask(`${control}/books?after=${after}`);
    if (!response.ok) throw new Error(`/books: ${response.status} ${await response.text()}`);
    const { repeats, ...shown } = (await response.json()) as Books & { readonly repeats: number };
    // A busy machine makes the gateway repeat frames whose answers are only late: who strikes a
    // certain command of a document must not be led astray by them.
    return { ...shown, frames: shown.frames - repeats };
  };
  return {
    ...running,
    // A killed printer cannot take its port's name away, and another's terminal may soon have the
    // number that the name leads to.
    async kill() {
      if (serialPort !== undefined) await rm(serialPort, { force: true });
      await running.kill();
    },
    host,
    number,
    driver,
    port: Number(port),
    stateFile: options.stateFile,
    control,
    books: (after = 0) => books(after),
    frames: async () => (await books(DOCUMENT_NUMBER_MAX)).frames,
    isHolding: async () => (await books(DOCUMENT_NUMBER_MAX)).holding,
    async paper() {
      return (await ask(`${control}/paper`)).text();
    },
    fault: (fault) => post("/fault", { ...fault, repeats: "passed_over" }),
    release: () => post("/release"),
    clear: () => post("/clear"),
  };
}
