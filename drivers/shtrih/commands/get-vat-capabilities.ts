/** `get_vat_capabilities`: how many rates the device has. */

import { vatGroupName } from "#core/vat.ts";
import type { ShtrihCommand } from "../command.ts";
import { countGroups } from "../vat-table.ts";

export const getVatCapabilities = {
  type: "get_vat_capabilities",
  execute: async ({ device }) => {
    const maxRates = await countGroups(device);
    return {
      data: {
        maxRates,
        groups: Array.from({ length: maxRates }, (_, index) => vatGroupName(index + 1)),
        namesProgrammable: false,
        changesLeft: null,
      },
    };
  },
} satisfies ShtrihCommand;
