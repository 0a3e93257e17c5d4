/** `set_vat_rates`: programs the groups that are named, and leaves the others as they are. */

import { toMinor } from "#core/money.ts";
import { vatGroupIndex } from "#core/vat.ts";
import { groupStaysOn, noSuchGroup } from "../../shared/document-faults.ts";
import { readPayload } from "../../shared/payload.ts";
import type { IslCommand } from "../command.ts";
import { prepareVatTable, programmableRates, readVatTable, writeVatTable } from "../vat-table.ts";

export const setVatRates = {
  type: "set_vat_rates",
  needs: ["getVat", "setVat"],
  execute: async ({ device, command, progress }) => {
    const { rates } = readPayload("set_vat_rates", command.payload);
    const most = programmableRates(device.dialect);
    const wanted = new Map(rates.map((rate) => [vatGroupIndex(rate.group) ?? 0, rate]));
    if (Math.max(...wanted.keys()) > most) throw noSuchGroup(most);
    const canDisable = device.dialect.vatOffRate !== undefined || device.can("getVatSetup");
    const off = canDisable ? -1 : rates.findIndex((rate) => !rate.enabled);
    if (off >= 0) throw groupStaysOn(off);
    const table = (await readVatTable(device)).map((row, index) => {
      const rate = wanted.get(index + 1);
      if (!rate) return row;
      return { ...row, basisPoints: toMinor(rate.rate) ?? 0, enabled: rate.enabled };
    });
    const values = await prepareVatTable(device, table);
    await progress.mark("committing");
    const changesLeft = await writeVatTable(device, values);
    return { data: { changesLeft } };
  },
} satisfies IslCommand;
