/**
 * What goes out in the lanes: the next command of a device, as soon as it may.
 *
 * The commits of a receipt: accepted, with the acknowledgement and the baseline; committing, with
 * what was opened; the result, with what was committed and the claim of the next command. On a busy
 * device the result, the acceptances and the baseline of the next receipt are one. The marks say what
 * to ask the device after a crash; see `IS_AWAITED`.
 *
 * The controller inside the process is given some ahead of the disk: the successor of a command whose
 * result is being written, and on an idle device a command whose acceptance is. The controller ends
 * with the gateway, and before a mark is stored it only reads, and puts away what was left open on
 * the device; the writer keeps the order, so the claim is on disk before any mark. Where the claim
 * fails, the first mark is refused.
 */

import type { Report } from "#core/controller/judge.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Transaction, Writer } from "#db/writer.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import type { Claims } from "./claims.ts";
import { isOpen } from "./controller-report.ts";
import type { HandOut } from "./hand-out.ts";
import { type Lane, type Lanes, setOut } from "./lanes.ts";
import type { ControllerPort } from "./ports.ts";
import type { TimerQueue } from "./timer-queue.ts";

export interface DispatchOptions {
  readonly stores: Pick<Stores, "commands">;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly log: Log;
  readonly timers: TimerQueue;
  readonly controllers: Pick<ControllerPort, "controllerOf">;
  readonly lanes: Lanes;
  readonly claims: Claims;
  readonly handOut: HandOut;
}

export class Dispatch {
  readonly #o: DispatchOptions;

  constructor(options: DispatchOptions) {
    this.#o = options;
  }

  /** Sends the next command of a device when there is one and nothing else is out. */
  advance(deviceId: string): void {
    const lane = this.#o.lanes.of(deviceId);
    if (lane.claiming) lane.again = true;
    if (lane.claiming || lane.out) return;
    if (this.#o.controllers.controllerOf(deviceId) === undefined) return;
    lane.claiming = true;
    const now = this.#o.clock.now();
    this.#o.writer
      .run((tx) => this.claim(tx, deviceId, now))
      .then(
        () => {
          lane.claiming = false;
          const { again } = lane;
          lane.again = false;
          if (again && !lane.out) this.advance(deviceId);
        },
        (error: unknown) => {
          lane.claiming = false;
          this.#o.log.error("next command not claimed", { deviceId, error });
          this.#o.timers.again(`claim:${deviceId}`, () => this.advance(deviceId));
        },
      );
  }

  /**
   * The controller inside the process gets its next command while the result of this one is being
   * written: it ends with the gateway, and what it will report is written after that.
   */
  goAhead(deviceId: string, report: Report, now: number): Lane | undefined {
    const lane = this.#o.lanes.find(deviceId);
    if (report.kind !== "result" || lane?.out?.id !== report.commandId || lane.ahead) return;
    if (isOpen(report.result)) return;
    const next = this.#o.claims.foresee(deviceId, now);
    if (!next) return;
    this.#o.handOut.early(lane, next);
    return lane;
  }

  /** Takes what the controller was given already. @returns false when there is no such thing */
  claimAhead(tx: Transaction, deviceId: string, now: number): boolean {
    const ahead = this.#o.lanes.find(deviceId)?.ahead;
    const controllerId = this.#o.controllers.controllerOf(deviceId)?.controllerId;
    if (!ahead || controllerId === undefined || ahead.controllerId !== controllerId) return false;
    const taken = this.#o.claims.take(tx, ahead, { controllerId, now });
    if (!taken) return false;
    tx.after(() => {
      setOut(this.#o.lanes.of(deviceId), taken);
    });
    return true;
  }

  /** Takes the device's next command, which goes out as soon as that is on disk. */
  claim(tx: Transaction, deviceId: string, now: number): void {
    const ahead = this.#o.lanes.find(deviceId)?.ahead;
    // What the controller has already is claimed first, by the operation that accepts it.
    if (ahead && !this.#o.stores.commands.get(ahead.orgId, ahead.id)) return;
    const taken = this.#o.claims.next(tx, deviceId, now);
    if (!taken) return;
    tx.after(() => {
      const lane = this.#o.lanes.of(deviceId);
      setOut(lane, taken);
      this.#o.handOut.now(lane, true);
    });
  }

  /**
   * The controller of a device was woken: the next command is on its way there. Whoever serves the
   * device first is handed it.
   */
  onItsWay(tx: Transaction, deviceId: string, controllerId: string): void {
    const now = this.#o.clock.now();
    const taken = this.#o.claims.nextFor(tx, deviceId, { controllerId, now });
    if (!taken) return;
    tx.after(() => {
      const lane = this.#o.lanes.of(deviceId);
      setOut(lane, taken);
      if (this.#o.controllers.controllerOf(deviceId)) this.#o.handOut.again(lane);
    });
  }

  /** The device is gone. */
  forget(deviceId: string): void {
    this.#o.timers.cancel(`claim:${deviceId}`);
  }
}
