/** A controller, in the gateway or as `fiscald controller`: drives the devices that its machine reaches. */

import type { ToController } from "#core/controller/messages.ts";
import type { DeviceConfig } from "#core/device/device.ts";
import type { GatewayChannel } from "./channel.ts";
import { ChannelServices } from "./channel-services.ts";
import { DeviceSession } from "./device-session.ts";
import type { ControllerEnvironment } from "./environment.ts";
import { newJob, resolveJob } from "./job.ts";
import { LineTrace } from "./line-trace.ts";
import { OwedNotes } from "./owed-notes.ts";
import { OwedResults } from "./owed-results.ts";

/** A running controller. */
export interface Controller {
  /** Closes every line; commands under way stay as their marks say. */
  stop(): Promise<void>;
}

/** Starts a controller on its end of a channel. */
export function startController(
  channel: GatewayChannel,
  environment: ControllerEnvironment,
): Controller {
  const controller = new DeviceController(channel, environment);
  channel.listen((message) => controller.hear(message));
  return {
    stop: () => controller.stop(),
  };
}

class DeviceController {
  readonly #channel: GatewayChannel;
  readonly #environment: ControllerEnvironment;
  readonly #sessions = new Map<string, DeviceSession>();
  /** One for each device served here, over all its sessions. */
  readonly #traces = new Map<string, LineTrace>();
  readonly #owed: OwedResults;
  readonly #notes: OwedNotes;
  readonly #services: ChannelServices;
  /** Sessions that were replaced or given up and are not over yet. */
  readonly #ending = new Set<Promise<void>>();
  #stopped = false;

  constructor(channel: GatewayChannel, environment: ControllerEnvironment) {
    this.#channel = channel;
    this.#environment = environment;
    this.#owed = new OwedResults(channel, environment, (id) => this.#sessions.has(id));
    this.#notes = new OwedNotes(channel, environment);
    this.#services = new ChannelServices({
      ...{ channel, log: environment.log, detect: environment.detect },
      traceOf: (deviceId) => this.#traces.get(deviceId),
    });
  }

  hear(message: ToController): void {
    if (this.#stopped) return;
    switch (message.type) {
      case "welcome":
        this.#welcomed(message);
        return;
      case "device.assigned":
        this.#assign(message.device);
        return;
      case "device.released":
      case "announce.rejected":
        this.#release(message.deviceId);
        return;
      case "command.dispatch":
        this.#of(message.device).take(newJob(message));
        return;
      case "command.resolve":
        this.#of(message.device).take(resolveJob(message));
        return;
      case "mark.stored":
        this.#holderOf(message.commandId)?.markStored(message);
        return;
      case "result.stored":
        this.#owed.stored(message.commandId);
        return;
      case "note.stored":
        this.#notes.stored(message.noteId);
        return;
      case "error":
        this.#refused(message);
        return;
      case "ping":
        this.#channel.send({ type: "pong" });
        return;
      case "trace.follow":
      case "trace.end":
      case "detect.begin":
      case "detect.end":
        this.#services.hear(message);
        return;
      case "announce.accepted":
        this.#sessions.get(message.deviceId)?.voice.accepted(message.link);
        return;
      default:
        message satisfies never;
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#owed.stop();
    this.#notes.stop();
    this.#services.stop();
    for (const deviceId of [...this.#sessions.keys()]) this.#end(deviceId);
    await Promise.all(this.#ending);
  }

  /** A connection was made, which need not be the first one: lines that are open stay so. */
  #welcomed({ devices, installationId }: Extract<ToController, { type: "welcome" }>): void {
    // Whoever looked at a line or searched did so over the connection that is gone.
    this.#services.stop();
    const wanted = new Set(devices.map(({ id }) => id));
    for (const deviceId of [...this.#sessions.keys()]) {
      if (!wanted.has(deviceId)) this.#release(deviceId);
    }
    for (const device of devices) {
      const session = this.#sessions.get(device.id);
      if (session?.takes(device)) session.sayAgain();
      else this.#assign(device);
    }
    // Also of devices that are others' by now, or were served before this process began.
    this.#owed.welcomed(installationId ?? null);
    // Gateways have said both, and neither, since the same version.
    this.#notes.welcomed(installationId !== undefined);
  }

  #serve(device: DeviceConfig): DeviceSession {
    const trace = this.#traces.get(device.id) ?? new LineTrace(this.#environment.clock);
    this.#traces.set(device.id, trace);
    const session = new DeviceSession(device, {
      channel: this.#channel,
      environment: this.#environment,
      owed: this.#owed,
      notes: this.#notes,
      trace,
    });
    this.#sessions.set(device.id, session);
    return session;
  }

  /** The session of a device, begun when there is none yet. */
  #of(device: DeviceConfig): DeviceSession {
    return this.#sessions.get(device.id) ?? this.#serve(device);
  }

  #assign(device: DeviceConfig): void {
    if (this.#sessions.get(device.id)?.takes(device)) return;
    this.#end(device.id);
    this.#serve(device);
  }

  #release(deviceId: string): void {
    this.#traces.get(deviceId)?.end();
    this.#traces.delete(deviceId);
    this.#end(deviceId);
  }

  /** Ends what is done for a device; what passed on its line stays to be looked at. */
  #end(deviceId: string): void {
    const session = this.#sessions.get(deviceId);
    if (!session) return;
    this.#sessions.delete(deviceId);
    const ending = session.stop().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  /** The session that has a command, so that answers find their way. */
  #holderOf(commandId: string): DeviceSession | undefined {
    for (const session of this.#sessions.values()) if (session.has(commandId)) return session;
    return undefined;
  }

  #refused({ commandId, deviceId, ...refusal }: Extract<ToController, { type: "error" }>): void {
    if (commandId !== undefined) {
      this.#owed.refused(commandId, refusal.code, refusal.epoch);
      this.#holderOf(commandId)?.refused({ ...refusal, commandId });
    } else if (deviceId !== undefined && refusal.code === "NOT_STORED") {
      this.#sessions.get(deviceId)?.voice.notTaken();
      this.#notes.notTaken();
    }
  }
}
