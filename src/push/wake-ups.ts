/**
 * Wakes the controllers that are not connected while a command waits for one of their devices: at
 * once, and again after growing waits for as long as it waits. What a relay has taken counts for a
 * while, however many commands come meanwhile. Nothing here is stored: after a start, whatever waits
 * is woken for anew.
 */

import { BUILTIN_CONTROLLER_ID } from "#core/device/device.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Writer } from "#db/writer.ts";
import type { EventBus } from "../events/bus.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import type { SendWakeUp } from "./relay.ts";

/** A command that has not begun. */
export interface WaitingCommand {
  readonly id: string;
  readonly orgId: string;
  readonly deviceId: string;
}

export interface WakeUpsOptions {
  readonly stores: Pick<Stores, "controllers" | "devices">;
  readonly writer: Pick<Writer, "run">;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly log: Log;
  isConnected(key: { readonly orgId: string; readonly controllerId: string }): boolean;
  /** The commands that have not begun. */
  waiting(): readonly WaitingCommand[];
  readonly send: SendWakeUp;
  /** The relay has taken a wake-up: what waits for the controller on a device is on its way. */
  woken(deviceId: string, controllerId: string): Promise<void>;
}

export interface WakeUps {
  stop(): void;
}

/** Waits before the second wake-up for a command, the third, and so on. Milliseconds. */
const WAITS_MS: readonly number[] = [1_000, 3_000, 9_000, 27_000];
/** A controller is not woken again so soon after a wake-up that the relay took. */
const QUIET_MS = 10_000;
const ANSWER_MS = 10_000;

/** A controller that is being woken. */
interface Sleeper {
  readonly orgId: string;
  readonly controllerId: string;
  /** The devices of the commands that wait for it, by command. */
  readonly waiting: Map<string, string>;
  /** Wake-ups due so far, sent or left out. */
  due: number;
  /** By the clock's `elapsed`; undefined before the relay took one. */
  takenAt: number | undefined;
  cancel: () => void;
}

/** Begins, with the commands that wait already. */
export function startWakeUps(options: WakeUpsOptions): WakeUps {
  const wakeUps = new Sleepers(options);
  const lookAtAll = (): void => {
    for (const command of options.waiting()) wakeUps.waits(command);
  };
  lookAtAll();
  const leave = options.bus.subscribe(({ event }) => {
    if ("command" in event) {
      const { status, id } = event.command;
      if (status === "pending") wakeUps.waits(event.command);
      else if (status !== "sent") wakeUps.waitsNoMore(id);
    }
    if (event.type === "controller.connected") wakeUps.woken(event);
    // What it was given, and had not begun, waits for it again.
    if (event.type === "controller.disconnected") lookAtAll();
  });
  return {
    stop() {
      leave();
      wakeUps.stop();
    },
  };
}

class Sleepers {
  readonly #o: WakeUpsOptions;
  readonly #byKey = new Map<string, Sleeper>();
  readonly #end = new AbortController();

  constructor(options: WakeUpsOptions) {
    this.#o = options;
  }

  /** A command waits for a device. */
  waits({ id, orgId, deviceId }: WaitingCommand): void {
    const controllerId = this.#o.stores.devices.get(orgId, deviceId)?.controllerId ?? null;
    if (controllerId === null || controllerId === BUILTIN_CONTROLLER_ID) return;
    if (this.#tokenOf({ orgId, controllerId }) === undefined) return;
    if (this.#o.isConnected({ orgId, controllerId })) return;
    const sleeper = this.#find({ orgId, controllerId });
    const isNew = sleeper.waiting.size === 0;
    sleeper.waiting.set(id, deviceId);
    if (isNew) {
      sleeper.due = 0;
      this.#wake(sleeper);
    } else if (sleeper.due > 1) {
      // Its waits begin anew, but a row of commands makes no row of wake-ups.
      sleeper.due = 1;
      this.#wakeLater(sleeper);
    }
  }

  /** The command has begun, or ended. */
  waitsNoMore(commandId: string): void {
    for (const sleeper of this.#byKey.values()) {
      if (sleeper.waiting.delete(commandId) && sleeper.waiting.size === 0) this.#rest(sleeper);
    }
  }

  /** The controller is there. */
  woken(key: { readonly orgId: string; readonly controllerId: string }): void {
    const sleeper = this.#byKey.get(keyText(key));
    if (!sleeper) return;
    sleeper.waiting.clear();
    this.#rest(sleeper);
  }

  stop(): void {
    for (const { cancel } of this.#byKey.values()) cancel();
    this.#byKey.clear();
    this.#end.abort();
  }

  #find(key: { readonly orgId: string; readonly controllerId: string }): Sleeper {
    const known = this.#byKey.get(keyText(key));
    const idle = { due: 0, takenAt: undefined, cancel: () => undefined };
    const sleeper: Sleeper = known ?? { ...key, waiting: new Map(), ...idle };
    this.#byKey.set(keyText(key), sleeper);
    return sleeper;
  }

  #tokenOf({ orgId, controllerId }: Pick<Sleeper, "orgId" | "controllerId">): string | undefined {
    return this.#o.stores.controllers.get(orgId, controllerId)?.fcmToken ?? undefined;
  }

  /** Nothing waits for it: it is forgotten when it may be woken again. */
  #rest(sleeper: Sleeper): void {
    sleeper.cancel();
    const quietMs = this.#quietMs(sleeper);
    if (quietMs <= 0) this.#byKey.delete(keyText(sleeper));
    else sleeper.cancel = this.#o.clock.setTimer(quietMs, () => this.#rest(sleeper));
  }

