/**
 * Whether this process would be better off started anew. What a restart would not mend, such as a
 * full disk or a lost database, is no reason: the gateway then goes on saying what is wrong.
 */

import type { Clock } from "../platform/clock.ts";
import type { ServiceManager } from "../platform/systemd.ts";
import type { Foundation } from "./parts.ts";

/** A command may be so far behind its deadline before the queue counts as stuck. Milliseconds. */
const OVERDUE_MS_MAX = 30_000;
const TRIAL_NAME = "watchdog.trial";
/** So often within the time after which the service manager gives the process up. */
const LOOKS = 3;

/** @returns one line for a person; never resolves while a write does not come to an end */
export type LookForLife = () => Promise<Life>;

/** How the process is. */
export interface Life {
  readonly isWell: boolean;
  readonly status: string;
}

type Looked = Pick<Foundation, "stores" | "writer" | "loss" | "writes">;

/** @param overdueMs how far the queue is behind its most overdue deadline */
export async function lookForLife(
  { stores, writer, loss, writes }: Looked,
  overdueMs: () => number,
): Promise<Life> {
  const behindMs = overdueMs();
  if (behindMs > OVERDUE_MS_MAX) {
    const seconds = Math.round(behindMs / 1_000);
    return { isWell: false, status: `the queue is stuck: a command is ${seconds} s overdue` };
  }
  // Nothing is written to a database that was lost, and so nothing can hang.
  const isLost = loss.problem() !== undefined;
  if (!isLost) await writer.run(() => stores.appliance.put(TRIAL_NAME, "")).catch(() => undefined);
  return { isWell: true, status: loss.problem() ?? writes.problem()?.text ?? "takes work" };
}

/**
 * Looks regularly, and tells the service manager for as long as all is well. One look at a time: one
 * that does not end is the last.
 * @returns ends it
 */
export function feedWatchdog(
  manager: ServiceManager,
  clock: Pick<Clock, "setTimer">,
  look: LookForLife,
): () => void {
  const { watchdogMs } = manager;
  if (watchdogMs === undefined) return () => {};
  let isOver = false;
  let cancel = (): void => {};
  const next = async (): Promise<void> => {
    const { isWell, status } = await look();
    if (isOver) return;
    if (isWell) manager.alive(status);
    cancel = clock.setTimer(watchdogMs / LOOKS, () => void next());
  };
  cancel = clock.setTimer(0, () => void next());
  return () => {
    isOver = true;
    cancel();
  };
}
