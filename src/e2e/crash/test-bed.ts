/**
 * One gateway with many printers, each in a process of its own: a gateway that is killed and
 * started again costs the same for one document under way as for one at each printer.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stateFiles } from "../../config/state-files.ts";
import {
  ApiClient,
  type Gateway,
  registerDevice,
  registerShop,
  startGateway,
} from "../harness/gateway.ts";
import { MessageProxy } from "../harness/message-proxy.ts";
import { NO_POLLING } from "../harness/premises.ts";
import { startRemoteController } from "../harness/remote-controller.ts";
import {
  type BookedReceipt,
  type PrinterOptions,
  restartPrinter,
  type SimulatedPrinter,
  startPrinter,
} from "../harness/simulator.ts";
import { type CrashModel, fiscalIdOf } from "./models.ts";
import type { RemotePlace, Seen, StrikablePlace } from "./place.ts";

/** One printer of a test bed. */
export class Stand implements StrikablePlace {
  readonly model: CrashModel;
  readonly seen = new Map<string, Seen>();
  readonly #bed: TestBed;
  #device: RegisteredPrinter;

  private constructor(bed: TestBed, model: CrashModel, device: RegisteredPrinter) {
    this.#bed = bed;
    this.model = model;
    this.#device = device;
  }

  /** Switches a new printer on and registers it as a device. */
  static async open(bed: TestBed, model: CrashModel): Promise<Stand> {
    return new Stand(bed, model, await register(bed, model));
  }

  /** Puts a new printer in the place of one that nobody knows the state of. */
  async renew(): Promise<void> {
    await this.remove();
    this.#device = await register(this.#bed, this.model);
  }

  /** Takes it away, and the controller beside it. */
  async remove(): Promise<void> {
    await this.remote?.kill();
    this.remote?.line.stop();
    await this.printer.kill();
  }

  /** Takes it away, and its device out of the shop. */
  async retire(): Promise<void> {
    await this.till.expect("DELETE", `/devices/${this.deviceId}`);
    await this.remove();
  }

  get printer(): SimulatedPrinter {
    return this.#device.printer;
  }

  get remote(): RemotePlace | undefined {
    return this.#device.remote;
  }

  get deviceId(): string {
    return this.#device.deviceId;
  }

  get database(): string {
    return this.#bed.database;
  }

  /** A till at the gateway as it runs now. */
  get till(): ApiClient {
    return this.#bed.till;
  }

  fiscalIdOf(receipt: BookedReceipt): string {
    return fiscalIdOf(this.model, receipt);
  }

  /** What was written last of it, for whoever looks for the cause of what went wrong. */
  output(): string {
    const { deviceId, remote } = this;
    const gateway = linesWith(deviceId, this.#bed.output());
    const controller = remote ? `\ncontroller:\n${tailOf(remote.output())}` : "";
    return `gateway:\n${tailOf(gateway)}${controller}`;
  }

  async restartPrinter(): Promise<void> {
    const { printer, options } = this.#device;
    this.#device = { ...this.#device, printer: await restartPrinter(printer, options) };
  }
}

interface RegisteredPrinter {
  readonly options: PrinterOptions;
  readonly printer: SimulatedPrinter;
  readonly deviceId: string;
  readonly remote: RemotePlace | undefined;
}

async function register(
  bed: TestBed,
  { driver, model, serial, remote }: CrashModel,
): Promise<RegisteredPrinter> {
  const { folder, till } = bed;
  const own = await mkdtemp(join(folder, "printer-"));
  const serialPort = join(own, "port");
  const stateFile = join(own, "state");
  const options = { driver, model, stateFile, ...(serial ? { serialPort } : {}) };
  const printer = await startPrinter(options);
  const { host, port } = printer;
  const target = serial ? { driver, serialPort } : { driver, host, port };
  if (!remote) {
    return { options, printer, deviceId: await registerDevice(till, target), remote: undefined };
  }
  const deviceId = await registerDevice(till, { ...target, managedBy: "remote" });
  return { options, printer, deviceId, remote: await startBeside(bed, deviceId, own) };
}

/** Starts a controller that serves the device, on a line of its own to the gateway. */
async function startBeside(bed: TestBed, deviceId: string, folder: string): Promise<RemotePlace> {
  const line = new MessageProxy(() => bed.runningUrl);
  const stateDir = join(folder, "controller");
  const start = () =>
    startRemoteController({
      ...{ line, key: bed.key, controllerId: deviceId, stateDir },
      args: [`--device=${deviceId}`],
    });
  let process = await start();
  return {
    line,
    stateDir,
    output: () => process.output(),
    kill: () => process.kill(),
    start: async () => {
      process = await start();
    },
  };
}

/**
 * A user's profile in the place of a built-in one. Of the answers of these devices only silence
 * tells where they end; a simulated one sends each at once, so a shorter silence does.
 */
const QUICK_PROFILE = {
  id: "custom-rt-gen2",
  extends: "custom-rt-gen2",
  version: 1,
  title: "Simulated CUSTOM devices of the second generation",
  timeouts: { quietMs: 10 },
} as const;

export class TestBed {
  readonly folder: string;
  /** Of the till and of the controllers. */
  readonly key: string;
  #gateway: Gateway;
  #isRunning = true;
  readonly #stands: Stand[] = [];

