/**
 * Looks after the shop's closing time: has the reminder told when it comes, and makes the Z reports
 * by itself where the shop wants that. What is made is on disk with its command, so that no start
 * and no set clock makes it twice.
 */

import { acceptedCommand } from "#core/command/command.ts";
import { hasBlockingAlert } from "#core/device/alerts.ts";
import {
  type AutomaticFacts,
  automaticClosing,
  type Closing,
  closingDue,
} from "#core/device/closing.ts";
import { effectiveStatus } from "#core/device/connectivity.ts";
import { isSimulated } from "#core/device/device.ts";
import { mayHold, shopPrinterOf } from "#core/device/printer.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import type { Device } from "#db/stores/devices.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Transaction, Writer } from "#db/writer.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Random } from "../../platform/random.ts";
import { alertsOf, type DeviceStateOptions } from "./device-state.ts";
import { dayFacts } from "./fiscal-day.ts";

/** How often it is looked; so long after its time a report is made, and a set clock noticed. */
export const CLOSING_LOOK_MS = 15_000;
/** Between two looks the wall clock and the machine's own differ by less, unless it was set. */
const STEP_MS = 2_000;
/** A clock that was set, or a machine that was started, may be set right within this. */
export const CLOCK_STEADY_MS = 5 * 60_000;

/** What the watch uses of the queue. */
interface ClosingQueue {
  accept(tx: Transaction, command: NewCommand): void;
  expiryOf(createdAt: number): number;
  isBusy(deviceId: string): boolean;
  isHeld(deviceId: string): boolean;
}

export interface ClosingWatchOptions extends DeviceStateOptions {
  readonly stores: DeviceStateOptions["stores"] & Pick<Stores, "audit" | "devices">;
  readonly writer: Writer;
  readonly clock: Pick<Clock, "now" | "elapsed">;
  readonly random: Random;
  readonly log: Log;
  readonly queue: ClosingQueue;
  /** Why no commands are taken for now; undefined when they are. */
  readonly closed: () => string | undefined;
  /** @param dueAt UTC milliseconds */
  readonly timers: { set(key: string, dueAt: number, fire: () => void): void };
  /** The alerts of a device may have changed. */
  readonly onChange: (deviceId: string) => void;
}

export class ClosingWatch {
  readonly #o: ClosingWatchOptions;
  /** The devices whose day was due to be closed at the last look. */
  #due: ReadonlySet<string> = new Set();
  #lastLook: { readonly now: number; readonly elapsed: number } | undefined;
  /** Since when nobody has set the clock, by the machine's own. */
  #steadySince = 0;
  #hasStopped = false;

  constructor(options: ClosingWatchOptions) {
    this.#o = options;
  }

  /** Looks from now on. */
  async start(): Promise<void> {
    const { stores, writer } = this.#o;
    const registered = stores.devices.listAll().map(({ id }) => id);
    await writer.run(() => stores.closings.keepOnly(registered));
    this.#lookLater();
  }

  #lookLater(): void {
    if (this.#hasStopped) return;
    const { clock, timers, log } = this.#o;
    timers.set("closing", clock.now() + CLOSING_LOOK_MS, () => {
      this.look()
        .catch((error: unknown) => log.error("closing time not looked at", { error }))
        .finally(() => this.#lookLater());
    });
  }

  stop(): void {
    this.#hasStopped = true;
  }

  /** Looks once. @returns when what follows from it is on disk */
  async look(): Promise<void> {
    const { stores, clock, onChange } = this.#o;
    const isClockSteady = this.#isClockSteady();
    this.#lastLook = { now: clock.now(), elapsed: clock.elapsed() };
    const closing = stores.organizations.withClosingTime();
    const devices = closing.flatMap(({ id }) => stores.devices.list(id));
    const due = new Set<string>();
    for (const device of devices) {
      await this.#noteClosed(device);
      const facts = this.#factsOf(device, isClockSteady);
      if (closingDue(facts) !== undefined) due.add(device.id);
      if (automaticClosing(facts) !== undefined) await this.#make(device, isClockSteady);
    }
    for (const id of this.#due.symmetricDifference(due)) onChange(id);
    this.#due = due;
  }

  /** What a printer does to close its day cannot be taken back: a clock is believed after a while. */
  #isClockSteady(): boolean {
    const { clock } = this.#o;
    const before = this.#lastLook;
    const elapsed = clock.elapsed();
    const passed = before === undefined ? undefined : clock.now() - before.now;
    const ran = elapsed - (before?.elapsed ?? elapsed);
    const isSet = passed === undefined || Math.abs(passed - ran) >= STEP_MS;
    if (isSet) this.#steadySince = elapsed;
    return elapsed - this.#steadySince >= CLOCK_STEADY_MS;
  }

  /**
   * The instant at which the clock was set last, or the watch was started. What was noted while the
   * clock was ahead was noted before it.
   */
  #rightSince(): number {
    const { clock } = this.#o;
    return clock.now() - (clock.elapsed() - this.#steadySince);
  }

  /** Keeps that the device's day is closed, where no Z report stored here has closed it. */
  async #noteClosed(device: Device): Promise<void> {
    const { stores, clock, live, writer } = this.#o;
    const reading = live.reading(device.id);
    if (reading?.status.fiscalDayOpen !== false) return;
    const { openSince } = dayFacts(stores, device, { now: clock.now(), reading });
    const isNews = openSince !== null && openSince < reading.toldAt;
    // What is out may be the Z report itself, or a receipt that the reading is older than.
    if (!isNews || stores.commands.isOneOut(device.id)) return;
    await writer.run(() => stores.closings.note(device.id, { seenClosedAt: reading.toldAt }));
  }

