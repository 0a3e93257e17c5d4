/** The simulated devices of Shtrih-M. */

import type { SimulatedModel, SimulatorFamily } from "../../simulator/family.ts";
import { ShtrihFace } from "./face.ts";
import type { ShtrihModel } from "./model.ts";
import { FR_K, LIGHT, MOBILE } from "./models.ts";
import { NumberedFace } from "./numbered-face.ts";

const MODELS: readonly (readonly [string, ShtrihModel])[] = [
  ["fr-k", FR_K],
  ["light", LIGHT],
  ["mobile", MOBILE],
];

/** Models `fr-k` (the default), `light` and `mobile`. */
export const shtrihSimulators: SimulatorFamily = {
  defaultModel: "fr-k",
  models: new Map(MODELS.map(([name, model]) => [name, simulated(model)])),
};

function simulated(model: ShtrihModel): SimulatedModel {
  const { books, layout, timezone, sensors } = model;
  const senses = { paperLow: sensors.paperLow, clockLost: true, dayOver: true };
  const Face = model.isNumbered ? NumberedFace : ShtrihFace;
  return { books, layout, timezone, senses, face: (memory) => new Face(memory, model) };
}
