import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { instant } from "./columns.ts";
import { users } from "./users.ts";

/** Wrong guesses at passwords and codes, by what they are counted together for. */
export const guesses = sqliteTable(
  "guesses",
  {
    /** SHA-256 of kind, account and address, hex: what was typed as an account may be a password. */
    subject: text("subject").primaryKey(),
    /** SHA-256 of the account's email address; null where they were of no account. */
    account: text("account"),
    failures: integer("failures", { mode: "number" }).notNull(),
    /** Of the newest: counted time. */
    lastAt: instant("last_at").notNull(),
  },
  (table) => [
    index("guesses_by_account").on(table.account),
    index("guesses_by_time").on(table.lastAt),
  ],
);

/** Addresses at which a user has proven who it is: strangers who guess do not keep them out there. */
export const knownAddresses = sqliteTable(
  "known_addresses",
  {
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    address: text("address").notNull(),
    lastAt: instant("last_at").notNull(),
    /** Whose token was all the proof; null where a password or a code was. It may have ended. */
    sessionId: text("session_id"),
  },
  (table) => [primaryKey({ columns: [table.userId, table.address] })],
);
