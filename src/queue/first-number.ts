/**
 * The number that a printer has reached before anything of ours is printed on it: it is asked as soon as
 * it is first reached, and what it tells counts as known. Without it an image of the disk that was made
 * before the first sale would know nothing to compare with. Nothing waits for the answer.
 */

import type { Command } from "#core/command/command.ts";
import {
  isSimulatedPrinter,
  type OpenPrinter,
  printerOf,
  shopPrinterOf,
} from "#core/device/printer.ts";
import { openAt, recordIdsOf } from "#db/stores/device-records.ts";
import type { Device } from "#db/stores/devices.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Writer } from "#db/writer.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import type { Random } from "../platform/random.ts";
import type { CommandQueue } from "./command-queue.ts";
import {
  dayAtPrinter,
  lastDocumentQuestion,
  lastKnownOf,
  reachedNumber,
  toldDocument,
} from "./known-documents.ts";
import { isServedHere } from "./printer-records.ts";

export interface FirstNumbersOptions {
  readonly stores: Pick<Stores, "commands" | "devices" | "documentChecks" | "restoredPrinters">;
  readonly writer: Writer;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  readonly random: Random;
  readonly queue: Pick<CommandQueue, "accept" | "expiryOf">;
}

export class FirstNumbers {
  readonly #o: FirstNumbersOptions;
  /** Questions that are under way, with the newest command that had printed when they were asked. */
  readonly #asked = new Map<string, number>();

  constructor(options: FirstNumbersOptions) {
    this.#o = options;
  }

  /** The line of a device is up: its printer is asked where no number of it is known. */
  reached(deviceId: string): void {
    const { writer, queue, log, stores } = this.#o;
    writer
      .run((tx) => {
        const device = stores.devices.find(deviceId);
        if (!device || !this.#isFirst(device)) return;
        const question = lastDocumentQuestion(device, this.#o);
        this.#asked.set(question.id, this.#newestOn(device));
        queue.accept(tx, question);
      })
      .catch((error: unknown) => log.error("printer not asked", { deviceId, error }));
  }

  /** A command ended, maybe such a question. One that was not answered is asked on the next line. */
  ended(command: Command): void {
    const { id, deviceId } = command;
    const seq = this.#asked.get(id);
    if (seq === undefined) return;
    this.#asked.delete(id);
    const { writer, log } = this.#o;
    writer
      .run(() => this.#note(command, seq))
      .catch((error: unknown) => log.error("answer of a printer not stored", { deviceId, error }));
  }

  #note({ deviceId, result, finishedAt }: Command, seq: number): void {
    const { stores, clock } = this.#o;
    const device = stores.devices.find(deviceId);
    const told = toldDocument(result);
    const number = told && reachedNumber(told);
    if (!device || number === undefined || !this.#isFirst(device)) return;
    const toldAt = finishedAt ?? clock.now();
    stores.documentChecks.raise({
      ...{ ...shopPrinterOf(device), state: "known", raisedAt: toldAt },
      ...{ number, day: dayAtPrinter(told ?? {}) ?? null, seq },
      ...stores.documentChecks.acceptance(toldAt),
    });
  }

  /**
   * True for a printer of the gateway's own of which nothing is known yet, and nobody is to be asked. An
   * app may leave unanswered what it does not know, and what waits behind that would wait in vain.
   */
  #isFirst(device: Device): boolean {
    const { documentChecks, restoredPrinters } = this.#o.stores;
    if (!isServedHere(device) || isSimulatedPrinter(printerOf(device))) return false;
    const rows: readonly OpenPrinter[] = [...documentChecks.list(), ...restoredPrinters.list()];
    if (openAt(this.#o.stores, rows, device).length > 0 || documentChecks.get(device.id))
      return false;
    return lastKnownOf(this.#o.stores, this.#recordsOf(device), { isNumbered: true }) === undefined;
  }

  #newestOn(device: Device): number {
    const { commands } = this.#o.stores;
    return Math.max(...this.#recordsOf(device).map((id) => commands.newestPrinted(id)));
  }

  #recordsOf(device: Device): string[] {
    return recordIdsOf(this.#o.stores, shopPrinterOf(device));
  }
}
