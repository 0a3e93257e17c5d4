/** Codes that set a password once. They name no organization: their users do. */

import { eq, gt, lt, sql } from "drizzle-orm";
import type { Database } from "../connection.ts";
import { passwordCodes, users } from "../schema/users.ts";
import { prepareLater } from "./prepared-query.ts";
import { PURGE_ROWS_MAX } from "./purge.ts";
import type { User } from "./users.ts";
import { insertRow } from "./whole-row.ts";

export type PasswordCode = typeof passwordCodes.$inferSelect;

/** All queries on codes. */
export function createPasswordCodeStore({ orm }: Database) {
  const purge = prepareLater(() =>
    orm
      .delete(passwordCodes)
      .where(lt(passwordCodes.expiresAt, sql.placeholder("now")))
      .orderBy(passwordCodes.expiresAt)
      .limit(PURGE_ROWS_MAX),
  );
  return {
    insert(code: PasswordCode): void {
      insertRow(orm, passwordCodes, code);
    },
    /** A code with its user, whether it has expired or not. */
    find(hash: string): { code: PasswordCode; user: User } | undefined {
      return orm
        .select({ code: passwordCodes, user: users })
        .from(passwordCodes)
        .innerJoin(users, eq(users.id, passwordCodes.userId))
        .where(eq(passwordCodes.hash, hash))
        .get();
    },
    /** The clock was set by so much: each code keeps as much of its time as it had. */
    shift(ms: number): void {
      const { createdAt, expiresAt } = passwordCodes;
      const moved = { createdAt: sql`${createdAt} + ${ms}`, expiresAt: sql`${expiresAt} + ${ms}` };
      // Any code: they are purged, so there are few. With it SQLite takes an index.
      orm.update(passwordCodes).set(moved).where(gt(expiresAt, 0)).run();
    },
    removeOfUser(userId: string): void {
      orm.delete(passwordCodes).where(eq(passwordCodes.userId, userId)).run();
    },
    /** Removes some that expired before `now`. @returns false when no more were left */
    purge(now: number): boolean {
      return purge.run({ now }).changes === PURGE_ROWS_MAX;
    },
  };
}
