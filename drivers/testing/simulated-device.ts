/** A simulated device for tests, and commands run on it as the controller runs them. */

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandType } from "#core/command/catalogue.ts";
import type { CommandSuccess, DriverEnvironment, DriverSession, Line } from "#core/driver.ts";
import type { DriverId } from "#core/driver-id.ts";
import { DocumentInDoubt, FiscalError, isLineFault } from "#core/errors.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import { findDriver } from "../registry.ts";
import { type Simulator, startSimulator } from "../simulator/host.ts";
import { openSerial } from "../transport/serial.ts";
import { openTcp } from "../transport/tcp.ts";
import { RecordedProgress } from "./fake-environment.ts";

/** Time of the driver runs this much faster, so that waiting for silence takes milliseconds. */
const HASTE = 40;
/** How long a cable that was pulled may take to be back. */
const REPLUG_MS_MAX = 10_000;
/** Connections that a resolution may need when the device is struck again meanwhile. */
const RECONNECTS_MAX = 8;
/** So many of them in a hurry. */
const HASTY_RECONNECTS = 4;

/** A fiscal document in the books. Amounts are minor units, quantities thousandths. */
export interface SimulatedReceipt {
  readonly number: number;
  /** Its number within its fiscal day, where the device counts like that. */
  readonly dayNumber: number | null;
  readonly zNumber: number;
  readonly kind: "sale" | "storno";
  readonly total: number;
  readonly usn: string | null;
  readonly items: readonly {
    readonly name: string;
    readonly group: number;
    readonly quantity: number;
    readonly price: number;
    readonly total: number;
  }[];
  readonly payments: readonly { readonly method: string; readonly amount: number }[];
}

/** What the API calls a document: its number, or its day and its number within that day. */
export function fiscalIdOf({ number, dayNumber, zNumber }: SimulatedReceipt): string {
  if (dayNumber === null) return String(number);
  return [zNumber, dayNumber].map((part) => String(part).padStart(4, "0")).join("-");
}

/** The parts of the books that tests look at. Amounts are minor units. */
export interface SimulatedBooks {
  readonly receipts: readonly SimulatedReceipt[];
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
  /** The same while it finds out which device is there; as slow as real unless given. */
  readonly connecting?: number;
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

/** Which device, and where it is reached. */
export interface DevicePlacement {
  readonly driver: DriverId;
  readonly model: string;
  readonly timezone: string;
  /** TCP when absent. */
  readonly port?: "tcp" | "serial";
  /** The profile that the device is driven by, where it cannot tell. */
  readonly profile?: string | undefined;
}

interface DevicePlace {
  readonly driver: DriverId;
  readonly folder: string;
  readonly timezone: string;
  readonly port?: string;
  readonly profile?: string | undefined;
}

export class SimulatedDevice {
  readonly #driver: DriverId;
  readonly #simulator: Simulator;
  readonly #folder: string;
  readonly #timezone: string;
  /** What the driver keeps of the device from line to line. */
  readonly #remembered = new Map<string, string>();
  /** The device's serial port; undefined on TCP. */
  readonly #port: string | undefined;
  readonly #profile: string | undefined;
  #bytesSent = 0;

  private constructor(simulator: Simulator, place: DevicePlace) {
    this.#driver = place.driver;
    this.#simulator = simulator;
    this.#folder = place.folder;
    this.#timezone = place.timezone;
    this.#port = place.port;
    this.#profile = place.profile;
  }

  /** A device on TCP or on a serial port. */
  static startAt({ driver, model, timezone, port, profile }: DevicePlacement) {
    const folder = mkdtempSync(join(tmpdir(), "simulated-device-"));
    const place = { driver, folder, timezone, profile };
    const where = port === "serial" ? { ...place, port: join(folder, "port") } : place;
    return SimulatedDevice.#start(model, where);
  }

  /** A device on TCP. */
  static start(driver: DriverId, model: string, timezone: string): Promise<SimulatedDevice> {
    return SimulatedDevice.startAt({ driver, model, timezone });
  }

