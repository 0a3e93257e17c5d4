/** Handing what is out in a lane to the controller of its device. */

import type { Command } from "#core/command/command.ts";
import type { Mark } from "#core/command/marks.ts";
import { stillAllowed } from "#core/command/settled.ts";
import type { ToController } from "#core/controller/messages.ts";
import { type ToldCommand, toldCommand } from "#core/controller/told-command.ts";
import type { DeviceConfig } from "#core/device/device.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import type { Stores } from "#db/stores/index.ts";
import type { OpenQuestion } from "#db/stores/open-questions.ts";
import type { Transaction, Writer } from "#db/writer.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import type { CommandChanges } from "./changes.ts";
import type { Deadlines } from "./deadlines.ts";
import { isReversing } from "./documents.ts";
import type { Holds } from "./holds.ts";
import { type Lane, laneCommand } from "./lanes.ts";
import type { ControllerPort } from "./ports.ts";
import { noteSentTo, otherPorts } from "./printer-records.ts";
import type { RecordKeeper } from "./record-keeper.ts";
import type { TimerQueue } from "./timer-queue.ts";

export interface HandOutOptions {
  readonly stores: Pick<Stores, "commands" | "devices" | "restoredPrinters">;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly log: Log;
  readonly timers: TimerQueue;
  readonly records: Pick<RecordKeeper, "originalOf">;
  readonly controllers: ControllerPort;
  readonly deadlines: Pick<Deadlines, "remaining">;
  readonly holds: Pick<Holds, "disowned">;
  readonly changes: Pick<CommandChanges, "handed" | "refusalOf" | "named" | "apply">;
  /** What was out on a device has ended: the next one goes out. */
  readonly freed: (deviceId: string) => void;
}

export class HandOut {
  readonly #o: HandOutOptions;

  constructor(options: HandOutOptions) {
    this.#o = options;
  }

  /**
   * Sends what is out to whoever serves the device now.
   * @param isFirst it carries no mark but one that was stored for this very hand-over
   */
  now(lane: Lane, isFirst: boolean): void {
    const { out } = lane;
    if (!out) return;
    try {
      const command = this.#o.stores.commands.get(out.orgId, out.id);
      if (!command) return;
      this.#send(command, { isFirst, through: lane.via });
      // Whoever had it before cannot be asked; the device has to be.
      if (command.mark !== null && !isFirst) lane.silentSince ??= this.#o.clock.elapsed();
    } catch (error) {
      this.#retry(lane, error);
    }
  }

  /**
   * Sends a command of which the claim is still to be written, to a controller inside the process.
   * The claim is written before whatever the controller will report of it, as the writer keeps the
   * order; where that fails, its reports are refused before the device has been changed.
   */
  early(lane: Lane, command: NewCommand): void {
    lane.ahead = laneCommand(command);
    try {
      this.#send(command, { isFirst: true });
    } catch (error) {
      // It is sent again when it is claimed.
      lane.ahead = undefined;
      this.#o.log.error("command not handed out", { commandId: command.id, error });
    }
  }

