/** `get_vat_capabilities`: the VAT groups of the profile. */

import type { CustomCommand } from "../command.ts";

export const getVatCapabilities = {
  type: "get_vat_capabilities",
  execute: async ({ device }) => {
    const groups = Object.keys(device.profile.vat.groups);
    return {
      data: {
        maxRates: groups.length,
        groups,
        namesProgrammable: device.can("setVatRate"),
        ratesProgrammable: device.can("setVatRate"),
        changesLeft: null,
      },
    };
  },
} satisfies CustomCommand;
