/**
 * `get_vat_capabilities`: how many rates the device has. They can be written only with the
 * password of the service, for which the command has no field: `set_vat_rates` is E201.
 */

import { describeVatGroups } from "../../shared/vat-groups.ts";
import type { ZfpCommand } from "../command.ts";
import { LIMITS } from "../dialect.ts";

export const getVatCapabilities = {
  type: "get_vat_capabilities",
  execute: async () => ({ data: describeVatGroups(LIMITS.vatGroups, false) }),
} satisfies ZfpCommand;
