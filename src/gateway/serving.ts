/** Who serves which device, what that takes, and what follows from a change of it. */

import {
  BUILTIN_CONTROLLER,
  type ControllerIdentity,
  type ControllerKey,
  isSameController,
} from "#core/controller/controller.ts";
import type { ToController, ToGateway } from "#core/controller/messages.ts";
import { type DeviceConfig, isSameLine, toDeviceConfig } from "#core/device/device.ts";
import { CONTROLLER_SILENCE_SECONDS } from "#core/limits.ts";
import { placeOfDevice } from "#db/stores/device-place.ts";
import type { Device } from "#db/stores/devices.ts";
import type { Stores } from "#db/stores/index.ts";
import { Admission, type AdmissionRefusal } from "./admission.ts";
import { DeviceRecords, type DeviceRecordsOptions } from "./device-records.ts";
import { DeviceTimers } from "./device-timers.ts";
import type { LiveDevice } from "./live-device.ts";
import { type Announcement, Ownership } from "./ownership.ts";
import type { ConnectionEnd, ControllerSession, Sessions } from "./sessions.ts";

/** Waiting before a printer that may not be used is tried again. */
const KEPT_OUT_MS = 30_000;

/** What the queue is told of devices, and asked. */
export interface ServedDevices {
  /** True while a command is out on the device. */
  isBusy(deviceId: string): boolean;
  /** The device is served by a controller from now on. */
  ready(deviceId: string): void;
  /** The line to the device went, or the controller at its other end. Throws nothing. */
  lineLost(deviceId: string): void;
  /** No controller serves the device any more. @param why its line may not be used, if that is why */
  withdrawn(deviceId: string, why?: string): void;
}

export interface ServingOptions extends DeviceRecordsOptions {
  readonly stores: DeviceRecordsOptions["stores"] &
    Pick<Stores, "locations" | "organizations" | "outcomeHolds">;
  readonly sessions: Sessions;
  readonly reports: ServedDevices;
}

type Announce = Extract<ToGateway, { type: "device.announce" }>;
type Taken = Extract<Announcement, { readonly kind: "taken" }>;

export class Serving {
  readonly #o: ServingOptions;
  readonly #ownership: Ownership;
  /** When printers that may not be used are tried again. */
  readonly #keptOut: DeviceTimers;
  /** When devices go back to the built-in controller, whose they are to serve. */
  readonly #returns: DeviceTimers;
  readonly #admission: Admission;
  /** What is kept of devices. */
  readonly records: DeviceRecords;

  constructor(options: ServingOptions) {
    this.#o = options;
    this.#ownership = new Ownership(options.sessions);
    this.#keptOut = new DeviceTimers(options, KEPT_OUT_MS);
    this.#returns = new DeviceTimers(options, CONTROLLER_SILENCE_SECONDS * 1_000);
    this.#admission = new Admission({ ...options, live: (deviceId) => this.live(deviceId) });
    this.records = new DeviceRecords(options);
  }

  /** What is known of a device right now. */
  live(deviceId: string): LiveDevice | undefined {
    return this.#ownership.find(deviceId);
  }

  /** The connected controller that serves the device. */
  sessionOf(deviceId: string): ControllerSession | undefined {
    return this.#ownership.sessionOf(deviceId);
  }

  /** True when another controller has the device and is connected. */
  isOthers(deviceId: string, key: ControllerKey): boolean {
    return this.#ownership.isOthers(deviceId, key);
  }

  /** The devices that a controller has, connected or not. */
  ownedBy(key: ControllerKey): LiveDevice[] {
    return this.#ownership.ownedBy(key);
  }

  /** What is known of a device, if it is this controller's. */
  owned({ identity }: ControllerSession, deviceId: string): LiveDevice | undefined {
    const live = this.#ownership.find(deviceId);
    return live && isSameController(live.owner, identity) ? live : undefined;
  }

