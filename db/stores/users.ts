/** Users and their sessions. */

import { and, eq, isNotNull, isNull, lt, ne, sql } from "drizzle-orm";
import type { Database } from "../connection.ts";
import { refreshTokens, userSessions, users } from "../schema/users.ts";
import { countOfOrg } from "./count-of-org.ts";
import { prepareLater } from "./prepared-query.ts";
import { PURGE_ROWS_MAX } from "./purge.ts";
import { insertRow } from "./whole-row.ts";

export type User = typeof users.$inferSelect;
export type UserSession = typeof userSessions.$inferSelect;
export type RefreshToken = typeof refreshTokens.$inferSelect;

/** What an owner or admin may change of a user. */
export type UserChange = Partial<Pick<User, "name" | "role" | "active" | "updatedAt">>;

export type UserStore = ReturnType<typeof createUserStore>;

/** All queries on users, sessions and refresh tokens. */
export function createUserStore({ orm }: Database) {
  const sessionWithUser = prepareLater(() =>
    orm
      .select({ session: userSessions, user: users })
      .from(userSessions)
      .innerJoin(users, eq(users.id, userSessions.userId))
      .where(
        and(
          eq(userSessions.orgId, sql.placeholder("orgId")),
          eq(userSessions.id, sql.placeholder("sessionId")),
        ),
      ),
  );
  const purgeTokens = prepareLater(() =>
    orm
      .delete(refreshTokens)
      .where(lt(refreshTokens.expiresAt, sql.placeholder("now")))
      .orderBy(refreshTokens.expiresAt)
      .limit(PURGE_ROWS_MAX),
  );
  const purgeSessions = prepareLater(() =>
    orm
      .delete(userSessions)
      .where(lt(userSessions.expiresAt, sql.placeholder("now")))
      .orderBy(userSessions.expiresAt)
      .limit(PURGE_ROWS_MAX),
  );
  return {
    insert(user: User): void {
      insertRow(orm, users, user);
    },
    get(orgId: string, userId: string): User | undefined {
      return orm
        .select()
        .from(users)
        .where(and(eq(users.orgId, orgId), eq(users.id, userId)))
        .get();
    },
    /** Logging in names no organization, so this look-up is the one without it. */
    findByEmail(email: string): User | undefined {
      return orm.select().from(users).where(eq(users.email, email.toLowerCase())).get();
    },
    count: (orgId: string): number => countOfOrg(orm, users, orgId),
    list(orgId: string): User[] {
      return orm.select().from(users).where(eq(users.orgId, orgId)).orderBy(users.createdAt).all();
    },
    /** True where somebody manages the organization: an active owner who has set a password. */
    hasOwner(orgId: string): boolean {
      const owners = and(
        ...[eq(users.orgId, orgId), eq(users.role, "owner"), eq(users.active, true)],
        isNotNull(users.passwordHash),
      );
      return orm.select({ id: users.id }).from(users).where(owners).limit(1).get() !== undefined;
    },
    setPassword(
      orgId: string,
      userId: string,
      { passwordHash, now }: { passwordHash: string; now: number },
    ): void {
      orm
        .update(users)
        .set({ passwordHash, updatedAt: now })
        .where(and(eq(users.orgId, orgId), eq(users.id, userId)))
        .run();
    },
    setActive(
      orgId: string,
      userId: string,
      { active, now }: { active: boolean; now: number },
    ): void {
      orm
        .update(users)
        .set({ active, updatedAt: now })
        .where(and(eq(users.orgId, orgId), eq(users.id, userId)))
        .run();
    },
    update(orgId: string, userId: string, change: UserChange): User | undefined {
      return orm
        .update(users)
        .set(change)
        .where(and(eq(users.orgId, orgId), eq(users.id, userId)))
        .returning()
        .get();
    },
    /** Sessions, tokens and codes go with the user. */
    remove(orgId: string, userId: string): void {
      orm
        .delete(users)
        .where(and(eq(users.orgId, orgId), eq(users.id, userId)))
        .run();
    },
    noteLogin(orgId: string, userId: string, now: number): void {
      orm
        .update(users)
        .set({ lastLoginAt: now })
        .where(and(eq(users.orgId, orgId), eq(users.id, userId)))
        .run();
    },

    insertSession(session: UserSession): void {
      insertRow(orm, userSessions, session);
    },
    /** The session with its user, ended ones too. */
    getSession(orgId: string, sessionId: string): { session: UserSession; user: User } | undefined {
      return sessionWithUser.get({ orgId, sessionId });
    },
    endSession(orgId: string, sessionId: string, now: number): void {
      orm
        .update(userSessions)
        .set({ endedAt: now })
        .where(
          and(
            eq(userSessions.orgId, orgId),
            eq(userSessions.id, sessionId),
            isNull(userSessions.endedAt),
          ),
        )
        .run();
    },
    /** Ends all sessions of a user, but for the one to keep. */
    endSessionsOfUser(
      orgId: string,
      userId: string,
      { now, except }: { readonly now: number; readonly except?: string },
    ): void {
      orm
        .update(userSessions)
        .set({ endedAt: now })
        .where(
          and(
            eq(userSessions.orgId, orgId),
            eq(userSessions.userId, userId),
            isNull(userSessions.endedAt),
            except === undefined ? undefined : ne(userSessions.id, except),
          ),
        )
        .run();
    },
    /** Moves the end of a session's life, as each refresh does. */
    extendSession(orgId: string, sessionId: string, expiresAt: number): void {
      orm
        .update(userSessions)
        .set({ expiresAt })
        .where(and(eq(userSessions.orgId, orgId), eq(userSessions.id, sessionId)))
        .run();
    },
    /**
     * Removes some of the sessions and tokens that expired before `now`. Tokens go first: a session
     * lives as long as its last one, and takes with it those that are left.
     * @returns false when no more were left
     */
    purgeSessions(now: number): boolean {
      if (purgeTokens.run({ now }).changes === PURGE_ROWS_MAX) return true;
      return purgeSessions.run({ now }).changes === PURGE_ROWS_MAX;
    },

    insertToken(token: RefreshToken): void {
      insertRow(orm, refreshTokens, token);
    },
    /** A refresh token names no organization either; its session does. */
    findToken(hash: string): { token: RefreshToken; session: UserSession; user: User } | undefined {
      return orm
        .select({ token: refreshTokens, session: userSessions, user: users })
        .from(refreshTokens)
        .innerJoin(userSessions, eq(userSessions.id, refreshTokens.sessionId))
        .innerJoin(users, eq(users.id, userSessions.userId))
        .where(eq(refreshTokens.hash, hash))
        .get();
    },
    /** @returns false when it had been exchanged before */
    markRotated(hash: string, now: number): boolean {
      const { changes } = orm
        .update(refreshTokens)
        .set({ rotatedAt: now })
        .where(and(eq(refreshTokens.hash, hash), isNull(refreshTokens.rotatedAt)))
        .run();
      return changes === 1;
    },
  };
}
