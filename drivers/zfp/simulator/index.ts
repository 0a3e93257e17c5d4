/** The simulated devices of the ZFP family. */

import { endingIn, type ModelsOf, type SimulatedModel } from "../../simulator/family.ts";
import { numbered, type ZfpModel } from "./model.ts";
import { V1, V2 } from "./models.ts";
import { ZfpResponder } from "./responder.ts";

export const zfpSimulators: ModelsOf<"vendorE.zfp"> = { v1: simulated(V1), v2: simulated(V2) };

function simulated(model: ZfpModel): SimulatedModel {
  const { books, layout, timezone } = model;
  const senses = { paperLow: true, dayOver: true };
  return {
    books,
    layout,
    timezone,
    senses,
    habits: { head: (memory, head) => numbered(memory, model, head) },
    responder: (memory) => new ZfpResponder(memory, model),
    numbered(digits) {
      const numbers = {
        serialNumber: endingIn(model.serialNumber, digits),
        fiscalMemory: endingIn(model.fiscalMemory, digits),
      };
      return simulated({ ...model, ...numbers, layout: { ...layout, ...numbers } });
    },
  };
}
