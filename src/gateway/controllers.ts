/**
 * The gateway's end of the controllers: takes them in, hears what they say and passes it on. The
 * built-in controller and remote ones look the same from here.
 */

import {
  type ConnectedController,
  type ControllerIdentity,
  type ControllerKey,
  isSameController,
} from "#core/controller/controller.ts";
import type { Reporter, ReportOutcome } from "#core/controller/judge.ts";
import type { CommandReport, ToController, ToGateway } from "#core/controller/messages.ts";
import { BUILTIN_CONTROLLER_ID, type DeviceConfig, toDeviceConfig } from "#core/device/device.ts";
import type { LineViewer } from "#core/device/trace.ts";
import { HEARTBEAT_SECONDS } from "#core/limits.ts";
import { placeOfDevice } from "#db/stores/device-place.ts";
import type { Device } from "#db/stores/devices.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Writer } from "#db/writer.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import { Admission, type AdmissionRefusal } from "./admission.ts";
import { ChannelRequests } from "./channel-requests.ts";
import { DeviceRecords } from "./device-records.ts";
import { KeptOut } from "./kept-out.ts";
import type { LiveDevice } from "./live-device.ts";
import { Ownership } from "./ownership.ts";
import { storePresence, tellGone } from "./presence.ts";
import { notServed, refusalOf } from "./refusals.ts";
import {
  type ConnectionEnd,
  type ControllerChannel,
  type ControllerSession,
  REPLACED,
  Sessions,
} from "./sessions.ts";

/** Where reports about commands go; the queue implements it. */
export interface CommandReports {
  /** The device is served by a controller from now on. */
  ready(deviceId: string): void;
  /** The line to the device went, or the controller at its other end. */
  lineLost(deviceId: string): void;
  /** No controller serves the device any more. @param why its line may not be used, if that is why */
  withdrawn(deviceId: string, why?: string): void;
  /** Resolves when what was reported is on disk. */
  report(reporter: Reporter, report: CommandReport): Promise<ReportOutcome>;
}

export interface ControllersOptions {
  readonly stores: Pick<
    Stores,
    | "audit"
    | "connectionEvents"
    | "controllers"
    | "devices"
    | "locations"
    | "organizations"
    | "outcomeHolds"
  >;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly log: Log;
  readonly reports: CommandReports;
  /** What is known of a device may be other than it was: its link, its owner or its reading. */
  readonly onDeviceChange?: (deviceId: string) => void;
}

/** The gateway's end of one connection. */
export interface ControllerConnection {
  receive(message: ToGateway): void;
  /**
   * The controller is gone.
   * @param end as its WebSocket told it, where it has one
   * @param reason what the history says where there is none
   */
  close(end?: ConnectionEnd, reason?: string): void;
}

export class Controllers {
  readonly #o: ControllersOptions;
  readonly #sessions = new Sessions();
  readonly #ownership = new Ownership(this.#sessions);
  readonly #records: DeviceRecords;
  readonly #admission: Admission;
  readonly #keptOut: KeptOut;
  /** What is asked of controllers besides commands. */
  readonly requests: ChannelRequests;

  constructor(options: ControllersOptions) {
    this.#o = options;
    this.#records = new DeviceRecords(options);
    this.#admission = new Admission({ ...options, live: (deviceId) => this.live(deviceId) });
    const { clock } = options;
    this.#keptOut = new KeptOut(clock);
    this.requests = new ChannelRequests({ clock, send: (key, message) => this.send(key, message) });
  }

