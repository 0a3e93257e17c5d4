/**
 * A printer is asked for its last document before anything more is printed on it: after each start, and
 * after an owner has accepted what it printed. One of which no number is known is asked only where it
 * was reached before, or what waits there may have been printed.
 *
 * A printer that is ahead of what this database knows was used by other hands, or the whole disk was
 * put back from an image: the count of starts went back with it, and shows nothing. Which of both it
 * was only a person can say, who accepts what the printer has told.
 */

import { tellsOutcome } from "#core/command/catalogue.ts";
import type { Command } from "#core/command/command.ts";
import type { AheadMode } from "#core/device/ahead-mode.ts";
import {
  answersFor,
  isSimulatedPrinter,
  printerOf,
  type ShopPrinter,
  shopPrinterOf,
} from "#core/device/printer.ts";
import { recordIdsOf } from "#db/stores/device-records.ts";
import type { Device } from "#db/stores/devices.ts";
import type { DocumentCheck } from "#db/stores/document-checks.ts";
import type { Stores } from "#db/stores/index.ts";
import { inOrder } from "#db/stores/order.ts";
import type { Transaction } from "#db/writer.ts";
import type { CountedTime } from "../platform/counted-time.ts";
import type { CommandQueue } from "./command-queue.ts";
import { type Asked, type News, newsOf } from "./document-news.ts";
import { lookAtAgeingTime } from "./kept-time.ts";
import { lastKnown, type ToldDocument, toldDocument } from "./known-documents.ts";
import type { LastWord } from "./last-document-answer.ts";
import { LastDocumentAsker, type LastDocumentAskerOptions } from "./last-document-asker.ts";
import { isServedHere } from "./printer-records.ts";
import { newestRecord, settleUnprinted } from "./proven.ts";
import { stoodStill } from "./stood-still.ts";
import { zoneOf } from "./told-time.ts";

export interface DocumentCheckOptions extends LastDocumentAskerOptions {
  readonly stores: Pick<
    Stores,
    | "appliance"
    | "commands"
    | "devices"
    | "documentChecks"
    | "locations"
    | "organizations"
    | "outcomeHolds"
    | "restoredPrinters"
  >;
  readonly queue: LastDocumentAskerOptions["queue"] &
    Pick<CommandQueue, "endBegun" | "endWaiting" | "holdsChanged" | "settle">;
  readonly time: Pick<CountedTime, "now">;
  readonly whenAhead: AheadMode;
  /** What a person should know of the device may have changed. */
  readonly onChange: (deviceId: string) => void;
}

/** A record that is made anew later than this leads to a printer of which nothing is asked. */
const MADE_ANEW_MS = 7 * 86_400_000;

/** A printer that was asked, and has answered. */
interface Answered extends Asked {
  /** The records that the question was asked of. */
  readonly asked: readonly string[];
  /** The device that was asked. */
  readonly via: string;
  /** When it answered. UTC milliseconds. */
  readonly raisedAt: number;
}

/** News of one kind. */
type NewsOf<Kind extends News["kind"]> = Extract<News, { readonly kind: Kind }>;

