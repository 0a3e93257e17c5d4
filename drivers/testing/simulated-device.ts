/**
 * A simulated device for tests, and commands run on it as the controller runs them. The device and
 * its drivers live in simulated time: a test is as fast as the machine, and as slow a machine as
 * there may be changes nothing of what happens.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandType } from "#core/command/catalogue.ts";
import type { Baseline } from "#core/command/marks.ts";
import type { CommandSuccess, DriverEnvironment, DriverSession, Line } from "#core/driver.ts";
import type { DriverId } from "#core/driver-id.ts";
import { DocumentInDoubt, FiscalError, isLineFault } from "#core/errors.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import { findDriver } from "../registry.ts";
import { type Simulator, startSimulator } from "../simulator/host.ts";
import { type Dice, seededDice } from "./dice.ts";
import { RecordedProgress } from "./fake-environment.ts";
import { MemoryWire } from "./memory-wire.ts";
import { PtyWire } from "./pty-wire.ts";
import { SimulatedTime } from "./simulated-time.ts";
import { TcpWire } from "./tcp-wire.ts";
import type { DeviceWire } from "./wire.ts";

/** Of what the drivers draw by lot. */
const SEED = 20_260_115;
/** How long a cable that was pulled may take to be back. */
const REPLUG_MS_MAX = 10_000;
/** Between two looks whether it is. */
const REPLUG_LOOK_MS = 10;
/** Connections that a resolution may need when the device is struck again meanwhile. */
const RECONNECTS_MAX = 8;

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
  /** What was sold in each group, with the rate that it had then, in hundredths of a percent. */
  readonly vat: readonly { readonly group: number; readonly rateBasisPoints: number }[];
  /** Of a storno: the sale it names, with its time as the device's clock showed it. */
  readonly original?: { readonly time: string } | null;
}

/** What the API calls a document: its number, or its day and its number within that day. */
export function fiscalIdOf({ number, dayNumber, zNumber }: SimulatedReceipt): string {
  if (dayNumber === null) return String(number);
  return [zNumber, dayNumber].map((part) => String(part).padStart(4, "0")).join("-");
}

/** The parts of the books that tests look at. Amounts are minor units. */
export interface SimulatedBooks {
  readonly receipts: readonly SimulatedReceipt[];
  /** Document number of the last receipt; 0 when there is none. */
  readonly lastReceiptNumber: number;
  readonly openDocument: unknown;
  readonly zNumber: number;
  readonly cash: number;
  readonly frames: number;
  /** Of these, the ones that the host sent again. */
  readonly repeats: number;
  /** What the device's clock shows. */
  readonly clock: { readonly time: string };
}

export interface RunOptions {
  readonly type: CommandType;
  readonly payload?: unknown;
  readonly original?: StoredReceipt;
  readonly progress?: RecordedProgress;
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

/** How a device is reached: without sockets, or over those of the machine. */
export type SimulatedPort = "memory" | "tcp" | "serial";

/** Which device, and where it is reached. */
export interface DevicePlacement {
  readonly driver: DriverId;
  readonly model: string;
  readonly timezone: string;
  /** In memory when absent. */
  readonly port?: SimulatedPort | undefined;
  /** The profile that the device is driven by, where it cannot tell. */
  readonly profile?: string | undefined;
  /** It forgets with its power what may not outlast that. */
  readonly isForgetful?: boolean | undefined;
  /** Warnings stand in its status that fail no command. */
  readonly isWarned?: boolean | undefined;
  /** It tells of documents late, or prints them for long. */
  readonly isSlow?: boolean | undefined;
  /** Stands between each line to it and its driver. */
  readonly over?: ((line: Line) => Line) | undefined;
}

interface DeviceParts {
  readonly simulator: Simulator;
  readonly folder: string;
  readonly time: SimulatedTime;
  readonly wire: DeviceWire;
}

export class SimulatedDevice {
  /** The time in which the device and its drivers live. */
  readonly time: SimulatedTime;
  /** What drivers had to say for the audit log. */
  readonly noted: { action: string; details: Record<string, unknown> }[] = [];
  readonly #placement: DevicePlacement;
  readonly #simulator: Simulator;
  readonly #folder: string;
  readonly #wire: DeviceWire;
  /** What the driver keeps of the device from line to line. */
  readonly #remembered = new Map<string, string>();
  #dice = seededDice(SEED);
  #bytesSent = 0;
  #lastSent = new Uint8Array();

