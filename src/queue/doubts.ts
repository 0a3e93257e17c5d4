/**
 * A document in doubt of a printer that more than one device record leads to, as over the network and
 * by cable. Nothing else is printed through the other records meanwhile, and where the line of its
 * own does not work, the printer is asked over whichever does.
 */

import { waitsForPerson } from "#core/command/catalogue.ts";
import type { Command } from "#core/command/command.ts";
import { answersFor, printerOf } from "#core/device/printer.ts";
import type { Device } from "#db/stores/devices.ts";
import type { Writer } from "#db/writer.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import type { CommandChanges } from "./changes.ts";
import type { Dispatch } from "./dispatch.ts";
import type { HandOut } from "./hand-out.ts";
import type { Lane, Lanes } from "./lanes.ts";
import { ASKED_ELSEWHERE, type ControllerPort, callOff } from "./ports.ts";
import { otherRecords } from "./printer-records.ts";
import { type DoubtStores, doubtIn, outIn } from "./shared-doubts.ts";
import type { TimerQueue } from "./timer-queue.ts";

export interface DoubtsOptions {
  readonly stores: DoubtStores;
  readonly writer: Writer;
  readonly clock: Pick<Clock, "now" | "elapsed">;
  readonly log: Log;
  readonly timers: TimerQueue;
  readonly controllers: ControllerPort;
  readonly lanes: Lanes;
  readonly changes: CommandChanges;
  readonly handOut: Pick<HandOut, "again">;
  readonly dispatch: Pick<Dispatch, "advance">;
}

export class Doubts {
  readonly #o: DoubtsOptions;

  constructor(options: DoubtsOptions) {
    this.#o = options;
  }

  /**
   * The line of a device went while a command is out: what it printed is in doubt for all we know.
   * Other records of the printer print nothing before it is asked.
   */
  lost({ deviceId }: Pick<Lane, "deviceId">): void {
    const { lanes, clock } = this.#o;
    const lane = lanes.of(deviceId);
    lanes.lost(lane, clock.elapsed());
    this.#holdOthers(lane);
  }

  /** Where the database cannot be read they are looked for again, for as long as nothing is heard. */
  #holdOthers(lane: Lane): void {
    const { timers, log } = this.#o;
    const { deviceId, silentSince } = lane;
    if (silentSince === undefined) return;
    try {
      this.#share(lane);
    } catch (error) {
      log.error("other records of a printer not held", { deviceId, error });
      timers.again(`doubt:${deviceId}`, () => this.#holdOthers(lane));
    }
  }

  #share(lane: Lane): void {
    const { lanes, stores } = this.#o;
    // Its first mark may be about to be written.
    const out = outIn(lane, stores);
    if (!out) return;
    for (const { id } of otherRecords(stores.devices.listAll())(out)) {
      lane.shared = true;
      lanes.of(id).held = true;
      this.#takeBack(lanes.of(id));
    }
  }

  /** What is asked over the line of another record is not heard of any more. */
  lostFor(deviceId: string): void {
    const { lanes, clock } = this.#o;
    for (const lane of lanes.all()) {
      if (lane.via === deviceId) lanes.lost(lane, clock.elapsed());
    }
  }

  /** A controller serves the device: what is asked over its line is handed over, anew if need be. */
  ready(deviceId: string): void {
    for (const lane of this.#o.lanes.all()) {
      if (lane.via === deviceId) this.#o.handOut.again(lane);
    }
  }

  /** Nobody serves the device any more: its own line is waited for again. */
  withdrawn(deviceId: string): void {
    for (const lane of this.#o.lanes.all()) {
      if (lane.via !== deviceId) continue;
      lane.via = undefined;
      this.#o.handOut.again(lane);
    }
  }

  /** Lines may have come up, or numbers been read: each printer is asked over a line that works. */
  askWhoeverCanTell(): void {
    const { lanes, stores } = this.#o;
    const isWaitedFor = ({ out, shared, silentSince }: Lane): boolean =>
      out !== undefined && (shared || silentSince !== undefined);
    const waiting = lanes.all().filter(isWaitedFor);
    if (waiting.length === 0) return;
    const othersOf = otherRecords(stores.devices.listAll());
    for (const lane of waiting) {
      const doubt = doubtIn(lane, stores);
      const others = doubt ? othersOf(doubt) : [];
      if (others.length > 0) lane.shared = true;
      if (!doubt) continue;
      const records = others.filter((one) => answersFor(doubt, printerOf(one)));
      this.#ask(lane, records);
    }
  }

  /** @param records others that lead to its printer */
  #ask(lane: Lane, records: readonly Device[]): void {
    const { controllers, lanes } = this.#o;
    const { deviceId, via } = lane;
    if (controllers.reaches(deviceId)) {
      if (via !== undefined) this.#move(lane, undefined);
      return;
    }
    if (via !== undefined && controllers.reaches(via)) return;
    const other = records.find(({ id }) => controllers.reaches(id));
    if (!other) return;
    lanes.of(other.id).held = true;
    this.#move(lane, other.id);
  }

  /** Whoever was to find out is told that he need not; the device behind the other line is asked. */
  #move(lane: Lane, via: string | undefined): void {
    const { controllers, handOut } = this.#o;
    const former = controllers.controllerOf(lane.via ?? lane.deviceId);
    if (lane.out) {
      callOff(controllers, former, { commandId: lane.out.id, message: ASKED_ELSEWHERE });
    }
    lane.via = via;
    handOut.again(lane);
  }

  /** What was sent for the other record and has not begun waits like what comes after it. */
  #takeBack(lane: Lane): void {
    const { stores, writer, clock, changes, controllers, dispatch, log } = this.#o;
    const { out, deviceId } = lane;
    const sent = out && stores.commands.get(out.orgId, out.id);
    if (!sent || !isUnbegun(sent)) return;
    const message = "It waits for what its printer must tell first";
    writer
      .run((tx) => {
        const command = stores.commands.get(sent.orgId, sent.id);
        const input = { kind: "put_back" } as const;
        if (!command || !changes.apply(tx, command, { input, now: clock.now() })) return;
        // Not before: its controller may have begun it meanwhile, and goes on then.
        tx.after(() => {
          const key = controllers.controllerOf(deviceId);
          callOff(controllers, key, { commandId: sent.id, message });
          dispatch.advance(deviceId);
        });
      })
      .catch((error: unknown) => log.error("command not put back", { commandId: sent.id, error }));
  }
}

function isUnbegun({ status, mark, type }: Command): boolean {
  return status === "sent" && mark === null && waitsForPerson(type);
}
