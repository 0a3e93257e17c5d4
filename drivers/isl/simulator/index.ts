/** The simulated devices of the ISL family. */

import type { SimulatedModel, SimulatorFamily } from "../../simulator/family.ts";
import { IslFace } from "./face.ts";
import type { IslModel } from "./model.ts";
import { C, P, RO_LEGACY, RO_X, X } from "./models.ts";

const MODELS: readonly (readonly [string, IslModel])[] = [
  ["x", X],
  ["ro-x", RO_X],
  ["p", P],
  ["c", C],
  ["ro-legacy", RO_LEGACY],
];

/** Models `x` (the default), `ro-x`, `p`, `c` and `ro-legacy`. */
export const islSimulators: SimulatorFamily = {
  defaultModel: "x",
  models: new Map(MODELS.map(([name, model]) => [name, simulated(model)])),
};

function simulated(model: IslModel): SimulatedModel {
  const { books, layout, timezone } = model;
  return { books, layout, timezone, face: (memory) => new IslFace(memory, model) };
}