  private constructor(placement: DevicePlacement, parts: DeviceParts) {
    this.#placement = placement;
    this.#simulator = parts.simulator;
    this.#folder = parts.folder;
    this.#wire = parts.wire;
    this.time = parts.time;
  }

  /** Switches a device on. */
  static async start(placement: DevicePlacement): Promise<SimulatedDevice> {
    const { driver, model, isForgetful, isWarned, isSlow, port = "memory" } = placement;
    const folder = mkdtempSync(join(tmpdir(), "simulated-device-"));
    const time = new SimulatedTime();
    const wire = wireOf(port, folder);
    time.watch(wire);
    const simulator = await startSimulator({
      driver,
      model,
      isForgetful,
      isWarned,
      isSlow,
      listen: { open: (device) => wire.openPort(device) },
      control: { host: "127.0.0.1", port: 0 },
      stateFile: join(folder, model),
      now: () => time.now(),
      setTimer: (ms, callback) => time.clock.setTimer(ms, callback),
    });
    return new SimulatedDevice(placement, { simulator, folder, time, wire });
  }

  async stop(): Promise<void> {
    await this.#simulator.stop();
    rmSync(this.#folder, { recursive: true });
  }

  /** @param after leaves receipts up to this document number out: showing them all takes its time */
  books(after = 0): SimulatedBooks {
    return this.#simulator.books(after) as unknown as SimulatedBooks;
  }

  /** The books without their receipts. */
  state(): SimulatedBooks {
    return this.books(Number.MAX_SAFE_INTEGER);
  }

  /** Bytes that drivers have sent to it so far. */
  get bytesSent(): number {
    return this.#bytesSent;
  }

  /** What a driver has sent to it last, in one piece. */
  get lastSent(): Uint8Array {
    return this.#lastSent;
  }

  /** What drivers draw by lot from now on. */
  throwWith(dice: Dice): void {
    this.#dice = dice;
  }

  /** Its gateway is put up anew: nothing is remembered of the device. */
  forget(): void {
    this.#remembered.clear();
  }

  /** A printed or open document as SVG. */
  async picture(number: number): Promise<string> {
    const port = this.#simulator.controlPort;
    return (await fetch(`http://127.0.0.1:${port}/paper/${number}.svg`)).text();
  }

  /** Brings a fault upon the device. */
  async fault(fault: Record<string, unknown>): Promise<void> {
    this.#simulator.bringFault(fault);
  }

  /** Takes all faults away: paper is loaded, the cover closed. */
  async clear(): Promise<void> {
    this.#simulator.clearFaults();
  }

  /** Connects the device's driver. */
  async connect(): Promise<DriverSession> {
    const session = await this.time.run(this.#connect());
    return new TimedSession(session, this.time);
  }

  /** Opens a line to the device; when its cable is out, as soon as it is back. */
  async openLine(): Promise<Line> {
    const { over = (wired: Line) => wired } = this.#placement;
    const line = over(await this.#wire.openLine(this.environment().setTimer));
    return {
      write: (bytes) => {
        this.#bytesSent += bytes.length;
        this.#lastSent = bytes.slice();
        line.write(bytes);
      },
      listen: (listener) => line.listen(listener),
      close: () => line.close(),
    };
  }

  /**
   * What a driver of the device may use of the outside.
   * @param remembered what it keeps from line to line, where it runs in a program of its own
   */
  environment(remembered = this.#remembered): DriverEnvironment {
    const { timezone, profile } = this.#placement;
    return {
      now: () => this.time.now(),
      setTimer: (ms, callback) => this.time.clock.setTimer(ms, callback),
      random: (bound) => this.#dice(bound),
      timezone,
      currency: "EUR",
      ...(profile === undefined ? {} : { profile }),
      remembered,
      note: (action, details) => {
        this.noted.push({ action, details });
      },
      log() {},
    };
  }

  /** Runs a command; in doubt, connects again and resolves. */
  run(options: RunOptions): Promise<Told> {
    return this.time.run(this.#run(options));
  }

  /** Connects and resolves a command that is in doubt. @throws FiscalError E306, E307 to ask again */
  resume({ type, payload = {}, original, progress }: RunOptions): Promise<Told> {
    if (!progress) throw new RangeError("nothing is known of the command");
    const doubt = new DocumentInDoubt(new FiscalError("E102", "in doubt"));
    const command = { id: "cmd_1", type, payload, original };
    return this.time.run(this.#resolve(command, progress, doubt));
  }

  async #connect(): Promise<DriverSession> {
    const driver = findDriver(this.#placement.driver);
    if (!driver) throw new RangeError(`no driver ${this.#placement.driver}`);
    const line = await this.#openWhenBack();
    try {
      return await driver.connect(line, this.environment());
    } catch (error) {
      // A serial port stays locked for as long as somebody has it open.
      line.close();
      throw error;
    }
  }

  async #openWhenBack(): Promise<Line> {
    const endsAt = this.time.now() + REPLUG_MS_MAX;
    for (;;) {
      try {
        return await this.openLine();
      } catch (error) {
        const isOut = error instanceof FiscalError && error.code === "E103";
        if (!isOut || this.time.now() > endsAt) throw error;
        await this.time.sleep(REPLUG_LOOK_MS);
      }
    }
  }

  async #run(options: RunOptions): Promise<Told> {
    const progress = options.progress ?? new RecordedProgress();
    const command = {
      id: "cmd_1",
      type: options.type,
      payload: options.payload ?? {},
      original: options.original,
    };
    const session = await this.#connect();
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
        session = await this.#connect();
        const keep = (learned: Baseline) => progress.keep(learned);
        const resolution = await session.resolve(command, progress.evidence(), keep);
        return {
          outcome: resolution.outcome,
          success: resolution.outcome === "printed" ? resolution.success : undefined,
          error: doubt.cause,
          recovered: true,
        };
      } catch (fault) {
        if (!isLineFault(fault)) throw fault;
      } finally {
        session?.close();
      }
    }
    throw doubt;
  }
}

function wireOf(port: SimulatedPort, folder: string): DeviceWire {
  switch (port) {
    case "memory":
      return new MemoryWire();
    case "tcp":
      return new TcpWire();
    case "serial":
      return new PtyWire(join(folder, "port"));
    default:
      return port satisfies never;
  }
}

/** A session whose calls let time pass until they are over. */
class TimedSession implements DriverSession {
  readonly #session: DriverSession;
  readonly #time: SimulatedTime;

  constructor(session: DriverSession, time: SimulatedTime) {
    this.#session = session;
    this.#time = time;
  }

  get info(): DriverSession["info"] {
    return this.#session.info;
  }

  execute(...call: Parameters<DriverSession["execute"]>): ReturnType<DriverSession["execute"]> {
    return this.#time.run(this.#session.execute(...call));
  }

  resolve(...call: Parameters<DriverSession["resolve"]>): ReturnType<DriverSession["resolve"]> {
    return this.#time.run(this.#session.resolve(...call));
  }

  readStatus(): ReturnType<DriverSession["readStatus"]> {
    return this.#time.run(this.#session.readStatus());
  }

  close(): void {
    this.#session.close();
  }
}
