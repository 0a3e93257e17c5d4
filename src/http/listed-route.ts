/** Routes as Elysia lists them, with what their `detail` says beside what Elysia knows. */

import type { DocumentDecoration } from "elysia";
import type { AccessDetail } from "./access.ts";

export interface ListedRoute {
  readonly method: string;
  readonly path: string;
  readonly hooks: {
    readonly detail?: Partial<AccessDetail & QueuingDetail & MakingDetail>;
    readonly body?: unknown;
    readonly query?: unknown;
  };
}

/** What the `detail` of a route says that queues a command. */
export interface QueuingDetail extends DocumentDecoration {
  readonly "x-queues-command": boolean;
}

/** What the `detail` of a route says whose path names what it makes. */
export interface MakingDetail extends DocumentDecoration {
  readonly "x-makes-named": boolean;
}

/** For `detail` of a route that makes what its path names, where it is not there: never 404. */
export const MAKES_NAMED: MakingDetail = { "x-makes-named": true };

/** For `detail` of a route that queues a command: it counts in the bucket Commands too. */
export const QUEUES_COMMAND: QueuingDetail = { "x-queues-command": true };

/** What 422 means where a reversal is submitted. */
export const BEYOND_SALE =
  "A reversal takes more than is left of a stored sale, or what that does not have: `details` name " +
  "its `originalReceiptId` and, under `left`, quantity and amount that the lines have left. Nothing " +
  "was queued";
