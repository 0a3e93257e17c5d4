/**
 * The queue: the only place that changes a command's status.
 *
 * Each change is one operation of the writer. What leaves the process (a dispatch to a remote
 * controller, the word that a mark or a result is stored, an event) leaves after the operation is on
 * disk, never before: after any crash the database tells at least as much as anybody was told. Only
 * the controller inside the process, which ends with it, gets a command ahead; see `Dispatch`.
 */

import { waitsForPerson } from "#core/command/catalogue.ts";
import { type Command, isFinal } from "#core/command/command.ts";
import type { Saying } from "#core/command/saying.ts";
import type { Reporter, ReportOutcome } from "#core/controller/judge.ts";
import type { CommandReport } from "#core/controller/messages.ts";
import type { LateResult } from "#core/device/alerts.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import type { Transaction } from "#db/writer.ts";
import { storeAccepted } from "./acceptance.ts";
import { type Canceller, cancelPending } from "./cancelled.ts";
import type { Awaited } from "./deadlines.ts";
import {
  type EndOfWaiting,
  endBegun,
  endDoubts,
  endOut,
  endUnfinished,
  endWaiting,
} from "./device-end.ts";
import { withdrawnOf } from "./ends.ts";
import { type LeavePrinter, leavePrinter } from "./exchanged-printer.ts";
import { setOut } from "./lanes.ts";
import type { Leftovers } from "./leftovers.ts";
import type { QueueOptions } from "./queue-options.ts";
import { QueueParts } from "./queue-parts.ts";
import { endAtStart } from "./recovery.ts";

export class CommandQueue {
  readonly #o: QueueOptions;
  readonly #parts: QueueParts;
  /** What was unfinished at the start. */
  readonly leftovers: Leftovers;
  /** See `leavePrinter`. */
  readonly leavePrinter: LeavePrinter;

  constructor(options: QueueOptions) {
    this.#o = options;
    this.#parts = new QueueParts(options);
    const { changes, leftovers } = this.#parts;
    this.leftovers = leftovers;
    const leaving = { ...options, changes, leftovers };
    this.leavePrinter = (tx, device, as) => leavePrinter(tx, device, { ...leaving, ...as });
  }

  /** When a command accepted at `createdAt` must have begun. UTC milliseconds. */
  expiryOf(createdAt: number): number {
    this.#parts.clock.look();
    return createdAt + this.#o.times.overallMs;
  }

  /** True while a command is out on the device. */
  isBusy(deviceId: string): boolean {
    return this.#parts.lanes.isBusy(deviceId);
  }

  /** True while what prints on the device waits for a person, or the printer: see `Holds`. */
  isHeld(deviceId: string): boolean {
    return this.#parts.holds.isHeld(deviceId);
  }

  /**
   * What a person has to do before a command of this type is sent to the device, in words for a
   * till; undefined where nothing waits for a person.
   */
  askedFirst({ deviceId, type }: Pick<Command, "deviceId" | "type">): string | undefined {
    const held = waitsForPerson(type) ? this.#parts.holds.reasonOf(deviceId) : undefined;
    return held?.asksPerson === true ? held.first : undefined;
  }

  /** Why a command of this type does not begin on the device, in words for a till; if known. */
  reasonOf(command: Pick<Command, "deviceId" | "type">): string | undefined {
    return this.#parts.reasonOf(command);
  }

  /** See `LateResults.of`. */
  lateResults(deviceId: string): readonly LateResult[] {
    return this.#parts.lateResults.of(deviceId);
  }

  /** Says before it is accepted whether a command may be. @throws ApiError UNPROCESSABLE_ENTITY */
  requireAllowed(command: NewCommand): void {
    this.#o.records.requireAllowed(command);
  }

  /** A receipt that was made elsewhere is stored now, inside an operation: what took a sale back before counts. */
  renewStornos(receipt: StoredReceipt): void {
    this.#o.records.renewStornos(receipt);
  }

  /**
   * Writes an operation that accepts a command. On an idle device the command begins ahead of it.
   * What the device does next is about to be written too, so the operation waits for that a little.
   * @returns what the operation returned, once it is on disk
   */
  accepting<T>(command: NewCommand, operation: (tx: Transaction) => T): Promise<T> {
    const { deviceId } = command;
    const isRefused = this.#closedTo(command) !== undefined;
    const begun = !isRefused && this.#parts.claims.foreseeAccepted(command, this.#o.clock.now());
    if (!begun) {
      return this.#o.writer.run(operation, this.isBusy(deviceId) ? "soon" : "now");
    }
    const lane = this.#parts.lanes.of(deviceId);
    this.#parts.handOut.early(lane, begun);
    const stored = this.#o.writer.run(operation, "soon");
    // Whatever became of it: what came meanwhile was kept waiting for it.
    const over = (): void => {
      lane.ahead = undefined;
      this.#parts.dispatch.advance(deviceId);
    };
    stored.then(over, over);
    return stored;
  }

