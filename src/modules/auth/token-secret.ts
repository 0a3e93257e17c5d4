/** The key that signs access tokens. */

import type { ApplianceStore } from "#db/stores/appliance.ts";
import type { Random } from "../../platform/random.ts";

const SECRET_BYTES = 32;

const NAME = "token.secret";

/** The appliance's key; made once and kept, so that logins outlive a restart. */
export function tokenSecret(appliance: ApplianceStore, random: Random): Uint8Array {
  const make = () => random.hex(SECRET_BYTES);
  return Buffer.from(appliance.getOrCreate(NAME, make), "hex");
}

/**
 * Makes a new key: who has the former one, as from a stolen disk, makes no more logins by it. A
 * running gateway keeps to the one that it was started with. Inside an operation.
 */
export function renewTokenSecret(appliance: ApplianceStore, random: Random): void {
  appliance.put(NAME, random.hex(SECRET_BYTES));
}
