/** `get_vat_capabilities`: how many rates the device has. */

import { describeVatGroups } from "../../shared/vat-groups.ts";
import type { IslCommand } from "../command.ts";
import { programmableRates } from "../vat-table.ts";

export const getVatCapabilities = {
  type: "get_vat_capabilities",
  needs: ["getVat"],
  execute: async ({ device }) => ({
    data: describeVatGroups(programmableRates(device.dialect), device.can("setVat")),
  }),
} satisfies IslCommand;
