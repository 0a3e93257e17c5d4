/**
 * A shop of one gateway and one printer, each a process of its own, either of which can be taken
 * away at any moment.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiClient, type Gateway, registerDevice, registerShop, startGateway } from "./gateway.ts";
import { restartPrinter, type SimulatedPrinter, startPrinter } from "./simulator.ts";

export interface WorldOptions {
  readonly driver?: string;
  readonly model?: string;
  /** The printer is at a serial port instead of on the network. */
  readonly serial?: true;
  /** Further arguments of `fiscald serve`. */
  readonly args?: readonly string[];
}

/** Between two readings of an idle printer: so long that none comes between the frames counted. */
export const NO_POLLING = "--devices-status-seconds=86400";

export class World {
  gateway: Gateway;
  printer: SimulatedPrinter;

  readonly folder: string;
  /** Of the record of its printer, which may be made anew. */
  deviceId: string;
  /** Of the owner, for what a key may not do. */
  readonly ownerToken: string;
  readonly #key: string;
  readonly #options: WorldOptions;

  private constructor(
    parts: { readonly gateway: Gateway; readonly printer: SimulatedPrinter },
    shop: {
      readonly folder: string;
      readonly deviceId: string;
      readonly key: string;
      readonly ownerToken: string;
    },
    options: WorldOptions,
  ) {
    this.gateway = parts.gateway;
    this.printer = parts.printer;
    this.folder = shop.folder;
    this.deviceId = shop.deviceId;
    this.ownerToken = shop.ownerToken;
    this.#key = shop.key;
    this.#options = options;
  }

  /** Opens the shop in a folder of its own. */
  static async open(options: WorldOptions = {}): Promise<World> {
    const folder = await mkdtemp(join(tmpdir(), "fiscald-world-"));
    const [gateway, printer] = await Promise.all([
      startGateway(join(folder, "state"), { args: [NO_POLLING, ...(options.args ?? [])] }),
      startPrinter(printerOptions(folder, options)),
    ]);
    const shop = await registerShop(gateway.url);
    const driver = options.driver ?? "vendorA.isl";
    const { serialPort } = printerOptions(folder, options);
    const { host, port } = printer;
    const target = serialPort === undefined ? { driver, host, port } : { driver, serialPort };
    const deviceId = await registerDevice(shop.till, target);
    return new World(
      { gateway, printer },
      { folder, deviceId, key: shop.key, ownerToken: shop.owner.credential ?? "" },
      options,
    );
  }

  /** A till. */
  get till(): ApiClient {
    return new ApiClient(this.gateway.url, this.#key);
  }

  get database(): string {
    return join(this.folder, "state", "fiscald.db");
  }

  async killGateway(): Promise<void> {
    await this.gateway.kill();
  }

  /** Starts the gateway again on the state it left. @param more settings as flags */
  async restartGateway(more: readonly string[] = []): Promise<void> {
    this.gateway = await startGateway(join(this.folder, "state"), {
      args: [NO_POLLING, ...(this.#options.args ?? []), ...more],
    });
  }

  /** Takes the printer's process away and switches it on again at the same address. */
  async restartPrinter(): Promise<void> {
    this.printer = await restartPrinter(this.printer, printerOptions(this.folder, this.#options));
  }

  async close(): Promise<void> {
    await this.gateway.kill();
    await this.printer.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}

function printerOptions(folder: string, options: WorldOptions) {
  const { driver, model, serial } = options;
  return {
    stateFile: join(folder, "printer.state"),
    ...(serial ? { serialPort: join(folder, "port") } : {}),
    ...(driver === undefined ? {} : { driver }),
    ...(model === undefined ? {} : { model }),
  };
}
