/** `get_vat_capabilities`: how many rates the device has. */

import { describeVatGroups } from "../../shared/vat-groups.ts";
import type { ShtrihCommand } from "../command.ts";
import { countGroups } from "../vat-table.ts";

export const getVatCapabilities = {
  type: "get_vat_capabilities",
  execute: async ({ device }) => ({ data: describeVatGroups(await countGroups(device), true) }),
} satisfies ShtrihCommand;
