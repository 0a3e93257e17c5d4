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

/**
 * Those of the gate: each driver, each of its generations; and one device of each protocol at a
 * serial port, where a line is lost and found in another way than on the network.
 */
export const GATE_MODELS: readonly CrashModel[] = [
  { driver: "vendorA.isl", model: "x" },
  { driver: "vendorA.isl", model: "p" },
  { driver: "vendorB.isl", model: "dy" },
  { driver: "vendorC.isl", model: "ed" },
  { driver: "vendorD.isl", model: "in" },
  { driver: "vendorE.zfp", model: "v1" },
  { driver: "vendorE.zfp", model: "v2" },
  { driver: "vendorF.shtrih", model: "fr-k" },
  { driver: "vendorF.shtrih", model: "light" },
  { driver: "custom.serial", model: "gen3" },
  { driver: "vendorA.isl", model: "x", serial: true },
  { driver: "vendorE.zfp", model: "v1", serial: true },
  { driver: "vendorF.shtrih", model: "fr-k", serial: true },
  { driver: "custom.serial", model: "gen3", serial: true },
];

/**
 * Those that take a while for each frame, because only silence tells where an answer ends: they are
 * tried apart, at several printers at once.
 */
export const SLOW_MODELS: readonly CrashModel[] = [
  {
    driver: "custom.serial",
    model: "gen2",
    // It has no command that tells of the last receipt.
    cannotTell: ["The device does not tell what its last document was worth"],
  },
];

/** Those that answer nothing, so that nobody can find out what became of a document. */
const MUTE_MODELS: readonly string[] = ["xonxoff"];

/** Every other model there is, and those above at a serial port. */
export function otherModels(): readonly CrashModel[] {
  const known = [...GATE_MODELS, ...SLOW_MODELS];
  const names = known.map(nameOf);
  return [...SIMULATORS]
    .flatMap(([driver, { models }]) => [...models.keys()].map((model) => ({ driver, model })))
    .filter(({ model }) => !MUTE_MODELS.includes(model))
    .map((one) => known.find((other) => nameOf(other) === nameOf(one)) ?? one)
    .flatMap((one): CrashModel[] => [one, { ...one, serial: true }])
    .filter((one) => !names.includes(nameOf(one)));
}
