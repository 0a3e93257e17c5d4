/** The box's clock: days, deadlines and ages are the box's, whatever the clock of this computer says. */

/** Answers tell the time in whole seconds, and take a moment to come: less than this is no difference. */
const AGREES_MS = 30_000;

let aheadMs = 0;

/** Every answer of the box says when it was given. */
export function noteBoxClock({ headers }: Pick<Response, "headers">): void {
  const told = Date.parse(headers.get("date") ?? "");
  if (Number.isNaN(told)) return;
  const ahead = told - Date.now();
  aheadMs = Math.abs(ahead) < AGREES_MS ? 0 : ahead;
}

/** The time at the box, UTC milliseconds; that of this computer until the box has answered. */
export function boxNow(): number {
  return Date.now() + aheadMs;
}
