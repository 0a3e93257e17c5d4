/** The simulated devices of Shtrih-M. */

import type { SimulatedModel, SimulatorFamily } from "../../simulator/family.ts";
import { ShtrihFace } from "./face.ts";
import type { ShtrihModel } from "./model.ts";
import { FR_K, LIGHT } from "./models.ts";

const MODELS: readonly (readonly [string, ShtrihModel])[] = [
  ["fr-k", FR_K],
  ["light", LIGHT],
];

/** Models `fr-k` (the default) and `light`. */
export const shtrihSimulators: SimulatorFamily = {
  defaultModel: "fr-k",
  models: new Map(MODELS.map(([name, model]) => [name, simulated(model)])),
};

function simulated(model: ShtrihModel): SimulatedModel {
  const { books, layout, timezone } = model;
  return { books, layout, timezone, face: (memory) => new ShtrihFace(memory, model) };
}
