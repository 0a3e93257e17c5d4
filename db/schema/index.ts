/** All tables, for the migration generator. */

export * from "./alert-history.ts";
export * from "./api-keys.ts";
export * from "./audit.ts";
export * from "./closings.ts";
export * from "./commands.ts";
export * from "./connection-events.ts";
export * from "./controllers.ts";
export * from "./devices.ts";
export * from "./document-checks.ts";
export * from "./events.ts";
export * from "./guesses.ts";
export * from "./idempotency.ts";
export * from "./locations.ts";
export * from "./organizations.ts";
export * from "./questions.ts";
export * from "./receipts.ts";
export * from "./reports.ts";
export * from "./restored.ts";
export * from "./reversals.ts";
export * from "./settings.ts";
export * from "./told-alerts.ts";
export * from "./users.ts";
export * from "./webhooks.ts";