  deviceConfig(orgId: string, deviceId: string): DeviceConfig | undefined {
    const device = this.#o.stores.devices.get(orgId, deviceId);
    return device && this.configOf(device);
  }

  /** What a device's controller acts on. */
  configOf(device: Device): DeviceConfig {
    return toDeviceConfig(device, placeOfDevice(this.#o.stores, device));
  }

  /**
   * Gives a connected controller a device to serve, whoever had it, or tells it of new settings.
   */
  assign(key: ControllerKey, device: Device): void {
    const session = this.#o.sessions.find(key);
    if (!session) return;
    const live = this.#ownership.find(device.id);
    const isOthers = live !== undefined && !isSameController(live.owner, key);
    if (isOthers) this.release(device.id);
    // It is nobody's from then on, whatever its row says until that is written.
    const free = isOthers ? { ...device, controllerId: null } : device;
    const given = this.#give(free, session.identity);
    this.#send(key, { type: "device.assigned", device: this.configOf(device) });
    // With new settings the controller may have dropped what it had: it is handed out again.
    this.#begin(given);
  }

  /**
   * Gives the built-in controller a device that is its to serve, or new settings of it. Another one
   * that has taken it keeps it for as long as it reaches it, or may again in a moment.
   */
  serve(device: Device): void {
    const live = this.#ownership.find(device.id);
    if (live !== undefined && isSameController(live.owner, BUILTIN_CONTROLLER)) {
      this.#tellSettings(live, device);
      return;
    }
    const isTaken = live?.managedBy === "builtin";
    if (isTaken && this.#returns.isSet(device.id)) return;
    if (isTaken && live.link === "up" && this.#o.sessions.find(live.owner)) return;
    this.assign(BUILTIN_CONTROLLER, device);
  }

  /**
   * A device may have new settings, of which the remote controller that has it is told; or its printer
   * may be used from now on, which is tried at once.
   */
  refresh(deviceId: string): void {
    const live = this.#ownership.find(deviceId);
    if (!live || (live.owner.orgId === null && !live.isKeptOut)) return;
    const device = this.#o.stores.devices.get(live.orgId, deviceId);
    if (!device) return;
    if (live.isKeptOut) this.assign(live.owner, device);
    else this.#tellSettings(live, device);
  }

  /** Tells its controller how a device is set, at once or later, where that is news to it. */
  #tellSettings(live: LiveDevice, device: Device): void {
    const when = this.#tellsWhen(live, device);
    live.isToldLater = when === "later";
    if (when === "now") this.assign(live.owner, device);
  }

  /**
   * When its controller is to hear how a device is set: never where it knows. A new name or place of a
   * device at which a command is out is told behind that, as an app may end with its line what is printed
   * on it.
   */
  #tellsWhen({ told, deviceId }: LiveDevice, device: Device): "now" | "later" | "never" {
    const wanted = this.configOf(device);
    const isOneLine = told !== undefined && isSameLine(told, wanted);
    if (isOneLine && this.#o.reports.isBusy(deviceId)) return "later";
    return Bun.deepEquals(told, wanted) ? "never" : "now";
  }

  /** A command has ended: what waited for that is told. */
  ended(deviceId: string): void {
    const live = this.#ownership.find(deviceId);
    if (!live?.isToldLater || this.#o.reports.isBusy(deviceId)) return;
    const config = this.deviceConfig(live.orgId, deviceId);
    if (config) this.tell(live.owner, config);
  }

  /** Tells a controller that is about to be handed a command how its device is set by now, unless it knows. */
  tell(key: ControllerKey, device: DeviceConfig): void {
    const live = this.#ownership.find(device.id);
    if (!live || !isSameController(live.owner, key)) return;
    live.isToldLater = false;
    if (Bun.deepEquals(live.told, device)) return;
    live.told = device;
    this.#send(key, { type: "device.assigned", device });
  }

  /** The device is no longer served by anybody. */
  release(deviceId: string): void {
    const live = this.#ownership.release(deviceId);
    if (!live) return;
    this.#returns.forget(deviceId);
    this.#send(live.owner, { type: "device.released", deviceId });
    this.#o.reports.withdrawn(deviceId);
    this.records.released(live, this.#o.sessions.find(live.owner));
  }

  /** A controller that connects has a device from now on. */
  welcomed(device: Device, identity: ControllerIdentity): void {
    const live = this.#give(device, identity);
    if (this.#returns.isSet(device.id) && !live.hasReturned) {
      // What it says of its devices follows: it has as long again for that, but not each time.
      live.hasReturned = true;
      this.#returns.forget(device.id);
    }
    this.#returnLater(live);
    this.#begin(live);
  }

  /**
   * A controller is gone, and all that it had with it: nothing is read for that, so that none is forgotten
   * while the database cannot be.
   * @param reason what the history says where `end` is not known
   */
  lost(session: ControllerSession, reason: string, end?: ConnectionEnd): void {
    for (const live of this.#ownership.ownedBy(session.identity)) {
      this.#keptOut.forget(live.deviceId);
      this.records.link(live, "down", { session, reason, end });
      this.#o.reports.lineLost(live.deviceId);
      // What it prints is printed on meanwhile: two would be at one printer.
      this.#returnLater(live);
    }
  }

  /** A controller says that it is at a device. */
  announce(session: ControllerSession, message: Announce): void {
    const { deviceId, info, link } = message;
    const { identity, channel } = session;
    const device = this.#announcedBy(session, deviceId);
    if (device === undefined) {
      channel.send({ type: "announce.rejected", deviceId, code: "NOT_FOUND" });
      return;
    }
    const refusal = link === "up" ? this.#admission.refusalOf(device, info) : undefined;
    if (refusal !== undefined && this.#isBuiltinsToTry(device, identity)) {
      channel.send({ type: "device.released", deviceId });
      return;
    }
    const announcement = this.#ownership.announce(device, identity, link);
    if (announcement.kind === "owned") {
      const { ownerId } = announcement;
      channel.send({ type: "announce.rejected", deviceId, code: "OWNED", ownerId });
      return;
    }
    const { live } = announcement;
    const isTaken = announcement.kind === "taken";
    if (isTaken) this.#take(session, device, announcement);
    live.otherPrinter = refusal?.other;
    // What was read is of a printer that is not there: what is known of its day is kept on disk.
    if (live.otherPrinter !== undefined) live.reading = undefined;
    if (refusal !== undefined) {
      // Its controller does nothing on the line until it hears that it is accepted.
      this.#keepOut(live, session, refusal);
      this.#giveBack(live);
      return;
    }
    channel.send({ type: "announce.accepted", deviceId, link });
    // Without a line nothing has changed about why it is kept out.
    if (live.isKeptOut && !live.isTried && link === "down") return;
    this.#letIn(live, isTaken);
    this.#heardOfLine(live, session, message);
  }

  /** The built-in controller serves what it was given, a remote one whatever its organization has. */
  #announcedBy(session: ControllerSession, deviceId: string): Device | undefined {
    const { identity } = session;
    if (identity.orgId === null && !this.owned(session, deviceId)) return undefined;
    const orgId = identity.orgId ?? this.#ownership.find(deviceId)?.orgId;
    return orgId === undefined ? undefined : this.#o.stores.devices.get(orgId, deviceId);
  }

  /** True where the built-in controller goes on trying a printer that another may not take of it. */
  #isBuiltinsToTry({ id, managedBy }: Device, taker: ControllerKey): boolean {
    const owner = this.#ownership.find(id)?.owner;
    const isTaking = owner === undefined || !isSameController(owner, taker);
    return isTaking && managedBy === "builtin";
  }

  /** A controller has taken a device from whoever had it. */
  #take({ identity, channel }: ControllerSession, device: Device, { live, former }: Taken): void {
    const { id: deviceId } = device;
    if (former) this.#send(former, { type: "device.released", deviceId });
    live.told = this.configOf(device);
    this.#returns.forget(deviceId);
    channel.send({ type: "device.assigned", device: live.told });
    this.records.owned(live, identity);
  }

  /** The printer of a device may be used. @param isTaken its controller has it since now */
  #letIn(live: LiveDevice, isTaken: boolean): void {
    const isBack = live.isKeptOut;
    if (isBack) this.#keptOut.forget(live.deviceId);
    live.isKeptOut = false;
    if (isTaken || isBack) this.#o.reports.ready(live.deviceId);
  }

  /** A controller that has a device says how its line stands. */
  #heardOfLine(
    live: LiveDevice,
    session: ControllerSession,
    { deviceId, link, info, reason }: Announce,
  ): void {
    this.records.link(live, link, { session, info, reason });
    if (link === "up") {
      this.#returns.forget(deviceId);
      live.hasReturned = false;
      return;
    }
    this.#o.reports.lineLost(deviceId);
    if (this.#o.reports.isBusy(deviceId)) this.#returnLater(live);
    else this.#giveBack(live);
  }

  /**
   * A device that a controller took of the built-in one goes back to it, unless that controller says
   * within the silence that it may keep that it reaches it. What else it does begins no new silence.
   */
  #returnLater(live: LiveDevice): void {
    const { deviceId, managedBy, owner } = live;
    // Whose it is by then is read when it is given back.
    if (managedBy !== "builtin" || owner.orgId === null || this.#returns.isSet(deviceId)) return;
    this.#returns.set(deviceId, () => {
      if (this.#ownership.find(deviceId) === live) this.#giveBack(live);
    });
  }