  /** @param handed through which record, where that is not its own */
  #send(
    command: NewCommand,
    handed: { readonly isFirst: boolean; readonly through?: string | undefined },
  ): void {
    const { controllers } = this.#o;
    const { isFirst, through = command.deviceId } = handed;
    const key = controllers.controllerOf(through);
    const device = key && controllers.deviceConfig(command.orgId, through);
    const order = device && this.#orderOf(command, { isFirst, device });
    if (key && order) controllers.send(key, order);
  }

  /**
   * Hands over once more. Whoever had the command may be gone, with everything it knew: the stored
   * mark says what to ask for. It is read when all that was reported so far is on disk, and what
   * is said of the older hand-over counts no longer.
   */
  again(lane: Lane): void {
    const { out, via: deviceId = lane.deviceId } = lane;
    const key = this.#o.controllers.controllerOf(deviceId);
    if (!out || !key) return;
    const { stores, changes, clock } = this.#o;
    const now = clock.now();
    this.#o.writer
      .run((tx) => {
        // Undefined when it ended meanwhile; the next one goes out by itself.
        const before = stores.commands.handOver(out.id, key.controllerId);
        if (before && this.#isOvertaken(tx, before, now)) {
          return tx.after(() => this.#o.freed(lane.deviceId));
        }
        const current = before && changes.handed(before, { server: key, now });
        if (current) noteSentTo(stores, { commandId: current.id, deviceId });
        tx.after(() => {
          if (!current || lane.out?.id !== current.id) return;
          lane.out = laneCommand(current);
          this.now(lane, before.mark === null);
        });
      })
      .catch((error: unknown) => this.#retry(lane, error));
  }

  /**
   * True for a reversal that has left no mark, whether or not its controller has acknowledged it, and may not go
   * out any more by what became known since: its sale was taken back meanwhile, or has another number. It ends
   * then. One that may counts from now on.
   */
  #isOvertaken(tx: Transaction, command: Command, now: number): boolean {
    const { changes } = this.#o;
    if (!isReversing(command) || command.mark !== null) return false;
    const result = changes.refusalOf(command);
    if (result !== undefined) {
      return changes.apply(tx, command, { input: { kind: "finished", result }, now }) !== undefined;
    }
    changes.named(command);
    return false;
  }

  /** Asks the controller of a device what became of a command that a person settled. */
  question({ commandId, orgId, epoch, baseline }: OpenQuestion, deviceId: string): void {
    const { controllers, stores } = this.#o;
    const key = controllers.controllerOf(deviceId);
    const command = stores.commands.get(orgId, commandId);
    const device = controllers.deviceConfig(orgId, deviceId);
    if (!key || !device || !command?.mark) return;
    const { mayPrint, mayFinish } = stillAllowed(command);
    controllers.send(key, {
      ...{ type: "command.resolve", command: this.#carriedOut(command), device, epoch },
      settled: true,
      ...(mayPrint ? { mayPrint } : {}),
      ...(mayFinish ? {} : { neverFinish: true }),
      ...{ mark: this.#markOf(deviceId, command.mark), baseline: baseline ?? {} },
      ...this.#elsewhere(deviceId, command),
    });
  }

  /** The device is gone. */
  forget(deviceId: string): void {
    this.#o.timers.cancel(`hand-out:${deviceId}`);
  }

  #retry(lane: Lane, error: unknown): void {
    const { deviceId } = lane;
    this.#o.log.error("command not handed out", { deviceId, commandId: lane.out?.id, error });
    this.#o.timers.again(`hand-out:${deviceId}`, () => this.again(lane));
  }

  /** In a state that was put back from a copy the command may have gone further than it says. */
  #markOf(deviceId: string, mark: Mark): Mark {
    const isEarly = mark === "baseline" || mark === "opened";
    const isOld = isEarly && this.#o.stores.restoredPrinters.get(deviceId) !== undefined;
    return isOld ? "committing" : mark;
  }

  /** Where else the printer may still be sent something. @param deviceId at which it is asked */
  #elsewhere(
    deviceId: string,
    { sentTo }: Pick<Command, "sentTo">,
  ): { readonly otherPorts?: readonly number[] } {
    const { devices } = this.#o.stores;
    const device = devices.find(deviceId);
    const ports = device === undefined ? [] : otherPorts(devices.listAll(), device, sentTo);
    return ports.length === 0 ? {} : { otherPorts: ports };
  }

  /** A command as a controller gets it. */
  #carriedOut(command: NewCommand): ToldCommand {
    const { id, type, payload } = command;
    return toldCommand({ id, type, payload, original: this.#o.records.originalOf(command) });
  }

  /** What a controller is told to do with a command at a device. */
  #orderOf(
    out: NewCommand,
    { isFirst, device }: { readonly isFirst: boolean; readonly device: DeviceConfig },
  ): ToController {
    const { deviceId, status, mark, baseline, epoch } = out;
    const command = this.#carriedOut(out);
    if (mark !== null && !isFirst) {
      const resolve = { type: "command.resolve", command, device, epoch } as const;
      const known = { mark: this.#markOf(deviceId, mark), baseline: baseline ?? {} };
      return { ...resolve, ...known, ...this.#elsewhere(device.id, out) };
    }
    // What was stored for this hand-over is no beginning.
    const begun = status === "processing" && mark === null;
    const expiresInMs = Math.floor(this.#o.deadlines.remaining(out));
    const expiresAt = new Date(this.#o.clock.now() + expiresInMs).toISOString();
    const order = {
      type: "command.dispatch" as const,
      ...{ command, device, epoch, expiresAt, expiresInMs, begun },
    };
    return this.#o.holds.disowned.mayStandOpen(deviceId) ? { ...order, neverFinish: true } : order;
  }
}
