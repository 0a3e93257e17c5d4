/** `get_vat_rates`: reads the VAT table. */

import { fromMinor } from "#core/money.ts";
import type { CustomCommand } from "../command.ts";
import { readVatTable } from "../vat-table.ts";

export const getVatRates = {
  type: "get_vat_rates",
  execute: async ({ device }) => {
    const rates = (await readVatTable(device)).map(({ group, rateBasisPoints, isProgrammed }) => ({
      group,
      rate: fromMinor(rateBasisPoints),
      enabled: isProgrammed,
    }));
    return { data: { rates } };
  },
} satisfies CustomCommand;
