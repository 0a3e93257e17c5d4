/** Fiscal documents and ledger entries whose outcome a person must settle. */

import {
  and,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  ne,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { COMMAND_TYPES, isFiscalDocument } from "#core/command/catalogue.ts";
import type { Command } from "#core/command/command.ts";
import { BUILTIN_CONTROLLER_ID } from "#core/device/device.ts";
import type { Printer } from "#core/device/printer.ts";
import type { Database } from "../connection.ts";
import { commands, outcomeHolds } from "../schema/commands.ts";
import { prepareOrder } from "./order.ts";
import { prepareLater } from "./prepared-query.ts";
import { prepareChange } from "./prepared-write.ts";
import { insertWhole } from "./whole-row.ts";

export type OutcomeHold = typeof outcomeHolds.$inferSelect;

/** A hold, and the controller that its command was handed to. */
export type HandedHold = OutcomeHold & Pick<Command, "controllerId">;

/** Who settles what its printer has proven; persons settle the rest. */
export const PROVEN_BY = "gateway";

/** What a person says of a document. */
interface Word {
  readonly outcome: "printed" | "not_printed";
  readonly fiscalId: string | null;
  readonly resolvedBy: string;
  /** UTC milliseconds. */
  readonly resolvedAt: number;
}

const HANDED = { ...getTableColumns(outcomeHolds), controllerId: commands.controllerId };

const UNSETTLED = {
  ...{ resolvedAt: null, resolvedOrder: null },
  ...{ outcome: null, fiscalId: null, resolvedBy: null },
} as const;

/** All queries on outcome holds. */
export function createOutcomeHoldStore(database: Database) {
  const { orm } = database;
  const orderNow = prepareOrder({ orm });
  const byCommand = prepareLater(() =>
    orm
      .select()
      .from(outcomeHolds)
      .where(
        and(
          eq(outcomeHolds.orgId, sql.placeholder("orgId")),
          eq(outcomeHolds.commandId, sql.placeholder("commandId")),
        ),
      ),
  );
  const anyByCommand = prepareLater(() =>
    orm
      .select()
      .from(outcomeHolds)
      .where(eq(outcomeHolds.commandId, sql.placeholder("commandId"))),
  );
  const open = prepareLater(() =>
    orm
      .select(HANDED)
      .from(outcomeHolds)
      .leftJoin(commands, eq(commands.id, outcomeHolds.commandId))
      // Any device: with it SQLite takes the index of what is open.
      .where(and(gt(outcomeHolds.deviceId, ""), isNull(outcomeHolds.resolvedAt))),
  );
  const saidDocuments = prepareLater(() =>
    orm
      .select(HANDED)
      .from(outcomeHolds)
      .innerJoin(commands, eq(commands.id, outcomeHolds.commandId))
      .where(
        and(
          isNotNull(outcomeHolds.resolvedOrder),
          ne(outcomeHolds.resolvedBy, PROVEN_BY),
          inArray(commands.type, COMMAND_TYPES.filter(isFiscalDocument)),
          // As `countsFor` says; here too, so that others do not push out what counts.
          or(
            eq(outcomeHolds.orgId, sql.placeholder("orgId")),
            eq(commands.controllerId, BUILTIN_CONTROLLER_ID),
          ),
        ),
      )
      // As `inOrder` has it.
      .orderBy(desc(outcomeHolds.resolvedOrder), desc(outcomeHolds.resolvedAt))
      .limit(sql.placeholder("limit")),
  );
  const raise = prepareLater(() => insertWhole(orm, outcomeHolds).onConflictDoNothing());
  const changeOf = (only: SQL) =>
    prepareChange(
      database,
      outcomeHolds,
      and(
        eq(outcomeHolds.orgId, sql.placeholder("ofOrg")),
        eq(outcomeHolds.commandId, sql.placeholder("ofCommand")),
        only,
      ),
    );
  const changeOpen = changeOf(isNull(outcomeHolds.resolvedAt));
  const changePrinted = changeOf(eq(outcomeHolds.outcome, "printed"));
  return {
    /** Keeps a hold; does nothing when the command has one. */
    raise(
      hold: Pick<OutcomeHold, "commandId" | "orgId" | "deviceId" | "raisedAt"> &
        Omit<Printer, "deviceId">,
    ): void {
      raise.run({ ...hold, ...UNSETTLED, raisedOrder: orderNow() } satisfies OutcomeHold);
    },
    get(orgId: string, commandId: string): OutcomeHold | undefined {
      return byCommand.get({ orgId, commandId });
    },
    /** The hold of a command of whichever organization. */
    find(commandId: string): OutcomeHold | undefined {
      return anyByCommand.get({ commandId });
    },
    /** Holds of the whole appliance that nobody has settled yet. */
    listOpen(): HandedHold[] {
      return open.all();
    },
    /** Documents that count for a shop, of which a person said something last, the newest first. */
    listSaidDocuments(orgId: string, limit: number): HandedHold[] {
      return saidDocuments.all({ orgId, limit });
    },
    /** Opens a settled hold again: the device shows that what was said of it is not so. */
    reopen(commandId: string): void {
      orm.update(outcomeHolds).set(UNSETTLED).where(eq(outcomeHolds.commandId, commandId)).run();
    },
    /** @returns false when there was no open hold */
    resolve(orgId: string, commandId: string, word: Word): boolean {
      const resolved = { ...word, resolvedOrder: orderNow() };
      const { changes } = changeOpen(resolved, { ofOrg: orgId, ofCommand: commandId });
      return changes === 1;
    },
    /** Puts another word in the place of one that called it printed. */
    correct(orgId: string, commandId: string, word: Word): void {
      const corrected = { ...word, resolvedOrder: orderNow() };
      changePrinted(corrected, { ofOrg: orgId, ofCommand: commandId });
    },
  };
}
