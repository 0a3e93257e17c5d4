/**
 * Finds the devices that stand beside this controller: of those that are registered as `remote` and
 * that nobody reaches, each is asked for at its own address. The one that answers as the device it
 * should be is announced. Two controllers may both reach a printer on the network: the first one
 * that announces it has it. A device that this one was told to serve, and that is no other
 * controller's, is announced whether it answers or not.
 */

import type { ToController } from "#core/controller/messages.ts";
import { isPlace } from "#core/device/connection-params.ts";
import type { DetectDevices, DetectionTarget } from "#core/device/detection.ts";
import { type DeviceConfig, TRANSPORTS } from "#core/device/device.ts";
import {
  answersFor,
  isOtherPrinter,
  numbersText,
  type Printer,
  type PrinterNumbers,
} from "#core/device/printer.ts";
import { DRIVER_IDS } from "#core/driver-id.ts";
import type { GatewayChannel } from "../controller/channel.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import { errorText } from "../platform/thrown.ts";
import type { SeenDevice } from "./gateway-requests.ts";

export interface DeviceFinderOptions {
  readonly channel: Pick<GatewayChannel, "send"> & { readonly isConnected: boolean };
  readonly clock: Pick<Clock, "setTimer" | "elapsed">;
  readonly log: Log;
  /** @throws Error with a sentence */
  listDevices(): Promise<readonly SeenDevice[]>;
  readonly detect: DetectDevices;
  /**
   * The devices to serve, found or not; every one that is found when empty. One that another
   * controller has is taken over when that one reaches it no more and this one finds it.
   */
  readonly wanted: readonly string[];
}

const TOLD = "The controller was told to";
const FOUND = "The controller has found it";
/** What was read longer ago says too little of who reaches a device. */
const LIST_AGE_MS_MAX = 1_000;
/** Waiting between the end of one look and the next one. */
const LOOK_MS = 15_000;

export class DeviceFinder {
  readonly #o: DeviceFinderOptions;
  /** The devices that are this controller's. */
  readonly #served = new Map<string, DeviceConfig>();
  readonly #hangUp = new AbortController();
  #isLooking = false;
  /** Devices that are left alone, and why: what was said of them already. */
  readonly #left = new Set<string>();
  #cancelTimer = (): void => undefined;
  /** What was said last of printers that are not those of the devices at whose address they answer. */
  readonly #strangers = new Map<string, string>();
  /** Devices at whose address the printer of another one answered, and where both were. */
  readonly #shared = new Map<string, string>();
  /** Logged last, so that the same is not logged again. */
  #trouble: string | undefined;

  constructor(options: DeviceFinderOptions) {
    this.#o = options;
  }

