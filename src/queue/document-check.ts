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
import { recordIdsOf } from "#db/stores/device-records.ts";
import type { DocumentCheck as Check } from "#db/stores/document-checks.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Transaction } from "#db/writer.ts";
import type { CommandQueue } from "./command-queue.ts";
import {
  countsByDay,
  isLastDocumentQuestion,
  isOtherPrinter,
  lastKnown,
  lastKnownOf,
  numberOf,
  reachedNumber,
  type ToldDocument,
  toldDocument,
} from "./known-documents.ts";
import type { Taken } from "./last-document-answer.ts";
import { LastDocumentAsker, type LastDocumentAskerOptions } from "./last-document-asker.ts";
import { newestRecord, settleUnprinted } from "./proven.ts";
import { stoodStill } from "./stood-still.ts";
import { movesSince, receiptItself, unknownDocuments } from "./unknown-documents.ts";

export interface DocumentCheckOptions extends LastDocumentAskerOptions {
  readonly stores: Pick<
    Stores,
    | "commands"
    | "devices"
    | "documentChecks"
    | "locations"
    | "organizations"
    | "outcomeHolds"
    | "restoredPrinters"
  >;
  readonly queue: LastDocumentAskerOptions["queue"] &
    Pick<CommandQueue, "endWaiting" | "holdsChanged" | "settle">;
  readonly whenAhead: AheadMode;
  /** What a person should know of the device may have changed. */
  readonly onChange: (deviceId: string) => void;
}

/** A record that is made anew later than this leads to a printer of which nothing is asked. */
const MADE_ANEW_MS = 7 * 86_400_000;

/** What a printer is asked of. */
interface Asked {
  readonly row: Check;
  /** Ids of the devices that lead to it. */
  readonly records: readonly string[];
  /** The one that was asked. */
  readonly via: string;
  readonly driver: string | undefined;
}

export class DocumentChecks {
  readonly #o: DocumentCheckOptions;
  readonly #asker: LastDocumentAsker;

