/** `set_vat_rates`: programs the groups that are named, and leaves the others as they are. */

import { FiscalError } from "#core/errors.ts";
import { toMinor } from "#core/money.ts";
import { vatGroupIndex } from "#core/vat.ts";
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
    if (Math.max(...wanted.keys()) > most) {
      throw new FiscalError("E403", `This device has VAT groups 1 to ${most}`);
    }
    const canDisable = device.dialect.vatOffRate !== undefined || device.can("getVatSetup");
    if (!canDisable && rates.some((rate) => !rate.enabled)) {
      throw new FiscalError("E400", "rates: this device cannot switch a VAT group off");
    }
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
