/**
 * Which devices are held because a person must first say what became of a document, or accept a
 * state that was put back from a copy, or because the printer itself is still to be asked. A hold
 * belongs to the printer: deleting its record and registering it anew changes nothing.
 */

import type { Command } from "#core/command/command.ts";
import { isUnresolved, mayTurnOutAs } from "#core/device/address.ts";
import {
  answersFor,
  countsFor,
  mayHold,
  type OpenPrinter,
  type Printer,
  printerOf,
  tellsNumber,
} from "#core/device/printer.ts";
import type { DocumentCheck } from "#db/stores/document-checks.ts";
import type { Stores } from "#db/stores/index.ts";
import type { HandedHold } from "#db/stores/outcome-holds.ts";
import type { Transaction } from "#db/writer.ts";
import { askPerson } from "./ask-person.ts";
import { Disowned } from "./disowned.ts";
import type { Lanes } from "./lanes.ts";
import type { ControllerPort } from "./ports.ts";
import { isNew, mayBeOf } from "./printer-records.ts";
import { sharedDoubts } from "./shared-doubts.ts";

export interface HoldsOptions {
  readonly stores: Pick<
    Stores,
    | "audit"
    | "commands"
    | "devices"
    | "documentChecks"
    | "openQuestions"
    | "outcomeHolds"
    | "restoredPrinters"
  >;
  readonly lanes: Lanes;
  readonly controllers: Pick<ControllerPort, "reaches">;
}

/** A printer that is held. */
interface Held extends OpenPrinter {
  /** Whose devices it is held for; everybody's when absent. */
  readonly onlyIn?: string;
  /** Of a document that a person is asked of: see `countsFor`. */
  readonly document?: HandedHold;
  /** The printer is to be asked for its last document: see `mayBeOf`. */
  readonly check?: DocumentCheck;
  /** Of a document that is out there: it holds all but its own record. */
  readonly isOut?: true;
  /** What has to happen first, as a part of a sentence. @param isOwn false to those of another shop */
  readonly first: (isOwn: boolean) => string;
  /** A person is waited for, not the printer. */
  readonly asksPerson: boolean;
}

/** What shows that a document was not what a person said of it. */
export interface Shown {
  /** The device that shows it. */
  readonly deviceId: string;
  /** The command whose run has shown it; maybe of another shop at the same printer. */
  readonly shownBy: Pick<Command, "id" | "orgId">;
  /** The document stands open on the device; it is printed otherwise. */
  readonly standsOpen: boolean;
  /** The number that the device told of it. */
  readonly fiscalId?: string | undefined;
  /** UTC milliseconds. */
  readonly now: number;
}

const ACCEPTED = "a person must first accept the state that was restored from a backup or repaired";
const ASKED = "the printer must first tell what its last document was";
const TOLD = "the printer must first tell what became of an earlier document";

/** Another shop learns no id of this one. */
function askedOf({ commandId }: { readonly commandId: string }) {
  return (isOwn: boolean): string => {
    const what = isOwn ? `the document of ${commandId}` : "a document of another shop";
    const how = isOwn ? ", in the portal or by fiscald command resolve" : "";
    return `a person must first say whether ${what} was printed${how}`;
  };
}

export class Holds {
  readonly #o: HoldsOptions;
  /** What a person called not printed, and nothing may finish. */
  readonly disowned: Disowned;

  constructor(options: HoldsOptions) {
    this.#o = options;
    this.disowned = new Disowned(options);
  }

  /** True while what prints on the device waits for a person, or the printer; asks the database. */
  isHeld(deviceId: string): boolean {
    return this.#isHeld(deviceId, this.#open());
  }

  /**
   * What has to happen before a held device goes on.
   * @returns it in words for a till, and whether a person is waited for; undefined where none is held
   */
  reasonOf(deviceId: string): { readonly first: string; readonly asksPerson: boolean } | undefined {
    const device = this.#o.stores.devices.find(deviceId);
    const hold = this.#holdOf(deviceId, this.#open());
    if (hold === undefined) return undefined;
    return { first: hold.first(hold.orgId === device?.orgId), asksPerson: hold.asksPerson };
  }

