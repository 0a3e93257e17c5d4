/**
 * An appliance at which something was done, to begin others from: what hundreds of tests begin with is
 * done once a process, and each of them has it in a database of its own.
 */

import type { StoredEvent } from "#core/events.ts";
import { type Database, openCopy } from "#db/connection.ts";
import { newDatabase } from "#db/testing/new-database.ts";
import { FakeClock } from "../../platform/clock.ts";
import { createRandom } from "../../platform/random.ts";

/** What an appliance has behind it, while its clock stands where it began. Nobody may change it. */
export interface ApplianceCopy {
  /** Of its database. */
  readonly content: Buffer;
  readonly events: readonly StoredEvent[];
  readonly lines: readonly string[];
}

/** What one begins with: nothing, what it was before it was started again, or what another one has. */
export interface Beginning {
  readonly after?: { readonly database: Database; readonly clock: FakeClock };
  readonly copyOf?: ApplianceCopy;
}

/** Its clock, its database, and the source of its ids. */
export function begun({ after, copyOf }: Beginning) {
  const clock = after?.clock ?? new FakeClock();
  if (after) return { clock, database: after.database, random: createRandom(clock) };
  if (copyOf) return { clock, database: openCopy(copyOf.content), random: createRandom(clock) };
  // Ids sort by their making. Those of a copy come behind, though its clock stands where this one stood.
  const before = { now: () => clock.now() - 1 };
  return { clock, database: newDatabase(), random: createRandom(before) };
}
