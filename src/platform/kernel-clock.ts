/** Whether something keeps the machine's clock right. Source: `man 2 adjtimex`. */

import { dlopen, FFIType } from "bun:ffi";

/** More than `struct timex` has on any machine. */
const TIMEX_BYTES = 512;
/** What the call returns while nothing synchronizes the clock. */
const TIME_ERROR = 5;

/** False where nobody (systemd-timesyncd, chrony, ntpd) does; undefined where it cannot be told. */
export function isClockKept(): boolean | undefined {
  try {
    const { symbols } = dlopen("libc.so.6", {
      adjtimex: { args: [FFIType.ptr], returns: FFIType.i32 },
    });
    // All zero: nothing is to be changed.
    const state = symbols.adjtimex(new Uint8Array(TIMEX_BYTES));
    return state < 0 ? undefined : state !== TIME_ERROR;
  } catch {
    return undefined;
  }
}
