/** `get_operators`: reads the operators that have a name. The password that comes along is dropped. */

import type { ZfpCommand } from "../command.ts";
import { LIMITS } from "../dialect.ts";

export const getOperators = {
  type: "get_operators",
  execute: async ({ device }) => {
    const operators: { operatorId: number; name: string }[] = [];
    for (let operatorId = 1; operatorId <= LIMITS.operators; operatorId += 1) {
      const name = (await device.ask("operator", String(operatorId))).field(1);
      if (name !== "") operators.push({ operatorId, name });
    }
    return { data: { operators } };
  },
} satisfies ZfpCommand;
