/** The versions of this program that a state directory has been run by, as its database keeps them. */

import { type Static, Type } from "@sinclair/typebox";
import { schemaCheckOf } from "#core/schema-check.ts";
import type { ApplianceStore } from "#db/stores/appliance.ts";

const NAME = "versions";
/** So many are kept. */
const KEPT_MAX = 50;
const Versions = Type.Array(Type.Object({ version: Type.String(), since: Type.String() }));
type Versions = Static<typeof Versions>;

/** Those that ran, oldest first. */
export function ranVersions(appliance: Pick<ApplianceStore, "find">): Versions {
  const text = appliance.find(NAME);
  const value: unknown = text === undefined ? [] : JSON.parse(text);
  return schemaCheckOf(Versions).accepts(value) ? value : [];
}

/** This version runs now. @param now UTC milliseconds */
export function noteVersion(appliance: ApplianceStore, version: string, now: number): void {
  const ran = ranVersions(appliance);
  if (ran.at(-1)?.version === version) return;
  const entry = { version, since: new Date(now).toISOString() };
  appliance.put(NAME, JSON.stringify([...ran, entry].slice(-KEPT_MAX)));
}
