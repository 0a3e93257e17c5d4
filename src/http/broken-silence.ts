/** A sign now and then on what goes on, so that nobody takes it for forgotten or gone. */

import type { Clock } from "../platform/clock.ts";

/** A reader that hears nothing for so long gets a sign. */
const QUIET_MS_MAX = 15_000;

/** What goes on. */
interface Ongoing {
  /** True while the reader has not taken all that was said. */
  isBehind(): boolean;
  /** Says what means nothing. */
  sign(): void;
}

/** Until `stop` is called; `said` tells that something was said, and has to be called at the first. */
export function breakSilence(clock: Pick<Clock, "setTimer">, { isBehind, sign }: Ongoing) {
  let cancel = (): void => undefined;
  const said = (): void => {
    cancel();
    cancel = clock.setTimer(QUIET_MS_MAX, () => {
      // Before the sign, which may be what ends it.
      said();
      if (!isBehind()) sign();
    });
  };
  return { said, stop: () => cancel() };
}