  #factsOf(device: Device, isClockSteady: boolean): AutomaticFacts {
    const { stores, clock, live, queue, closed } = this.#o;
    const reading = live.reading(device.id);
    const { madeForDate, madeForDay } = stores.closings.of(device.id);
    const { closingAutomatic = false, closingSetAt = 0 } =
      stores.organizations.get(device.orgId) ?? {};
    const setAt = closingSetAt <= clock.now() ? closingSetAt : this.#rightSince();
    const { fiscalReceiptOpen, nonFiscalReceiptOpen } = reading?.status ?? {};
    const isOpen = fiscalReceiptOpen === true || nonFiscalReceiptOpen === true;
    const isBlocked = hasBlockingAlert(alertsOf(this.#o, device));
    const printer = shopPrinterOf(device);
    const records = stores.devices.listAll().filter((one) => mayHold(printer, one));
    const isBusy = ({ id }: Device) =>
      queue.isBusy(id) || stores.commands.isOneOut(id) || stores.commands.countPending(id) > 0;
    return {
      ...dayFacts(stores, device, { now: clock.now(), reading }),
      ...{ isAutomatic: closingAutomatic, setAt, isClockSteady },
      isSimulated: isSimulated(device),
      isOnline: effectiveStatus(live.connectivity(device.id)) === "online",
      isBlocked: isBlocked || isOpen || closed() !== undefined,
      isBusy: [device, ...records].some(isBusy),
      isHeld: queue.isHeld(device.id),
      made:
        madeForDate === null || madeForDay === null
          ? null
          : { date: madeForDate, openSince: madeForDay },
    };
  }

  /** Queues the Z report, in one operation with the note that it is made. */
  async #make(device: Device, isClockSteady: boolean): Promise<void> {
    const { clock, queue, random, log, writer } = this.#o;
    const { id: deviceId, orgId } = device;
    const now = clock.now();
    const command = acceptedCommand({
      ...{ id: random.id("cmd"), orgId, deviceId, type: "z_report", payload: {} },
      ...{ source: "gateway", createdAt: now, expiresAt: queue.expiryOf(now), simulated: false },
    });
    const closing = await writer.run((tx) => {
      // Something may have come meanwhile.
      const facts = this.#factsOf(device, isClockSteady);
      const found = automaticClosing(facts);
      if (found === undefined || facts.openSince === null) return undefined;
      this.#note(command, { closing: found, openSince: facts.openSince });
      queue.accept(tx, command);
      return found;
    });
    if (closing === undefined) return;
    log.info("Z report at closing time", { deviceId, commandId: command.id, date: closing.date });
  }

  #note(
    { id: commandId, deviceId, orgId, createdAt: at }: NewCommand,
    made: { readonly closing: Closing; readonly openSince: number },
  ): void {
    const { closings, audit } = this.#o.stores;
    const { date } = made.closing;
    closings.note(deviceId, { madeForDate: date, madeForDay: made.openSince, commandId });
    audit.append({
      ...{ orgId, at, actor: "gateway", address: null, resource: commandId },
      ...{ action: "closing.made", details: { deviceId, date } },
    });
  }
}
