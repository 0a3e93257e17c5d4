/** How much is logged; apart from the log, because every command line knows the settings. */

/** From the most to the least talkative; `silent` writes nothing. */
export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
/** What a line can be of. */
export type LineLevel = Exclude<LogLevel, "silent">;
