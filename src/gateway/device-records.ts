/** What controllers report of devices, as it is kept: live in memory, the lasting part on disk. */

import type { ControllerIdentity } from "#core/controller/controller.ts";
import type { ToGateway } from "#core/controller/messages.ts";
import type { DeviceInfo } from "#core/device/device.ts";
import { tellingNumber } from "#core/device/printer.ts";
import { type KnownDay, readingOf } from "#core/device/reading.ts";
import { toDeviceText } from "#core/device-text.ts";
import { deviceEvent } from "#core/events.ts";
import type { Device } from "#db/stores/devices.ts";
import type { Stores } from "#db/stores/index.ts";
import { goOffline, letGo, ownedBy } from "#db/stores/out-of-reach.ts";
import type { Transaction, Writer } from "#db/writer.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import type { LiveDevice } from "./live-device.ts";
import type { ConnectionEnd, ControllerSession } from "./sessions.ts";

export interface DeviceRecordsOptions {
  readonly stores: Pick<Stores, "devices" | "connectionEvents" | "audit" | "closings">;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly log: Log;
  /** What is known of a device may be other than it was: its link, its owner or its reading. */
  readonly onDeviceChange?: (deviceId: string) => void;
}

/** What is known of a change of a device's link. */
export interface LinkChange {
  /** The controller that reports it. */
  readonly session: ControllerSession;
  /** Identification read when the link came up; of one that is down nobody has looked whose it is. */
  readonly info?: DeviceInfo | undefined;
  /** Why it is down. */
  readonly reason?: string | undefined;
  /** How the controller's connection ended, where that is why. */
  readonly end?: ConnectionEnd | undefined;
}

/** `lastSeen` is written at most this often. */
const SEEN_STORED_INTERVAL_MS = 60_000;

export class DeviceRecords {
  readonly #o: DeviceRecordsOptions;

  constructor(options: DeviceRecordsOptions) {
    this.#o = options;
  }

