/** What a caller may hear, and where it goes on. */

import { covers, type Principal, type Scope } from "#core/access.ts";
import { ApiError, validationError } from "#core/errors.ts";
import { EVENT_SCOPES, type StoredEvent } from "#core/events.ts";
import type { EventStore } from "#db/stores/events.ts";
import { nextWorkTurn } from "../../platform/work-turns.ts";

/** What ids of events look like. */
export const EVENT_ID_PATTERN = "^evt_[0-9A-HJKMNP-TV-Z]{26}$";
export const EVENT_ID_RULE = "Expected the id of an event";
const EVENT_ID = new RegExp(EVENT_ID_PATTERN);

/** A credential with any of these hears something. */
export const LISTENING_SCOPES: readonly Scope[] = [...new Set(Object.values(EVENT_SCOPES))];

/** True when the caller may know of an event of its organization. */
export function mayHear(principal: Principal, { event }: StoredEvent): boolean {
  return covers(principal, EVENT_SCOPES[event.type]);
}

/** From where a listener goes on: from now, after an event, or an event that is not kept any more. */
export type Since =
  | { readonly kind: "now" }
  | { readonly kind: "after"; readonly seq: number }
  | { readonly kind: "gone" };

/**
 * Finds the event that a listener heard last.
 * @param heard its id, empty or absent when it heard none, and the parameter that named it
 * @throws ApiError VALIDATION_ERROR for what is no event's id
 */
export async function sinceOf(
  events: Pick<EventStore, "seqOf">,
  orgId: string,
  heard: { readonly id: string | undefined; readonly parameter: string },
): Promise<Since> {
  const { id, parameter } = heard;
  if (id === undefined || id === "") return { kind: "now" };
  if (!EVENT_ID.test(id)) {
    throw validationError([{ path: parameter, message: EVENT_ID_RULE }]);
  }
  const search = events.seqOf(orgId, id);
  let part = search.next();
  for (; !part.done; part = search.next()) await nextWorkTurn();
  const seq = part.value;
  return seq === undefined ? { kind: "gone" } : { kind: "after", seq };
}

/** The refusal of a stream that cannot go on where its reader left off. */
export function eventGone(): ApiError {
  return new ApiError(
    "NOT_FOUND",
    "This event is not kept any more: read the state anew, then listen from now on",
  );
}