  /** A controller that took a device of the built-in one does not reach it: that one tries again. */
  #giveBack(live: LiveDevice): void {
    const device = this.#builtinsOf(live);
    if (device) this.assign(BUILTIN_CONTROLLER, device);
  }

  /** A device that another controller has, and the built-in one is to serve. */
  #builtinsOf({ deviceId, orgId, owner }: LiveDevice): Device | undefined {
    if (owner.orgId === null || !this.#o.sessions.find(BUILTIN_CONTROLLER)) return undefined;
    const device = this.#o.stores.devices.get(orgId, deviceId);
    return device?.managedBy === "builtin" ? device : undefined;
  }

  /** The printer may not be used through this device: its line is closed, and tried again later. */
  #keepOut(live: LiveDevice, session: ControllerSession, { reason }: AdmissionRefusal): void {
    const { deviceId, orgId } = live;
    this.records.link(live, "down", { session, reason });
    Object.assign(live, { isKeptOut: true, isTried: false });
    this.#send(live.owner, { type: "device.released", deviceId });
    this.#o.reports.withdrawn(deviceId, reason);
    this.#o.onDeviceChange?.(deviceId);
    this.#keptOut.set(deviceId, () => {
      const device = this.#o.stores.devices.get(orgId, deviceId);
      if (device && this.#ownership.find(deviceId) === live) this.assign(live.owner, device);
    });
  }

  #give(device: Device, identity: ControllerIdentity): LiveDevice {
    const live = this.#ownership.assign(device, identity);
    this.#keptOut.forget(device.id);
    const told = this.configOf(device);
    Object.assign(live, { isTried: live.isKeptOut, told, isToldLater: false });
    if (device.controllerId !== identity.controllerId) this.records.owned(live, identity);
    return live;
  }

  /** What waits goes to a controller at once, unless its line is still to be judged. */
  #begin({ deviceId, isKeptOut }: LiveDevice): void {
    if (!isKeptOut) this.#o.reports.ready(deviceId);
  }

  #send(key: ControllerKey, message: ToController): void {
    this.#o.sessions.find(key)?.channel.send(message);
  }
}