  /**
   * Takes in a controller with every device that is its to serve. The name of the built-in one is
   * its own: a connection from outside may not use it.
   * @throws RangeError for a remote controller of that name
   */
  connect(
    identity: ControllerIdentity,
    devices: readonly Device[],
    channel: ControllerChannel,
  ): ControllerConnection {
    const { orgId, controllerId } = identity;
    if (orgId !== null && controllerId === BUILTIN_CONTROLLER_ID) {
      throw new RangeError("the built-in controller does not connect from outside");
    }
    const session = { identity, channel, connectedAt: this.#o.clock.now() };
    const former = this.#sessions.add(session);
    if (former) this.#lose(former, "The controller connects anew", REPLACED);
    storePresence(this.#o, session);
    const configs = devices.map((device) => this.configOf(device));
    channel.send({
      type: "welcome",
      controllerId,
      devices: configs,
      heartbeatSeconds: HEARTBEAT_SECONDS,
    });
    for (const device of devices) {
      this.#give(device, identity);
      this.#o.reports.ready(device.id);
    }
    return {
      // What a replaced connection still says belongs to nobody.
      receive: (message) => {
        if (this.#sessions.isCurrent(session)) this.#receive(session, message);
      },
      close: (end, reason = "The controller is not connected") => {
        // What it served is offline, and anybody's who announces it.
        if (this.#sessions.remove(session)) this.#lose(session, reason, end);
      },
    };
  }

  /** The devices that were a remote controller's last, and are nobody else's. */
  devicesOf({ orgId, controllerId }: ControllerIdentity): Device[] {
    if (orgId === null) return [];
    const key = { orgId, controllerId };
    return this.#o.stores.devices
      .list(orgId, { controllerId })
      .filter(({ id }) => this.#ownership.isOthers(id, key) === false);
  }

  /** The connected controller that serves the device. */
  controllerOf(deviceId: string): Reporter | undefined {
    return this.#ownership.sessionOf(deviceId)?.identity;
  }

  /** True while its controller reports the line to it as up, and it may be used. */
  reaches(deviceId: string): boolean {
    return this.controllerOf(deviceId) !== undefined && this.live(deviceId)?.link === "up";
  }

  /** What is known of a device right now. */
  live(deviceId: string): Readonly<LiveDevice> | undefined {
    return this.#ownership.find(deviceId);
  }

  /** Why nothing can be sent to a device, in words; undefined when it can. */
  reasonOf(deviceId: string): string | undefined {
    const live = this.#ownership.find(deviceId);
    if (!live) return "No controller serves the device";
    return live.link === "down" ? live.reason : undefined;
  }

  /** The controllers that are connected for an organization, the built-in one included. */
  connectedFor(orgId: string): ConnectedController[] {
    return this.#sessions
      .all()
      .filter(({ identity }) => identity.orgId === null || identity.orgId === orgId)
      .map(({ identity, connectedAt }) => {
        const up = this.#ownership
          .ownedBy(identity)
          .filter((live) => live.orgId === orgId && live.link === "up");
        return { ...identity, connectedAt, deviceIdsUp: up.map(({ deviceId }) => deviceId).sort() };
      });
  }

  /** Number of connected controllers. */
  get size(): number {
    return this.#sessions.size;
  }

  isConnected(key: ControllerKey): boolean {
    return this.#sessions.find(key) !== undefined;
  }

  /** @returns false when it is not connected */
  send(key: ControllerKey, message: ToController): boolean {
    const session = this.#sessions.find(key);
    session?.channel.send(message);
    return session !== undefined;
  }

  /** Shows what passes on a device's line, through the controller that serves it. */
  watchLine(deviceId: string, viewer: LineViewer): () => void {
    const key = this.controllerOf(deviceId);
    if (key) return this.requests.watchLine(key, deviceId, viewer);
    viewer.ended();
    return () => undefined;
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
    const session = this.#sessions.find(key);
    if (!session) return;
    const live = this.#ownership.find(device.id);
    if (live && !isSameController(live.owner, key)) this.release(device.id);
    this.#give(device, session.identity);
    this.send(key, { type: "device.assigned", device: this.configOf(device) });
    // With new settings the controller may have dropped what it had: it is handed out again.
    this.#o.reports.ready(device.id);
  }

  /**
   * A device may have new settings, of which the remote controller that has it is told; or its printer
   * may be used from now on, which is tried at once.
   */
  refresh(deviceId: string): void {
    const live = this.#ownership.find(deviceId);
    if (!live || (live.owner.orgId === null && !live.isKeptOut)) return;
    const device = this.#o.stores.devices.get(live.orgId, deviceId);
    if (!device || (!live.isKeptOut && this.#settingsOf(device) === live.told)) return;
    this.assign(live.owner, device);
  }

  /** The device is no longer served by anybody. */
  release(deviceId: string): void {
    const live = this.#ownership.release(deviceId);
    if (!live) return;
    this.send(live.owner, { type: "device.released", deviceId });
    this.#o.reports.withdrawn(deviceId);
    this.#records.released(live, this.#sessions.find(live.owner));
  }

  #give(device: Device, identity: ControllerIdentity): void {
    this.#ownership.assign(device, identity);
    const live = this.#ownership.find(device.id);
    if (live) Object.assign(live, { isKeptOut: false, told: this.#settingsOf(device) });
    if (live && device.controllerId !== identity.controllerId) this.#records.owned(live, identity);
  }

  /** By which a change of what its controller acts on is known. */
  #settingsOf(device: Device): string {
    return JSON.stringify(this.configOf(device));
  }

  #lose(session: ControllerSession, reason: string, end?: ConnectionEnd): void {
    this.requests.lost(session.identity);
    tellGone(this.#o, session);
    for (const live of this.#ownership.ownedBy(session.identity)) {
      this.#keptOut.forget(live.deviceId);
      this.#records.link(live, "down", { session, reason, end });
      this.#o.reports.lineLost(live.deviceId);
    }
  }

  #receive(session: ControllerSession, message: ToGateway): void {
    switch (message.type) {
      case "device.announce":
        this.#announce(session, message);
        return;
      case "device.status":
      case "device.note": {
        const live = this.#owned(session, message.deviceId);
        if (!live) {
          session.channel.send(notServed(message));
          return;
        }
        if (message.type === "device.status") this.#records.status(live, message);
        else this.#records.note(live, message);
        return;
      }
      case "command.ack":
      case "command.mark":
      case "command.result":
        this.#report(session, message);
        return;
      case "trace.entries":
      case "detect.progress":
      case "detect.report":
      case "detect.failed":
        this.requests.hear(session.identity, message);
        return;
      case "pong":
        return;
      default:
        message satisfies never;
    }
  }

  /** What is known of a device, if it is this controller's. */
  #owned({ identity }: ControllerSession, deviceId: string): LiveDevice | undefined {
    const live = this.#ownership.find(deviceId);
    return live && isSameController(live.owner, identity) ? live : undefined;
  }

  #announce(
    session: ControllerSession,
    message: Extract<ToGateway, { type: "device.announce" }>,
  ): void {
    const { deviceId } = message;
    const { identity, channel } = session;
    const known = this.#ownership.find(deviceId);
    const orgId = identity.orgId ?? known?.orgId;
    // The built-in controller serves what it was given, a remote one whatever its organization has.
    const device = orgId === undefined ? undefined : this.#o.stores.devices.get(orgId, deviceId);
    if (!device || (identity.orgId === null && !this.#owned(session, deviceId))) {
      channel.send({ type: "announce.rejected", deviceId, code: "NOT_FOUND" });
      return;
    }
    const announcement = this.#ownership.announce(device, identity);
    if (announcement.kind === "owned") {
      const { ownerId } = announcement;
      channel.send({ type: "announce.rejected", deviceId, code: "OWNED", ownerId });
      return;
    }
    const { live } = announcement;
    if (announcement.kind === "taken") {
      if (announcement.former)
        this.send(announcement.former, { type: "device.released", deviceId });
      live.told = this.#settingsOf(device);
      channel.send({ type: "device.assigned", device: this.configOf(device) });
      this.#records.owned(live, identity);
    }
    const { info } = message;
    const refusal = message.link === "up" ? this.#admission.refusalOf(device, info) : undefined;
    live.otherPrinter = refusal?.other;
    if (refusal !== undefined) {
      // Its controller does nothing on the line until it hears that it is accepted.
      this.#keepOut(live, session, refusal);
      return;
    }
    channel.send({ type: "announce.accepted", deviceId });
    const isBack = live.isKeptOut && message.link === "up";
    if (isBack) this.#keptOut.forget(deviceId);
    live.isKeptOut &&= !isBack;
    if (announcement.kind === "taken" || isBack) this.#o.reports.ready(deviceId);
    this.#records.link(live, message.link, { session, info, reason: message.reason });
    if (message.link === "down") this.#o.reports.lineLost(deviceId);
  }

  /** The printer may not be used through this device: its line is closed, and tried again later. */
  #keepOut(live: LiveDevice, session: ControllerSession, { reason }: AdmissionRefusal): void {
    const { deviceId, orgId } = live;
    this.#records.link(live, "down", { session, reason });
    live.isKeptOut = true;
    this.send(live.owner, { type: "device.released", deviceId });
    this.#o.reports.withdrawn(deviceId, reason);
    this.#o.onDeviceChange?.(deviceId);
    this.#keptOut.add(deviceId, () => {
      const device = this.#o.stores.devices.get(orgId, deviceId);
      if (device && this.#ownership.find(deviceId) === live) this.assign(live.owner, device);
    });
  }

  #report(session: ControllerSession, message: CommandReport): void {
    const { identity, channel } = session;
    const { commandId } = message;
    this.#o.reports.report(identity, message).then(
      (outcome) => {
        if (outcome !== "STORED") channel.send(refusalOf(message, outcome));
        else if (message.type === "command.mark") {
          channel.send({ type: "mark.stored", commandId, mark: message.mark });
        } else if (message.type === "command.result") {
          channel.send({ type: "result.stored", commandId });
        }
      },
      (error: unknown) => {
        this.#o.log.error("report not stored", { commandId, report: message.type, error });
        if (message.type !== "command.ack") channel.send(refusalOf(message, "NOT_STORED"));
      },
    );
  }
}
