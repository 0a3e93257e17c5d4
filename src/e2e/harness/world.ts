/**
 * A shop of one gateway and one printer, each a process of its own, either of which can be taken
 * away at any moment.
 */

import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { type ApiClient, type Gateway, registerDevice } from "./gateway.ts";
import { Premises } from "./premises.ts";
import { restartPrinter, type SimulatedPrinter, startPrinter } from "./simulator.ts";

export interface WorldOptions {
  readonly driver?: string;
  readonly model?: string;
  /** The printer is at a serial port instead of on the network. */
  readonly serial?: true;
}

const DRIVER = "vendorA.isl";

export class World {
  printer: SimulatedPrinter;

  readonly premises: Premises;
  /** Of the printer; of the gateway too, where no other printer is there. */
  readonly folder: string;
  /** Of the record of its printer, which may be made anew. */
  deviceId: string;
  readonly #options: WorldOptions;

  private constructor(
    place: { readonly premises: Premises; readonly folder: string },
    device: { readonly printer: SimulatedPrinter; readonly id: string },
    options: WorldOptions,
  ) {
    this.premises = place.premises;
    this.folder = place.folder;
    this.printer = device.printer;
    this.deviceId = device.id;
    this.#options = options;
  }

  /** Opens a shop of its own. @param args further arguments of `fiscald serve` */
  static async open({
    args,
    ...options
  }: WorldOptions & { readonly args?: readonly string[] } = {}): Promise<World> {
    const premises = await Premises.open(args);
    return World.#equip(premises, premises.folder, options);
  }

  /** Puts one more printer into a shop. */
  static async openAt(premises: Premises, options: WorldOptions): Promise<World> {
    const folder = await mkdtemp(join(premises.folder, "printer-"));
    return World.#equip(premises, folder, options);
  }

  static async #equip(premises: Premises, folder: string, options: WorldOptions): Promise<World> {
    const printer = await startPrinter(printerOptions(folder, options));
    const { driver = DRIVER } = options;
    const { serialPort } = printerOptions(folder, options);
    const { host, port } = printer;
    const target = serialPort === undefined ? { driver, host, port } : { driver, serialPort };
    const id = await registerDevice(premises.till, target);
    premises.meeting.enter();
    return new World({ premises, folder }, { printer, id }, options);
  }

  /** Of the printer. */
  get driver(): string {
    return this.#options.driver ?? DRIVER;
  }

  get gateway(): Gateway {
    return this.premises.gateway;
  }

  set gateway(gateway: Gateway) {
    this.premises.gateway = gateway;
  }

  /** A till. */
  get till(): ApiClient {
    return this.premises.till;
  }

  /** Of the owner, for what a key may not do. */
  get ownerToken(): string {
    return this.premises.ownerToken;
  }

  get database(): string {
    return join(this.premises.stateDir, "fiscald.db");
  }

  /** With all who are tried at this gateway, when each of them has come to it. */
  killGateway(): Promise<void> {
    return this.premises.killGateway();
  }

  /** Likewise. @param more settings as flags */
  restartGateway(more: readonly string[] = []): Promise<void> {
    return this.premises.restartGateway(more);
  }

  /** Takes the printer's process away and switches it on again at the same address. */
  async restartPrinter(): Promise<void> {
    this.printer = await restartPrinter(this.printer, printerOptions(this.folder, this.#options));
  }

  /** Its story is over: the others at this gateway go on without it. */
  async leave(): Promise<void> {
    this.premises.meeting.leave();
    await this.printer.kill();
  }

  /** With the gateway. */
  async close(): Promise<void> {
    await this.leave();
    await this.premises.close();
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
