/**
 * The gateway's end of the controllers: takes them in, hears what they say and passes it on. The
 * built-in controller and remote ones look the same from here.
 */

import type {
  ConnectedController,
  ControllerIdentity,
  ControllerKey,
} from "#core/controller/controller.ts";
import type { Reporter, ReportOutcome } from "#core/controller/judge.ts";
import type { CommandReport, ToController, ToGateway } from "#core/controller/messages.ts";
import { BUILTIN_CONTROLLER_ID, type DeviceConfig } from "#core/device/device.ts";
import type { LineViewer } from "#core/device/trace.ts";
import { HEARTBEAT_SECONDS } from "#core/limits.ts";
import type { Device } from "#db/stores/devices.ts";
import type { Stores } from "#db/stores/index.ts";
import { ChannelRequests } from "./channel-requests.ts";
import type { LiveDevice } from "./live-device.ts";
import { storePresence, tellGone } from "./presence.ts";
import { notServed, notTaken, refusalOf } from "./refusals.ts";
import { type ServedDevices, Serving, type ServingOptions } from "./serving.ts";
import {
  type ConnectionEnd,
  type ControllerChannel,
  type ControllerSession,
  REPLACED,
  Sessions,
} from "./sessions.ts";

/** Where reports about commands go; the queue implements it. */
export interface CommandReports extends ServedDevices {
  /** Resolves when what was reported is on disk. */
  report(reporter: Reporter, report: CommandReport): Promise<ReportOutcome>;
}

export interface ControllersOptions extends Omit<ServingOptions, "sessions"> {
  readonly stores: ServingOptions["stores"] & Pick<Stores, "appliance" | "controllers">;
  readonly reports: CommandReports;
  /** What a controller said could not be taken, as when the database cannot be read. */
  readonly onFault?: (error: unknown) => void;
}

/** The gateway's end of one connection. */
export interface ControllerConnection {
  /** How many devices are the controller's. */
  deviceCount(): number;
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
  readonly #serving: Serving;
  /** What is asked of controllers besides commands. */
  readonly requests: ChannelRequests;

  constructor(options: ControllersOptions) {
    this.#o = options;
    this.#serving = new Serving({ ...options, sessions: this.#sessions });
    const { clock } = options;
    this.requests = new ChannelRequests({ clock, send: (key, message) => this.send(key, message) });
  }

  /**
   * Takes in a controller with every device that is its to serve. The name of the built-in one is
   * its own: a connection from outside may not use it.
   * @throws RangeError for a remote controller of that name; or the database's error, and then it is
   * not connected
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
    const own = devices.filter(({ id }) => !this.#serving.isOthers(id, identity));
    const configs = own.map((device) => this.configOf(device));
    const installationId = this.#o.stores.appliance.installationId();
    const former = this.#sessions.add(session);
    try {
      if (former) this.#lose(former, "The controller connects anew", REPLACED);
      storePresence(this.#o, session);
      channel.send({
        type: "welcome",
        controllerId,
        devices: configs,
        heartbeatSeconds: HEARTBEAT_SECONDS,
        ...(installationId === undefined ? {} : { installationId }),
      });
      for (const device of own) this.#serving.welcomed(device, identity);
    } catch (error) {
      // Whoever opened the connection ends it, and has nothing to tell that by. What it was given until
      // then may have begun already.
      if (this.#sessions.remove(session)) this.#lose(session, "It could not be taken in");
      throw error;
    }
    return {
      deviceCount: () => this.#serving.ownedBy(identity).length,
      // What a replaced connection still says belongs to nobody.
      receive: (message) => {
        if (this.#sessions.isCurrent(session)) this.#take(session, message);
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
      .filter(({ id }) => !this.#serving.isOthers(id, key));
  }

  /** The connected controller that serves the device. */
  controllerOf(deviceId: string): ControllerIdentity | undefined {
    return this.#serving.sessionOf(deviceId)?.identity;
  }

