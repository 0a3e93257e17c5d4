/** What is done about a printer that has printed what the gateway does not know. */

/** A person is told, or the printer waits for one, or nothing. */
export const AHEAD_MODES = ["alert", "hold", "ignore"] as const;
export type AheadMode = (typeof AHEAD_MODES)[number];
