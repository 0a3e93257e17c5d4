/** What the gateway is told of one device, kept to be told again to one that has not heard it. */

import type { LinkState } from "#core/controller/messages.ts";
import type { DeviceInfo, DeviceStatus } from "#core/device/device.ts";
import type { GatewayChannel } from "./channel.ts";

/** What was said last of the line to the device. */
interface Announced {
  readonly link: LinkState;
  readonly info?: DeviceInfo;
  /** Why it is down. */
  readonly reason?: string;
}

export class DeviceVoice {
  readonly #channel: GatewayChannel;
  readonly #deviceId: string;
  #announced: Announced | undefined;
  /** On the line that is up. */
  #status: DeviceStatus | undefined;
  /** Ends the wait for the gateway's word on the line that is up. */
  #heard = (): void => undefined;

  constructor(channel: GatewayChannel, deviceId: string) {
    this.#channel = channel;
    this.#deviceId = deviceId;
  }

  /** The line to the device is there, or not. */
  announce(announced: Announced): void {
    this.accepted();
    this.#announced = announced;
    this.#status = undefined;
    this.#channel.send({ type: "device.announce", deviceId: this.#deviceId, ...announced });
  }

  /**
   * The line to the device is there. Another printer than its own may answer on it, which the gateway
   * knows: nothing is done there before it has accepted the line.
   * @returns once it has, or nobody waits for that any more
   */
  announceUp(info: DeviceInfo): Promise<void> {
    this.announce({ link: "up", info });
    return new Promise((resolve) => {
      this.#heard = resolve;
    });
  }

  /** The gateway has accepted the line, or it is gone. */
  accepted(): void {
    this.#heard();
  }

  /** @param clockDriftMs the device's clock minus ours; without it the last one stands */
  status(status: DeviceStatus, clockDriftMs: number | undefined): void {
    this.#status = status;
    const drift = clockDriftMs === undefined ? {} : { clockDriftMs };
    this.#channel.send({ type: "device.status", deviceId: this.#deviceId, status, ...drift });
  }

  /** Something was done on the device unasked. */
  note(action: string, details: Record<string, unknown>): void {
    this.#channel.send({ type: "device.note", deviceId: this.#deviceId, action, details });
  }

  /** Says how things stand. */
  again(): void {
    const announced = this.#announced;
    const status = this.#status;
    if (announced) {
      this.#status = undefined;
      this.#channel.send({ type: "device.announce", deviceId: this.#deviceId, ...announced });
    }
    if (status) this.status(status, undefined);
  }
}
