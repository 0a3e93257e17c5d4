/**
 * Tickets: what a browser, which cannot send a credential with a WebSocket, puts into the address
 * instead. Each opens one connection, soon, as whoever asked for it.
 */

import type { Principal } from "#core/access.ts";
import type { RequireStanding } from "../../http/credentials.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Random } from "../../platform/random.ts";

/** Time between asking for a ticket and using it. */
export const TICKET_MS = 30_000;
/** Tickets that nobody has used yet; beyond it the oldest goes. */
const TICKETS_MAX = 1_000;
const TICKET_BYTES = 32;

interface Ticket {
  readonly principal: Principal;
  /** By `elapsed`, so that a clock that is set gives nobody more time. */
  readonly until: number;
}

/** The tickets of this process. */
export interface Tickets {
  /** @returns the ticket and its end, UTC milliseconds */
  issue(principal: Principal): { readonly ticket: string; readonly expiresAt: number };
  /**
   * Whose it is, once; undefined when it was used, is too old, or was never issued.
   * @throws ApiError TOKEN_EXPIRED or UNAUTHORIZED when whoever asked for it may no longer do anything
   */
  redeem(ticket: string): Principal | undefined;
}

/** Makes the list. Nothing of it outlives the process. */
export function createTickets({
  clock,
  random,
  requireStanding,
}: {
  readonly clock: Pick<Clock, "now" | "elapsed">;
  readonly random: Pick<Random, "hex">;
  /** Throws for a credential that has ended since. */
  readonly requireStanding: RequireStanding;
}): Tickets {
  // In the order of their ends, because all last equally long.
  const open = new Map<string, Ticket>();
  const removeOld = (): void => {
    for (const [ticket, { until }] of open) {
      if (until > clock.elapsed() && open.size < TICKETS_MAX) return;
      open.delete(ticket);
    }
  };
  return {
    issue(principal) {
      removeOld();
      const ticket = random.hex(TICKET_BYTES);
      open.set(ticket, { principal, until: clock.elapsed() + TICKET_MS });
      return { ticket, expiresAt: clock.now() + TICKET_MS };
    },
    redeem(ticket) {
      const found = open.get(ticket);
      open.delete(ticket);
      if (found === undefined || found.until <= clock.elapsed()) return undefined;
      requireStanding(found.principal);
      return found.principal;
    },
  };
}
