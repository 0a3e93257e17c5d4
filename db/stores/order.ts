/**
 * What came first. A clock may be set between two stored instants, or have been wrong for one of them; the
 * events are numbered as they are stored, and go on behind a start and in whichever process.
 */

import { sql } from "drizzle-orm";
import type { Database } from "../connection.ts";
import { events } from "../schema/events.ts";
import { prepareLater } from "./prepared-query.ts";

/** When something happened. */
export interface Happened {
  /** Null in rows of older versions, all of which are of before. */
  readonly order: number | null;
  /** UTC milliseconds. */
  readonly at: number;
}

/** The order of what happens now, inside an operation: the event that tells of it comes behind. */
export function prepareOrder({ orm }: Pick<Database, "orm">): () => number {
  const newest = prepareLater(() =>
    orm.select({ seq: sql<number>`coalesce(max(${events.seq}), 0)` }).from(events),
  );
  return () => newest.get()?.seq ?? 0;
}

/** Sorts what happened first to the front; only within one operation, or of older versions, by the clock. */
export function inOrder(one: Happened, other: Happened): number {
  return (one.order ?? 0) - (other.order ?? 0) || one.at - other.at;
}
