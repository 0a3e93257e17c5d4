/** The simulated devices of the CUSTOM protocol. */

import type { DocumentHabits } from "../../simulator/books/other-hands.ts";
import { endingIn, type ModelsOf, type SimulatedModel } from "../../simulator/family.ts";
import { EJECTED, unejected } from "./document.ts";
import type { CustomModel } from "./model.ts";
import { GEN2, GEN3, XON_XOFF } from "./models.ts";
import { numbered } from "./receipt.ts";
import { CustomResponder } from "./responder.ts";
import { TextResponder } from "./text-responder.ts";

export const customSimulators: ModelsOf<"custom.serial"> = {
  gen3: simulated(GEN3),
  gen2: simulated(GEN2),
  xonxoff: mute(XON_XOFF),
};

function simulated(model: CustomModel): SimulatedModel {
  return {
    ...answering(model),
    get slow() {
      return answering({ ...model, tellsOnlyEjected: true });
    },
  };
}

function answering(model: CustomModel): SimulatedModel {
  const { books, layout, timezone } = model;
  const senses = { paperLow: true, dayOver: true };
  return {
    books,
    layout,
    timezone,
    senses,
    habits: habitsOf(model),
    responder: (memory) => new CustomResponder(memory, model),
    numbered: (digits) => simulated(renumbered(model, digits)),
  };
}

/** One that never answers. */
function mute(model: CustomModel): SimulatedModel {
  return {
    ...answering(model),
    responder: (memory) => new TextResponder(memory, model),
    numbered: (digits) => mute(renumbered(model, digits)),
  };
}

function renumbered(model: CustomModel, digits: string): CustomModel {
  const serialNumber = endingIn(model.serialNumber, digits);
  return {
    ...model,
    serialNumber,
    layout: { ...model.layout, serialNumber, fiscalMemory: serialNumber },
  };
}

function habitsOf(model: CustomModel): DocumentHabits {
  return {
    head: (memory, head) => numbered({ memory, model }, head),
    settle: (memory) => {
      const number = unejected(memory.books);
      if (number === undefined) return;
      memory.commit({ entry: "setting", name: EJECTED, value: String(number) });
    },
  };
}
