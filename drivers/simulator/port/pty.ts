/**
 * Pseudo-terminals: a serial cable within the computer. The host opens the terminal as it would
 * open a port; the simulated device holds the other end.
 */

import { dlopen, FFIType, ptr } from "bun:ffi";
import { closeSync, constants } from "node:fs";
import { completeOptions, nativeSerial } from "../../transport/native-serial.ts";

/** An open pair. */
export interface Pty {
  /** Descriptor of the device's end, non-blocking. */
  readonly fd: number;
  /** Path of the end that a host opens. */
  readonly path: string;
  /** Closes both descriptors; whoever has the terminal open is hung up on. */
  close(): Promise<void>;
}

const PATH_BYTES_MAX = 128;
const OPEN_FLAGS = constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK;
/** Not among Node's constants. */
const O_CLOEXEC = 0o2000000;

/**
 * Makes a raw terminal. Its host end is held open here as well, so that a host that closes it and
 * opens it again finds the same cable, and the device does not notice, as with a real one.
 * @throws Error when the system has none to give
 */
export async function openPty(): Promise<Pty> {
  const { fd, path } = openMaster();
  try {
    const held = await nativeSerial().open(
      completeOptions({ path, baudRate: 115_200, lock: false, hupcl: false }),
    );
    return {
      fd,
      path,
      async close() {
        // The device's end goes first: that is what hangs up on the host.
        closeSync(fd);
        await nativeSerial().close(held);
      },
    };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function openMaster(): { fd: number; path: string } {
  const library = dlopen("libc.so.6", {
    posix_openpt: { args: [FFIType.i32], returns: FFIType.i32 },
    grantpt: { args: [FFIType.i32], returns: FFIType.i32 },
    unlockpt: { args: [FFIType.i32], returns: FFIType.i32 },
    ptsname_r: { args: [FFIType.i32, FFIType.ptr, FFIType.u64], returns: FFIType.i32 },
  });
  const { posix_openpt, grantpt, unlockpt, ptsname_r } = library.symbols;
  try {
    const fd = posix_openpt(OPEN_FLAGS | O_CLOEXEC);
    if (fd < 0) throw new Error("there is no pseudo-terminal left");
    const name = Buffer.alloc(PATH_BYTES_MAX);
    if (grantpt(fd) !== 0 || unlockpt(fd) !== 0 || ptsname_r(fd, ptr(name), name.length) !== 0) {
      closeSync(fd);
      throw new Error("the pseudo-terminal cannot be unlocked");
    }
    return { fd, path: name.toString("latin1", 0, name.indexOf(0)) };
  } finally {
    library.close();
  }
}
