/** The key that signs access tokens. */

import type { ApplianceStore } from "#db/stores/appliance.ts";
import type { Random } from "../../platform/random.ts";

const SECRET_BYTES = 32;

/** The appliance's key; made once and kept, so that logins outlive a restart. */
export function tokenSecret(appliance: ApplianceStore, random: Random): Uint8Array {
  const make = () => random.hex(SECRET_BYTES);
  return Buffer.from(appliance.getOrCreate("token.secret", make), "hex");
}
