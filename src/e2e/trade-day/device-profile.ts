/** What a cashier must know of each make of device to sell on it. */

import type { DriverId } from "#core/driver-id.ts";
import type { PaymentMethod } from "#core/receipt.ts";

/** VAT groups by the name in the API, with the number under which the device's books have them. */
export type VatGroups = Readonly<Record<string, number>>;

export interface DeviceProfile {
  /** Tenders besides cash. */
  readonly tenders: readonly PaymentMethod[];
  readonly vatGroups: VatGroups;
  /** Adjustments of the subtotal: on any receipt, or on none. */
  readonly modifiers: "any" | "none";
  /** Reversals are paid back in cash, however the sale was paid. */
  readonly stornoInCashOnly: boolean;
  /** Names of goods may have Cyrillic letters. */
  readonly printsCyrillic: boolean;
}

const BULGARIAN_GROUPS: VatGroups = { VAT1: 1, VAT2: 2, VAT3: 3, VAT4: 4, exempt: 1 };

const PROFILES: Readonly<Partial<Record<DriverId, DeviceProfile>>> = {
  "vendorA.isl": {
    tenders: ["card", "check", "coupons", "ext-coupons"],
    vatGroups: BULGARIAN_GROUPS,
    modifiers: "any",
    stornoInCashOnly: false,
    printsCyrillic: true,
  },
  "vendorB.isl": {
    tenders: ["card", "check", "reserved1"],
    vatGroups: BULGARIAN_GROUPS,
    modifiers: "none",
    stornoInCashOnly: true,
    printsCyrillic: true,
  },
  "vendorC.isl": {
    tenders: ["card", "check", "coupons", "packaging", "bank"],
    vatGroups: BULGARIAN_GROUPS,
    modifiers: "none",
    stornoInCashOnly: false,
    printsCyrillic: true,
  },
  "vendorD.isl": {
    tenders: ["card", "check", "reserved1"],
    vatGroups: BULGARIAN_GROUPS,
    modifiers: "none",
    stornoInCashOnly: false,
    printsCyrillic: true,
  },
  "vendorE.zfp": {
    tenders: ["card", "check", "coupons", "packaging", "bank", "reserved2"],
    vatGroups: BULGARIAN_GROUPS,
    modifiers: "any",
    stornoInCashOnly: false,
    printsCyrillic: true,
  },
  "vendorF.shtrih": {
    tenders: ["card", "credit"],
    // What is exempt has no tax group of its own on these; the books count it as a fifth.
    vatGroups: { VAT1: 1, VAT2: 2, VAT3: 3, VAT4: 4, exempt: 5 },
    modifiers: "none",
    stornoInCashOnly: false,
    printsCyrillic: true,
  },
  "custom.serial": {
    tenders: ["card", "check"],
    vatGroups: { VAT1: 1, VAT2: 2, VAT3: 3, VAT4: 4, VAT5: 5, exempt: 5 },
    modifiers: "any",
    stornoInCashOnly: false,
    printsCyrillic: false,
  },
};

/** What every device of the contract takes. */
const CAUTIOUS: DeviceProfile = {
  tenders: ["card"],
  vatGroups: { VAT1: 1, VAT2: 2 },
  modifiers: "none",
  stornoInCashOnly: true,
  printsCyrillic: false,
};

/** The profile of a driver's default model. */
export function profileOf(driver: DriverId): DeviceProfile {
  return PROFILES[driver] ?? CAUTIOUS;
}
