/** A simulated ISL device with a raw host at its line, for tests. */

import type { DriverId } from "#core/driver-id.ts";
import type { SimulatorOptions } from "../../../simulator/host.ts";
import { SimulatorRig } from "../../../simulator/testing/simulator-rig.ts";
import { RawHost } from "./raw-host.ts";

/** 15 March 2024, 12:05:09 UTC: 14:05:09 in Sofia and Bucharest. */
const RIG_START = Date.UTC(2024, 2, 15, 12, 5, 9);

/** The models of vendorA. */
export const MODELS = ["x", "ro-x", "p", "c", "ro-legacy"] as const;
/** The models of the other makers, and the drivers that they belong to. */
const MAKER_MODELS = {
  dy: "vendorB.isl",
  ed: "vendorC.isl",
  in: "vendorD.isl",
} as const satisfies Record<string, DriverId>;
export type MakerModelName = keyof typeof MAKER_MODELS;
export type ModelName = (typeof MODELS)[number] | MakerModelName;

/** True for a model of another maker. */
export function isMakerModel(model: string): model is MakerModelName {
  return Object.hasOwn(MAKER_MODELS, model);
}

/** A receipt as `GET /books` shows it, as far as tests look at it. */
export interface BookedReceipt {
  readonly number: number;
  readonly kind: string;
  readonly total: number;
  readonly change: number;
  readonly usn: string | null;
  readonly time: string;
  readonly vat: readonly {
    readonly group: number;
    readonly turnover: number;
    readonly tax: number;
  }[];
  readonly payments: readonly { readonly method: string; readonly amount: number }[];
  readonly items: readonly { readonly name: string; readonly total: number }[];
  readonly original?: { readonly number: number; readonly fiscalMemory: string };
  readonly reason?: string;
}

export interface BooksAnswer {
  readonly receipts: readonly BookedReceipt[];
  readonly cancelled: readonly { readonly number: number; readonly total: number }[];
  readonly documentNumber: number;
  readonly zNumber: number;
  readonly zReports: readonly { readonly zNumber: number; readonly total: number }[];
  readonly cash: number;
  readonly openDocument: {
    readonly number: number;
    readonly total: number;
    readonly paid: number;
  } | null;
  readonly clock: { readonly time: string; readonly set: boolean };
  readonly conditions: { readonly paper: string; readonly cover: string };
  readonly header: readonly string[];
  readonly operators: readonly { readonly name: string }[];
  readonly frames: number;
  readonly holding: boolean;
}

export class Rig extends SimulatorRig {
  readonly model: ModelName;
  /** What the computer's clock says; tests move it. */
  now = RIG_START;
  #hosts: RawHost[] = [];

  constructor(model: ModelName) {
    super();
    this.model = model;
  }

  /** Starts a device and connects a host. */
  static async start(model: ModelName, options: Partial<SimulatorOptions> = {}): Promise<Rig> {
    const rig = new Rig(model);
    await rig.switchOn(options);
    return rig;
  }

  async switchOn(options: Partial<SimulatorOptions> = {}): Promise<void> {
    await this.startDevice({
      driver: isMakerModel(this.model) ? MAKER_MODELS[this.model] : "vendorA.isl",
      model: this.model,
      now: () => this.now,
      ...options,
    });
    await this.connect();
  }

  /** The host that connected last. */
  get host(): RawHost {
    const host = this.#hosts[this.#hosts.length - 1];
    if (!host) throw new Error("no host is connected");
    return host;
  }

  async connect(): Promise<RawHost> {
    const generation = this.model === "x" || this.model === "ro-x" ? "long" : "short";
    const host = await RawHost.connect(this.port, generation);
    this.#hosts.push(host);
    return host;
  }

  /** The data of the answer. */
  async ask(command: number, text = ""): Promise<string> {
    return (await this.host.ask(command, text)).text;
  }

  async books(): Promise<BooksAnswer> {
    const response = await this.control("/books");
    return (await response.json()) as BooksAnswer;
  }

  override async switchOff(): Promise<void> {
    for (const host of this.#hosts) host.close();
    this.#hosts = [];
    await super.switchOff();
  }
}

export const USN = "DT577430-0001-0000001";

interface Forms {
  readonly open: readonly [number, string];
  /** Coffee, 12.50, in the second VAT group. */
  readonly sale: readonly [number, string];
  /** 20.00 in cash. */
  readonly payment: readonly [number, string];
}

/** How each model takes the simplest receipt. */
export const FORMS: Readonly<Record<ModelName, Forms>> = {
  x: {
    open: [48, `1\t0000\t${USN}\t1\t\t`],
    sale: [49, "Coffee\t2\t12.50\t\t\t\t\t"],
    payment: [53, "0\t20.00\t\t"],
  },
  "ro-x": {
    open: [48, "1\t0000\t1\t"],
    sale: [49, "Coffee\t2\t12.50\t1.000\t\t\t\tBUC\t"],
    payment: [53, "0\t20.00\t"],
  },
  p: {
    open: [48, `1,0000,1,${USN}`],
    sale: [49, "Coffee\tБ12.50"],
    payment: [53, "\tP20.00"],
  },
  c: {
    open: [48, `1,1,${USN},1`],
    sale: [49, "Coffee\tБ12.50"],
    payment: [53, "\tP20.00"],
  },
  "ro-legacy": {
    open: [48, "1,0000,1"],
    sale: [49, "Coffee\tB12.50*1.000"],
    payment: [53, "\tP+20.00"],
  },
  dy: {
    open: [48, `1,1,${USN}`],
    sale: [49, "Coffee\tБ12.50"],
    payment: [53, "\tP20.00"],
  },
  ed: {
    open: [144, `Оператор: 1,${USN}`],
    sale: [49, "Coffee\tБ12.50"],
    payment: [53, "\tP20.00"],
  },
  in: {
    open: [48, `1,${USN},0`],
    sale: [49, "Coffee\tБ12.50"],
    payment: [53, "\tP20.00"],
  },
};

/** Sells one coffee and leaves the receipt open and unpaid. */
export async function openWithSale(rig: Rig): Promise<void> {
  const { open, sale } = FORMS[rig.model];
  await rig.ask(...open);
  await rig.ask(...sale);
}

/** Prints a whole receipt: one coffee, 12.50, paid with 20.00. */
export async function printReceipt(rig: Rig): Promise<void> {
  await openWithSale(rig);
  await rig.ask(...FORMS[rig.model].payment);
  await rig.ask(56);
}