  /** How long it is not to be woken again; 0 or less when it may be. */
  #quietMs({ takenAt }: Sleeper): number {
    return takenAt === undefined ? 0 : takenAt + QUIET_MS - this.#o.clock.elapsed();
  }

  #wake(sleeper: Sleeper): void {
    sleeper.due += 1;
    this.#wakeLater(sleeper);
    if (this.#quietMs(sleeper) <= 0) void this.#send(sleeper);
  }

  /** After the wait that is next; not at all after the last one. */
  #wakeLater(sleeper: Sleeper): void {
    sleeper.cancel();
    const waitMs = WAITS_MS[sleeper.due - 1];
    sleeper.cancel =
      waitMs === undefined
        ? () => undefined
        : this.#o.clock.setTimer(waitMs, () => this.#wake(sleeper));
  }

  async #send(sleeper: Sleeper): Promise<void> {
    const { orgId, controllerId } = sleeper;
    const token = this.#tokenOf(sleeper);
    const [first] = sleeper.waiting;
    if (token === undefined || first === undefined) return;
    const [commandId, deviceId] = first;
    const wakeUp = { token, orgId, controllerId, deviceId, commandId };
    // Counts from now, so that a slow relay is not asked twice at a time.
    const before = sleeper.takenAt;
    sleeper.takenAt = this.#o.clock.elapsed();
    const outcome = await this.#within(wakeUp);
    if (outcome.kind === "taken") {
      this.#tell(sleeper);
      return;
    }
    sleeper.takenAt = before;
    if (outcome.kind === "unregistered") await this.#forgetToken(sleeper, token);
    else this.#o.log.warn("controller not woken", { controllerId, reason: outcome.reason });
  }

  /** The first command of each device that waits for it is on its way. */
  #tell({ orgId, controllerId, waiting }: Sleeper): void {
    for (const deviceId of new Set(waiting.values())) {
      // It may have gone to another one meanwhile.
      if (this.#o.stores.devices.get(orgId, deviceId)?.controllerId !== controllerId) continue;
      this.#o.woken(deviceId, controllerId).catch((error: unknown) => {
        this.#o.log.error("wake-up not stored", { controllerId, deviceId, error });
      });
    }
  }

  async #within(wakeUp: Parameters<SendWakeUp>[0]): ReturnType<SendWakeUp> {
    const limit = new AbortController();
    const cancel = this.#o.clock.setTimer(ANSWER_MS, () =>
      limit.abort(new Error(`The relay did not answer within ${ANSWER_MS / 1_000} s`)),
    );
    try {
      return await this.#o.send(wakeUp, AbortSignal.any([limit.signal, this.#end.signal]));
    } finally {
      cancel();
    }
  }

  /** Unless the app has registered another one since. */
  async #forgetToken(sleeper: Sleeper, token: string): Promise<void> {
    const { orgId, controllerId } = sleeper;
    const { clock, log, stores, writer } = this.#o;
    sleeper.waiting.clear();
    this.#rest(sleeper);
    try {
      await writer.run(() => {
        if (stores.controllers.get(orgId, controllerId)?.fcmToken !== token) return;
        stores.controllers.put(orgId, controllerId, { fcmToken: null, updatedAt: clock.now() });
      });
      log.info("push token is no longer valid, and was removed", { controllerId });
    } catch (error) {
      // It is told again with the next wake-up.
      log.error("push token not removed", { controllerId, error });
    }
  }
}

function keyText({ orgId, controllerId }: Pick<Sleeper, "orgId" | "controllerId">): string {
  return `${orgId} ${controllerId}`;
}