  /** The devices that are this controller's, of which the ports are in use. */
  get served(): readonly DeviceConfig[] {
    return [...this.#served.values()];
  }

  /** Follows what becomes of the devices. */
  hear(message: ToController): void {
    switch (message.type) {
      case "welcome":
        this.#served.clear();
        for (const device of message.devices) this.#served.set(device.id, device);
        this.#lookNow();
        return;
      case "device.assigned":
        this.#served.set(message.device.id, message.device);
        return;
      case "device.released":
      case "announce.rejected":
        // Somebody else has it, and may lose it.
        this.#served.delete(message.deviceId);
        return;
      default:
        return;
    }
  }

  /** Ends a look that is under way, and looks no more. */
  stop(): void {
    this.#cancelTimer();
    this.#hangUp.abort();
  }

  /** And again and again from then on. */
  #lookNow(): void {
    if (this.#isLooking || this.#hangUp.signal.aborted) return;
    this.#cancelTimer();
    void this.#look();
  }

  #isWanted(deviceId: string): boolean {
    const { wanted } = this.#o;
    return wanted.length === 0 || wanted.includes(deviceId);
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    if (this.#o.channel.isConnected && !this.#isComplete()) {
      try {
        await this.#lookOnce();
        this.#trouble = undefined;
      } catch (error) {
        this.#complain(errorText(error));
        this.#announceUnseen();
      }
    }
    this.#isLooking = false;
    if (this.#hangUp.signal.aborted) return;
    this.#cancelTimer = this.#o.clock.setTimer(LOOK_MS, () => void this.#look());
  }

  /** True where there is nothing more to look for. Of what is served its session says how it is. */
  #isComplete(): boolean {
    const { wanted } = this.#o;
    return wanted.length > 0 && wanted.every((deviceId) => this.#served.has(deviceId));
  }

  async #lookOnce(): Promise<void> {
    const { listDevices, channel, clock } = this.#o;
    const done = new Set<string>();
    for (;;) {
      const devices = await listDevices();
      const readAt = clock.elapsed();
      for (const device of devices) {
        if (this.#hangUp.signal.aborted || !channel.isConnected) return;
        this.#leaveToGateway(device);
        if (done.has(device.id) || !this.#isAnybodys(device)) continue;
        // Others may have come within reach of another controller while this one was asking.
        if (clock.elapsed() - readAt > LIST_AGE_MS_MAX) break;
        done.add(device.id);
        if (this.#isTold(device)) this.#announce(device.id, TOLD);
        else if (await this.#isHere(device, devices)) this.#announce(device.id, FOUND);
      }
      if (devices.every((device) => done.has(device.id) || !this.#isAnybodys(device))) return;
    }
  }

  #isAnybodys({ id, managedBy, effectiveStatus }: SeenDevice): boolean {
    const isFree = managedBy === "remote" && effectiveStatus === "offline";
    return isFree && this.#isWanted(id) && !this.#served.has(id);
  }

  /** Says of one that was named that it is not this controller's to serve. */
  #leaveToGateway(device: SeenDevice): void {
    const { id, managedBy } = device;
    if (managedBy === "remote" || !this.#o.wanted.includes(id) || this.#served.has(id)) return;
    this.#leave(device, "the gateway serves a device itself", "change it to managedBy remote");
  }

  /** True for a device that is this controller's to serve, and no other's. */
  #isTold({ id, controllerId }: SeenDevice): boolean {
    return controllerId === null && this.#o.wanted.includes(id);
  }

  /** Says once of a device why it is not served. */
  #leave({ id: deviceId, name }: SeenDevice, why: string, cure: string): void {
    const said = `${deviceId} ${why}`;
    if (this.#left.has(said)) return;
    this.#left.add(said);
    this.#o.log.warn(why, { deviceId, name, cure });
  }

  /** Without the right to see devices nothing is known of who has them. */
  #announceUnseen(): void {
    for (const deviceId of this.#o.wanted) {
      if (!this.#served.has(deviceId)) this.#announce(deviceId, TOLD);
    }
  }

  async #isHere(device: SeenDevice, all: readonly SeenDevice[]): Promise<boolean> {
    const { detect } = this.#o;
    const drivers = DRIVER_IDS.filter((id) => id === device.driver);
    const target = targetOf(device);
    if (drivers.length === 0 || target === undefined) {
      const what = target === undefined ? "address" : "driver";
      const cure = "bring this controller to the version of the gateway";
      this.#leave(device, `cannot look for a device: its ${what} is not known here`, cure);
      return false;
    }
    const inUse = all.filter((one) => one.id !== device.id && isInUse(one));
    // It may be printing for that one, and a question would come between.
    if (inUse.some((one) => this.#isServedAs(device, one))) return false;
    const { found } = await detect({ target, drivers, signal: this.#hangUp.signal });
    const [told] = found;
    if (told === undefined) return false;
    const answered = judgeAnswer(device, told, inUse);
    this.#note(device, answered);
    return !answered.isOther && answered.user === undefined;
  }

  #isServedAs(device: SeenDevice, one: SeenDevice): boolean {
    const isSeen = this.#shared.get(device.id) === placesOf(device, one);
    return isSeen || answersFor(printerOf(one), printerOf(device));
  }

  /** Keeps as which device its printer is served; of one that is not its own it is said once. */
  #note(device: SeenDevice, { told, isOther, user }: Answered): void {
    const { id: deviceId, name } = device;
    if (user === undefined) this.#shared.delete(deviceId);
    else this.#shared.set(deviceId, placesOf(device, user));
    if (!isOther && user === undefined) {
      this.#strangers.delete(deviceId);
      return;
    }
    const expected = printerOf(device);
    const servedAs = user === undefined ? {} : { servedAs: user.name };
    const numbers = { expected: numbersText(expected, told), found: numbersText(told, expected) };
    const words = JSON.stringify([numbers, servedAs]);
    if (words === this.#strangers.get(deviceId)) return;
    this.#strangers.set(deviceId, words);
    const what = isOther
      ? "another printer stands where a device should be"
      : "the printer of a device is served as another device";
    this.#o.log.warn(what, { deviceId, name, ...numbers, ...servedAs });
  }

  #announce(deviceId: string, reason: string): void {
    // Its line is opened when the gateway has given it to this controller, and not before.
    this.#o.channel.send({ type: "device.announce", deviceId, link: "down", reason });
  }

  #complain(reason: string): void {
    if (reason === this.#trouble) return;
    this.#trouble = reason;
    const scope = "give the key the scope devices";
    const cure = this.#o.wanted.length > 0 ? scope : `${scope}, or name the devices with --device`;
    this.#o.log.warn("cannot look for devices", { reason, cure });
  }
}

/** Where it is by what is stored: older versions took what is a fault where somebody writes it today. */
function targetOf({
  transport,
  connectionParams: params,
}: SeenDevice): DetectionTarget | undefined {
  if (!isPlace(params)) return undefined;
  if ("host" in params) {
    const { host, port } = params;
    return transport === "tcp" ? { transport, host, port } : undefined;
  }
  const { address } = params;
  return transport === "serial" || transport === "bluetooth" ? { transport, address } : undefined;
}

/** What answers at the address of a device. */
interface Answered {
  readonly told: PrinterNumbers;
  /** True for another printer than the device's. */
  readonly isOther: boolean;
  /** The device as which it is served. */
  readonly user: SeenDevice | undefined;
}

function judgeAnswer(
  device: SeenDevice,
  told: PrinterNumbers,
  inUse: readonly SeenDevice[],
): Answered {
  const expected = printerOf(device);
  const user = inUse.find((one) => answersFor(printerOf(one), { ...expected, ...told }));
  return { told, isOther: isOtherPrinter(expected, told), user };
}

function isInUse({ effectiveStatus, transport }: SeenDevice): boolean {
  // A simulated printer has its numbers by its model, as real ones may.
  return effectiveStatus !== "offline" && TRANSPORTS.some((one) => one === transport);
}

/** Where two devices are. */
function placesOf(device: SeenDevice, other: SeenDevice): string {
  return JSON.stringify([device, other].map(({ id, connectionParams }) => [id, connectionParams]));
}

/** Its printer by its numbers alone: an address is none that is reached from here. */
function printerOf({ id, serialNumber, fiscalMemorySerialNumber = null }: SeenDevice): Printer {
  return { deviceId: id, serialNumber, fiscalMemorySerialNumber, address: null };
}
