/** What a protocol family provides so that its devices can be simulated. */

import type { SimulatedModelName } from "#core/device/simulated-models.ts";
import type { DriverId } from "#core/driver-id.ts";
import type { BookModel } from "./books/books.ts";
import type { DeviceMemory } from "./books/memory.ts";
import type { DocumentHabits } from "./books/other-hands.ts";
import type { Responder } from "./engine.ts";
import type { PaperLayout } from "./paper/layout.ts";

/** States that not every device can tell. Whether it tells of its cover, its books say. */
export interface Senses {
  /** A roll that is near its end. */
  readonly paperLow: boolean;
  /** That a receipt is refused because the day is too long, and not for just any reason. */
  readonly dayOver: boolean;
}

/** One model of a family. */
export interface SimulatedModel {
  readonly senses: Senses;
  readonly books: BookModel;
  readonly layout: PaperLayout;
  /** IANA name of the zone that the device's clock is set to when it is new. */
  readonly timezone: string;
  /** What is its own about its documents, for hands other than a line's. */
  readonly habits?: DocumentHabits;
  /** The protocol's side of a device with this memory. */
  responder(memory: DeviceMemory): Responder;
  /**
   * The model without what no source says that its devices keep when the power goes: drivers must
   * allow for both. Absent where nothing like that is in doubt.
   */
  readonly forgetful?: SimulatedModel;
  /**
   * The model with all the warnings up that may stand for weeks while it carries out what it is sent.
   * Absent where the status has none of that kind.
   */
  readonly warned?: SimulatedModel;
  /**
   * The model at its slowest: it tells of a document, and is done with printing it, as late as its
   * protocol leaves open. Absent where nothing is known to come late.
   */
  readonly slow?: SimulatedModel;
  /** Another device of the model. @param digits its serial numbers end in, 1 to 6 of them */
  numbered(digits: string): SimulatedModel;
}

/** A serial number of another device. */
export function endingIn(number: string, digits: string): string {
  return number.slice(0, number.length - digits.length) + digits;
}

/** The models that a driver's devices can be simulated as. */
export type ModelsOf<Driver extends DriverId> = Readonly<
  Record<SimulatedModelName<Driver>, SimulatedModel>
>;
