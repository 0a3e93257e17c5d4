/** `get_vat_rates`: reads the VAT table afresh. */

import { fromMinor } from "#core/money.ts";
import type { IslCommand } from "../command.ts";
import { readVatTable } from "../vat-table.ts";

export const getVatRates = {
  type: "get_vat_rates",
  needs: ["getVat"],
  execute: async ({ device }) => {
    const table = await readVatTable(device);
    return {
      data: {
        rates: table.map(({ group, basisPoints, enabled }) => ({
          group,
          rate: fromMinor(basisPoints),
          enabled,
        })),
      },
    };
  },
} satisfies IslCommand;
