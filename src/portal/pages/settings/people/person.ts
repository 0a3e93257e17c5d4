/** A person of the shop as the API has them. */

import type { components } from "../../../../client/index.ts";

/** Somebody who may sign in, or might again. */
export type Person = components["schemas"]["User"];

/** True for whom the shop cannot be without: nobody else could manage it then. */
export function isLastOwner(person: Person, people: readonly Person[]): boolean {
  const owners = people.filter(({ role, active }) => role === "owner" && active);
  return owners.length === 1 && owners[0]?.id === person.id;
}
