/** A shop of several printers and one gateway that is killed and started again while it sells. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  ApiClient,
  type Gateway,
  registerDevice,
  registerShop,
  startGateway,
} from "../harness/gateway.ts";
import { ownHost } from "../harness/own-host.ts";
import { type SimulatedPrinter, startPrinter } from "../harness/simulator.ts";

/** How long each device command takes, so that a kill finds printers in the middle of receipts. */
const COMMAND_DELAY_MS = 1;

export interface FloorDevice {
  readonly id: string;
  readonly printer: SimulatedPrinter;
}

export class ShopFloor {
  #gateway: Gateway;
  /** Resolves when the gateway that was started last takes requests. */
  #up: Promise<void> = Promise.resolve();
  kills = 0;

  readonly folder: string;
  readonly devices: readonly FloorDevice[];
  readonly #key: string;

  private constructor(
    gateway: Gateway,
    shop: {
      readonly folder: string;
      readonly devices: readonly FloorDevice[];
      readonly key: string;
    },
  ) {
    this.#gateway = gateway;
    this.folder = shop.folder;
    this.devices = shop.devices;
    this.#key = shop.key;
  }

  /** Opens the shop with one printer of each model named. */
  static async open(models: readonly string[]): Promise<ShopFloor> {
    const folder = await mkdtemp(join(tmpdir(), "fiscald-floor-"));
    const gateway = await startGateway(join(folder, "state"), {
      address: `${ownHost()}:0`,
      args: ["--log-level=warn"],
    });
    const shop = await registerShop(gateway.url);
    const devices = await Promise.all(
      models.map(async (model, index) => {
        const stateFile = join(folder, `printer-${index}.state`);
        const printer = await startPrinter({ stateFile, model, delayMs: COMMAND_DELAY_MS });
        const { host, port } = printer;
        const target = { driver: "vendorA.isl", host, port };
        return { id: await registerDevice(shop.till, target, `Printer ${index}`), printer };
      }),
    );
    return new ShopFloor(gateway, { folder, devices, key: shop.key });
  }

  get database(): string {
    return join(this.folder, "state", "fiscald.db");
  }

  /**
   * Asks the gateway as a till does: where the connection is refused or breaks, once more.
   * @throws Error when a connection breaks though nobody killed the gateway
   */
  async ask<T>(question: (client: ApiClient) => Promise<T>): Promise<T> {
    for (;;) {
      await this.#up;
      const asked = this.#up;
      try {
        return await question(new ApiClient(this.#gateway.url, this.#key));
      } catch (error) {
        if (asked === this.#up) throw error;
      }
    }
  }

  /** Kills the gateway and starts it again at the same address. */
  restartGateway(): Promise<void> {
    this.kills += 1;
    this.#up = this.#killAndStart();
    return this.#up;
  }

  async #killAndStart(): Promise<void> {
    const address = new URL(this.#gateway.url).host;
    await this.#gateway.kill();
    const args = ["--log-level=warn"];
    this.#gateway = await startGateway(join(this.folder, "state"), { address, args });
  }

  /** Asks the gateway to stop. @returns its exit code */
  async stopGateway(): Promise<number> {
    await this.#up;
    return this.#gateway.stop();
  }

  async close(): Promise<void> {
    await this.#up.catch(() => undefined);
    await Promise.all([this.#gateway.kill(), ...this.devices.map(({ printer }) => printer.kill())]);
    await rm(this.folder, { recursive: true, force: true });
  }
}
