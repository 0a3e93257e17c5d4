/**
 * The controllers that are connected, and the devices they serve. The gateway's end of the
 * controller messages; the built-in controller and remote ones look the same from here.
 */

import type { CommandResult } from "#core/command/command.ts";
import type { Baseline, Mark } from "#core/command/marks.ts";
import type { ControllerIdentity, ToController, ToGateway } from "#core/controller/messages.ts";
import type { StatusReading } from "#core/device/alerts.ts";
import { type DeviceConfig, type DeviceInfo, toDeviceConfig } from "#core/device/device.ts";
import type { Device } from "#db/stores/devices.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Writer } from "#db/writer.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import { type LiveDevice, newLiveDevice } from "./live-device.ts";

/** Where reports about commands go; the queue implements it. */
export interface CommandReports {
  /** The device is served by a controller from now on. */
  ready(deviceId: string): void;
  /** No controller serves the device any more. */
  withdrawn(deviceId: string): void;
  acknowledged(controllerId: string, commandId: string): void;
  marked(
    controllerId: string,
    commandId: string,
    report: { mark: Mark; baseline: Baseline | undefined },
  ): Promise<"stored" | "final" | "not_yours">;
  finished(
    controllerId: string,
    commandId: string,
    result: CommandResult,
  ): Promise<"stored" | "final" | "not_yours">;
}

export interface RegistryOptions {
  readonly stores: Pick<Stores, "devices" | "organizations" | "audit">;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly log: Log;
  readonly reports: CommandReports;
}

/** The gateway's end of one connected controller. */
export interface ControllerSession {
  receive(message: ToGateway): void;
  /** The controller is gone. */
  close(): void;
}

interface Connected {
  readonly identity: ControllerIdentity;
  readonly send: (message: ToController) => void;
}

/** A controller hears from the gateway at least this often. */
const HEARTBEAT_SECONDS = 15;
/** `lastSeen` is written at most this often. */
const SEEN_STORED_INTERVAL_MS = 60_000;

export class ControllerRegistry {
  readonly #o: RegistryOptions;
  readonly #connected = new Map<string, Connected>();
  readonly #live = new Map<string, LiveDevice>();

  constructor(options: RegistryOptions) {
    this.#o = options;
  }

