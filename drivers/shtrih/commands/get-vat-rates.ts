/** `get_vat_rates`: reads the tax table. The protocol cannot switch a group off. */

import { fromMinor } from "#core/money.ts";
import { vatGroupName } from "#core/vat.ts";
import type { ShtrihCommand } from "../command.ts";
import { countGroups, readRate } from "../vat-table.ts";

export const getVatRates = {
  type: "get_vat_rates",
  execute: async ({ device }) => {
    const groups = await countGroups(device);
    const rates: { group: string; rate: number; enabled: boolean }[] = [];
    for (let group = 1; group <= groups; group += 1) {
      const rate = fromMinor(await readRate(device, group));
      rates.push({ group: vatGroupName(group), rate, enabled: true });
    }
    return { data: { rates } };
  },
} satisfies ShtrihCommand;