  private constructor(folder: string, gateway: Gateway, key: string) {
    this.folder = folder;
    this.#gateway = gateway;
    this.key = key;
  }

  /** Opens a shop without printers, in a folder of its own. */
  static async open(): Promise<TestBed> {
    const folder = await mkdtemp(join(tmpdir(), "fiscald-crash-"));
    const { profiles } = stateFiles(join(folder, "state"));
    await Bun.write(join(profiles, "quick.json"), JSON.stringify(QUICK_PROFILE));
    // Until the first kill it sees most of what is tried.
    const gateway = await startGatewayIn(folder, "lasting");
    const { key } = await registerShop(gateway.url);
    return new TestBed(folder, gateway, key);
  }

  /** Adds a printer. */
  async addStand(model: CrashModel): Promise<Stand> {
    const stand = await Stand.open(this, model);
    this.#stands.push(stand);
    return stand;
  }

  get till(): ApiClient {
    return new ApiClient(this.#gateway.url, this.key);
  }

  /** Of the gateway; undefined while none is running. */
  get runningUrl(): string | undefined {
    return this.#isRunning ? this.#gateway.url : undefined;
  }

  get database(): string {
    return stateFiles(join(this.folder, "state")).database;
  }

  /** All that the gateway that runs now has written. */
  output(): string {
    return this.#gateway.output();
  }

  async killGateway(): Promise<void> {
    this.#isRunning = false;
    await this.#gateway.kill();
  }

  /** Starts the gateway again on the state it left. */
  async startGateway(): Promise<void> {
    this.#gateway = await startGatewayIn(this.folder);
    this.#isRunning = true;
  }

  /** True when the gateway does not answer, as while it waits for the disk. */
  async isGatewayStuck(): Promise<boolean> {
    try {
      await fetch(`${this.#gateway.url}/livez`, { signal: AbortSignal.timeout(STUCK_MS) });
      return false;
    } catch (error) {
      if (error instanceof DOMException && error.name === "TimeoutError") return true;
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#gateway.kill();
    await Promise.all(this.#stands.map((stand) => stand.remove()));
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Characters of a log that a failure shows. */
const OUTPUT_SHOWN = 4_000;

function tailOf(output: string): string {
  return output.slice(-OUTPUT_SHOWN);
}

function linesWith(text: string, output: string): string {
  return output
    .split("\n")
    .filter((line) => line.includes(text))
    .join("\n");
}

/** A gateway that has answered nothing for so long is taken to be waiting for the disk. */
const STUCK_MS = 250;

function startGatewayIn(folder: string, engine: "brief" | "lasting" = "brief"): Promise<Gateway> {
  return startGateway(join(folder, "state"), { args: [NO_POLLING], engine });
}
