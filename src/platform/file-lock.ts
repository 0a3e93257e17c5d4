/**
 * Locks on a file that belong to its open handle: whoever has inherited the handle holds the lock too,
 * so it ends with the last process of its holder, however that ends, and SIGKILL leaves none behind.
 * Shell scripts take the same by the program flock. Source: `man 2 flock`.
 */

import { dlopen, FFIType } from "bun:ffi";

const SHARED = 1;
const EXCLUSIVE = 2;
const AT_ONCE = 4;

/**
 * Takes the lock of an open file.
 * @param fileDescriptor open for reading
 * @returns false where somebody else has it
 */
export function tryLock(fileDescriptor: number): boolean {
  return flock(fileDescriptor, EXCLUSIVE | AT_ONCE);
}

/** Whether somebody else has the lock of an open file, which this process must not have. */
export function isLockedElsewhere(fileDescriptor: number): boolean {
  // It goes with the handle, which the caller closes; until then it keeps nobody away who waits.
  return !flock(fileDescriptor, SHARED | AT_ONCE);
}

function flock(fileDescriptor: number, operation: number): boolean {
  const { symbols } = dlopen("libc.so.6", {
    flock: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 },
  });
  return symbols.flock(fileDescriptor, operation) === 0;
}
