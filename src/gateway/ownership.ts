/**
 * Who serves which device. The controller that connects to a device and announces it owns it. While
 * its connection is open and it reports its line to the device as up, nobody else can take the
 * device; otherwise whoever announces it next does. A device that the built-in controller is to serve
 * goes to another one that reaches it, until that no longer does: see `Serving`.
 */

import {
  BUILTIN_CONTROLLER,
  type ControllerKey,
  isSameController,
} from "#core/controller/controller.ts";
import type { LinkState } from "#core/controller/messages.ts";
import { isSimulated, type StoredDevice } from "#core/device/device.ts";
import { type LiveDevice, newLiveDevice } from "./live-device.ts";
import type { ControllerSession, Sessions } from "./sessions.ts";

/** What an announcement came to. */
export type Announcement =
  /** It owned the device already. */
  | { readonly kind: "kept"; readonly live: LiveDevice }
  /** It owns it from now on. @property former who did until now, connected or not */
  | {
      readonly kind: "taken";
      readonly live: LiveDevice;
      readonly former: ControllerKey | undefined;
    }
  | { readonly kind: "owned"; readonly ownerId: string };

type OwnedDevice = Pick<StoredDevice, "id" | "orgId" | "transport" | "managedBy">;

export class Ownership {
  readonly #sessions: Sessions;
  readonly #byDevice = new Map<string, LiveDevice>();

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  find(deviceId: string): LiveDevice | undefined {
    return this.#byDevice.get(deviceId);
  }

  /** The connected controller that serves the device. */
  sessionOf(deviceId: string): ControllerSession | undefined {
    const live = this.#byDevice.get(deviceId);
    return live && !live.isKeptOut ? this.#sessions.find(live.owner) : undefined;
  }

  /** True when another controller has the device and is connected. */
  isOthers(deviceId: string, key: ControllerKey): boolean {
    const owner = this.#byDevice.get(deviceId)?.owner;
    return owner !== undefined && !isSameController(owner, key) && this.#isConnected(owner);
  }

  /** The devices that a controller owns, connected or not. */
  ownedBy(key: ControllerKey): LiveDevice[] {
    return [...this.#byDevice.values()].filter(({ owner }) => isSameController(owner, key));
  }

  /** Gives a device to a controller, whoever had it. @returns what is known of it */
  assign(device: OwnedDevice, key: ControllerKey): LiveDevice {
    const live = this.#byDevice.get(device.id);
    if (live && isSameController(live.owner, key)) return live;
    const given = newLiveDevice(device, key);
    this.#byDevice.set(device.id, given);
    return given;
  }

  /** A controller says that it is at a device of its organization, and whether it reaches it. */
  announce(device: OwnedDevice, key: ControllerKey, link: LinkState): Announcement {
    if (isSimulated(device) && !isSameController(key, BUILTIN_CONTROLLER)) {
      // It runs inside the gateway: nobody else can be at it.
      return { kind: "owned", ownerId: BUILTIN_CONTROLLER.controllerId };
    }
    const live = this.#byDevice.get(device.id);
    if (live && isSameController(live.owner, key)) return { kind: "kept", live };
    if (live && live.link === "up" && this.#isConnected(live.owner)) {
      return { kind: "owned", ownerId: live.owner.controllerId };
    }
    if (link === "down" && this.#isBuiltins(device) && key.orgId !== null) {
      // Whoever does not reach it has nothing before the one that is to serve it.
      return { kind: "owned", ownerId: BUILTIN_CONTROLLER.controllerId };
    }
    const taken = newLiveDevice(device, key);
    this.#byDevice.set(device.id, taken);
    return { kind: "taken", live: taken, former: live?.owner };
  }

  /** Nobody serves the device any more. @returns what was known of it */
  release(deviceId: string): LiveDevice | undefined {
    const live = this.#byDevice.get(deviceId);
    this.#byDevice.delete(deviceId);
    return live;
  }

  /** True for a device that the built-in controller is to serve, and can. */
  #isBuiltins({ managedBy }: OwnedDevice): boolean {
    return managedBy === "builtin" && this.#isConnected(BUILTIN_CONTROLLER);
  }

  #isConnected(key: ControllerKey): boolean {
    return this.#sessions.find(key) !== undefined;
  }
}
