/** The devices at which things are taken away: every model of every driver that can be simulated. */

import type { DriverId } from "#core/driver-id.ts";
import { SIMULATORS } from "#drivers/simulator/registry.ts";
import type { BookedReceipt } from "../harness/simulator.ts";

/** A simulated device of a test bed. */
export interface CrashModel {
  readonly driver: DriverId;
  readonly model: string;
  /** It is at a serial port instead of on the network. */
  readonly serial?: true;
  /** Reasons for which its protocol may leave an outcome unknown; none when absent. */
  readonly cannotTell?: readonly string[];
}

/** As people read it: `vendorA.isl x`, `vendorA.isl x, serial`. */
export function nameOf({ driver, model, serial }: CrashModel): string {
  return `${driver} ${model}${serial ? ", serial" : ""}`;
}

/**
 * The fiscal id that the gateway must tell of a receipt in the books of such a device: where the
 * paper has the number of the fiscal day and the receipt's own within it, both of four digits.
 */
export function fiscalIdOf({ driver }: CrashModel, receipt: BookedReceipt): string {
  const { number, zNumber, dayNumber } = receipt;
  if (driver !== "custom.serial") return String(number);
  return [zNumber, dayNumber].map((part) => String(part).padStart(4, "0")).join("-");
}

/** Devices that are tried together, beside one gateway. */
export interface CrashShard {
  readonly models: readonly CrashModel[];
  /**
   * Printers of each model, among which its cases are dealt: as many as make the shards take
   * equally long, although a document takes more frames, or each frame longer, on some devices.
   */
  readonly printers: number;
}

/**
 * Those of the gate, each shard in a test file of its own, so that they can run side by side: each
 * driver, each of its generations; and one device of each protocol at a serial port, where a line
 * is lost and found in another way than on the network.
 */
export const SHARDS = {
  isl: {
    models: [
      { driver: "vendorA.isl", model: "x" },
      { driver: "vendorA.isl", model: "p" },
      { driver: "vendorB.isl", model: "dy" },
      { driver: "vendorC.isl", model: "ed" },
      { driver: "vendorD.isl", model: "in" },
      { driver: "vendorA.isl", model: "x", serial: true },
    ],
    printers: 1,
  },
  zfp: {
    models: [
      { driver: "vendorE.zfp", model: "v1" },
      { driver: "vendorE.zfp", model: "v2" },
      { driver: "vendorE.zfp", model: "v1", serial: true },
    ],
    printers: 2,
  },
  shtrih: {
    models: [
      { driver: "vendorF.shtrih", model: "fr-k" },
      { driver: "vendorF.shtrih", model: "light" },
      { driver: "vendorF.shtrih", model: "fr-k", serial: true },
    ],
    printers: 2,
  },
  "custom-serial": {
    models: [
      { driver: "custom.serial", model: "gen3" },
      { driver: "custom.serial", model: "gen3", serial: true },
    ],
    printers: 3,
  },
  // It takes a while for each frame, because only silence tells where an answer ends.
  "custom-serial-slow": {
    models: [
      {
        driver: "custom.serial",
        model: "gen2",
        // It has no command that tells of the last receipt.
        cannotTell: ["The device does not tell what its last document was worth"],
      },
    ],
    printers: 7,
  },
} as const satisfies Readonly<Record<string, CrashShard>>;

/** The name of a shard, and of its test file. */
export type ShardName = keyof typeof SHARDS;

/** Those that answer nothing, so that nobody can find out what became of a document. */
const MUTE_MODELS: readonly string[] = ["xonxoff"];

/** All models of the gate. */
export const GATE_MODELS: readonly CrashModel[] = Object.values(SHARDS).flatMap(
  ({ models }): readonly CrashModel[] => models,
);

/** Every other model there is, and those above at a serial port. */
export function otherModels(): readonly CrashModel[] {
  const names = GATE_MODELS.map(nameOf);
  return [...SIMULATORS]
    .flatMap(([driver, { models }]) => [...models.keys()].map((model) => ({ driver, model })))
    .filter(({ model }) => !MUTE_MODELS.includes(model))
    .map((one) => GATE_MODELS.find((other) => nameOf(other) === nameOf(one)) ?? one)
    .flatMap((one): CrashModel[] => [one, { ...one, serial: true }])
    .filter((one) => !names.includes(nameOf(one)));
}
