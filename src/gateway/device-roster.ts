/**
 * Keeps the built-in controller's devices in step with the registered ones, whoever changed them:
 * the API, or the person at the box through another process.
 */

import { BUILTIN_CONTROLLER } from "#core/controller/controller.ts";
import type { Device, DeviceStore } from "#db/stores/devices.ts";
import type { Controllers } from "./controllers.ts";

export class DeviceRoster {
  readonly #devices: DeviceStore;
  readonly #controllers: Controllers;
  /** What the controller was told of each device. */
  readonly #told = new Map<string, string>();

  constructor(devices: DeviceStore, controllers: Controllers) {
    this.#devices = devices;
    this.#controllers = controllers;
  }

  /** The devices to begin with. */
  initial(): Device[] {
    const devices = this.#wanted();
    for (const device of devices) this.#told.set(device.id, this.#settingsOf(device));
    return devices;
  }

  /** Tells the controller what was added, changed or removed since the last time. */
  sync(): void {
    const wanted = this.#wanted();
    const wantedIds = new Set(wanted.map((device) => device.id));
    for (const deviceId of [...this.#told.keys()]) {
      if (wantedIds.has(deviceId)) continue;
      this.#told.delete(deviceId);
      this.#controllers.release(deviceId);
    }
    for (const device of wanted) {
      const settings = this.#settingsOf(device);
      if (this.#told.get(device.id) === settings) continue;
      this.#told.set(device.id, settings);
      this.#controllers.assign(BUILTIN_CONTROLLER, device);
    }
  }

  /** The rest of a device's row changes all the time. */
  #settingsOf(device: Device): string {
    return JSON.stringify(this.#controllers.configOf(device));
  }

  #wanted(): Device[] {
    return this.#devices.listBuiltin();
  }
}
