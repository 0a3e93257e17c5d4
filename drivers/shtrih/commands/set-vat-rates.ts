/** `set_vat_rates`: programs the groups that are named, and leaves the others as they are. */

import { FiscalError } from "#core/errors.ts";
import { toMinor } from "#core/money.ts";
import { vatGroupIndex } from "#core/vat.ts";
import { readPayload } from "../../shared/payload.ts";
import type { ShtrihCommand } from "../command.ts";
import { countGroups, RATE_BASIS_POINTS_MAX, writeRate } from "../vat-table.ts";

export const setVatRates = {
  type: "set_vat_rates",
  execute: async ({ device, command, progress }) => {
    const { rates } = readPayload("set_vat_rates", command.payload);
    const wanted = rates.map(({ group, rate, enabled }, index) => {
      const basisPoints = toMinor(rate) ?? 0;
      if (!enabled) {
        throw new FiscalError("E403", `rates.${index}: this device cannot switch a group off`);
      }
      if (basisPoints > RATE_BASIS_POINTS_MAX) {
        throw new FiscalError("E400", `rates.${index}.rate: this device takes up to 99.99`);
      }
      return { row: vatGroupIndex(group) ?? 0, basisPoints };
    });
    const most = await countGroups(device);
    if (wanted.some(({ row }) => row > most)) {
      throw new FiscalError("E403", `This device has VAT groups 1 to ${most}`);
    }
    await progress.mark("committing");
    for (const { row, basisPoints } of wanted) await writeRate(device, row, basisPoints);
    return { data: { changesLeft: null } };
  },
} satisfies ShtrihCommand;
