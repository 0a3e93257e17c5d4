/** The simulated devices of Shtrih-M. */

import { endingIn, type ModelsOf, type SimulatedModel } from "../../simulator/family.ts";
import type { ShtrihModel } from "./model.ts";
import { FR_K, LIGHT, MOBILE } from "./models.ts";
import { NumberedResponder } from "./numbered-responder.ts";
import { ShtrihResponder } from "./responder.ts";

export const shtrihSimulators: ModelsOf<"vendorF.shtrih"> = {
  "fr-k": simulated(FR_K),
  light: simulated(LIGHT),
  mobile: simulated(MOBILE),
};

/** How long a slow one prints a document. */
const SLOW_MS = 2_000;

function simulated(model: ShtrihModel): SimulatedModel {
  const { books, layout, timezone, sensors } = model;
  const senses = { paperLow: sensors.paperLow, dayOver: true };
  const Responder = model.isNumbered ? NumberedResponder : ShtrihResponder;
  return {
    books,
    layout,
    timezone,
    senses,
    // Payment and closing are one.
    habits: { lacks: ["pay"] },
    get slow() {
      return simulated({ ...model, printsMs: SLOW_MS });
    },
    responder: (memory) => new Responder(memory, model),
    numbered(digits) {
      const serial = endingIn(String(model.identity.serial), digits);
      return simulated({
        ...model,
        identity: { ...model.identity, serial: Number(serial) },
        layout: { ...layout, serialNumber: serial, fiscalMemory: serial },
      });
    },
  };
}
