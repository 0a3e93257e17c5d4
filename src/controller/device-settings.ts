/** What a session was told of its device, and when a new place of it counts. */

import { type DeviceConfig, isSameLine, isSamePlace } from "#core/device/device.ts";
import type { Job } from "./job.ts";

export class DeviceSettings {
  #current: DeviceConfig;
  /** As told last. */
  #told: DeviceConfig;

  constructor(device: DeviceConfig) {
    this.#current = device;
    this.#told = device;
  }

  /** What the line to the device is opened with. */
  get current(): DeviceConfig {
    return this.#current;
  }

  /** Takes new ones. @returns false for those that need another line to the device, which is none of this session */
  take(device: DeviceConfig): boolean {
    if (!isSameLine(device, this.#current)) return false;
    this.#told = device;
    return true;
  }

  /** True while the device runs by another place than was told. */
  get isMoving(): boolean {
    return !isSamePlace(this.#told, this.#current);
  }

  /**
   * Takes a new place up, unless a document is under way: what is read and told of that is by the clock, and
   * in the currency, with which it began.
   * @param next what would be done next
   * @returns true when the device runs by another place from now on
   */
  moveBefore(next: Pick<Job, "inDoubt" | "mark"> | undefined): boolean {
    const isUnderWay = next !== undefined && (next.inDoubt || next.mark !== undefined);
    if (isUnderWay || !this.isMoving) return false;
    this.#current = this.#told;
    return true;
  }
}
