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
  /** Beside a controller in a process of its own. */
  readonly remote?: true;
  /** Reasons for which its protocol may leave an outcome unknown; none when absent. */
  readonly cannotTell?: readonly string[];
}

/** As people read it: `vendorA.isl x`, `vendorA.isl x, serial`. */
export function nameOf({ driver, model, serial, remote }: CrashModel): string {
  return `${driver} ${model}${serial ? ", serial" : ""}${remote ? ", remote" : ""}`;
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

/** Devices with which the same document takes the same way: what is tried is dealt among them. */
export type Family = readonly CrashModel[];

/** No command of it tells of the last receipt. */
const GEN2: CrashModel = {
  driver: "custom.serial",
  model: "gen2",
  cannotTell: ["The device does not tell what its last document was worth"],
};

/**
 * Those of the gate: each driver, each of its generations; one device of each protocol at a serial
 * port, where a line is lost and found in another way than on the network; and two beside a remote
 * controller, where what is different is different with every driver alike. What tells one device
 * of a family from another is its dialect, of which every driver's own sweep tries each frame.
 *
 * A model stands more than once where there is more to try or each frame takes longer, so that no
 * family is still busy when the others are done.
 */
export const GATE_FAMILIES: readonly Family[] = [
  [
    { driver: "vendorA.isl", model: "x" },
    { driver: "vendorA.isl", model: "x", serial: true },
  ],
  [
    { driver: "vendorA.isl", model: "p" },
    { driver: "vendorB.isl", model: "dy" },
    { driver: "vendorC.isl", model: "ed" },
    { driver: "vendorD.isl", model: "in" },
  ],
  [
    { driver: "vendorE.zfp", model: "v1" },
    { driver: "vendorE.zfp", model: "v2" },
    { driver: "vendorE.zfp", model: "v1", serial: true },
  ],
  [
    { driver: "vendorF.shtrih", model: "fr-k" },
    { driver: "vendorF.shtrih", model: "light" },
    { driver: "vendorF.shtrih", model: "fr-k", serial: true },
  ],
  // It takes a while for each frame, because only silence tells where an answer ends.
  Array.from({ length: 6 }, () => GEN2),
  [
    { driver: "custom.serial", model: "gen3" },
    { driver: "custom.serial", model: "gen3", serial: true },
    { driver: "custom.serial", model: "gen3" },
    { driver: "custom.serial", model: "gen3", serial: true },
  ],
  // The driver is another one: the same is what is tried here, the way to it.
  [
    { driver: "vendorA.isl", model: "x", remote: true },
    { driver: "vendorE.zfp", model: "v1", remote: true },
    { driver: "vendorA.isl", model: "x", remote: true },
    { driver: "vendorE.zfp", model: "v1", remote: true },
  ],
];

/** Every model of the gate, each once. */
export const GATE_MODELS: readonly CrashModel[] = [
  ...new Map(GATE_FAMILIES.flat().map((model) => [nameOf(model), model])).values(),
];

/** Those that answer nothing, so that nobody can find out what became of a document. */
const MUTE_MODELS: readonly string[] = ["xonxoff"];

/** Every other model there is, and those above at a serial port. */
export function otherModels(): readonly CrashModel[] {
  const names = GATE_MODELS.map(nameOf);
  return [...SIMULATORS]
    .flatMap(([driver, models]) => [...models.keys()].map((model) => ({ driver, model })))
    .filter(({ model }) => !MUTE_MODELS.includes(model))
    .map((one) => GATE_MODELS.find((other) => nameOf(other) === nameOf(one)) ?? one)
    .flatMap((one): CrashModel[] => [one, { ...one, serial: true }])
    .filter((one) => !names.includes(nameOf(one)));
}
