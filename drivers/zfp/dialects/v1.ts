/** Devices of the first variant: A19Plus, S21, M20, M23, FP15, SB, S25, FP24. */

import type { ZfpDialect } from "../dialect.ts";

export const v1 = {
  name: "v1",
  tenderFields: 13,
  model: /^(?!.*V2$)/,
  // 11 is a foreign currency with a rate of its own, which a payment of ours does not carry.
  tenders: {
    cash: "0",
    check: "1",
    coupons: "2",
    "ext-coupons": "3",
    packaging: "4",
    "internal-usage": "5",
    damage: "6",
    card: "7",
    bank: "8",
    reserved1: "9",
    reserved2: "10",
  },
} as const satisfies ZfpDialect;
