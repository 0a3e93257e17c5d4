/** The simulated devices of the ISL family, by the driver that they belong to. */

import { endingIn, type ModelsOf, type SimulatedModel } from "../../simulator/family.ts";
import { DY, ED, INCOTEX } from "./maker-models.ts";
import type { IslModel } from "./model.ts";
import { C, C_FW3, P, RO_LEGACY, RO_X, X } from "./models.ts";
import { IslResponder } from "./responder.ts";

export const vendorASimulators: ModelsOf<"vendorA.isl"> = {
  x: simulated(X),
  "ro-x": simulated(RO_X),
  p: simulated(P),
  c: simulated(C),
  "c-fw3": simulated(C_FW3),
  "ro-legacy": simulated(RO_LEGACY),
};
export const vendorBSimulators: ModelsOf<"vendorB.isl"> = { dy: simulated(DY) };
export const vendorCSimulators: ModelsOf<"vendorC.isl"> = { ed: simulated(ED) };
export const vendorDSimulators: ModelsOf<"vendorD.isl"> = { in: simulated(INCOTEX) };

function simulated(model: IslModel): SimulatedModel {
  const { books, layout, timezone, status, generation, refusalNumbers } = model;
  const senses = {
    paperLow: status.paperLow,
    // Short frames have a bit for "not permitted", and some a number for the reason.
    dayOver: generation === "long" || refusalNumbers.day_over !== undefined,
  };
  return {
    books,
    layout,
    timezone,
    senses,
    responder: (memory) => new IslResponder(memory, model),
    get forgetful() {
      return simulated({ ...model, keepsLastReceipt: false });
    },
    get warned() {
      return simulated({ ...model, isWarned: true });
    },
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
