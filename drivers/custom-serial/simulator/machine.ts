/** The device behind its line: carries commands out, whichever way they came. */

import type { DeviceMemory } from "../../simulator/books/memory.ts";
import { COMMANDS } from "./commands.ts";
import {
  type DeviceCommand,
  Fields,
  Refused,
  switchedOn,
  type VolatileState,
} from "./device-command.ts";
import { ERROR, SEE_LAST_ERROR, SHORT_ERROR_MAX } from "./error-codes.ts";
import type { CustomModel } from "./model.ts";

const ECHO_LENGTH = 4;

export class Machine {
  readonly #memory: DeviceMemory;
  readonly #model: CustomModel;
  #volatile: VolatileState = switchedOn();

  constructor(memory: DeviceMemory, model: CustomModel) {
    this.#memory = memory;
    this.#model = model;
  }

  /** The power was off: forgets what no battery keeps. */
  forget(): void {
    this.#volatile = switchedOn();
  }

  /** Carries a command out. @returns its four digits and data, or `ERR` and a number */
  carryOut(text: string): string {
    const echo = text.slice(0, ECHO_LENGTH);
    const command: DeviceCommand = {
      memory: this.#memory,
      model: this.#model,
      volatile: this.#volatile,
      fields: new Fields(text.slice(ECHO_LENGTH)),
    };
    try {
      const handler = COMMANDS.get(echo);
      if (!handler) throw new Refused(ERROR.unknownCommand);
      if (this.#memory.isRefusing) throw new Refused(ERROR.length);
      const data = handler(command);
      if (this.#memory.isDenying) throw new Refused(ERROR.length);
      return echo + data;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#volatile.lastError = error.number;
      const told = error.number > SHORT_ERROR_MAX ? SEE_LAST_ERROR : error.number;
      return `ERR${String(told).padStart(2, "0")}`;
    }
  }
}