  /** Takes in the built-in controller with every device it should serve. */
  connect(
    identity: ControllerIdentity,
    devices: readonly Device[],
    send: (message: ToController) => void,
  ): ControllerSession {
    const { controllerId } = identity;
    this.#connected.set(controllerId, { identity, send });
    const configs = devices.map((device) => this.#configOf(device));
    send({ type: "welcome", controllerId, devices: configs, heartbeatSeconds: HEARTBEAT_SECONDS });
    for (const { id, orgId } of devices) {
      this.#live.set(id, newLiveDevice(id, orgId, controllerId));
      this.#o.reports.ready(id);
    }
    return {
      receive: (message) => this.#receive(controllerId, message),
      close: () => this.#disconnect(controllerId),
    };
  }

  /** Id of the connected controller that serves the device. */
  controllerOf(deviceId: string): string | undefined {
    const controllerId = this.#live.get(deviceId)?.controllerId;
    return controllerId !== undefined && this.#connected.has(controllerId)
      ? controllerId
      : undefined;
  }

  /** What is known of a device right now. */
  live(deviceId: string): Readonly<LiveDevice> | undefined {
    return this.#live.get(deviceId);
  }

  /** Number of connected controllers. */
  get size(): number {
    return this.#connected.size;
  }

  send(controllerId: string, message: ToController): void {
    this.#connected.get(controllerId)?.send(message);
  }

  deviceConfig(orgId: string, deviceId: string): DeviceConfig | undefined {
    const device = this.#o.stores.devices.get(orgId, deviceId);
    return device && this.#configOf(device);
  }

  /** Gives a connected controller a device to serve, or tells it of new settings. */
  assign(controllerId: string, device: Device): void {
    if (!this.#connected.has(controllerId)) return;
    if (!this.#live.has(device.id)) {
      this.#live.set(device.id, newLiveDevice(device.id, device.orgId, controllerId));
    }
    this.send(controllerId, { type: "device.assigned", device: this.#configOf(device) });
    // With new settings the controller may have dropped what it had: it is handed out again.
    this.#o.reports.ready(device.id);
  }

  /** The device is no longer served by anybody. */
  release(deviceId: string): void {
    const live = this.#live.get(deviceId);
    if (!live) return;
    this.#live.delete(deviceId);
    this.send(live.controllerId, { type: "device.released", deviceId });
    this.#o.reports.withdrawn(deviceId);
  }

  #configOf(device: Device): DeviceConfig {
    const organization = this.#o.stores.organizations.get(device.orgId);
    return toDeviceConfig(device, organization ?? { timezone: "UTC", currency: "" });
  }

  #disconnect(controllerId: string): void {
    if (!this.#connected.delete(controllerId)) return;
    for (const live of this.#live.values()) {
      if (live.controllerId === controllerId)
        this.#setLink(live, "down", { reason: "controller gone" });
    }
  }

  #receive(controllerId: string, message: ToGateway): void {
    switch (message.type) {
      case "device.announce":
        this.#announce(controllerId, message);
        return;
      case "device.status":
        this.#status(controllerId, message);
        return;
      case "device.note":
        this.#note(controllerId, message);
        return;
      case "command.ack":
        this.#o.reports.acknowledged(controllerId, message.commandId);
        return;
      case "command.mark":
        this.#mark(controllerId, message);
        return;
      case "command.result":
        this.#result(controllerId, message);
        return;
      case "pong":
        return;
      default:
        message satisfies never;
    }
  }

  #announce(controllerId: string, message: Extract<ToGateway, { type: "device.announce" }>): void {
    const { deviceId, link, info, reason } = message;
    const live = this.#live.get(deviceId);
    if (!live) {
      this.send(controllerId, { type: "announce.rejected", deviceId, code: "NOT_FOUND" });
      return;
    }
    if (live.controllerId !== controllerId) {
      const { controllerId: ownerId } = live;
      this.send(controllerId, { type: "announce.rejected", deviceId, code: "OWNED", ownerId });
      return;
    }
    this.send(controllerId, { type: "announce.accepted", deviceId });
    this.#setLink(live, link, { reason, info });
  }

  #setLink(
    live: LiveDevice,
    link: LiveDevice["link"],
    told: { readonly reason?: string | undefined; readonly info?: DeviceInfo | undefined },
  ): void {
    const { reason, info } = told;
    const { clock, stores, writer, log } = this.#o;
    const changed = live.link !== link;
    live.link = link;
    live.reason = link === "down" ? reason : undefined;
    if (link === "up") live.lastSeenAt = clock.now();
    if (!changed) return;
    const { deviceId, orgId, controllerId } = live;
    log.info(link === "up" ? "device online" : "device offline", { deviceId, reason });
    const name = this.#connected.get(controllerId)?.identity.name ?? controllerId;
    const owner = link === "up" ? { controllerId, controllerName: name } : {};
    writer
      .run((tx) => {
        stores.devices.update(orgId, deviceId, {
          ...owner,
          ...(info === undefined ? {} : identification(info)),
          storedStatus: link === "up" ? "online" : "offline",
          ...(live.lastSeenAt === undefined ? {} : { lastSeenAt: live.lastSeenAt }),
        });
        const type = link === "up" ? "device.online" : "device.offline";
        tx.emit({ type, orgId, deviceId, controllerId });
      })
      .catch((error: unknown) => log.error("device state not stored", { deviceId, error }));
  }