  link(live: LiveDevice, link: LiveDevice["link"], change: LinkChange): void {
    const { session, info, reason } = change;
    const { clock, log } = this.#o;
    const changed = live.link !== link;
    live.link = link;
    const isFirstReason = live.reason === undefined && reason !== undefined;
    live.reason = link === "down" ? (reason ?? live.reason) : undefined;
    if (link === "up") live.lastSeenAt = clock.now();
    else if (changed) live.downSince = clock.now();
    const { deviceId } = live;
    if (link === "up" ? changed : changed || isFirstReason) {
      log.info(link === "up" ? "device online" : "device offline", { deviceId, reason });
    }
    if (!changed) return;
    const known = {
      ...(info === undefined || link === "down"
        ? {}
        : identification(info, this.#o.stores.devices.find(deviceId))),
      ...(live.lastSeenAt === undefined ? {} : { lastSeenAt: live.lastSeenAt }),
    };
    if (link === "up") this.#cameUp(live, session.identity, known);
    else this.#wentDown(live, change, known);
  }

  #cameUp({ orgId, deviceId }: LiveDevice, identity: ControllerIdentity, known: object): void {
    const { clock, stores } = this.#o;
    const { controllerId, name = controllerId, deviceModel, appVersion, osVersion } = identity;
    const owner = { controllerId, controllerName: name };
    const at = clock.now();
    this.#write(deviceId, (tx) => {
      const owned = ownedBy(stores.devices.get(orgId, deviceId), owner, at);
      const change = { ...owned, ...known, storedStatus: "online" } as const;
      const device = stores.devices.update(orgId, deviceId, change);
      if (!device) return;
      stores.connectionEvents.append({
        ...{ deviceId, type: "connected", at, code: null, reason: null },
        deviceModel: toDeviceText(deviceModel),
        appVersion: toDeviceText(appVersion),
        osVersion: toDeviceText(osVersion),
      });
      tx.emit(deviceEvent("device.online", device));
    });
  }

  #wentDown({ orgId, deviceId: id }: LiveDevice, why: LinkChange, change: Partial<Device>): void {
    const { clock, stores } = this.#o;
    const { session, end, reason } = why;
    const going = {
      ...{ at: clock.now(), software: session.identity, change },
      ...{ code: end?.code, reason: end?.reason || reason },
    };
    this.#write(id, (tx) => void goOffline({ stores, tx }, { orgId, id }, going));
  }

  /** A controller serves the device from now on, whether it reaches it or not. */
  owned(
    { orgId, deviceId }: LiveDevice,
    { controllerId, name = controllerId }: ControllerIdentity,
  ): void {
    const { clock, stores } = this.#o;
    const owner = { controllerId, controllerName: name };
    const at = clock.now();
    this.#write(deviceId, () => {
      const change = ownedBy(stores.devices.get(orgId, deviceId), owner, at);
      stores.devices.update(orgId, deviceId, change);
    });
  }

  /**
   * Nobody serves the device any more.
   * @param session the controller that did, while it is connected
   */
  released({ orgId, deviceId: id }: LiveDevice, session: ControllerSession | undefined): void {
    const { clock, stores } = this.#o;
    const going = { at: clock.now(), software: session?.identity };
    this.#write(id, (tx) => void letGo({ stores, tx }, { orgId, id }, going));
  }

  status(live: LiveDevice, message: Extract<ToGateway, { type: "device.status" }>): void {
    const { clock, stores } = this.#o;
    const { orgId, deviceId, reading: before } = live;
    const now = clock.now();
    const known = before ?? this.#knownDay(deviceId);
    const reading = readingOf(message, { before, known }, now);
    const isFirstRead = !live.isReadTold && reading.readAt !== null;
    const isOtherDay = !isSameDay(known, reading);
    const isSeenStored = before !== undefined && now - live.seenStoredAt < SEEN_STORED_INTERVAL_MS;
    Object.assign(live, { reading, lastSeenAt: now });
    this.#o.onDeviceChange?.(deviceId);
    if (!isFirstRead && !isOtherDay && isSeenStored) return;
    live.isReadTold ||= isFirstRead;
    live.seenStoredAt = now;
    const operation = (tx: Transaction): void => {
      const device = stores.devices.update(orgId, deviceId, { lastSeenAt: now });
      if (device && !isSameDay(this.#knownDay(deviceId), reading)) this.#keepDay(deviceId, reading);
      // What stands by it may be what was told before, and is told to nobody again.
      if (isFirstRead && device) tx.emit(deviceEvent("device.state_read", device));
    };
    this.#write(deviceId, operation, () => {
      // The next state tries it again.
      if (isFirstRead) live.isReadTold = false;
      live.seenStoredAt = Number.NEGATIVE_INFINITY;
    });
  }

  /** What was known of a device's day when something of that was told last, whoever told it. */
  #knownDay(deviceId: string): KnownDay {
    const { dayOpenSince: fiscalDayOpenSince, lastZNumber } = this.#o.stores.closings.of(deviceId);
    return { fiscalDayOpenSince, ...(lastZNumber === null ? {} : { lastZNumber }) };
  }

  #keepDay(deviceId: string, { fiscalDayOpenSince: dayOpenSince, lastZNumber }: KnownDay): void {
    const day = { dayOpenSince, lastZNumber: lastZNumber ?? null };
    this.#o.stores.closings.note(deviceId, day);
  }

  /**
   * Writes down what was done unasked; once, however often it is said under one id.
   * @returns false where it could not be written
   */
  async note(
    live: LiveDevice,
    message: Extract<ToGateway, { type: "device.note" }>,
  ): Promise<boolean> {
    const { deviceId: resource, action, details, noteId } = message;
    const { clock, stores, writer, log } = this.#o;
    const { orgId, owner } = live;
    const { controllerId } = owner;
    const entry = { orgId, at: clock.now(), controllerId, action, resource, details, noteId };
    try {
      await writer.run((tx) => stores.audit.appendNote(tx, entry));
      return true;
    } catch (error) {
      log.error("audit entry not stored", { action, error });
      return false;
    }
  }

  #write(deviceId: string, operation: (tx: Transaction) => void, onFailure?: () => void): void {
    const { writer, log } = this.#o;
    writer
      .run((tx) => {
        tx.after(() => this.#o.onDeviceChange?.(deviceId));
        operation(tx);
      })
      .catch((error: unknown) => {
        onFailure?.();
        log.error("device state not stored", { deviceId, error });
      });
  }
}

function isSameDay(one: KnownDay, other: KnownDay): boolean {
  return (
    one.fiscalDayOpenSince === other.fiscalDayOpenSince && one.lastZNumber === other.lastZNumber
  );
}

/** The columns that identify the printer, left alone where the protocol does not tell. */
function identification(info: DeviceInfo, known: Device | undefined): Partial<Device> {
  const { model, firmwareVersion, charsPerLine, reversalTenders } = info;
  return {
    ...numberColumn("serialNumber", info, known),
    ...numberColumn("fiscalMemorySerialNumber", info, known),
    ...(model === null ? {} : { model }),
    ...(firmwareVersion === null ? {} : { firmwareVersion }),
    ...(charsPerLine === undefined ? {} : { charsPerLine }),
    ...(reversalTenders === undefined ? {} : { reversalTenders }),
  };
}

/** A number that is known is not lost to a reading that failed. */
function numberColumn(
  name: "serialNumber" | "fiscalMemorySerialNumber",
  { [name]: told }: DeviceInfo,
  known: Device | undefined,
): Partial<Device> {
  const isLoss = tellingNumber(told) === null && tellingNumber(known?.[name]) !== null;
  return told === null || isLoss ? {} : { [name]: told };
}
