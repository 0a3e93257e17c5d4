/** The simulated devices of the ISL family, by the driver that they belong to. */

import { endingIn, type SimulatedModel, type SimulatorFamily } from "../../simulator/family.ts";
import { DY, ED, INCOTEX } from "./maker-models.ts";
import type { IslModel } from "./model.ts";
import { C, C_FW3, P, RO_LEGACY, RO_X, X } from "./models.ts";
import { IslResponder } from "./responder.ts";

/** vendorA: `x`, `ro-x`, `p`, `c`, `c-fw3` and `ro-legacy`. */
export const vendorASimulators = family([
  ["x", X],
  ["ro-x", RO_X],
  ["p", P],
  ["c", C],
  ["c-fw3", C_FW3],
  ["ro-legacy", RO_LEGACY],
]);
export const vendorBSimulators = family([["dy", DY]]);
export const vendorCSimulators = family([["ed", ED]]);
export const vendorDSimulators = family([["in", INCOTEX]]);

/** The first model is the default. */
function family(
  models: readonly [readonly [string, IslModel], ...(readonly [string, IslModel])[]],
) {
  return {
    defaultModel: models[0][0],
    models: new Map(models.map(([name, model]) => [name, simulated(model)])),
  } satisfies SimulatorFamily;
}

function simulated(model: IslModel): SimulatedModel {
  const { books, layout, timezone, status, generation, refusalNumbers } = model;
  const senses = {
    paperLow: status.paperLow,
    clockLost: status.clock,
    // Short frames have a bit for "not permitted", and some a number for the reason.
    dayOver: generation === "long" || refusalNumbers.day_over !== undefined,
  };
  return {
    books,
    layout,
    timezone,
    senses,
    responder: (memory) => new IslResponder(memory, model),
    numbered(digits) {
      const { serialNumber, fiscalMemory } = model.identity;
      const numbers = {
        serialNumber: endingIn(serialNumber, digits),
        fiscalMemory: endingIn(fiscalMemory, digits),
      };
      return simulated({
        ...model,
        identity: { ...model.identity, ...numbers },
        layout: { ...layout, ...numbers },
      });
    },
  };
}
