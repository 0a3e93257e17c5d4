/** What the gateway is told of one device, kept to be told again to one that has not heard it. */

import type { LinkState } from "#core/controller/messages.ts";
import type { DeviceInfo, DeviceStatus } from "#core/device/device.ts";
import type { Clock } from "../platform/clock.ts";
import type { GatewayChannel } from "./channel.ts";

/** What was said last of the line to the device. */
interface Announced {
  readonly link: LinkState;
  readonly info?: DeviceInfo;
  /** Why it is down. */
  readonly reason?: string;
}

/** Waiting before what the gateway could not take is said again. */
const RETRY_MS = 1_000;

export class DeviceVoice {
  readonly #channel: GatewayChannel;
  readonly #clock: Pick<Clock, "setTimer">;
  readonly #deviceId: string;
  #announced: Announced | undefined;
  /** On the line that is up. */
  #status: DeviceStatus | undefined;
  /** How far its clock was off when it was read last on that line. */
  #clockDriftMs: number | undefined;
  /** Ends the wait for the gateway's word on the line that is up. */
  #heard = (): void => undefined;
  #cancelTimer = (): void => undefined;

  constructor(channel: GatewayChannel, clock: Pick<Clock, "setTimer">, deviceId: string) {
    this.#channel = channel;
    this.#clock = clock;
    this.#deviceId = deviceId;
  }

  /** The line to the device is there, or not. A line that is down for the same reason is no news. */
  announce(announced: Announced): void {
    this.#heard();
    const before = this.#announced;
    const isSaid = before?.link === "down" && before.reason === announced.reason;
    if (announced.link === "down" && isSaid) return;
    this.#cancelTimer();
    this.#announced = announced;
    this.#status = undefined;
    this.#clockDriftMs = undefined;
    this.#tell(announced);
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

  /**
   * The gateway has accepted what was announced.
   * @param link which; an older gateway does not say
   */
  accepted(link: LinkState | undefined): void {
    // The answer to an earlier announcement says nothing of the line that is up now.
    if (link !== "down") this.#heard();
  }

  /** The gateway could not take what was announced, or a state. */
  notTaken(): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#clock.setTimer(RETRY_MS, () => this.again());
  }

  /** Nobody waits for an answer any more. */
  stop(): void {
    this.#cancelTimer();
    this.#heard();
  }

  /** @param clockDriftMs the device's clock minus ours; without it the last one stands */
  status(status: DeviceStatus, clockDriftMs: number | undefined): void {
    this.#status = status;
    this.#clockDriftMs = clockDriftMs ?? this.#clockDriftMs;
    const drift = clockDriftMs === undefined ? {} : { clockDriftMs };
    this.#channel.send({ type: "device.status", deviceId: this.#deviceId, status, ...drift });
  }

  /** Says how things stand. */
  again(): void {
    const announced = this.#announced;
    const status = this.#status;
    if (announced) {
      this.#status = undefined;
      this.#tell(announced);
    }
    // A gateway that was started meanwhile knows of no drift that could stand.
    if (status) this.status(status, this.#clockDriftMs);
  }

  #tell(announced: Announced): void {
    this.#channel.send({ type: "device.announce", deviceId: this.#deviceId, ...announced });
  }
}
