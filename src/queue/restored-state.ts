/**
 * A state directory that was put back from a copy: it knows nothing of what was printed since. Each
 * printer is held until it has told that its last document is the last one known here, or an owner
 * accepts the state; what is unfinished is told as unknown unless that proves it.
 */

import { tellsOutcome } from "#core/command/catalogue.ts";
import type { Command } from "#core/command/command.ts";
import { printerOf } from "#core/device/printer.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import type { Stores } from "#db/stores/index.ts";
import type { RestoredPrinter } from "#db/stores/restored-printers.ts";
import type { Writer } from "#db/writer.ts";
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
import type { RecordKeeper } from "./record-keeper.ts";
import { provesUnprinted, stoodStill } from "./stood-still.ts";
import type { TimerQueue } from "./timer-queue.ts";

export interface RestoredStateOptions {
  readonly stores: Stores;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: Random;
  readonly timers: TimerQueue;
  readonly records: RecordKeeper;
  readonly queue: Pick<CommandQueue, "accept" | "expiryOf" | "holdsChanged">;
}

/** Who settles what a printer has proven. */
const ACTOR = "gateway";
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

  /** The device can be reached: it is asked for its last document, unless it was. */
  reached(deviceId: string): void {
    const row = this.#o.stores.restoredPrinters.get(deviceId);
    if (row?.state !== "asked" || row.questionId !== null) return;
    const { stores, writer, log } = this.#o;
    writer
      .run((tx) => {
        const current = stores.restoredPrinters.get(deviceId);
        if (current?.state !== "asked" || current.questionId !== null) return;
        const question = this.#questionFor(current);
        stores.restoredPrinters.update(deviceId, { questionId: question.id });
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
      .run(() => this.#learn(command))
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

  #learn({ id, deviceId, result, finishedAt }: Command): "ours" | "ahead" | "nothing" | undefined {
    const { stores, clock } = this.#o;
    const row = stores.restoredPrinters.get(deviceId);
    if (row?.questionId !== id) return undefined;
    const told = toldDocument(result);
    if (told && stoodStill(stores, deviceId, told)) {
      this.#proven(row, told, finishedAt ?? clock.now());
      return "ours";
    }
    // It could not be asked: it is when it is reached the next time.
    const isFault = isNoAnswer(result);
    const state = isFault ? "asked" : "ahead";
    stores.restoredPrinters.update(deviceId, { state, questionId: null });
    return isFault ? "nothing" : "ahead";
  }

  /** Nothing was printed since the copy was made: what was unknown for that reason is known. */
  #proven({ deviceId, orgId, seq }: RestoredPrinter, told: ToldDocument, resolvedAt: number): void {
    const { stores } = this.#o;
    const driver = stores.devices.find(deviceId)?.driver;
    for (const { commandId, ...hold } of stores.outcomeHolds.listOpen()) {
      const command = stores.commands.get(null, commandId);
      // What had been unknown before the copy was made is proven by nothing that came later.
      if (hold.deviceId !== deviceId || command === undefined || command.seq <= seq) continue;
      if (!provesUnprinted(command.type, { told, driver })) continue;
      const change = { outcome: "not_printed", fiscalId: null, resolvedBy: ACTOR } as const;
      stores.outcomeHolds.resolve(orgId, commandId, { ...change, resolvedAt });
    }
    stores.restoredPrinters.remove(deviceId);
  }

  #questionFor(row: RestoredPrinter): NewCommand {
    const { clock, random, queue } = this.#o;
    const now = clock.now();
    return lastDocumentQuestion(row, {
      id: random.id("cmd"),
      ...{ now, expiresAt: queue.expiryOf(now) },
    });
  }
}