  /** A device on a serial port. */
  static startOnSerial(driver: DriverId, model: string, timezone: string) {
    return SimulatedDevice.startAt({ driver, model, timezone, port: "serial" });
  }

  static async #start(model: string, place: DevicePlace): Promise<SimulatedDevice> {
    const { driver, folder, port } = place;
    const simulator = await startSimulator({
      driver,
      model,
      listen: port === undefined ? { host: "127.0.0.1", port: 0 } : { pty: port },
      control: { host: "127.0.0.1", port: 0 },
      stateFile: join(folder, model),
    });
    return new SimulatedDevice(simulator, place);
  }

  async stop(): Promise<void> {
    await this.#simulator.stop();
    rmSync(this.#folder, { recursive: true });
  }

  books(): SimulatedBooks {
    return this.#simulator.books() as unknown as SimulatedBooks;
  }

  /** Bytes that drivers have sent to it so far. */
  get bytesSent(): number {
    return this.#bytesSent;
  }

  /** A printed or open document as SVG. */
  async picture(number: number): Promise<string> {
    const port = this.#simulator.controlPort;
    return (await fetch(`http://127.0.0.1:${port}/paper/${number}.svg`)).text();
  }

  /** Brings a fault upon the device. */
  async fault(fault: Record<string, unknown>): Promise<void> {
    await this.#control("/fault", fault);
  }

  /** Takes all faults away: paper is loaded, the cover closed. */
  async clear(): Promise<void> {
    await this.#control("/clear", {});
  }

  /**
   * Connects a driver.
   * @param haste how much faster than real its time runs from then on
   * @param connecting the same while it finds out which device is there: a busy machine may take
   * longer to answer than a hasty driver waits, which then takes the device for another one
   */
  async connect(haste = HASTE, connecting = 1): Promise<DriverSession> {
    const driver = findDriver(this.#driver);
    if (!driver) throw new RangeError(`no driver ${this.#driver}`);
    const pace = { haste: connecting };
    const line = await this.openLine();
    try {
      const environment = this.#environment(pace);
      const session = await driver.connect(line, environment);
      pace.haste = haste;
      return session;
    } catch (error) {
      // A serial port stays locked for as long as somebody has it open.
      line.close();
      throw error;
    }
  }

  /** Connecting is not part of what is tested: it may take its time. */
  async openLine(): Promise<Line> {
    const line = await this.#openLine();
    return {
      write: (bytes) => {
        this.#bytesSent += bytes.length;
        line.write(bytes);
      },
      listen: (listener) => line.listen(listener),
      close: () => line.close(),
    };
  }

  async #openLine(): Promise<Line> {
    const { setTimer } = this.#environment({ haste: 1 });
    const path = this.#port;
    if (path === undefined) {
      return openTcp({ host: "127.0.0.1", port: this.#simulator.port }, { setTimer });
    }
    const endsAt = performance.now() + REPLUG_MS_MAX;
    while (!existsSync(path)) {
      if (performance.now() > endsAt) throw new Error(`the cable is not back: ${path}`);
      await new Promise<void>((resolve) => setTimer(1, resolve));
    }
    return openSerial({ path }, { setTimer });
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
    const session = await this.connect(options.haste, options.connecting);
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
        // The last attempts take their time, whatever else the machine is doing.
        const haste = attempt < HASTY_RECONNECTS ? HASTE : 1;
        session = await this.connect(haste, haste);
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

  #environment(pace: { readonly haste: number }): DriverEnvironment {
    return {
      now: Date.now,
      setTimer(ms, callback) {
        const timer = setTimeout(callback, ms / pace.haste);
        return () => clearTimeout(timer);
      },
      random: (bound) => Math.floor(Math.random() * bound),
      timezone: this.#timezone,
      currency: "EUR",
      ...(this.#profile === undefined ? {} : { profile: this.#profile }),
      remembered: this.#remembered,
      note() {},
      log() {},
    };
  }

  async #control(path: string, body: unknown): Promise<void> {
    const url = `http://127.0.0.1:${this.#simulator.controlPort}${path}`;
    const answer = await fetch(url, { method: "POST", body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  }
}
