/** `get_operators`: reads the operators that have a name; passwords are left where they are. */

import type { ShtrihCommand } from "../command.ts";
import { FACTORY } from "../dialects/factory.ts";
import { toText } from "../fields.ts";
import { NAME_FIELD } from "../operator.ts";
import { TABLE } from "../requests.ts";

export const getOperators = {
  type: "get_operators",
  execute: async ({ device }) => {
    const operators: { operatorId: number; name: string }[] = [];
    for (let operatorId = 1; operatorId <= FACTORY.operators; operatorId += 1) {
      const bytes = await device.readField(TABLE.operators, operatorId, NAME_FIELD);
      const name = toText(bytes).trim();
      if (name !== "") operators.push({ operatorId, name });
    }
    return { data: { operators } };
  },
} satisfies ShtrihCommand;
