/** `get_operator_capabilities`: what the device stores of its operators. */

import type { ShtrihCommand } from "../command.ts";
import { FACTORY } from "../dialects/factory.ts";
import { NAME_FIELD } from "../operator.ts";
import { TABLE } from "../requests.ts";

export const getOperatorCapabilities = {
  type: "get_operator_capabilities",
  execute: async ({ device }) => ({
    data: {
      maxOperators: FACTORY.operators,
      maxNameLength: await device.sizeOf(TABLE.operators, NAME_FIELD),
      maxPasswordLength: FACTORY.passwordDigits,
      supportsPassword: true,
      passwordChangeRequiresOldPassword: false,
      canGetOperators: true,
    },
  }),
} satisfies ShtrihCommand;
