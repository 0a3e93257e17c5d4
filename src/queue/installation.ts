/** Which installation a gateway is: controllers keep for it what they owe it. */

import type { Stores } from "#db/stores/index.ts";
import type { Random } from "../platform/random.ts";

const ID_BYTES = 16;

/** For an installation that begins, and for one that goes on from a copy. */
export function newInstallationId(random: Pick<Random, "hex">): string {
  return random.hex(ID_BYTES);
}

/** Makes sure that it has an id. Within the transaction of the caller. */
export function nameInstallation(
  { appliance }: Pick<Stores, "appliance">,
  random: Pick<Random, "hex">,
): void {
  if (appliance.installationId() === undefined) {
    appliance.putInstallationId(newInstallationId(random));
  }
}
