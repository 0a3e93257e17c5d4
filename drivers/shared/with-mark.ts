/** What is told while a command runs, but for its marks. */

import type { CommandProgress } from "#core/driver.ts";

/** The same progress, with marks told by `mark`. */
export function withMark(
  progress: CommandProgress,
  mark: CommandProgress["mark"],
): CommandProgress {
  return {
    mark,
    mayGoOn: () => progress.mayGoOn(),
    hasLimit: () => progress.hasLimit(),
    paused: (reason) => progress.paused(reason),
    pauseLimitMs: progress.pauseLimitMs,
  };
}
