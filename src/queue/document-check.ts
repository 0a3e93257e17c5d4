/**
 * After a start each printer is asked for its last document, once, before anything is printed on it.
 * A printer that is ahead of what this database knows was used by other hands, or the whole disk was
 * put back from an image: the count of starts went back with it, and shows nothing. Which of both it
 * was only a person can say, who accepts what the printer has told.
 */

import type { Command } from "#core/command/command.ts";
import type { AheadMode } from "#core/device/ahead-mode.ts";
import {
  isSamePrinter,
  isSimulatedPrinter,
  type Printer,
  printerOf,
} from "#core/device/printer.ts";
import type { DocumentCheck as Check } from "#db/stores/document-checks.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Transaction, Writer } from "#db/writer.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import type { Random } from "../platform/random.ts";
import type { CommandQueue } from "./command-queue.ts";
import {
  countsByDay,
  isNoAnswer,
  isOtherPrinter,
  lastDocumentQuestion,
  lastKnown,
  numberOf,
  reachedNumber,
  type ToldDocument,
  toldDocument,
} from "./known-documents.ts";
import type { TimerQueue } from "./timer-queue.ts";
import { movesSince, receiptItself, unknownDocuments } from "./unknown-documents.ts";

export interface DocumentCheckOptions {
  readonly stores: Pick<
    Stores,
    "commands" | "devices" | "documentChecks" | "outcomeHolds" | "restoredPrinters"
  >;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: Random;
  readonly timers: TimerQueue;
  readonly queue: Pick<CommandQueue, "accept" | "endWaiting" | "expiryOf" | "holdsChanged">;
  readonly whenAhead: AheadMode;
  /** What a person should know of the device may have changed. */
  readonly onChange: (deviceId: string) => void;
}

/** Waiting before a printer is asked again that could be reached, and gave no answer. */
const ASK_AGAIN_MS = 5_000;

export class DocumentChecks {
  readonly #o: DocumentCheckOptions;
  /** Ids of the commands that had not ended when the gateway started. */
  #older: ReadonlySet<string> = new Set();

  constructor(options: DocumentCheckOptions) {
    this.#o = options;
  }

  /** Says which printers are to be asked. Before the first work. */
  begin(): Promise<void> {
    const { stores, writer, clock, whenAhead } = this.#o;
    return writer.run(() => {
      this.#older = new Set(stores.commands.listUnfinished().map(({ id }) => id));
      const devices = new Map(stores.devices.listAll().map((device) => [device.id, device]));
      for (const { deviceId, state } of stores.documentChecks.list()) {
        // What a printer has told belongs to it; a question goes with the record.
        const isGone = state !== "unknown" && !devices.has(deviceId);
        if (isGone) stores.documentChecks.remove(deviceId);
        else if (state === "asked") this.#settle(deviceId);
      }
      if (whenAhead === "ignore") return;
      const restored = stores.restoredPrinters.list();
      for (const device of devices.values()) {
        const printer = printerOf(device);
        if (isSimulatedPrinter(printer)) continue;
        // Held already, and asked for that.
        if (restored.some((row) => isSamePrinter(row, printer))) continue;
        this.#raise({ ...printer, orgId: device.orgId }, clock.now());
      }
    });
  }

  /** The device can be reached: it is asked, unless it was. */
  reached(deviceId: string): void {
    const { stores, writer, log, queue, clock, random } = this.#o;
    if (!isToAsk(stores.documentChecks.get(deviceId))) return;
    writer
      .run((tx) => {
        const row = stores.documentChecks.get(deviceId);
        if (!isToAsk(row)) return;
        const now = clock.now();
        const ask = { id: random.id("cmd"), now, expiresAt: queue.expiryOf(now) };
        stores.documentChecks.update(deviceId, { questionId: ask.id });
        queue.accept(tx, lastDocumentQuestion(row, ask));
      })
      .catch((error: unknown) => log.error("printer not asked", { deviceId, error }));
  }

