/**
 * The printers that the gateway simulates.
 *
 * They run in one process beside the gateway, made of the same executable and started when the first
 * of them is needed. Within the gateway a simulator that loops, eats memory or falls would take
 * every till with it, a thread of its own would still share memory and fate, and the code would be
 * loaded into a process that hardly ever needs it; a process for each would take ten times the
 * memory. Drivers talk to a simulated printer as to any other, bytes over a socket: one in a folder
 * that nobody but the gateway's user enters, so that neither the network nor another user of the
 * machine, nor a search for devices, ever comes upon it.
 *
 * The process ends with the gateway. When it falls, the lines break as when printers lose their
 * power, and whoever needs one next starts it again: their books are on disk at each answer.
 */

import { closeSync, constants, openSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { PaperFormat, SimulatedPrinter, SimulatorPort } from "#core/device/simulated.ts";
import type { DriverEnvironment, Line } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { boundedLine } from "#drivers/transport/bounded-line.ts";
import { openSocket } from "#drivers/transport/tcp.ts";
import { makeFolder } from "../../platform/durable-file.ts";
import type { Log } from "../../platform/log.ts";
import { errorCode, errorText } from "../../platform/thrown.ts";
import { PrinterProcess, PrintersDown } from "./child.ts";
import { ownerOf, type Question, socketFile } from "./messages.ts";

/** Bytes that the path of a Unix socket may have. */
const SOCKET_PATH_MAX = 107;

export interface SimulatedPrintersOptions {
  /** Of their books; made when it is needed. */
  readonly folder: string;
  readonly log: Log;
}

export class SimulatedPrinters implements SimulatorPort {
  readonly #folder: string;
  readonly #log: Log;
  #process: PrinterProcess | undefined;
  #isStopping = false;
  /** Whoever was about to open one of these comes too late. */
  readonly #discarded = new Set<string>();
  /** The folder by a short name, where its own is too long for a socket in it. */
  #shortcut: number | undefined;

  constructor({ folder, log }: SimulatedPrintersOptions) {
    this.#folder = folder;
    this.#log = log;
  }

  /**
   * Opens the line to a printer, which is switched on for that.
   * @throws FiscalError E100 when it cannot be
   */
  async openLine(
    printer: SimulatedPrinter,
    { setTimer }: Pick<DriverEnvironment, "setTimer">,
  ): Promise<Line> {
    try {
      await this.#at(printer, async () => undefined);
    } catch (error) {
      throw new FiscalError("E100", `Cannot switch the simulated printer on: ${errorText(error)}`);
    }
    const path = this.#pathOf(socketFile(printer.id));
    return boundedLine(await openSocket({ path, where: "the simulated printer" }, { setTimer }));
  }

  paper(
    printer: SimulatedPrinter,
    shown: { readonly format: PaperFormat; readonly last: number },
  ): Promise<string> {
    return this.#ask(printer, { ask: "paper", deviceId: printer.id, ...shown });
  }

  async bringFault(printer: SimulatedPrinter, fault: unknown): Promise<void> {
    await this.#ask(printer, { ask: "fault", deviceId: printer.id, fault });
  }

  async clearFaults(printer: SimulatedPrinter): Promise<void> {
    await this.#ask(printer, { ask: "clear", deviceId: printer.id });
  }

  /** A printer was removed: switches it off and removes its books. */
  async discard(deviceId: string): Promise<void> {
    this.#discarded.add(deviceId);
    await this.#process?.ask({ ask: "close", deviceId }).catch((error: unknown) => {
      // Nobody holds the books of a process that has ended.
      if (!(error instanceof PrintersDown)) throw error;
    });
    this.#remove((owner) => owner === deviceId);
  }

  /** Removes the books of all printers but these: those of one that was removed in between. */
  keepOnly(deviceIds: ReadonlySet<string>): void {
    this.#remove((owner) => !deviceIds.has(owner));
  }

  /** Ends the process until a printer is needed again. */
  async rest(): Promise<void> {
    const process = this.#process;
    this.#process = undefined;
    await process?.stop();
  }

  /** Ends the process for good, and waits until it is gone. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.rest();
    if (this.#shortcut !== undefined) closeSync(this.#shortcut);
    this.#shortcut = undefined;
  }

  async #ask(printer: SimulatedPrinter, question: Question): Promise<string> {
    return this.#at(printer, (process) => process.ask(question));
  }

  /** Does something with the process of a printer that is on. One that fell is started again, once. */
  async #at<T>(
    printer: SimulatedPrinter,
    act: (process: PrinterProcess) => Promise<T>,
  ): Promise<T> {
    const first = this.#started();
    try {
      return await act(await this.#open(first, printer));
    } catch (error) {
      if (!(first.isDown && error instanceof PrintersDown)) throw error;
      return act(await this.#open(this.#started(), printer));
    }
  }

  async #open(
    process: PrinterProcess,
    { id, driver, connectionParams: { model }, timezone }: SimulatedPrinter,
  ): Promise<PrinterProcess> {
    if (this.#discarded.has(id)) throw new PrintersDown("The printer was removed");
    await process.ask({ ask: "open", deviceId: id, driver, model, timezone });
    return process;
  }

  #started(): PrinterProcess {
    if (this.#isStopping) throw new PrintersDown("The gateway is stopping");
    if (this.#process?.isDown === false) return this.#process;
    makeFolder(this.#folder);
    const started = new PrinterProcess({
      folder: this.#folder,
      onEnd: (code) => {
        if (this.#process !== started) return;
        this.#process = undefined;
        this.#log.warn("the simulated printers have ended", { code });
      },
    });
    this.#process = started;
    return started;
  }

  #pathOf(file: string): string {
    const path = join(this.#folder, file);
    if (Buffer.byteLength(path) <= SOCKET_PATH_MAX) return path;
    this.#shortcut ??= openSync(this.#folder, constants.O_RDONLY | constants.O_DIRECTORY);
    return `/proc/self/fd/${this.#shortcut}/${file}`;
  }

  #remove(isGone: (owner: string) => boolean): void {
    for (const file of namesIn(this.#folder)) {
      const owner = ownerOf(file);
      if (owner !== undefined && isGone(owner)) rmSync(join(this.#folder, file), { force: true });
    }
  }
}

/** Names in a folder; none where it was never made. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}
