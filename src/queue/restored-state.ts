/**
 * A state directory that was put back from a copy: it knows nothing of what was printed since. Each
 * printer is held until it has told that its last document is the last one known here, or an owner
 * accepts the state. What is unfinished and left no mark is told as unknown, until the printer proves that
 * it was not printed; of what left one the device is asked, as after any start.
 */

import { tellsOutcome } from "#core/command/catalogue.ts";
import type { Command } from "#core/command/command.ts";
import {
  answersFor,
  isSameMemory,
  type Printer,
  printerOf,
  shopPrinterOf,
  tellingNumber,
} from "#core/device/printer.ts";
import type { Stores } from "#db/stores/index.ts";
import type { RestoredPrinter } from "#db/stores/restored-printers.ts";
import type { Transaction } from "#db/writer.ts";
import { createCommandChanges, NO_EFFECTS } from "./changes.ts";
import type { CommandQueue } from "./command-queue.ts";
import { newInstallationId } from "./installation.ts";
import { type ToldDocument, toldDocument } from "./known-documents.ts";
import { LastDocumentAsker, type LastDocumentAskerOptions } from "./last-document-asker.ts";
import { newestRecord, settleUnprinted } from "./proven.ts";
import type { RecordKeeper } from "./record-keeper.ts";
import { stoodStill } from "./stood-still.ts";

export interface RestoredStateOptions extends LastDocumentAskerOptions {
  readonly stores: Stores;
  readonly records: RecordKeeper;
  readonly queue: LastDocumentAskerOptions["queue"] & Pick<CommandQueue, "holdsChanged" | "settle">;
}

export class RestoredState {
  readonly #o: RestoredStateOptions;
  readonly #asker: LastDocumentAsker<RestoredPrinter>;

  constructor(options: RestoredStateOptions) {
    this.#o = options;
    const { restoredPrinters } = options.stores;
    this.#asker = new LastDocumentAsker(options, {
      name: "restored",
      list: () => restoredPrinters.list().filter(({ state }) => state === "asked"),
      setQuestion: (deviceId, questionId) => restoredPrinters.update(deviceId, { questionId }),
    });
  }

  /** Holds every printer, and says of what has left no mark that nobody knows. Before the first work. */
  begin(): Promise<void> {
    const { stores, writer, clock, records, random, log } = this.#o;
    const raisedAt = clock.now();
    // The queue has not taken anything up yet.
    const changes = createCommandChanges(stores, records, NO_EFFECTS);
    log.error("the state was put back from a copy: printers are asked what they printed since");
    return writer.run((tx) => {
      // One that was registered since is not known here: it is asked when that is done anew.
      stores.appliance.forget("restored");
      stores.appliance.endPutBack();
      // The one that the copy is of may go on elsewhere: what is owed to it is not owed to this one.
      stores.appliance.putInstallationId(newInstallationId(random));
      for (const device of stores.devices.listAll()) {
        const seq = stores.commands.newestPrinted(device.id);
        stores.restoredPrinters.raise({ ...shopPrinterOf(device), raisedAt, seq });
      }
      for (const { id, mark, type } of stores.commands.listUnfinished()) {
        const command = mark === null && tellsOutcome(type) ? stores.commands.get(null, id) : null;
        if (!command) continue;
        const result = {
          success: false,
          errorCode: "E102",
          errorMessage: "The state was put back from a copy in which the command had not ended",
          data: { outcome: "unknown" },
        } as const;
        changes.apply(tx, command, { input: { kind: "finished", result }, now: raisedAt });
        // The run of which this knows nothing may have given it to anybody.
        stores.commands.noteFormer(id, null);
      }
    });
  }

  /**
   * The device can be reached: it is asked for the last document of its printer, unless it was. The
   * record may be another one by now than the printer had when the state was put back.
   */
  reached(deviceId: string): void {
    this.#asker.reached(deviceId);
  }

  /** Its printer may be to be asked since now. */
  changed(deviceId: string): void {
    this.#asker.lookAgain(deviceId);
  }

  /** A command ended, maybe a question. */
  ended(command: Command): void {
    const { log, queue } = this.#o;
    const { deviceId } = command;
    this.#asker.ended(command, {
      learn: (tx, rows) => this.#learn(tx, command, rows),
      stored: (learned) => {
        if (learned === "ahead") log.error("the printer is ahead of the state", { deviceId });
        if (learned === "ours") queue.holdsChanged();
      },
    });
  }

  /** After a start: questions that were under way ended with the last run. */
  takeUp(): Promise<void> {
    const { stores, writer } = this.#o;
    return writer.run(() => {
      for (const { deviceId, questionId } of stores.restoredPrinters.list()) {
        if (questionId !== null) stores.restoredPrinters.update(deviceId, { questionId: null });
      }
    });
  }

  #learn(tx: Transaction, command: Command, rows: readonly RestoredPrinter[]): "ours" | "ahead" {
    const { orgId, deviceId, result, finishedAt } = command;
    const { stores, clock } = this.#o;
    const { devices, restoredPrinters } = stores;
    const told = toldDocument(result);
    // A record that is gone spoke as the one does that leads to its printer now.
    const find = (record: string) => devices.find(record) ?? devices.find(deviceId);
    const records = [...rows.map((row) => row.deviceId), ...this.#formerRecords(orgId, told)];
    const latest = newestRecord(stores, records) ?? deviceId;
    if (told && stoodStill({ ...stores, devices: { find } }, latest, told)) {
      const now = finishedAt ?? clock.now();
      const device = devices.find(deviceId);
      // Another printer may stand in the place of the one that a document was on.
      const isElsewhere = (hold: Printer): boolean =>
        device !== undefined &&
        !answersFor(hold, { ...printerOf(device), deviceId: hold.deviceId });
      for (const row of rows) {
        // Nothing was printed since the copy was made. What had been unknown before is proven by
        // nothing that came later.
        const driver = find(row.deviceId)?.driver;
        settleUnprinted(tx, this.#o, {
          ...{ told, driver, now },
          isMeant: (hold, { seq }) =>
            hold.deviceId === row.deviceId && seq > row.seq && !isElsewhere(hold),
        });
        restoredPrinters.remove(row.deviceId);
      }
      return "ours";
    }
    for (const { deviceId: of } of rows) {
      restoredPrinters.update(of, { state: "ahead", questionId: null });
    }
    return "ahead";
  }

  /**
   * Records that the printer had and that are gone: what it printed under them is known here too. Its
   * fiscal memory names it in its receipts, and only that: numbers of the device may be set anew.
   */
  #formerRecords(orgId: string, told: ToldDocument | undefined): string[] {
    const { bookedReceipts, devices } = this.#o.stores;
    const memory = told?.fiscalMemorySerialNumber;
    if (typeof memory !== "string" || tellingNumber(memory) === null) return [];
    const isOfThat = (id: string): boolean => {
      const { fiscalMemorySerialNumber: last = null } = bookedReceipts.last(orgId, id) ?? {};
      return last !== null && isSameMemory(last, memory);
    };
    return bookedReceipts
      .devices(orgId)
      .map(({ deviceId }) => deviceId)
      .filter((id) => devices.find(id) === undefined && isOfThat(id));
  }
}
