/** Fiscal documents whose outcome a person must settle. */

import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database } from "../connection.ts";
import { outcomeHolds } from "../schema/commands.ts";
import { insertWhole } from "./whole-row.ts";

export type OutcomeHold = typeof outcomeHolds.$inferSelect;

/** All queries on outcome holds. */
export function createOutcomeHoldStore({ orm }: Database) {
  const byCommand = orm
    .select()
    .from(outcomeHolds)
    .where(
      and(
        eq(outcomeHolds.orgId, sql.placeholder("orgId")),
        eq(outcomeHolds.commandId, sql.placeholder("commandId")),
      ),
    )
    .prepare();
  const openOfDevice = orm
    .select()
    .from(outcomeHolds)
    .where(
      and(eq(outcomeHolds.deviceId, sql.placeholder("deviceId")), isNull(outcomeHolds.resolvedAt)),
    )
    .prepare();
  const raise = insertWhole(orm, outcomeHolds).onConflictDoNothing().prepare();
  return {
    /** Keeps a hold; does nothing when the command has one. */
    raise(hold: Pick<OutcomeHold, "commandId" | "orgId" | "deviceId" | "raisedAt">): void {
      const open = { resolvedAt: null, outcome: null, fiscalId: null, resolvedBy: null };
      raise.run({ ...hold, ...open } satisfies OutcomeHold);
    },
    get(orgId: string, commandId: string): OutcomeHold | undefined {
      return byCommand.get({ orgId, commandId });
    },
    /** Holds of a device that nobody has settled yet. */
    listOpen(deviceId: string): OutcomeHold[] {
      return openOfDevice.all({ deviceId });
    },
    /** Devices of the whole appliance with an open hold. */
    listHeldDevices(): string[] {
      return orm
        .selectDistinct({ deviceId: outcomeHolds.deviceId })
        .from(outcomeHolds)
        .where(isNull(outcomeHolds.resolvedAt))
        .all()
        .map((row) => row.deviceId);
    },
    /** @returns false when there was no open hold */
    resolve(
      orgId: string,
      commandId: string,
      change: {
        outcome: "printed" | "not_printed";
        fiscalId: string | null;
        resolvedBy: string;
        resolvedAt: number;
      },
    ): boolean {
      const { changes } = orm
        .update(outcomeHolds)
        .set(change)
        .where(
          and(
            eq(outcomeHolds.orgId, orgId),
            eq(outcomeHolds.commandId, commandId),
            isNull(outcomeHolds.resolvedAt),
          ),
        )
        .run();
      return changes === 1;
    },
  };
}
