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
import type { NewCommand } from "#db/stores/commands.ts";
import type { Transaction } from "#db/writer.ts";
import { storeAccepted } from "./acceptance.ts";
import { AskedPerson } from "./asked-person.ts";
import { type Canceller, cancelPending } from "./cancelled.ts";
import { type CommandChanges, createCommandChanges } from "./changes.ts";
import { Claims } from "./claims.ts";
import { type Awaited, Deadlines } from "./deadlines.ts";
import { type EndOfWaiting, endOut, endUnfinished, endWaiting } from "./device-end.ts";
import { Dispatch } from "./dispatch.ts";
import { Doubts } from "./doubts.ts";
import { type LeavePrinter, leavePrinter } from "./exchanged-printer.ts";
import { expire } from "./expiry.ts";
import { HandOut } from "./hand-out.ts";
import { Holds } from "./holds.ts";
import { Lanes, setOut } from "./lanes.ts";
import { LateResults } from "./late-results.ts";
import { Leftovers } from "./leftovers.ts";
import { Questions } from "./questions.ts";
import type { QueueOptions } from "./queue-options.ts";
import { endAtStart, withdrawnOf } from "./recovery.ts";
import { Reports } from "./reports.ts";
import { SetClock } from "./set-clock.ts";
import { RETRY_MS } from "./timer-queue.ts";
import { Unheard } from "./unheard.ts";

export class CommandQueue {
  readonly #o: QueueOptions;
  readonly #lanes = new Lanes();
  readonly #deadlines: Deadlines;
  readonly #changes: CommandChanges;
  readonly #lateResults: LateResults;
  readonly #claims: Claims;
  readonly #handOut: HandOut;
  readonly #holds: Holds;
  readonly #questions: Questions;
  readonly #doubts: Doubts;
  readonly #clock: SetClock;
  readonly #person: AskedPerson;
  readonly #dispatch: Dispatch;
  readonly #reports: Reports;
  readonly #unheard: Unheard;
  /** What was unfinished at the start. */
  readonly leftovers: Leftovers;
  /** See `leavePrinter`. */
  readonly leavePrinter: LeavePrinter;