  /** Looks at every lane again. @returns the devices that are held no longer */
  refresh(): string[] {
    const { stores, lanes } = this.#o;
    // Somebody may have said something, at the box perhaps, or another printer stands there.
    this.disowned.lookAgain();
    const open = this.#open();
    if (open.length > 0) {
      // A device without a lane gets one: its first command must find that it is held.
      for (const { id } of stores.devices.listAll()) lanes.of(id);
      for (const { deviceId } of open) lanes.of(deviceId);
    }
    const freed: string[] = [];
    for (const lane of lanes.all()) {
      const held = this.#isHeld(lane.deviceId, open);
      if (lane.held && !held) {
        freed.push(lane.deviceId);
      }
      lane.held = held;
    }
    return freed;
  }

  /** Nobody knows what became of a document: a person is asked, and its printer held meanwhile. */
  ask(tx: Transaction, command: Command, { deviceId, now }: Pick<Shown, "deviceId" | "now">): void {
    const { stores, lanes } = this.#o;
    const hold = (): void => {
      lanes.of(deviceId).held = true;
    };
    askPerson(tx, command, { stores, hold, now });
  }

  /** The device shows that a command was not what was said of it: a person is asked, maybe again. */
  askAgain(tx: Transaction, command: Command, shown: Shown): void {
    const { stores } = this.#o;
    const { id: resource, orgId } = command;
    const { deviceId, shownBy, standsOpen, fiscalId, now } = shown;
    const entry = { orgId, at: now, actor: "gateway", resource };
    const told = fiscalId === undefined ? {} : { fiscalId };
    // A shop learns nothing of another one's devices and commands.
    const by = shownBy.orgId === orgId ? { deviceId, shownBy: shownBy.id } : {};
    const details = { ...by, standsOpen, ...told };
    stores.audit.append({ ...entry, action: "command.asked_again", details });
    // Told as asked again: what was noted says why.
    this.ask(tx, command, { deviceId, now });
    // What was settled before that one does not stand open.
    tx.after(() => this.disowned.printed(deviceId));
  }

  /**
   * Printers of which a person is asked what became of a document; and those for which only devices of
   * their organization wait: they may be ahead of a state that was put back from a copy, or are still to
   * tell what became of a document, or what their last one was.
   */
  #open(): Held[] {
    const { documentChecks, outcomeHolds, openQuestions, restoredPrinters } = this.#o.stores;
    return [
      ...outcomeHolds
        .listOpen()
        .map((one) => ({ ...one, document: one, first: askedOf(one), asksPerson: true })),
      ...restoredPrinters
        .list()
        .map((one) => ({ ...one, onlyIn: one.orgId, first: () => ACCEPTED, asksPerson: true })),
      ...openQuestions
        .list()
        .map((one) => ({ ...one, onlyIn: one.orgId, first: () => TOLD, asksPerson: false })),
      ...documentChecks.listAsked().map((one) => ({
        ...one,
        check: one,
        first: () => ASKED,
        asksPerson: false,
      })),
      ...sharedDoubts(this.#o.lanes, this.#o.stores).map((one) => ({
        ...{ ...one, onlyIn: one.orgId, first: () => TOLD, asksPerson: false },
        isOut: true as const,
      })),
    ];
  }

  #isHeld(deviceId: string, open: readonly Held[]): boolean {
    return this.#holdOf(deviceId, open) !== undefined;
  }

  #holdOf(deviceId: string, open: readonly Held[]): Held | undefined {
    if (open.length === 0) return undefined;
    const { devices } = this.#o.stores;
    const device = devices.find(deviceId);
    return open.find((hold) => {
      if (hold.check !== undefined) return mayBeOf(this.#o.stores, hold.check, deviceId);
      if (hold.onlyIn !== undefined && hold.onlyIn !== device?.orgId) return false;
      if (hold.document && device && !countsFor(device.orgId, hold.document)) return false;
      if (hold.isOut === true && hold.deviceId === deviceId) return false;
      if (device === undefined) return hold.deviceId === deviceId;
      if (mayHold(hold, device)) return true;
      // Nobody knows yet which printer it is, by its numbers or where its name leads: that of no record
      // within reach, or another line is sought.
      const mayBeIt = tellsNumber(hold)
        ? isNew(device)
        : isUnresolved(device) && mayTurnOutAs(device, hold.address);
      return mayBeIt && (!hold.asksPerson || !this.#isReached(hold));
    });
  }

  /** True where the printer answers over a record that is its own. */
  #isReached(printer: Printer): boolean {
    return this.#o.stores.devices
      .listAll()
      .some((one) => this.#o.controllers.reaches(one.id) && answersFor(printer, printerOf(one)));
  }
}
