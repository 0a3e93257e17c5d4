/** `get_operators`: reads the operators that have a name. Devices never tell passwords. */

import type { IslCommand } from "../command.ts";

export const getOperators = {
  type: "get_operators",
  needs: ["getOperatorName"],
  execute: async ({ device }) => {
    const operators: { operatorId: number; name: string }[] = [];
    for (let id = 1; id <= device.dialect.operators.max; id += 1) {
      const answer = await device.ask("getOperatorName", { operator: String(id) });
      const name = answer.optional("value");
      if (name !== undefined) operators.push({ operatorId: id, name });
    }
    return { data: { operators } };
  },
} satisfies IslCommand;
