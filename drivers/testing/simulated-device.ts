/** A simulated device for tests, and commands run on it as the controller runs them. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandType } from "#core/command/catalogue.ts";
import type { CommandSuccess, DriverEnvironment, DriverId, DriverSession } from "#core/driver.ts";
import { DocumentInDoubt, FiscalError, isLineFault } from "#core/errors.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import { findDriver } from "../registry.ts";
import { type Simulator, startSimulator } from "../simulator/host.ts";
import { openTcp } from "../transport/tcp.ts";
import { RecordedProgress } from "./fake-environment.ts";

/** Time of the driver runs this much faster, so that waiting for silence takes milliseconds. */
const HASTE = 40;
/** Connections that a resolution may need when the device is struck again meanwhile. */
const RECONNECTS_MAX = 5;

/** The parts of the books that tests look at. Amounts are minor units. */
export interface SimulatedBooks {
  readonly receipts: readonly {
    readonly number: number;
    readonly kind: "sale" | "storno";
    readonly total: number;
    readonly usn: string | null;
    readonly items: readonly { readonly name: string; readonly group: number }[];
    readonly payments: readonly { readonly method: string; readonly amount: number }[];
  }[];
  readonly openDocument: unknown;
  readonly zNumber: number;
  readonly cash: number;
  readonly frames: number;
}

export interface RunOptions {
  readonly type: CommandType;
  readonly payload?: unknown;
  readonly original?: StoredReceipt;
  readonly progress?: RecordedProgress;
  /** How much faster than real the driver's time runs. */
  readonly haste?: number;
  /** Called when the device is connected, right before the command. */
  readonly begun?: () => Promise<void>;
}

/** What the controller would tell of a command in the end. */
export interface Told {
  readonly outcome: "printed" | "not_printed" | "unknown";
  readonly success: CommandSuccess | undefined;
  /** Why it failed, or what put it in doubt. */
  readonly error: FiscalError | undefined;
  readonly recovered: boolean;
}

export class SimulatedDevice {
  readonly #driver: DriverId;
  readonly #simulator: Simulator;
  readonly #folder: string;
  readonly #timezone: string;

  private constructor(
    simulator: Simulator,
    of: { readonly driver: DriverId; readonly folder: string; readonly timezone: string },
  ) {
    this.#simulator = simulator;
    this.#driver = of.driver;
    this.#folder = of.folder;
    this.#timezone = of.timezone;
  }

  static async start(driver: DriverId, model: string, timezone: string): Promise<SimulatedDevice> {
    const folder = mkdtempSync(join(tmpdir(), "simulated-device-"));
    const simulator = await startSimulator({
      driver,
      model,
      listen: { host: "127.0.0.1", port: 0 },
      control: { host: "127.0.0.1", port: 0 },
      stateFile: join(folder, model),
    });
    return new SimulatedDevice(simulator, { driver, folder, timezone });
  }

  async stop(): Promise<void> {
    await this.#simulator.stop();
    rmSync(this.#folder, { recursive: true });
  }

  books(): SimulatedBooks {
    return this.#simulator.books() as unknown as SimulatedBooks;
  }

  /** Brings a fault upon the device. */
  async fault(fault: Record<string, unknown>): Promise<void> {
    await this.#control("/fault", fault);
  }

  /** Takes all faults away: paper is loaded, the cover closed. */
  async clear(): Promise<void> {
    await this.#control("/clear", {});
  }

  async connect(haste = HASTE): Promise<DriverSession> {
    const driver = findDriver(this.#driver);
    if (!driver) throw new RangeError(`no driver ${this.#driver}`);
    const environment = hastyEnvironment(this.#timezone, haste);
    const target = { host: "127.0.0.1", port: this.#simulator.port };
    // Connecting is not part of what is tested: it may take its time.
    const line = await openTcp(target, { setTimer: hastyEnvironment(this.#timezone, 1).setTimer });
    return driver.connect(line, environment);
  }

  /** Runs a command; in doubt, connects again and resolves. */
  async run(options: RunOptions): Promise<Told> {
    const progress = options.progress ?? new RecordedProgress();
    const command = {
      id: "cmd_1",
      type: options.type,
      payload: options.payload ?? {},
      original: options.original,
    };
    const session = await this.connect(options.haste);
    try {
      await options.begun?.();
      const success = await session.execute(command, progress);
      return { outcome: "printed", success, error: undefined, recovered: false };
    } catch (error) {
      if (error instanceof FiscalError) {
        return { outcome: "not_printed", success: undefined, error, recovered: false };
      }
      if (!(error instanceof DocumentInDoubt)) throw error;
      session.close();
      return await this.#resolve(command, progress, error);
    } finally {
      session.close();
    }
  }

  async #resolve(
    command: Parameters<DriverSession["resolve"]>[0],
    progress: RecordedProgress,
    doubt: DocumentInDoubt,
  ): Promise<Told> {
    for (let attempt = 0; attempt < RECONNECTS_MAX; attempt += 1) {
      let session: DriverSession | undefined;
      try {
        session = await this.connect();
        const resolution = await session.resolve(command, progress.evidence());
        return {
          outcome: resolution.outcome,
          success: resolution.outcome === "printed" ? resolution.success : undefined,
          error: doubt.cause,
          recovered: true,
        };
      } catch (fault) {
        // In such a hurry a device may seem to be another one (E200): it refuses our frames of the
        // other generation, and has not answered those of its own in time.
        const isHaste = fault instanceof FiscalError && fault.code === "E200";
        if (!isHaste && !isLineFault(fault)) throw fault;
      } finally {
        session?.close();
      }
    }
    throw doubt;
  }

  async #control(path: string, body: unknown): Promise<void> {
    const url = `http://127.0.0.1:${this.#simulator.controlPort}${path}`;
    const answer = await fetch(url, { method: "POST", body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  }
}

function hastyEnvironment(timezone: string, haste: number): DriverEnvironment {
  return {
    now: Date.now,
    setTimer(ms, callback) {
      const timer = setTimeout(callback, ms / haste);
      return () => clearTimeout(timer);
    },
    random: (bound) => Math.floor(Math.random() * bound),
    timezone,
    currency: "EUR",
    remembered: new Map(),
    note() {},
    log() {},
  };
}