  /** A command ended, maybe a question. */
  ended(command: Command): void {
    const { writer, log, queue, onChange, clock, timers } = this.#o;
    const { deviceId, id, result } = command;
    if (command.source !== "gateway" || !this.#isAsked(command)) return;
    writer
      .run((tx) => this.#isAsked(command) && this.#learn(tx, command))
      .then(() => {
        queue.holdsChanged();
        onChange(deviceId);
        // One that was out of reach is asked when it is reached.
        if (!isNoAnswer(result) || result?.errorCode?.startsWith("E5")) return;
        const again = () => this.reached(deviceId);
        timers.set(`last-document:${deviceId}`, clock.now() + ASK_AGAIN_MS, again);
      })
      .catch((error: unknown) => log.error("answer of a printer not stored", { id, error }));
  }

  #isAsked({ id, deviceId }: Command): boolean {
    return this.#o.stores.documentChecks.get(deviceId)?.questionId === id;
  }

  #raise(printer: Printer & { readonly orgId: string }, raisedAt: number): void {
    const { stores } = this.#o;
    const row = stores.documentChecks.get(printer.deviceId);
    if (row?.state === "unknown") return;
    if (row !== undefined) stores.documentChecks.update(row.deviceId, { state: "asked" });
    else if (lastKnown(stores, printer.deviceId, true) !== undefined) {
      stores.documentChecks.raise({
        ...{ ...printer, state: "asked", raisedAt, questionId: null },
        ...{ number: null, acceptedAt: null, documents: null, since: null },
        seq: stores.commands.newestPrinted(printer.deviceId),
      });
    }
  }

  /** There is nothing to tell of the printer; what a person accepted stays. */
  #settle(deviceId: string): void {
    const { documentChecks } = this.#o.stores;
    const isAccepted = (documentChecks.get(deviceId)?.acceptedAt ?? null) !== null;
    if (isAccepted) documentChecks.update(deviceId, { state: "known", questionId: null });
    else documentChecks.remove(deviceId);
  }

  #learn(tx: Transaction, { deviceId, result, finishedAt }: Command): void {
    const { stores, clock, log } = this.#o;
    const row = stores.documentChecks.get(deviceId);
    if (row === undefined) return;
    if (isNoAnswer(result)) {
      stores.documentChecks.update(deviceId, { questionId: null });
      return;
    }
    const told = toldDocument(result);
    const found = told && this.#compare(row, told);
    if (found === undefined) {
      this.#settle(deviceId);
      return;
    }
    const raisedAt = finishedAt ?? clock.now();
    const seq = stores.commands.newestPrinted(deviceId);
    const news = { ...found, seq, state: "unknown", raisedAt, questionId: null } as const;
    stores.documentChecks.update(deviceId, news);
    log.warn("the printer has printed documents that nobody here knows", {
      ...{ deviceId, ...found },
      since: new Date(found.since).toISOString(),
    });
    if (this.#o.whenAhead === "hold") {
      const { address, serialNumber, fiscalMemorySerialNumber, orgId } = row;
      const printer = { deviceId, address, serialNumber, fiscalMemorySerialNumber };
      stores.restoredPrinters.raise({ ...printer, orgId, raisedAt, seq });
      stores.restoredPrinters.update(deviceId, { state: "ahead" });
      return;
    }
    const isMeant = (id: string): boolean => this.#older.has(id);
    this.#o.queue.endWaiting(tx, deviceId, { now: clock.now(), why: "ahead", isMeant });
  }

  /** @returns what the printer has told that is not known; undefined when that is nothing */
  #compare(row: Check, last: ToldDocument) {
    const { stores } = this.#o;
    const { deviceId, acceptedAt, raisedAt } = row;
    const told = reachedNumber(last);
    if (told === undefined) return undefined;
    const document = lastKnown(stores, deviceId, true);
    // What was accepted is known since the printer told it; documents of ours may have come since.
    const isAccepted = acceptedAt !== null && row.seq >= (document?.seq ?? 0);
    if (isAccepted && row.number === null) {
      // A person accepted what there was before the printer had told its number.
      stores.documentChecks.update(deviceId, {
        number: told,
        seq: stores.commands.newestPrinted(deviceId),
      });
      return undefined;
    }
    if (!isAccepted && (document === undefined || isOtherPrinter(document, last))) return undefined;
    const known = isAccepted ? row.number : numberOf(document?.number);
    const since = isAccepted ? { seq: row.seq, finishedAt: raisedAt } : document;
    if (known === undefined || known === null || since === undefined) return undefined;
    const driver = stores.devices.find(deviceId)?.driver;
    const receipt = receiptItself(last, driver);
    const found = unknownDocuments({
      ...(receipt === undefined ? {} : { receipt }),
      ...{ known, told, own: movesSince(stores, deviceId, since.seq) },
      countsByDay: countsByDay(driver),
    });
    const issuedAt = Date.parse(String(document?.issuedAt));
    const at = isAccepted || Number.isNaN(issuedAt) ? since.finishedAt : issuedAt;
    return found && { documents: found.documents, number: told, since: at };
  }
}

function isToAsk(row: Check | undefined): row is Check {
  return row?.state === "asked" && row.questionId === null;
}