  /**
   * Accepts a command, inside the operation that `accepting` writes: its time runs from the commit
   * on. On an idle device it is claimed in the same commit.
   * @throws ApiError SERVICE_UNAVAILABLE when too many wait already, or none are taken,
   * UNPROCESSABLE_ENTITY when it reverses more than is left of a sale
   */
  accept(tx: Transaction, accepted: NewCommand): void {
    const { deviceId, orgId } = accepted;
    const command = storeAccepted(this.#o.stores, accepted, this.#closedTo(accepted));
    this.#o.records.reserve(command);
    tx.after(() => {
      const reached = this.#o.controllers.controllerOf(deviceId) !== undefined;
      this.#parts.deadlines.watch(command, reached);
    });
    tx.emit({ type: "command.updated", orgId, command });
    // Whatever ends the command that is out takes the next one; if it has, just before, look again.
    if (this.isBusy(deviceId)) tx.after(() => this.#parts.dispatch.advance(deviceId));
    else if (!this.#parts.dispatch.claimAhead(tx, deviceId, command.createdAt)) {
      this.#parts.dispatch.claim(tx, deviceId, command.createdAt);
    }
  }

  /** What the gateway asks printers itself belongs to what was taken before. */
  #closedTo({ source }: NewCommand): string | undefined {
    return source === "gateway" ? undefined : this.#o.closed?.();
  }

  /**
   * A controller was woken for a device that it serves: its next command is on the way to it, and
   * stays so until somebody serves the device, or its time is over.
   * @returns once that is on disk
   */
  woken(deviceId: string, controllerId: string): Promise<void> {
    return this.#o.writer.run((tx) => this.#parts.dispatch.onItsWay(tx, deviceId, controllerId));
  }

  /** A controller serves the device from now on: hand it what is out, or the next command. */
  ready(deviceId: string): void {
    this.#parts.deadlines.reached(deviceId);
    // Before what is out: that may print.
    this.#parts.person.ready(deviceId);
    const lane = this.#parts.lanes.of(deviceId);
    if (lane.out) this.#parts.handOut.again(lane);
    else this.#parts.dispatch.advance(deviceId);
    this.#parts.unheard.handedOver(lane);
  }

  /**
   * No controller serves the device any more. What had begun there without changing it ends, and so
   * does what nobody can tell of; what the device can tell of waits for the next one.
   */
  withdrawn(deviceId: string, why?: string): void {
    this.#parts.questions.withdrawn(deviceId);
    this.#parts.doubts.withdrawn(deviceId);
    const { out, silentSince } = this.#parts.lanes.find(deviceId) ?? {};
    if (!out) return;
    const how = { line: why, wasLost: silentSince !== undefined };
    this.lineLost(deviceId);
    this.#o.writer
      .run((tx) => {
        const command = this.#o.stores.commands.get(out.orgId, out.id);
        const input = command && withdrawnOf(command, how);
        if (input) this.#parts.changes.apply(tx, command, { input, now: this.#o.clock.now() });
        tx.after(() => this.#parts.dispatch.advance(deviceId));
      })
      .catch((error: unknown) => {
        this.#o.log.error("end of a command not stored", { commandId: out.id, error });
        this.#o.timers.again(`withdrawn:${deviceId}`, () => {
          if (this.#o.controllers.controllerOf(deviceId) === undefined)
            this.withdrawn(deviceId, why);
        });
      });
  }

  /** The commands that have not begun, of every device. */
  waiting(): readonly Awaited[] {
    return this.#parts.deadlines.watched();
  }

  /** How far it is behind the deadline that is the most overdue; 0 when none is. Milliseconds. */
  overdue(): number {
    return this.#parts.deadlines.overdue();
  }

  /**
   * Another process changed the database, as the person at the box does who removes a device. What
   * it ended is let go here too.
   */
  reconcile(): void {
    const { commands, devices } = this.#o.stores;
    const out = this.#parts.lanes.all().flatMap((lane) => lane.out ?? []);
    const known = new Map([...this.#parts.deadlines.watched(), ...out].map((one) => [one.id, one]));
    for (const { orgId, id } of known.values()) {
      const command = commands.get(orgId, id);
      if (!command || !isFinal(command.status)) continue;
      this.#parts.letGo(command);
      this.#parts.dispatch.advance(command.deviceId);
    }
    this.holdsChanged();
    const registered = new Set(devices.listAll().map((device) => device.id));
    for (const { deviceId } of this.#parts.lanes.all()) {
      if (!registered.has(deviceId)) this.#forget(deviceId);
    }
  }

  /** Takes what a controller reports of a command, as far as it is to be believed. */
  report(reporter: Reporter, message: CommandReport): Promise<ReportOutcome> {
    return this.#parts.reports.take(reporter, message);
  }

  /**
   * Takes back a pending command.
   * @param by who wants that, for the audit log; nobody where a request gave up waiting
   * @returns the command as it is now, and whether it was taken
   */
  cancel(
    orgId: string,
    commandId: string,
    by?: Canceller,
  ): Promise<{ command: Command; cancelled: boolean } | undefined> {
    const { stores, writer, clock } = this.#o;
    const from = { stores, changes: this.#parts.changes, now: clock.now(), by };
    return writer.run((tx) => cancelPending(tx, { orgId, commandId }, from));
  }

  /** Ends what is out on a device, in the operation that removes it. */
  failOut(tx: Transaction, deviceId: string, now: number): void {
    const from = { ...this.#o.stores, changes: this.#parts.changes, leftovers: this.leftovers };
    endOut(tx, deviceId, { ...from, now });
  }

  /** Ends what is unfinished on a device that was removed. @returns when all of it has ended */
  async failUnfinished(deviceId: string): Promise<void> {
    const { stores, writer, clock } = this.#o;
    this.#parts.lanes.of(deviceId).closed = true;
    const { commands } = stores;
    await endUnfinished({ commands, writer, clock, changes: this.#parts.changes }, deviceId);
    this.#forget(deviceId);
  }

  /** See `endWaiting`, in the operation that stores why: of what was left at the start, or of all. */
  endWaiting(tx: Transaction, deviceId: string, meant: Omit<EndOfWaiting, "leftovers">): void {
    const leftovers = meant.why === "accepted" ? undefined : this.leftovers;
    endWaiting(tx, deviceId, { ...this.#endOf(meant.now), leftovers, ...meant });
  }

  /** See `endBegun`. @param now UTC milliseconds */
  endBegun(tx: Transaction, deviceId: string, now: number): void {
    endBegun(tx, deviceId, { ...this.#endOf(now), leftovers: this.leftovers });
  }

  /** See `endDoubts`. @param now UTC milliseconds */
  endDoubts(tx: Transaction, deviceId: string, now: number): void {
    endDoubts(tx, deviceId, this.#endOf(now));
  }

  #endOf(now: number) {
    return { commands: this.#o.stores.commands, changes: this.#parts.changes, now };
  }

  /** Notices that the wall clock was set. */
  lookAtClock(): void {
    this.#parts.clock.look();
  }

  /** See `AskedPerson`. */
  settle(tx: Transaction, command: Command, said: Saying): Command | undefined {
    return this.#parts.person.settle(tx, command, said);
  }

  /** Devices were registered, identified or removed, or holds settled: what is held now? */
  holdsChanged(): void {
    this.#parts.person.holdsChanged();
  }

  /** The line of a device went, or its controller: what is out there is in doubt for all we know. */
  lineLost(deviceId: string): void {
    this.#parts.doubts.lostFor(deviceId);
    const lane = this.#parts.lanes.find(deviceId);
    if (!lane?.out) return;
    this.#parts.doubts.lost(lane);
    if (this.#o.controllers.controllerOf(deviceId) === undefined)
      this.#parts.unheard.lost(lane.out);
  }

  /**
   * Takes up after a start what the last run left: deadlines run on from acceptance, what was sent
   * goes out again, what may have changed its device is resolved, and nothing is repeated.
   */
  async recover(): Promise<void> {
    const { stores, writer, clock } = this.#o;
    this.#parts.holds.refresh();
    const now = clock.now();
    this.#parts.lateResults.recover(now);
    // A clock that was wrong for the last run, or is for this one, ends nothing and keeps nothing.
    await this.#parts.clock.takeUp();
    const { commands } = stores;
    this.leftovers.begin(commands.listUnfinished());
    const [changes, holds, { controllers }] = [this.#parts.changes, this.#parts.holds, this.#o];
    const from = { commands, changes, controllers, holds, stores, now };
    await writer.run((tx) => endAtStart(tx, from));
    const left = stores.commands.listUnfinished();
    for (const command of left) {
      // What was handed over once, and put back, had a controller.
      if (command.status === "pending")
        this.#parts.deadlines.watch(command, command.epoch > 0, true);
      else {
        setOut(this.#parts.lanes.of(command.deviceId), command);
        if (command.status === "processing") this.#parts.unheard.begun(command);
      }
      if (command.status === "sent") this.#parts.deadlines.watch(command, true);
    }
    for (const deviceId of new Set(left.map((one) => one.deviceId))) {
      this.lineLost(deviceId);
      if (this.#o.controllers.controllerOf(deviceId) !== undefined) this.ready(deviceId);
    }
  }

  /** The device is gone, and with it all that is known of it. */
  #forget(deviceId: string): void {
    this.#parts.lanes.remove(deviceId);
    this.#parts.lateResults.forget(deviceId);
    this.#parts.handOut.forget(deviceId);
    this.#parts.dispatch.forget(deviceId);
    this.#parts.questions.withdrawn(deviceId);
    this.#o.timers.cancel(`withdrawn:${deviceId}`);
  }
}