  #status(controllerId: string, message: Extract<ToGateway, { type: "device.status" }>): void {
    const live = this.#live.get(message.deviceId);
    if (!live || live.controllerId !== controllerId) return;
    const { clock, stores, writer, log } = this.#o;
    const { deviceId, orgId } = live;
    const now = clock.now();
    live.reading = readingOf(message, live.reading, now);
    live.lastSeenAt = now;
    if (now - live.seenStoredAt < SEEN_STORED_INTERVAL_MS) return;
    live.seenStoredAt = now;
    writer
      .run(() => stores.devices.update(orgId, deviceId, { lastSeenAt: now }))
      .catch((error: unknown) => log.error("device state not stored", { deviceId, error }));
  }

  #note(controllerId: string, message: Extract<ToGateway, { type: "device.note" }>): void {
    const { deviceId: resource, action, details } = message;
    const live = this.#live.get(resource);
    if (!live || live.controllerId !== controllerId) return;
    const { clock, stores, writer, log } = this.#o;
    const actor = `controller:${controllerId}`;
    const entry = { orgId: live.orgId, at: clock.now(), actor, action, resource, details };
    writer
      .run(() => stores.audit.append(entry))
      .catch((error: unknown) => log.error("audit entry not stored", { action, error }));
  }

  #mark(controllerId: string, message: Extract<ToGateway, { type: "command.mark" }>): void {
    const { commandId, mark, baseline } = message;
    this.#o.reports.marked(controllerId, commandId, { mark, baseline }).then(
      (outcome) => {
        if (outcome === "stored") this.send(controllerId, { type: "mark.stored", commandId, mark });
        else this.#refuse(controllerId, commandId, outcome);
      },
      (error: unknown) => {
        this.#o.log.error("mark not stored", { commandId, mark, error });
        this.#refuse(controllerId, commandId, "not_stored");
      },
    );
  }

  #result(controllerId: string, message: Extract<ToGateway, { type: "command.result" }>): void {
    const { commandId, result } = message;
    this.#o.reports.finished(controllerId, commandId, result).then(
      (outcome) => {
        if (outcome === "stored") this.send(controllerId, { type: "result.stored", commandId });
        else this.#refuse(controllerId, commandId, outcome);
      },
      (error: unknown) => {
        this.#o.log.error("result not stored", { commandId, error });
        this.#refuse(controllerId, commandId, "not_stored");
      },
    );
  }

  #refuse(
    controllerId: string,
    commandId: string,
    reason: "final" | "not_yours" | "not_stored",
  ): void {
    const code = { final: "FINAL", not_yours: "NOT_YOURS", not_stored: "NOT_STORED" }[reason];
    const message = REFUSALS[reason];
    this.send(controllerId, { type: "error", code, message, commandId });
  }
}

const REFUSALS = {
  final: "The command has ended meanwhile",
  not_yours: "The command was not dispatched to this controller",
  not_stored: "The gateway could not write to its database; send it again",
} as const;

/** What a status message says, with what it does not say kept from the one before. */
function readingOf(
  { status, clockDriftMs }: Extract<ToGateway, { type: "device.status" }>,
  before: StatusReading | undefined,
  now: number,
): StatusReading {
  return {
    status,
    readAt: now,
    clockDriftMs: clockDriftMs ?? before?.clockDriftMs ?? null,
    // The protocols do not tell when the day was opened, so the first sight of it counts.
    fiscalDayOpenSince: status.fiscalDayOpen === true ? (before?.fiscalDayOpenSince ?? now) : null,
  };
}

/** The columns that identify the printer, left alone where the protocol does not tell. */
function identification(info: DeviceInfo): Partial<Device> {
  const { serialNumber, fiscalMemorySerialNumber, model, firmwareVersion } = info;
  return {
    ...(serialNumber === null ? {} : { serialNumber }),
    ...(fiscalMemorySerialNumber === null ? {} : { fiscalMemorySerialNumber }),
    ...(model === null ? {} : { model }),
    ...(firmwareVersion === null ? {} : { firmwareVersion }),
  };
}