  /** True while its controller reports the line to it as up, and it may be used. */
  reaches(deviceId: string): boolean {
    return this.controllerOf(deviceId) !== undefined && this.live(deviceId)?.link === "up";
  }

  /** What is known of a device right now. */
  live(deviceId: string): Readonly<LiveDevice> | undefined {
    return this.#serving.live(deviceId);
  }

  /** Why nothing can be sent to a device, in words; undefined when it can. */
  reasonOf(deviceId: string): string | undefined {
    const live = this.#serving.live(deviceId);
    if (!live) return "No controller serves the device";
    return live.link === "down" ? live.reason : undefined;
  }

  /** The controllers that are connected for an organization, the built-in one included. */
  connectedFor(orgId: string): ConnectedController[] {
    return this.#sessions
      .all()
      .filter(({ identity }) => identity.orgId === null || identity.orgId === orgId)
      .map(({ identity, connectedAt }) => {
        const up = this.#serving
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
    if (message.type === "command.dispatch" && !message.begun)
      this.#serving.tell(key, message.device);
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

  /** See `Serving`. */
  deviceConfig(orgId: string, deviceId: string): DeviceConfig | undefined {
    return this.#serving.deviceConfig(orgId, deviceId);
  }

  /** See `Serving`. */
  configOf(device: Device): DeviceConfig {
    return this.#serving.configOf(device);
  }

  /** See `Serving`. */
  assign(key: ControllerKey, device: Device): void {
    this.#serving.assign(key, device);
  }

  /** See `Serving`. */
  serve(device: Device): void {
    this.#serving.serve(device);
  }

  /** The devices that a controller has, connected or not. */
  devicesAt(key: ControllerKey): string[] {
    return this.#serving.ownedBy(key).map(({ deviceId }) => deviceId);
  }

  /** See `Serving`. */
  refresh(deviceId: string): void {
    this.#serving.refresh(deviceId);
  }

  /** See `Serving`. */
  ended(deviceId: string): void {
    this.#serving.ended(deviceId);
  }

  /** The device is no longer served by anybody. */
  release(deviceId: string): void {
    this.#serving.release(deviceId);
  }

  #lose(session: ControllerSession, reason: string, end?: ConnectionEnd): void {
    this.requests.lost(session.identity);
    tellGone(this.#o, session);
    this.#serving.lost(session, reason, end);
  }

  /** Nothing that a controller says ends the process. */
  #take(session: ControllerSession, message: ToGateway): void {
    try {
      this.#receive(session, message);
    } catch (error) {
      // As when the database cannot be read. What was said may be said again.
      this.#o.log.error("message of a controller not taken", { type: message.type, error });
      session.channel.send(notTaken(message));
      this.#o.onFault?.(error);
    }
  }

  #receive(session: ControllerSession, message: ToGateway): void {
    switch (message.type) {
      case "device.announce":
        this.#serving.announce(session, message);
        return;
      case "device.status":
      case "device.note": {
        const live = this.#serving.owned(session, message.deviceId);
        if (!live) {
          session.channel.send(notServed(message));
          return;
        }
        if (message.type === "device.status") this.#serving.records.status(live, message);
        else this.#note(session, live, message);
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

  #note(
    { channel }: ControllerSession,
    live: LiveDevice,
    message: Extract<ToGateway, { type: "device.note" }>,
  ): void {
    const { deviceId, noteId } = message;
    void this.#serving.records.note(live, message).then((isStored) => {
      // Older controllers keep nothing of it.
      if (noteId === undefined) return;
      channel.send(isStored ? { type: "note.stored", deviceId, noteId } : notTaken(message));
    });
  }

  #report(session: ControllerSession, message: CommandReport): void {
    const { identity, channel } = session;
    const { commandId } = message;
    this.#o.reports.report(identity, message).then(
      (outcome) => {
        if (outcome !== "STORED") channel.send(refusalOf(message, outcome));
        else if (message.type === "command.mark") {
          const { mark, markId } = message;
          const named = markId === undefined ? {} : { markId };
          channel.send({ type: "mark.stored", commandId, mark, ...named });
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
