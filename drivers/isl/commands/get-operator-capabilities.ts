/** `get_operator_capabilities`: what the device stores of its operators. */

import type { IslCommand } from "../command.ts";

export const getOperatorCapabilities = {
  type: "get_operator_capabilities",
  needs: ["setOperatorName"],
  execute: async ({ device }) => {
    const { max, nameLength, passwordLength } = device.dialect.operators;
    const supportsPassword = device.can("setOperatorPassword");
    return {
      data: {
        maxOperators: max,
        maxNameLength: nameLength,
        maxPasswordLength: passwordLength.max,
        supportsPassword,
        passwordChangeRequiresOldPassword: supportsPassword,
        canGetOperators: device.can("getOperatorName"),
      },
    };
  },
} satisfies IslCommand;
