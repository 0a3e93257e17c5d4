/** A simulated device at a TCP port, with its control port and a folder of its own, for tests. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Simulator, type SimulatorOptions, startSimulator } from "../host.ts";

const ANYWHERE_FREE = { host: "127.0.0.1", port: 0 };

/** What a rig needs to be told; the ports and the file are its own unless given. */
export type RigOptions = Pick<SimulatorOptions, "driver"> & Partial<SimulatorOptions>;

/** The rigs of the protocols say how a host talks to it. */
export abstract class SimulatorRig {
  readonly folder = mkdtempSync(join(tmpdir(), "fiscald-simulator-"));
  #simulator: Simulator | undefined;

  /** Starts the device; what it remembers is in the folder. */
  protected async startDevice(options: RigOptions): Promise<void> {
    this.#simulator = await startSimulator({
      listen: ANYWHERE_FREE,
      control: ANYWHERE_FREE,
      stateFile: join(this.folder, "device.state"),
      ...options,
    });
  }

  get port(): number {
    return this.#simulator?.port ?? 0;
  }

  /** The books as they are now. */
  protected currentBooks(): Record<string, unknown> {
    return this.#simulator?.books() ?? {};
  }

  /** Calls the control port. */
  control(path: string, init?: RequestInit): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.#simulator?.controlPort}${path}`, init);
  }

  /** Brings a fault upon the device. */
  fault(fault: Record<string, unknown>): Promise<void> {
    return this.#post("/fault", fault);
  }

  /** Takes back what the faults did. */
  clear(): Promise<void> {
    return this.#post("/clear", {});
  }

  /** What the device has printed. */
  async paper(): Promise<string> {
    return (await this.control("/paper")).text();
  }

  /** Ends the process's part of the device; its memory stays. */
  async switchOff(): Promise<void> {
    await this.#simulator?.stop();
    this.#simulator = undefined;
  }

  async end(): Promise<void> {
    await this.switchOff();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #post(path: string, body: Record<string, unknown>): Promise<void> {
    const answer = await this.control(path, { method: "POST", body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  }
}
