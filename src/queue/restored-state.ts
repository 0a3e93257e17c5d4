/**
 * A state directory that was put back from a copy: it knows nothing of what was printed since. Each
 * printer is held until it has told that its last document is the last one known here, or an owner
 * accepts the state; what is unfinished is told as unknown unless that proves it.
 */

import { tellsOutcome } from "#core/command/catalogue.ts";
import type { Command } from "#core/command/command.ts";
import { printerOf, tellingNumber } from "#core/device/printer.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import type { Device } from "#db/stores/devices.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Transaction, Writer } from "#db/writer.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import type { Random } from "../platform/random.ts";
import { createCommandChanges, NO_EFFECTS } from "./changes.ts";
import type { CommandQueue } from "./command-queue.ts";
import {
  isNoAnswer,
  lastDocumentQuestion,
  type ToldDocument,
  toldDocument,
} from "./known-documents.ts";
import { openOf } from "./printer-records.ts";
import { newestRecord, settleUnprinted } from "./proven.ts";
import type { RecordKeeper } from "./record-keeper.ts";
import { stoodStill } from "./stood-still.ts";
import type { TimerQueue } from "./timer-queue.ts";

export interface RestoredStateOptions {
  readonly stores: Stores;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: Random;
  readonly timers: TimerQueue;
  readonly records: RecordKeeper;
  readonly queue: Pick<CommandQueue, "accept" | "expiryOf" | "holdsChanged" | "settle">;
}

/** Waiting before a printer is asked again that could not answer. */
const ASK_AGAIN_MS = 30_000;

export class RestoredState {
  readonly #o: RestoredStateOptions;

  constructor(options: RestoredStateOptions) {
    this.#o = options;
  }

  /** Holds every printer, and says of what is unfinished that nobody knows. Before the first work. */
  begin(): Promise<void> {
    const { stores, writer, clock, records, log } = this.#o;
    const raisedAt = clock.now();
    // The queue has not taken anything up yet.
    const changes = createCommandChanges(stores, records, NO_EFFECTS);
    log.error("the state was put back from a copy: printers are asked what they printed since");
    return writer.run((tx) => {
      // One that was registered since is not known here: it is asked when that is done anew.
      stores.appliance.forget("restored");
      stores.appliance.endPutBack();
      for (const device of stores.devices.listAll()) {
        const seq = stores.commands.newestPrinted(device.id);
        stores.restoredPrinters.raise({ ...printerOf(device), orgId: device.orgId, raisedAt, seq });
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
      }
    });
  }

  /**
   * The device can be reached: it is asked for the last document of its printer, unless it was. The
   * record may be another one by now than the printer had when the state was put back.
   */
  reached(deviceId: string): void {
    if (this.#toAsk(deviceId) === undefined) return;
    const { writer, log } = this.#o;
    writer
      .run((tx) => {
        const ask = this.#toAsk(deviceId);
        if (ask === undefined) return;
        const question = this.#questionTo(ask.device);
        for (const row of ask.rows) {
          this.#o.stores.restoredPrinters.update(row.deviceId, { questionId: question.id });
        }
        this.#o.queue.accept(tx, question);
      })
      .catch((error: unknown) => log.error("printer not asked", { deviceId, error }));
  }

  /** A command ended, maybe a question. */
  ended(command: Command): void {
    if (command.source !== "gateway") return;
    const { writer, log, queue, clock, timers } = this.#o;
    const { deviceId } = command;
    writer
      .run((tx) => this.#learn(tx, command))
      .then((learned) => {
        if (learned === "nothing") {
          const again = () => this.reached(deviceId);
          timers.set(`restored:${deviceId}`, clock.now() + ASK_AGAIN_MS, again);
        }
        if (learned === "ahead") log.error("the printer is ahead of the state", { deviceId });
        if (learned === "ours") queue.holdsChanged();
      })
      .catch((error: unknown) => log.error("answer of a printer not stored", { deviceId, error }));
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

  /** What of the device's printer is to be asked; undefined where that is nothing. */
  #toAsk(deviceId: string) {
    const { restoredPrinters, devices } = this.#o.stores;
    const waiting = restoredPrinters
      .list()
      .filter(({ state, questionId }) => state === "asked" && questionId === null);
    const device = waiting.length > 0 ? devices.find(deviceId) : undefined;
    if (device === undefined) return undefined;
    const rows = openOf(waiting, device);
    return rows.length > 0 ? { device, rows } : undefined;
  }

  #learn(tx: Transaction, { id, orgId, deviceId, result, finishedAt }: Command) {
    const { stores, clock } = this.#o;
    const { commands, devices, restoredPrinters } = stores;
    const rows = restoredPrinters.list().filter(({ questionId }) => questionId === id);
    if (rows.length === 0) return undefined;
    const told = toldDocument(result);
    // A record that is gone spoke as the one does that leads to its printer now.
    const find = (record: string) => devices.find(record) ?? devices.find(deviceId);
    const records = [...rows.map((row) => row.deviceId), ...this.#formerRecords(orgId, told)];
    const latest = newestRecord(stores, records) ?? deviceId;
    if (told && stoodStill({ commands, devices: { find } }, latest, told)) {
      const now = finishedAt ?? clock.now();
      for (const row of rows) {
        // Nothing was printed since the copy was made. What had been unknown before is proven by
        // nothing that came later.
        const driver = find(row.deviceId)?.driver;
        settleUnprinted(tx, this.#o, {
          ...{ told, driver, now },
          isMeant: (hold, { seq }) => hold.deviceId === row.deviceId && seq > row.seq,
        });
        restoredPrinters.remove(row.deviceId);
      }
      return "ours";
    }
    // It could not be asked: it is when it is reached the next time.
    const isFault = isNoAnswer(result);
    for (const row of rows) {
      restoredPrinters.update(row.deviceId, {
        state: isFault ? "asked" : "ahead",
        questionId: null,
      });
    }
    return isFault ? "nothing" : "ahead";
  }

  /**
   * Records that the printer had and that are gone: what it printed under them is known here too. Its
   * fiscal memory names it in its receipts, and only that: numbers of the device may be set anew.
   */
  #formerRecords(orgId: string, told: ToldDocument | undefined): string[] {
    const { bookedReceipts, devices } = this.#o.stores;
    const memory = told?.fiscalMemorySerialNumber;
    if (typeof memory !== "string" || tellingNumber(memory) === null) return [];
    return bookedReceipts
      .devices(orgId)
      .map(({ deviceId }) => deviceId)
      .filter((id) => devices.find(id) === undefined)
      .filter((id) => bookedReceipts.last(orgId, id)?.fiscalMemorySerialNumber === memory);
  }

  #questionTo(device: Device): NewCommand {
    const { clock, random, queue } = this.#o;
    const now = clock.now();
    const of = { ...printerOf(device), orgId: device.orgId };
    return lastDocumentQuestion(of, {
      id: random.id("cmd"),
      ...{ now, expiresAt: queue.expiryOf(now) },
    });
  }
}
