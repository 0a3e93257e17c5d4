/** `get_vat_capabilities`: how many rates the device has. */

import { vatGroupName } from "#core/vat.ts";
import type { IslCommand } from "../command.ts";
import { programmableRates } from "../vat-table.ts";

export const getVatCapabilities = {
  type: "get_vat_capabilities",
  needs: ["getVat"],
  execute: async ({ device }) => {
    const maxRates = programmableRates(device.dialect);
    return {
      data: {
        maxRates,
        groups: Array.from({ length: maxRates }, (_, index) => vatGroupName(index + 1)),
        namesProgrammable: false,
        changesLeft: null,
      },
    };
  },
} satisfies IslCommand;
