/** How long what is under way may take to end, each within the one that waits for it. Milliseconds. */

/** Of a gateway that stops: requests, deliveries, a backup. */
export const STOP_GRACE_MS = 5_000;
/** What a command of the shop's that failed has written is there by then. */
export const COMMAND_READ_ON_MS = 1_000;
/** Between the question to end and the end of such a command, which a backup that is ended waits for. */
export const COMMAND_KILL_MS = STOP_GRACE_MS - COMMAND_READ_ON_MS - 1_000;
