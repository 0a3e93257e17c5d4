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

  constructor(devices: DeviceStore, controllers: Controllers) {
    this.#devices = devices;
    this.#controllers = controllers;
  }

  /** The devices to begin with. */
  initial(): Device[] {
    return this.#devices.listBuiltin();
  }

  /** Tells the controller what was added, changed or removed since the last time. */
  sync(): void {
    const wanted = this.#devices.listBuiltin();
    const ids = new Set(wanted.map((device) => device.id));
    for (const deviceId of this.#controllers.devicesAt(BUILTIN_CONTROLLER)) {
      if (!ids.has(deviceId)) this.#controllers.release(deviceId);
    }
    for (const device of wanted) this.#controllers.serve(device);
  }
}
