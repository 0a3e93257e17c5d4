/** Wrong guesses at passwords and codes, and the addresses at which a user is known. */

import { and, asc, count, desc, eq, lt, ne, notInArray, sql } from "drizzle-orm";
import type { Database } from "../connection.ts";
import { guesses, knownAddresses } from "../schema/guesses.ts";
import { prepareLater } from "./prepared-query.ts";
import { PURGE_ROWS_MAX } from "./purge.ts";

export type GuessRow = typeof guesses.$inferSelect;
export type KnownAddressRow = typeof knownAddresses.$inferSelect;

/** Rows at most: beyond that the oldest guesses are forgotten first. */
const ROWS_MAX = 20_000;
/** Addresses that are kept of one user, the newest. */
const ADDRESSES_MAX = 20;

/** All queries on guesses. */
export function createGuessStore({ orm }: Database) {
  const bySubject = prepareLater(() =>
    orm
      .select()
      .from(guesses)
      .where(eq(guesses.subject, sql.placeholder("subject"))),
  );
  const total = prepareLater(() => orm.select({ rows: count() }).from(guesses));
  const removeOldest = (before: number): number => {
    const oldest = orm
      .select({ subject: guesses.subject })
      .from(guesses)
      .where(lt(guesses.lastAt, before))
      .orderBy(asc(guesses.lastAt))
      .limit(PURGE_ROWS_MAX);
    return orm.delete(guesses).where(sql`${guesses.subject} in ${oldest}`).run().changes;
  };
  return {
    find: (subject: string): GuessRow | undefined => bySubject.get({ subject }),
    /** Inside an operation, as all that follows. */
    put(row: GuessRow): void {
      const { subject, ...set } = row;
      orm.insert(guesses).values(row).onConflictDoUpdate({ target: guesses.subject, set }).run();
      if ((total.get()?.rows ?? 0) > ROWS_MAX) removeOldest(Number.MAX_SAFE_INTEGER);
    },
    remove(subject: string): void {
      orm.delete(guesses).where(eq(guesses.subject, subject)).run();
    },
    removeOfAccount(account: string): void {
      orm.delete(guesses).where(eq(guesses.account, account)).run();
    },
    /** Removes all. @returns how many there were */
    removeAll: (): number => orm.delete(guesses).run().changes,
    /** Removes some older than `before`. @returns false when no more were left */
    purge: (before: number): boolean => removeOldest(before) === PURGE_ROWS_MAX,
    /** True where the user has proven at that address who it is. */
    isKnown(userId: string, address: string): boolean {
      const here = and(eq(knownAddresses.userId, userId), eq(knownAddresses.address, address));
      return orm.select().from(knownAddresses).where(here).get() !== undefined;
    },
    /** Notes an address; in place of the one before, where a session's token alone speaks for it. */
    noteAddress(row: KnownAddressRow): void {
      const { userId, address, lastAt, sessionId } = row;
      const { userId: user, address: place, sessionId: session } = knownAddresses;
      if (sessionId !== null) {
        orm
          .delete(knownAddresses)
          .where(and(eq(user, userId), eq(session, sessionId), ne(place, address)))
          .run();
      }
      // What a password has proven, a token takes nothing from.
      const proof = sessionId === null ? null : sql`iif(${session} is null, null, ${sessionId})`;
      orm
        .insert(knownAddresses)
        .values(row)
        .onConflictDoUpdate({ target: [user, place], set: { lastAt, sessionId: proof } })
        .run();
      const newest = orm
        .select({ address: place })
        .from(knownAddresses)
        .where(eq(user, userId))
        .orderBy(desc(knownAddresses.lastAt))
        .limit(ADDRESSES_MAX);
      orm
        .delete(knownAddresses)
        .where(and(eq(user, userId), notInArray(place, newest)))
        .run();
    },
    /**
     * As when all access of the user is ended.
     * @param options.except a session that stays: only what the tokens of others speak for is forgotten
     */
    forgetAddresses(userId: string, { except }: { readonly except?: string } = {}): void {
      const ofOthers = except === undefined ? undefined : ne(knownAddresses.sessionId, except);
      orm
        .delete(knownAddresses)
        .where(and(eq(knownAddresses.userId, userId), ofOthers))
        .run();
    },
    /** As when the token of a session was copied: what it alone speaks for. */
    forgetAddressOf(sessionId: string): void {
      orm.delete(knownAddresses).where(eq(knownAddresses.sessionId, sessionId)).run();
    },
  };
}