  constructor(options: DocumentCheckOptions) {
    this.#o = options;
    const { documentChecks } = options.stores;
    this.#asker = new LastDocumentAsker(options, {
      name: "last-document",
      list: () => documentChecks.listAsked(),
      setQuestion: (deviceId, questionId) => documentChecks.update(deviceId, { questionId }),
    });
  }

  /** Says which printers are to be asked. Before the first work. */
  begin(): Promise<void> {
    const { stores, writer, clock, whenAhead } = this.#o;
    return writer.run(() => {
      const devices = new Map(stores.devices.listAll().map((device) => [device.id, device]));
      for (const { deviceId, state, raisedAt } of stores.documentChecks.list()) {
        // What a printer has told, or is still to tell, belongs to it: its record may be made anew.
        const isGone = !devices.has(deviceId);
        const isOver = clock.now() - raisedAt > MADE_ANEW_MS;
        if (isGone && (state === "known" || (state === "asked" && isOver))) {
          stores.documentChecks.remove(deviceId);
        } else if (isGone && state === "asked") {
          stores.documentChecks.update(deviceId, { questionId: null });
        } else if (state === "asked") this.#settle(deviceId);
      }
      if (whenAhead === "ignore") return;
      const restored = stores.restoredPrinters.list();
      for (const device of devices.values()) {
        const printer = printerOf(device);
        if (isSimulatedPrinter(printer)) continue;
        // Held already, and asked for that.
        if (restored.some((row) => isSamePrinter(row, printer))) continue;
        raiseCheck(stores, { ...printer, orgId: device.orgId }, clock.now());
      }
    });
  }

  /** The device can be reached: it is asked, unless it was. */
  reached(deviceId: string): void {
    this.#asker.reached(deviceId);
  }

  /** An owner may have accepted what its printer has printed: it tells how far that goes. */
  changed(deviceId: string): void {
    this.#asker.lookAgain(deviceId);
  }

  /** A command ended, maybe a question. */
  ended(command: Command): void {
    const { writer, log, queue, onChange } = this.#o;
    const { deviceId, id } = command;
    const asked = isLastDocumentQuestion(command) ? this.#asker.askedBy(command) : [];
    if (asked.length === 0) {
      this.#asker.lookAgain(deviceId);
      return;
    }
    const taken = this.#asker.heard(command, asked);
    writer
      .run((tx) => this.#learn(tx, command, taken))
      .then(() => {
        if (taken === "not now") this.#asker.again(asked);
        else this.#asker.done(asked);
        queue.holdsChanged();
        onChange(deviceId);
      })
      .catch((error: unknown) => {
        log.error("answer of a printer not stored", { id, error });
        this.#asker.again(asked);
      });
  }

  /** There is nothing to tell of the printer; what a person accepted stays. */
  #settle(deviceId: string): void {
    const { documentChecks } = this.#o.stores;
    const { acceptedAt = null, address = null } = documentChecks.get(deviceId) ?? {};
    if (acceptedAt !== null && address !== null)
      documentChecks.update(deviceId, { state: "known", questionId: null });
    else documentChecks.remove(deviceId);
  }

  #learn(tx: Transaction, { id, deviceId, result, finishedAt }: Command, taken: Taken): void {
    const { stores, clock, log } = this.#o;
    const rows = stores.documentChecks.listAsked().filter(({ questionId }) => questionId === id);
    // What an owner has accepted is known once the printer has told it; else the record's own says it.
    const row =
      rows.find(({ acceptedAt, number }) => acceptedAt !== null && number === null) ??
      rows.find((one) => one.deviceId === deviceId) ??
      rows[0];
    if (row === undefined) return;
    if (taken === "not now") {
      for (const one of rows) stores.documentChecks.update(one.deviceId, { questionId: null });
      return;
    }
    const told = toldDocument(result);
    const driver = stores.devices.find(deviceId)?.driver;
    // What is known of the printer is known of each of its records, of those that are gone too.
    const asked = rows.map((one) => one.deviceId);
    const records = [...new Set([...asked, ...recordIdsOf(stores, row)])];
    const meant = { row, records, via: deviceId, driver };
    const raisedAt = finishedAt ?? clock.now();
    if (taken === "will not tell") {
      for (const one of asked) this.#settle(one);
      this.#leaveUntold(tx, meant, raisedAt);
      return;
    }
    const found = told && this.#compare(meant, told);
    if (found === undefined) {
      for (const one of asked) this.#settle(one);
      for (const one of records) {
        this.#o.queue.endWaiting(tx, one, { now: clock.now(), why: "told" });
      }
      if (told) this.#settleUnbegun(tx, meant, told);
      return;
    }
    const seq = this.#newestOf(records);
    const news = { ...found, seq, state: "unknown", raisedAt, questionId: null } as const;
    // From now on it is the news of the record that leads there.
    for (const one of asked) if (one !== deviceId) stores.documentChecks.remove(one);
    const via = stores.devices.find(deviceId);
    const printer = via ? printerOf(via) : { ...row, deviceId };
    stores.documentChecks.raise({ ...row, ...printer });
    stores.documentChecks.update(deviceId, news);
    log.warn("the printer has printed documents that nobody here knows", {
      ...{ deviceId, ...found },
      since: new Date(found.since).toISOString(),
    });
    if (this.#o.whenAhead === "hold") {
      this.#hold(meant, raisedAt);
      return;
    }
    for (const one of records) {
      this.#o.queue.endWaiting(tx, one, { now: clock.now(), why: "ahead" });
    }
  }

  /**
   * The printer will not tell: of what waited since before the start nobody can say that it was not
   * printed. An owner who has just accepted what there is need not say so again.
   */
  #leaveUntold(tx: Transaction, meant: Asked, raisedAt: number): void {
    const { queue, clock, log, whenAhead } = this.#o;
    const { row, records, via } = meant;
    log.warn("the printer refuses to tell what its last document was", { deviceId: via });
    const isAccepted = row.acceptedAt !== null && row.acceptedAt >= row.raisedAt;
    if (whenAhead === "hold" && !isAccepted) {
      this.#hold(meant, raisedAt);
      return;
    }
    for (const one of records) queue.endWaiting(tx, one, { now: clock.now(), why: "untold" });
  }

  /** Holds it until an owner accepts its state. */
  #hold({ row, records, via }: Asked, raisedAt: number): void {
    const { devices, restoredPrinters } = this.#o.stores;
    const device = devices.find(via);
    const { address, serialNumber, fiscalMemorySerialNumber } = device ? printerOf(device) : row;
    const held = { deviceId: via, address, serialNumber, fiscalMemorySerialNumber };
    const seq = this.#newestOf(records);
    restoredPrinters.raise({ ...held, orgId: row.orgId, raisedAt, seq });
    restoredPrinters.update(via, { state: "ahead" });
  }

  /**
   * The printer may show that it has stood still since the last that is known: what nobody could tell
   * of it until it was asked, of this start or an earlier one, was not printed then.
   */
  #settleUnbegun(tx: Transaction, { row, records, via, driver }: Asked, told: ToldDocument): void {
    const { stores, clock } = this.#o;
    const latest = newestRecord(stores, records);
    if (latest === undefined) return;
    // A record that is gone spoke as the one does that leads to its printer now.
    const devices = { find: (id: string) => stores.devices.find(id) ?? stores.devices.find(via) };
    if (!stoodStill({ ...stores, devices }, latest, told)) return;
    const since = lastKnown(stores, latest, { driver })?.seq ?? 0;
    // What waited until an owner accepted a state may repeat what was printed before: since then it
    // was not, and that says nothing.
    const acceptedAt = Math.max(
      ...records.map((id) => stores.documentChecks.get(id)?.acceptedAt ?? 0),
    );
    settleUnprinted(tx, this.#o, {
      ...{ told, driver, now: clock.now() },
      // With a mark the printer itself is asked of it; what was printed behind it hides it.
      isMeant: (hold, { mark, seq }) =>
        hold.orgId === row.orgId &&
        isSamePrinter(hold, row) &&
        hold.raisedAt > acceptedAt &&
        mark === null &&
        seq >= since,
    });
  }

  /** `seq` of the newest command that any of them has printed. */
  #newestOf(records: readonly string[]): number {
    return Math.max(...records.map((id) => this.#o.stores.commands.newestPrinted(id)));
  }

  /** @returns what the printer has told that is not known; undefined when that is nothing */
  #compare({ row, records, driver }: Asked, last: ToldDocument) {
    const { stores } = this.#o;
    const { deviceId, acceptedAt, raisedAt } = row;
    const told = reachedNumber(last);
    if (told === undefined) return undefined;
    // Whatever records lead to it now, none has printed there since that one was left.
    const isKept = row.address === null;
    const document = lastKnownOf(stores, isKept ? [] : records, { isNumbered: true, driver });
    // What was accepted is known since the printer told it; documents of ours may have come since.
    const isAccepted = acceptedAt !== null && row.seq >= (document?.seq ?? 0);
    if (isAccepted && row.number === null) {
      // A person accepted what there was before the printer had told its number.
      stores.documentChecks.update(deviceId, {
        number: told,
        seq: this.#newestOf(records),
      });
      return undefined;
    }
    if (!isAccepted && (document === undefined || isOtherPrinter(document, last))) return undefined;
    const known = isAccepted ? row.number : numberOf(document?.number);
    const since = isAccepted ? { seq: row.seq, finishedAt: row.since ?? raisedAt } : document;
    if (known === undefined || known === null || since === undefined) return undefined;
    const receipt = receiptItself(last, driver);
    const found = unknownDocuments({
      ...(receipt === undefined ? {} : { receipt }),
      ...{
        known,
        told,
        own: movesSince(stores, { records: isKept ? [] : records, driver }, since.seq),
      },
      countsByDay: countsByDay(driver),
    });
    const issuedAt = Date.parse(String(document?.issuedAt));
    const at = isAccepted || Number.isNaN(issuedAt) ? since.finishedAt : issuedAt;
    return found && { documents: found.documents, number: told, since: at };
  }
}

/** Says that a printer is to be asked, where it can be compared. Inside an operation. */
export function raiseCheck(
  stores: Pick<Stores, "commands" | "devices" | "documentChecks">,
  printer: Printer & { readonly orgId: string },
  raisedAt: number,
): void {
  const row = stores.documentChecks.get(printer.deviceId);
  if (row?.state === "unknown") return;
  if (row !== undefined) {
    const { address, serialNumber, fiscalMemorySerialNumber } = printer;
    stores.documentChecks.update(row.deviceId, {
      ...{ address, serialNumber, fiscalMemorySerialNumber },
      // It may be long since what it tells was accepted; it is to be asked since now.
      ...{ state: "asked", raisedAt, since: row.since ?? row.raisedAt },
    });
  } else if (lastKnown(stores, printer.deviceId, { isNumbered: true }) !== undefined) {
    stores.documentChecks.raise({
      ...{ ...printer, state: "asked", raisedAt, questionId: null },
      ...{ number: null, acceptedAt: null, documents: null, since: null },
      seq: stores.commands.newestPrinted(printer.deviceId),
    });
  }
}
