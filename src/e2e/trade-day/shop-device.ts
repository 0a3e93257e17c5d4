/** A device of the shop: where it stands, what it prints, and what befalls it. */

import type { DriverId } from "#core/driver-id.ts";
import { findDriver } from "#drivers/registry.ts";
import { type Simulator, startSimulator } from "#drivers/simulator/host.ts";
import type { SimulatedTime } from "#drivers/testing/simulated-time.ts";
import { TcpWire } from "#drivers/testing/tcp-wire.ts";
import { type DeviceProfile, profileOf } from "./device-profile.ts";

/** Turnover of one VAT group; amounts in minor units. */
export interface BookedGroup {
  readonly group: number;
  readonly turnover: number;
}

export interface BookedTender {
  readonly method: string;
  readonly amount: number;
}

/** A fiscal document in the device's books. Amounts in minor units, quantities in thousandths. */
export interface BookedReceipt {
  readonly number: number;
  /** Where the device numbers its documents anew each day. */
  readonly dayNumber?: number | null;
  readonly kind: "sale" | "storno";
  readonly total: number;
  readonly vat: readonly BookedGroup[];
  readonly payments: readonly BookedTender[];
  readonly items: readonly {
    readonly name: string;
    readonly group: number;
    readonly price: number;
    readonly quantity: number;
    /** With its adjustment, negative for a discount. */
    readonly total: number;
    readonly adjustment?: number;
  }[];
  readonly usn: string | null;
  /** Local time of the device's clock, without a zone. */
  readonly time: string;
  readonly zNumber: number;
}

const DIGITS_OF_DAY = 4;

/** What the API calls a document: its number, or its day and its number within that day. */
export function fiscalIdOf(
  document: Pick<BookedReceipt, "number" | "dayNumber" | "zNumber">,
): string {
  const { number, dayNumber, zNumber } = document;
  if (typeof dayNumber !== "number") return String(number);
  const digits = (value: number) => String(value).padStart(DIGITS_OF_DAY, "0");
  return `${digits(zNumber)}-${digits(dayNumber)}`;
}

/** Registers of a fiscal day, closed or not. */
export interface BookedDay {
  readonly sales: number;
  readonly stornos: number;
  readonly vat: readonly BookedGroup[];
  readonly stornoVat: readonly BookedGroup[];
  readonly payments: readonly BookedTender[];
  readonly stornoPayments: readonly BookedTender[];
  readonly cashIn: number;
  readonly cashOut: number;
}

export interface BookedZ extends BookedDay {
  readonly zNumber: number;
  readonly total: number;
  readonly stornoTotal: number;
}

/** What stands open in the device: a receipt, or a text, which has neither items nor payments. */
export interface OpenDocument {
  readonly number: number;
  readonly dayNumber?: number | null;
  readonly kind: "sale" | "storno" | "text";
  readonly paid?: number;
  readonly items?: readonly { readonly name: string }[];
}

/** The device's books as its control port shows them. */
export interface DeviceBooks {
  readonly receipts: readonly BookedReceipt[];
  readonly cancelled: readonly { readonly number: number }[];
  readonly zReports: readonly BookedZ[];
  readonly zNumber: number;
  readonly day: BookedDay;
  readonly cash: number;
  readonly openDocument: OpenDocument | null;
  readonly clock: { readonly time: string };
  readonly frames: number;
}

/** How long each device command takes, in simulated time, so that the day's receipts overlap. */
const COMMAND_MS = 20;

export class ShopDevice {
  readonly wire: TcpWire;
  readonly profile: DeviceProfile;
  readonly #simulator: Simulator;
  readonly #time: SimulatedTime;
  /** Its id in the API, once it is registered. */
  id = "";

  private constructor(
    readonly driver: DriverId,
    { simulator, time, wire }: { simulator: Simulator; time: SimulatedTime; wire: TcpWire },
  ) {
    this.wire = wire;
    this.profile = profileOf(driver);
    this.#simulator = simulator;
    this.#time = time;
  }

  /** Switches a model of a driver's devices on, as delivered; the default one unless named. */
  static async start(
    driver: DriverId,
    options: {
      readonly time: SimulatedTime;
      readonly stateFile: string;
      readonly model?: string | undefined;
    },
  ): Promise<ShopDevice> {
    const { time, stateFile, model } = options;
    const wire = new TcpWire();
    time.watch(wire);
    const { clock } = time;
    // Its clock is its own, and goes on when that of the gateway's machine is set.
    const bootedAt = clock.now() - clock.elapsed();
    const simulator = await startSimulator({
      driver,
      model,
      listen: { open: (device) => wire.openPort(device) },
      control: { host: "127.0.0.1", port: 0 },
      stateFile,
      delayMs: COMMAND_MS,
      now: () => bootedAt + clock.elapsed(),
      setTimer: (ms, callback) => clock.setTimer(ms, callback),
    });
    return new ShopDevice(driver, { simulator, time, wire });
  }

  /** True when the driver can carry out commands of this type. */
  can(type: string): boolean {
    const commands: ReadonlySet<string> = findDriver(this.driver)?.commands ?? new Set();
    return commands.has(type);
  }

  /** What a person reads off the device; the same as `GET /books` of its control port. */
  books(): DeviceBooks {
    // The control port's own answer, whose shape its tests check.
    return this.#simulator.books() as unknown as DeviceBooks;
  }

  /** Sets a fault for a coming frame, or a condition. */
  async fault(fault: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#control("/fault", fault);
  }

  /** Loads paper, closes the cover, and takes waiting faults back. */
  async mend(): Promise<void> {
    await this.#control("/clear", {});
  }

  stop(): Promise<void> {
    return this.#simulator.stop();
  }

  async #control(path: string, body: unknown): Promise<void> {
    await this.#time.standing(async () => {
      const url = `http://127.0.0.1:${this.#simulator.controlPort}${path}`;
      const answer = await fetch(url, { method: "POST", body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    });
  }
}
