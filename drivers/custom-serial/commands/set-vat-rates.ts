/** `set_vat_rates`: programs groups of the VAT table; each keeps its name. */

import { FiscalError } from "#core/errors.ts";
import { groupStaysOn } from "../../shared/document-faults.ts";
import { readPayload } from "../../shared/payload.ts";
import { checkedRate } from "../../shared/vat-groups.ts";
import type { CustomCommand } from "../command.ts";
import { fitText } from "../text.ts";
import { readVatTable } from "../vat-table.ts";

export const setVatRates = {
  type: "set_vat_rates",
  execute: async ({ device, command, progress }) => {
    const { rates } = readPayload("set_vat_rates", command.payload);
    const { profile } = device;
    device.require("setVatRate", "vatRate");
    const wanted = rates.map(({ group, rate, enabled }, index) => {
      const vat = profile.vat.groups[group];
      if (vat === undefined) {
        throw new FiscalError("E403", `rates.${index}.group: this device has no ${group}`);
      }
      if (!enabled) throw groupStaysOn(index);
      return { vat, rate: checkedRate(index, rate) };
    });
    const table = await readVatTable(device);
    await progress.mark("committing");
    device.kept.keepVatTable(undefined);
    for (const { vat, rate } of wanted) {
      const present = table.find(({ code }) => code === vat);
      const width = profile.limits.vatText;
      const name = present?.name || profile.text.vatName;
      const text = fitText(name, { field: "name", width }, profile);
      const exempt = present?.isExempt === true && rate === 0 ? 1 : 0;
      await device.ask("setVatRate", { vat, rate, exempt, text });
    }
    return { data: {} };
  },
} satisfies CustomCommand;
