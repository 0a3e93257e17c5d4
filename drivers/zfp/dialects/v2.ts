/**
 * Devices of the variant "KL V2". Their tenders 1 to 3 can be programmed; these are the numbers as
 * delivered, which erpnet/ErpNet.FP, BgTremolZfpV2FiscalPrinter, takes for card and check as well.
 * UNCONFIRMED on a device.
 */

import type { ZfpDialect } from "../dialect.ts";

export const v2 = {
  name: "v2",
  model: /V2$/,
  tenders: { cash: "0", card: "1", check: "2", coupons: "3" },
} as const satisfies ZfpDialect;
