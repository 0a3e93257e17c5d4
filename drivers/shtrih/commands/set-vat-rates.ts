/** `set_vat_rates`: programs the groups that are named, and leaves the others as they are. */

import { vatGroupIndex } from "#core/vat.ts";
import { groupStaysOn, noSuchGroup } from "../../shared/document-faults.ts";
import { readPayload } from "../../shared/payload.ts";
import { checkedRate } from "../../shared/vat-groups.ts";
import type { ShtrihCommand } from "../command.ts";
import { countGroups, writeRate } from "../vat-table.ts";

export const setVatRates = {
  type: "set_vat_rates",
  execute: async ({ device, command, progress }) => {
    const { rates } = readPayload("set_vat_rates", command.payload);
    const wanted = rates.map(({ group, rate, enabled }, index) => {
      if (!enabled) throw groupStaysOn(index);
      return { row: vatGroupIndex(group) ?? 0, basisPoints: checkedRate(index, rate) };
    });
    const most = await countGroups(device);
    if (wanted.some(({ row }) => row > most)) throw noSuchGroup(most);
    await progress.mark("committing");
    for (const { row, basisPoints } of wanted) await writeRate(device, row, basisPoints);
    return { data: { changesLeft: null } };
  },
} satisfies ShtrihCommand;
