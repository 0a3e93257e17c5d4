/** `get_vat_rates`: reads the VAT table afresh. The device has no word for a group that is off. */

import { FiscalError } from "#core/errors.ts";
import { fromMinor, parseScaled } from "#core/money.ts";
import { vatGroupName } from "#core/vat.ts";
import type { ZfpCommand } from "../command.ts";
import { readVatRates } from "../vat-table.ts";

export const getVatRates = {
  type: "get_vat_rates",
  execute: async ({ device }) => {
    const rates = (await readVatRates(device)).map((text, index) => {
      const basisPoints = parseScaled(text, 2);
      if (basisPoints === undefined) {
        throw new FiscalError("E902", `The rate of VAT group ${index + 1} is not a number`);
      }
      return { group: vatGroupName(index + 1), rate: fromMinor(basisPoints), enabled: true };
    });
    return { data: { rates } };
  },
} satisfies ZfpCommand;
