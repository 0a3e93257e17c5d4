/** Reversals that were printed while nobody knew their sale, so that they count against none. */

import { and, asc, desc, eq, gt, gte, lt, type SQL, sql } from "drizzle-orm";
import type { StoredReceipt } from "#core/receipt-record.ts";
import type { Database } from "../connection.ts";
import { commands } from "../schema/commands.ts";
import {
  isUncountedStorno,
  receiptBookedAt,
  receipts,
  UNCOUNTED_STORNOS,
} from "../schema/receipts.ts";
import { rowsBy } from "./list-sql.ts";
import { prepareLater } from "./prepared-query.ts";

/** Those that are looked at on either side of an instant, the next to it first. */
const LOOKED_AT_MAX = 200;

/** A storno, and the command that tells what it takes back. */
export interface UncountedStorno {
  readonly id: string;
  readonly commandId: string;
}

/** Which are meant. */
export interface UncountedSearch extends Pick<StoredReceipt, "orgId" | "simulated"> {
  /** When they came into the books: from that instant on, or before it. UTC milliseconds. */
  readonly at: number;
  readonly side: "behind" | "before";
  /** That of their commands is higher. */
  readonly seq: number;
}

/** Makes the search. */
export function createUncountedStornos(orm: Database["orm"]) {
  const { id, orgId, commandId, simulated } = receipts;
  const isOfKind = and(
    ...[eq(orgId, sql.placeholder("orgId")), eq(simulated, sql.placeholder("simulated"))],
    isUncountedStorno,
  );
  const search = (isOnSide: SQL, order: SQL) =>
    prepareLater(() => {
      const stornos = orm
        .select({ id, commandId: sql<string>`${commandId}`.as("command_id") })
        .from(rowsBy(receipts, UNCOUNTED_STORNOS))
        .where(and(isOfKind, isOnSide))
        .orderBy(order)
        .limit(LOOKED_AT_MAX)
        .as("stornos");
      const isReversal = eq(commands.type, "print_reversal_receipt");
      return orm
        .select({ id: stornos.id, commandId: stornos.commandId })
        .from(stornos)
        .innerJoin(commands, eq(commands.id, stornos.commandId))
        .where(and(isReversal, gt(commands.seq, sql.placeholder("seq"))));
    });
  const at = sql.placeholder("at");
  const bySide = {
    behind: search(gte(receiptBookedAt, at), asc(receiptBookedAt)),
    before: search(lt(receiptBookedAt, at), desc(receiptBookedAt)),
  };
  return ({ side, simulated: isSimulated, ...where }: UncountedSearch): UncountedStorno[] =>
    bySide[side].all({ ...where, simulated: Number(isSimulated) });
}
