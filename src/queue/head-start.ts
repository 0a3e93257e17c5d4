/**
 * What the controller inside the process is given ahead of the disk: the successor of a command
 * whose result is being written, and on an idle device a command whose acceptance is. The controller
 * ends with the gateway, and before a mark is stored it only reads, and puts away what was left open
 * on the device; the writer keeps the order, so the claim is on disk before any mark. Where the claim
 * fails, the first mark is refused.
 */

import type { CommandResult } from "#core/command/command.ts";
import type { Report } from "#core/controller/judge.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Transaction } from "#db/writer.ts";
import type { Claims } from "./claims.ts";
import type { HandOut } from "./hand-out.ts";
import type { Lane, Lanes } from "./lanes.ts";
import type { ControllerPort } from "./ports.ts";

export interface HeadStartOptions {
  readonly stores: Pick<Stores, "commands">;
  readonly controllers: Pick<ControllerPort, "controllerOf">;
  readonly lanes: Lanes;
  readonly claims: Claims;
  readonly handOut: HandOut;
}

export class HeadStart {
  readonly #o: HeadStartOptions;

  constructor(options: HeadStartOptions) {
    this.#o = options;
  }

  /** Gives the successor of a command that this report ends. @returns its lane when there is one */
  successor(deviceId: string, report: Report, now: number): Lane | undefined {
    const lane = this.#o.lanes.find(deviceId);
    if (report.kind !== "result" || lane?.out?.id !== report.commandId || lane.ahead) return;
    if (isOpen(report.result)) return;
    const next = this.#o.claims.foresee(deviceId, now);
    if (!next) return;
    this.#o.handOut.early(lane, next);
    return lane;
  }

  /** Gives a command that is about to be accepted. @returns its lane when the device is idle */
  accepted(command: NewCommand, now: number): Lane | undefined {
    const begun = this.#o.claims.foreseeAccepted(command, now);
    if (!begun) return;
    const lane = this.#o.lanes.of(command.deviceId);
    this.#o.handOut.early(lane, begun);
    return lane;
  }

  /** Claims what the controller was given already. @returns false when there is nothing to claim */
  claim(tx: Transaction, deviceId: string, now: number): boolean {
    const { lanes, controllers, claims } = this.#o;
    const ahead = lanes.find(deviceId)?.ahead;
    const controllerId = controllers.controllerOf(deviceId)?.controllerId;
    if (!ahead || controllerId === undefined || ahead.controllerId !== controllerId) return false;
    const taken = claims.take(tx, ahead.id, { controllerId, now });
    if (!taken) return false;
    tx.after(() => {
      lanes.of(deviceId).out = taken;
    });
    return true;
  }

  /** True while the controller has a command whose acceptance is still to be written. */
  isUnaccepted(deviceId: string): boolean {
    const ahead = this.#o.lanes.find(deviceId)?.ahead;
    return ahead !== undefined && !this.#o.stores.commands.get(ahead.orgId, ahead.id);
  }
}

/** Nobody knows what became of it, so nothing follows before a person has said. */
export function isOpen({ success, data }: CommandResult): boolean {
  return !success && data?.outcome !== "not_printed";
}
