/**
 * Devices of the variant "KL V2". Their tenders 1 to 3 can be programmed, and 64h tells what each is,
 * by the numbers that the other variant has for them. Where it does not, these are the numbers as
 * delivered, which erpnet/ErpNet.FP, BgTremolZfpV2FiscalPrinter, takes for card and check as well.
 * UNCONFIRMED on a device.
 */

import { PAYMENT_METHODS } from "#core/receipt.ts";
import type { ZfpDialect } from "../dialect.ts";
import { v1 } from "./v1.ts";

const NUMBERS: ZfpDialect["tenders"] = v1.tenders;

export const v2 = {
  name: "v2",
  tenderFields: 11,
  model: /V2$/,
  tenders: { cash: "0", card: "1", check: "2", coupons: "3" },
  programmed: {
    fields: { "1": 7, "2": 8, "3": 9 },
    codes: new Map(
      PAYMENT_METHODS.flatMap((method) => {
        const code = NUMBERS[method];
        return code === undefined ? [] : [[code, method] as const];
      }),
    ),
  },
} as const satisfies ZfpDialect;
