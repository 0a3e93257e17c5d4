import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { ROLES } from "#core/access.ts";
import { flag, instant } from "./columns.ts";
import { organizations } from "./organizations.ts";

export const users = sqliteTable(
  "users",
  {
    id: text("id").primaryKey(),
    orgId: text("org_id")
      .notNull()
      .references(() => organizations.id),
    /** Lower case; unique in the whole appliance because logging in names no organization. */
    email: text("email").notNull().unique(),
    name: text("name").notNull(),
    role: text("role", { enum: ROLES }).notNull(),
    passwordHash: text("password_hash"),
    active: flag("active").notNull(),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
    lastLoginAt: instant("last_login_at"),
  },
  (table) => [index("users_by_org").on(table.orgId)],
);

/** A login and the refresh tokens that came from it; ended as one family. */
export const userSessions = sqliteTable(
  "user_sessions",
  {
    id: text("id").primaryKey(),
    orgId: text("org_id").notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: instant("created_at").notNull(),
    endedAt: instant("ended_at"),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    index("user_sessions_by_user").on(table.userId),
    index("user_sessions_by_expiry").on(table.expiresAt),
  ],
);

export const refreshTokens = sqliteTable(
  "refresh_tokens",
  {
    /** SHA-256 of the token, hex. */
    hash: text("hash").primaryKey(),
    sessionId: text("session_id")
      .notNull()
      .references(() => userSessions.id, { onDelete: "cascade" }),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    /** Set when it was exchanged; using it again ends the session. */
    rotatedAt: instant("rotated_at"),
  },
  (table) => [
    index("refresh_tokens_by_session").on(table.sessionId),
    index("refresh_tokens_by_expiry").on(table.expiresAt),
  ],
);

/** Codes that set a password once, without the old one. */
export const passwordCodes = sqliteTable(
  "password_codes",
  {
    /** SHA-256 of the code, hex. */
    hash: text("hash").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    index("password_codes_by_user").on(table.userId, table.createdAt),
    index("password_codes_by_expiry").on(table.expiresAt),
  ],
);
