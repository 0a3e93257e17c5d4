/** `get_operator_capabilities`: what the device stores of its operators. */

import type { ZfpCommand } from "../command.ts";
import { LIMITS } from "../dialect.ts";

export const getOperatorCapabilities = {
  type: "get_operator_capabilities",
  execute: async () => ({
    data: {
      maxOperators: LIMITS.operators,
      maxNameLength: LIMITS.operatorName,
      maxPasswordLength: LIMITS.operatorPassword,
      supportsPassword: true,
      passwordChangeRequiresOldPassword: false,
      canGetOperators: true,
    },
  }),
} satisfies ZfpCommand;
