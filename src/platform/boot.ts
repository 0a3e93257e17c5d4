/**
 * Which boot of the machine this is, and how long ago it was: what two runs of a program in it have in
 * common, whatever was done to the wall clock between them. Source: `man 2 clock_gettime`.
 */

import { dlopen, FFIType } from "bun:ffi";
import { readFileSync } from "node:fs";

/** Of Linux: it runs on while the machine sleeps. */
const CLOCK_BOOTTIME = 7;
const BOOT_ID_FILE = "/proc/sys/kernel/random/boot_id";
const FORM = /^[0-9a-f-]{32,36}$/;

export interface Boot {
  /** Another one after each boot. */
  readonly id: string;
  /** Milliseconds since it. */
  uptime(): number;
}

/**
 * This one; undefined where it cannot be told.
 * @param environment of the process: the service may not look where others find it, so its unit says it
 * @param file where others find it
 */
export function currentBoot(
  environment: Readonly<Record<string, string | undefined>>,
  file: string = BOOT_ID_FILE,
): Boot | undefined {
  const id = (readId(file) ?? environment.BOOT_ID)?.trim().replaceAll("-", "");
  if (id === undefined || !FORM.test(id)) return undefined;
  try {
    const { symbols } = dlopen("libc.so.6", {
      clock_gettime: { args: [FFIType.i32, FFIType.ptr], returns: FFIType.i32 },
    });
    const uptime = (): number => {
      const [seconds = 0n, nanoseconds = 0n] = readInto((time) =>
        symbols.clock_gettime(CLOCK_BOOTTIME, time),
      );
      return Number(seconds) * 1_000 + Number(nanoseconds) / 1_000_000;
    };
    return { id, uptime };
  } catch {
    return undefined;
  }
}

/** The kernel's word comes before that of an environment, which may be copied from another boot. */
function readId(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function readInto(read: (time: BigInt64Array) => number): BigInt64Array {
  const time = new BigInt64Array(2);
  if (read(time) !== 0) throw new Error("the time since the boot cannot be read");
  return time;
}