  constructor(options: QueueOptions) {
    [this.#o, this.leftovers] = [options, new Leftovers(options.clock)];
    this.#deadlines = new Deadlines({
      ...options,
      expire: (command) => expire(command, { ...options, ...asked, leftovers: this.leftovers }),
    });
    this.#clock = new SetClock(options);
    this.#holds = new Holds({ ...options, lanes: this.#lanes });
    this.#lateResults = new LateResults({ ...options, holds: this.#holds });
    const [deadlines, holds, lateResults] = [this.#deadlines, this.#holds, this.#lateResults];
    this.#changes = createCommandChanges(options.stores, options.records, {
      onHold: (deviceId) => {
        this.#lanes.of(deviceId).held = true;
      },
      reasonOf: (command) => this.reasonOf(command),
      begun: (command) => {
        this.#deadlines.forget(command);
        this.#unheard.begun(command);
      },
      ended: (command) => this.#letGo(command),
      putBack: (command) => {
        this.#letGo(command);
        this.#deadlines.watch(command, true);
      },
      leftovers: this.leftovers,
    });
    const { lanes, changes } = { lanes: this.#lanes, changes: this.#changes };
    const leaving = { ...options, changes, leftovers: this.leftovers };
    this.leavePrinter = (tx, device, as) => leavePrinter(tx, device, { ...leaving, ...as });
    this.#handOut = new HandOut({ ...options, deadlines, holds, changes });
    const freed = (deviceId: string): void => this.#dispatch.advance(deviceId);
    this.#claims = new Claims({ ...options, lanes, holds, changes, deadlines });
    const { claims, handOut } = { claims: this.#claims, handOut: this.#handOut };
    this.#unheard = new Unheard({ ...options, lanes, changes, handOut, freed });
    const dispatch = new Dispatch({ ...options, lanes, claims, handOut });
    this.#dispatch = dispatch;
    const questions = new Questions({ ...options, lanes, holds, handOut, lateResults });
    this.#questions = questions;
    this.#doubts = new Doubts({ ...options, lanes, changes, handOut, dispatch });
    const asked = { lanes, changes, dispatch, questions };
    const person = new AskedPerson({ ...options, ...asked, holds, doubts: this.#doubts });
    this.#person = person;
    this.#reports = new Reports({ ...options, ...asked, deadlines, lateResults, person });
  }

  /** When a command accepted at `createdAt` must have begun. UTC milliseconds. */
  expiryOf(createdAt: number): number {
    this.#clock.look();
    return createdAt + this.#o.times.overallMs;
  }

  /** True while a command is out on the device. */
  isBusy(deviceId: string): boolean {
    return this.#lanes.isBusy(deviceId);
  }

  /** True while a person, or the printer, is to be asked of what became of a document. */
  isHeld(deviceId: string): boolean {
    return this.#holds.isHeld(deviceId);
  }

  /**
   * What a person has to do before a command of this type is sent to the device, in words for a
   * till; undefined where nothing waits for a person.
   */
  askedFirst({ deviceId, type }: Pick<Command, "deviceId" | "type">): string | undefined {
    const held = waitsForPerson(type) ? this.#holds.reasonOf(deviceId) : undefined;
    return held?.asksPerson === true ? held.first : undefined;
  }

  /** Why a command of this type does not begin on the device, in words for a till; if known. */
  reasonOf({ deviceId, type }: Pick<Command, "deviceId" | "type">): string | undefined {
    const held = waitsForPerson(type) ? this.#holds.reasonOf(deviceId) : undefined;
    const line = this.#o.controllers.reasonOf(deviceId);
    return held?.asksPerson === true ? held.first : (line ?? held?.first);
  }

  /** The device's receipts that were printed too late, the latest first. */
  lateResults(deviceId: string): readonly LateResult[] {
    return this.#lateResults.of(deviceId);
  }

  /** Says before it is accepted whether a command may be. @throws ApiError UNPROCESSABLE_ENTITY */
  requireAllowed(command: NewCommand): void {
    this.#o.records.requireAllowed(command);
  }

  /**
   * Writes an operation that accepts a command. On an idle device the command begins ahead of it.
   * What the device does next is about to be written too, so the operation waits for that a little.
   * @returns what the operation returned, once it is on disk
   */
  accepting<T>(command: NewCommand, operation: (tx: Transaction) => T): Promise<T> {
    const { deviceId } = command;
    const isRefused = this.#closedTo(command) !== undefined;
    const begun = !isRefused && this.#claims.foreseeAccepted(command, this.#o.clock.now());
    if (!begun) {
      return this.#o.writer.run(operation, this.isBusy(deviceId) ? "soon" : "now");
    }
    const lane = this.#lanes.of(deviceId);
    this.#handOut.early(lane, begun);
    const stored = this.#o.writer.run(operation, "soon");
    // Whatever became of it: what came meanwhile was kept waiting for it.
    const over = (): void => {
      lane.ahead = undefined;
      this.#dispatch.advance(deviceId);
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
      this.#deadlines.watch(command, reached);
    });
    tx.emit({ type: "command.updated", orgId, command });
    // Whatever ends the command that is out takes the next one; if it has, just before, look again.
    if (this.isBusy(deviceId)) tx.after(() => this.#dispatch.advance(deviceId));
    else if (!this.#dispatch.claimAhead(tx, deviceId, command.createdAt)) {
      this.#dispatch.claim(tx, deviceId, command.createdAt);
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
    return this.#o.writer.run((tx) => this.#dispatch.onItsWay(tx, deviceId, controllerId));
  }

  /** A controller serves the device from now on: hand it what is out, or the next command. */
  ready(deviceId: string): void {
    this.#deadlines.reached(deviceId);
    // Before what is out: that may print.
    this.#person.ready(deviceId);
    const lane = this.#lanes.of(deviceId);
    if (lane.out) this.#handOut.again(lane);
    else this.#dispatch.advance(deviceId);
    this.#unheard.handedOver(lane);
  }

  /**
   * No controller serves the device any more. What had begun there without changing it ends, and so
   * does what nobody can tell of; what the device can tell of waits for the next one.
   */
  withdrawn(deviceId: string, why?: string): void {
    this.#questions.withdrawn(deviceId);
    this.#doubts.withdrawn(deviceId);
    const { out, silentSince } = this.#lanes.find(deviceId) ?? {};
    if (!out) return;
    const how = { line: why, wasLost: silentSince !== undefined };
    this.lineLost(deviceId);
    this.#o.writer
      .run((tx) => {
        const command = this.#o.stores.commands.get(out.orgId, out.id);
        const input = command && withdrawnOf(command, how);
        if (input) this.#changes.apply(tx, command, { input, now: this.#o.clock.now() });
        tx.after(() => this.#dispatch.advance(deviceId));
      })
      .catch((error: unknown) => {
        this.#o.log.error("end of a command not stored", { commandId: out.id, error });
        const retryAt = this.#o.clock.now() + RETRY_MS;
        this.#o.timers.set(`withdrawn:${deviceId}`, retryAt, () => {
          if (this.#o.controllers.controllerOf(deviceId) === undefined)
            this.withdrawn(deviceId, why);
        });
      });
  }

  /** The commands that have not begun, of every device. */
  waiting(): readonly Awaited[] {
    return this.#deadlines.watched();
  }

  /** How far it is behind the deadline that is the most overdue; 0 when none is. Milliseconds. */
  overdue(): number {
    return this.#deadlines.overdue();
  }

  /**
   * Another process changed the database, as the person at the box does who removes a device. What
   * it ended is let go here too.
   */
  reconcile(): void {
    const { commands, devices } = this.#o.stores;
    const out = this.#lanes.all().flatMap((lane) => lane.out ?? []);
    const known = new Map([...this.#deadlines.watched(), ...out].map((one) => [one.id, one]));
    for (const { orgId, id } of known.values()) {
      const command = commands.get(orgId, id);
      if (!command || !isFinal(command.status)) continue;
      this.#letGo(command);
      this.#dispatch.advance(command.deviceId);
    }
    this.holdsChanged();
    const registered = new Set(devices.listAll().map((device) => device.id));
    for (const { deviceId } of this.#lanes.all()) {
      if (!registered.has(deviceId)) this.#forget(deviceId);
    }
  }

  /** Takes what a controller reports of a command, as far as it is to be believed. */
  report(reporter: Reporter, message: CommandReport): Promise<ReportOutcome> {
    return this.#reports.take(reporter, message);
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
    const from = { stores, changes: this.#changes, now: clock.now(), by };
    return writer.run((tx) => cancelPending(tx, { orgId, commandId }, from));
  }

  /** Ends what is out on a device, in the operation that removes it. */
  failOut(tx: Transaction, deviceId: string, now: number): void {
    const from = { ...this.#o.stores, changes: this.#changes, leftovers: this.leftovers };
    endOut(tx, deviceId, { ...from, now });
  }

  /** Ends what is unfinished on a device that was removed. @returns when all of it has ended */
  async failUnfinished(deviceId: string): Promise<void> {
    const { stores, writer, clock } = this.#o;
    this.#lanes.of(deviceId).closed = true;
    const { commands } = stores;
    await endUnfinished({ commands, writer, clock, changes: this.#changes }, deviceId);
    this.#forget(deviceId);
  }

  /** See `endWaiting`, in the operation that stores why: of what was left at the start, or of all. */
  endWaiting(tx: Transaction, deviceId: string, meant: Omit<EndOfWaiting, "leftovers">): void {
    const leftovers = meant.why === "accepted" ? undefined : this.leftovers;
    const from = { commands: this.#o.stores.commands, changes: this.#changes, leftovers };
    endWaiting(tx, deviceId, { ...from, ...meant });
  }

  /** Notices that the wall clock was set. */
  lookAtClock(): void {
    this.#clock.look();
  }

  /** See `AskedPerson`. */
  settle(tx: Transaction, command: Command, said: Saying): Command | undefined {
    return this.#person.settle(tx, command, said);
  }

  /** Devices were registered, identified or removed, or holds settled: what is held now? */
  holdsChanged(): void {
    this.#person.holdsChanged();
  }

  /** The line of a device went, or its controller: what is out there is in doubt for all we know. */
  lineLost(deviceId: string): void {
    this.#doubts.lostFor(deviceId);
    const lane = this.#lanes.find(deviceId);
    if (!lane?.out) return;
    this.#doubts.lost(lane);
    if (this.#o.controllers.controllerOf(deviceId) === undefined) this.#unheard.lost(lane.out);
  }

  /**
   * Takes up after a start what the last run left: deadlines run on from acceptance, what was sent
   * goes out again, what may have changed its device is resolved, and nothing is repeated.
   */
  async recover(): Promise<void> {
    const { stores, writer, clock } = this.#o;
    this.#holds.refresh();
    const now = clock.now();
    this.#lateResults.recover(now);
    // A clock that was wrong for the last run, or is for this one, ends nothing and keeps nothing.
    await this.#clock.takeUp();
    const { commands } = stores;
    this.leftovers.begin(commands.listUnfinished());
    const [changes, holds, { controllers }] = [this.#changes, this.#holds, this.#o];
    const from = { commands, changes, controllers, holds, stores, now };
    await writer.run((tx) => endAtStart(tx, from));
    const left = stores.commands.listUnfinished();
    for (const command of left) {
      // What was handed over once, and put back, had a controller.
      if (command.status === "pending") this.#deadlines.watch(command, command.epoch > 0);
      else {
        setOut(this.#lanes.of(command.deviceId), command);
        if (command.status === "processing") this.#unheard.begun(command);
      }
      if (command.status === "sent") this.#deadlines.watch(command, true);
    }
    for (const deviceId of new Set(left.map((one) => one.deviceId))) {
      this.lineLost(deviceId);
      if (this.#o.controllers.controllerOf(deviceId) !== undefined) this.ready(deviceId);
    }
  }

  /** The device is gone, and with it all that is known of it. */
  #forget(deviceId: string): void {
    this.#lanes.remove(deviceId);
    this.#lateResults.forget(deviceId);
    this.#handOut.forget(deviceId);
    this.#dispatch.forget(deviceId);
    this.#questions.withdrawn(deviceId);
    this.#o.timers.cancel(`withdrawn:${deviceId}`);
  }

  /** A command is final, or back in the line: nothing of it is waited for any more. */
  #letGo(command: Command): void {
    this.#deadlines.forget(command);
    this.#unheard.forget(command);
    const lane = this.#lanes.find(command.deviceId);
    if (lane?.out?.id !== command.id) return;
    // Other records of its printer waited for it, or do from now on.
    const { shared } = lane;
    setOut(lane, undefined);
    if (shared || command.result?.data?.outcome === "unknown") this.holdsChanged();
  }
}