export class DocumentChecks {
  readonly #o: DocumentCheckOptions;
  readonly #asker: LastDocumentAsker<DocumentCheck>;
  /** Devices for which something waited at the start that may have been printed before. */
  readonly #left = new Set<string>();

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
    const { stores, writer, clock, time, whenAhead } = this.#o;
    return writer.run(() => {
      // A clock that is far ahead for one start must not cost what a printer is still to tell.
      const aged = lookAtAgeingTime(stores.appliance, clock, time);
      const devices = new Map(stores.devices.listAll().map((device) => [device.id, device]));
      for (const { deviceId, state, raisedAt } of stores.documentChecks.list()) {
        // What a printer has told, or is still to tell, belongs to it: its record may be made anew.
        const isGone = !devices.has(deviceId);
        const isOver = aged - raisedAt > MADE_ANEW_MS;
        if (isGone && (state === "known" || (state === "asked" && isOver))) {
          stores.documentChecks.remove(deviceId);
        } else if (isGone && state === "asked") {
          stores.documentChecks.update(deviceId, { questionId: null });
        } else if (state === "asked") this.#askNoMore(deviceId);
      }
      if (whenAhead === "ignore") return;
      const restored = stores.restoredPrinters.list();
      for (const { deviceId, type } of stores.commands.listUnfinished()) {
        if (tellsOutcome(type)) this.#left.add(deviceId);
      }
      for (const device of devices.values()) {
        const printer = shopPrinterOf(device);
        if (isSimulatedPrinter(printer)) continue;
        // Held already, and asked for that.
        if (restored.some((row) => answersFor(row, printer))) continue;
        raiseCheck(stores, printer, { raisedAt: clock.now(), isWanted: this.#isWanted(device) });
      }
    });
  }

  /**
   * True where a printer is asked of which no number is known: what waits for it may be on paper, or it
   * was reached already. An app may leave unanswered what it does not know, and would be waited for.
   */
  #isWanted(device: Device): boolean {
    return isServedHere(device) && (this.#left.has(device.id) || device.lastSeenAt !== null);
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
    const { queue, onChange } = this.#o;
    this.#asker.ended(command, {
      learn: (tx, rows, word) => this.#learn(tx, command, { rows, word }),
      stored: () => {
        queue.holdsChanged();
        onChange(command.deviceId);
      },
    });
  }

  /** It is asked no more, and nothing of it is news; what a person accepted stays. */
  #askNoMore(deviceId: string): void {
    const { documentChecks } = this.#o.stores;
    const { acceptedAt = null, address = null } = documentChecks.get(deviceId) ?? {};
    if (acceptedAt !== null && address !== null)
      documentChecks.update(deviceId, { state: "known", questionId: null });
    else documentChecks.remove(deviceId);
  }

  #learn(
    tx: Transaction,
    command: Command,
    { rows, word }: { readonly rows: readonly DocumentCheck[]; readonly word: LastWord },
  ): void {
    const answered = this.#answeredBy(command, rows);
    if (answered === undefined) return;
    const told = word === "told" ? toldDocument(command.result) : undefined;
    const news = told && newsOf(this.#o.stores, answered, told);
    if (told === undefined || news?.kind === "no word") {
      this.#leaveUntold(tx, answered, { mayTell: word === "will not tell" });
      return;
    }
    tx.after(() => {
      for (const one of answered.records) this.#left.delete(one);
    });
    if (news?.kind === "unknown") {
      this.#tell(tx, answered, news);
      return;
    }
    if (news) this.#note(answered, news);
    this.#goOn(tx, answered, told);
  }

  /** What was asked by a command that has ended. @param rows that it was asked of */
  #answeredBy(
    { deviceId, finishedAt }: Command,
    rows: readonly DocumentCheck[],
  ): Answered | undefined {
    const { stores, clock } = this.#o;
    // What an owner has accepted is known once the printer has told it; else the record's own says it.
    const row =
      rows.find(({ acceptedAt, number }) => acceptedAt !== null && number === null) ??
      rows.find((one) => one.deviceId === deviceId) ??
      rows[0];
    if (row === undefined) return undefined;
    const asked = rows.map((one) => one.deviceId);
    // What is known of the printer is known of each of its records, of those that are gone too.
    const records = [...new Set([...asked, ...recordIdsOf(stores, row), deviceId])];
    return {
      ...{ row, asked, records, via: deviceId, raisedAt: finishedAt ?? clock.now() },
      driver: stores.devices.find(deviceId)?.driver,
      hasLeft: records.some((one) => this.#left.has(one)),
      timezone: zoneOf(stores, deviceId),
    };
  }

  /** What the printer has told counts as known. */
  #note({ row, records, raisedAt }: Answered, { number, day }: NewsOf<"first">): void {
    const { documentChecks } = this.#o.stores;
    const accepted = row.acceptedAt === null ? documentChecks.acceptance(raisedAt) : {};
    const seq = this.#newestOf(records);
    documentChecks.update(row.deviceId, { number, day, seq, ...accepted });
  }

  /** Of what the printer has told nothing is news but what was noted: what waits for it goes on. */
  #goOn(tx: Transaction, answered: Answered, told: ToldDocument): void {
    const { queue, clock } = this.#o;
    for (const one of answered.asked) this.#askNoMore(one);
    for (const one of answered.records) queue.endBegun(tx, one, clock.now());
    this.#settleUnbegun(tx, answered, told);
  }

  /** Of what the printer has told nobody here knows: a person is told, and what waits does not go on. */
  #tell(tx: Transaction, answered: Answered, news: NewsOf<"unknown">): void {
    const { stores, queue, clock, whenAhead } = this.#o;
    // From now on it is the news of the record that leads there.
    for (const one of answered.asked) {
      if (one !== answered.via) stores.documentChecks.remove(one);
    }
    this.#raiseNews(answered, news);
    if (whenAhead === "hold") {
      this.#hold(answered);
      return;
    }
    for (const one of answered.records) {
      queue.endWaiting(tx, one, { now: clock.now(), why: "ahead" });
    }
  }

  #raiseNews({ row, records, via: deviceId, raisedAt }: Answered, news: NewsOf<"unknown">): void {
    const { stores, log } = this.#o;
    const { documents, number, day, since } = news;
    const device = stores.devices.find(deviceId);
    stores.documentChecks.raise({ ...row, ...(device ? printerOf(device) : { deviceId }) });
    stores.documentChecks.update(deviceId, {
      ...{ documents, number, day, since, raisedAt },
      ...{ seq: this.#newestOf(records), state: "unknown", questionId: null },
    });
    log.warn("the printer has printed documents that nobody here knows", {
      ...{ deviceId, documents, number },
      since: since === null ? null : new Date(since).toISOString(),
    });
  }

  /**
   * The printer does not tell: of what waited since before the start nobody can say that it was not
   * printed. An owner who has just accepted what there is need not say so again.
   */
  #leaveUntold(
    tx: Transaction,
    answered: Answered,
    { mayTell }: { readonly mayTell: boolean },
  ): void {
    const { queue, clock, log, whenAhead } = this.#o;
    const { row, asked, records, via } = answered;
    for (const one of asked) this.#askNoMore(one);
    if (mayTell)
      log.warn("the printer refuses to tell what its last document was", { deviceId: via });
    // An acceptance raises it anew, and each start does.
    const isAccepted = row.acceptedAt === row.raisedAt;
    // One that never can tell would be held anew at each start, and tell as little behind that.
    if (mayTell && whenAhead === "hold" && !isAccepted) {
      this.#hold(answered);
      return;
    }
    for (const one of records) queue.endWaiting(tx, one, { now: clock.now(), why: "untold" });
  }

  /** Holds it until an owner accepts its state. */
  #hold({ row, records, via, raisedAt }: Answered): void {
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
  #settleUnbegun(
    tx: Transaction,
    { row, records, via, driver }: Answered,
    told: ToldDocument,
  ): void {
    const { stores, clock } = this.#o;
    const latest = newestRecord(stores, records);
    if (latest === undefined) return;
    // A record that is gone spoke as the one does that leads to its printer now.
    const devices = { find: (id: string) => stores.devices.find(id) ?? stores.devices.find(via) };
    if (!stoodStill({ ...stores, devices }, latest, told)) return;
    const since = lastKnown(stores, latest, { driver })?.seq ?? 0;
    // What waited until an owner accepted a state may repeat what was printed before: since then it
    // was not, and that says nothing.
    const accepted = records
      .flatMap((id) => stores.documentChecks.get(id) ?? [])
      .flatMap(({ acceptedAt: at, acceptedOrder: order }) => (at === null ? [] : { order, at }));
    settleUnprinted(tx, this.#o, {
      ...{ told, driver, now: clock.now() },
      // With a mark the printer itself is asked of it; what was printed behind it hides it.
      isMeant: (hold, { mark, seq }) =>
        hold.orgId === row.orgId &&
        answersFor(hold, row) &&
        accepted.every((one) => inOrder({ order: hold.raisedOrder, at: hold.raisedAt }, one) > 0) &&
        mark === null &&
        seq >= since,
    });
  }

  /** `seq` of the newest command that any of them has printed. */
  #newestOf(records: readonly string[]): number {
    return Math.max(...records.map((id) => this.#o.stores.commands.newestPrinted(id)));
  }
}

/**
 * Says that a printer is to be asked. Inside an operation.
 * @param as when that is, in UTC milliseconds, and whether also where nothing is known to compare with
 */
export function raiseCheck(
  stores: Pick<Stores, "commands" | "devices" | "documentChecks">,
  printer: ShopPrinter,
  { raisedAt, isWanted }: { readonly raisedAt: number; readonly isWanted: boolean },
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
  } else if (isWanted || lastKnown(stores, printer.deviceId, { isNumbered: true }) !== undefined) {
    stores.documentChecks.raise({
      ...{ ...printer, state: "asked", raisedAt },
      seq: stores.commands.newestPrinted(printer.deviceId),
    });
  }
}
