/**
 * RFCOMM sockets of the kernel, which no runtime opens by itself. Every call goes to libc; where
 * the process may not call it (no JIT, another libc), there simply is no Bluetooth.
 * Source: Linux 6.1 `include/net/bluetooth/{bluetooth,rfcomm}.h`, `man 2 poll`, `man 7 socket`.
 */

import { dlopen, FFIType, ptr, read } from "bun:ffi";
import { closeSync } from "node:fs";

/** What opening an RFCOMM line needs of the kernel. Failures are error numbers of the system. */
export interface BluetoothSockets {
  /** A new non-blocking socket. */
  open(): { readonly fd: number } | { readonly errno: number };
  /** Begins to connect. @returns 0, or the error number, EINPROGRESS among them */
  connect(fd: number, address: Uint8Array): number;
  /** How connecting ended: 0, or an error number; undefined while it goes on. */
  outcome(fd: number): number | undefined;
  close(fd: number): void;
}

const AF_BLUETOOTH = 31;
const SOCK_STREAM = 1;
const SOCK_NONBLOCK = 0o4000;
const SOCK_CLOEXEC = 0o2000000;
const BTPROTO_RFCOMM = 3;
const SOL_SOCKET = 1;
const SO_ERROR = 4;
const POLLOUT = 0x4;
const INT_BYTES = 4;

/** `struct sockaddr_rc`: family, device address backwards, channel. */
export function rfcommAddress(device: string, channel: number): Uint8Array {
  const address = new Uint8Array(10);
  address[0] = AF_BLUETOOTH;
  const bytes = device.split(":").map((byte) => Number.parseInt(byte, 16));
  address.set(bytes.reverse(), 2);
  address[8] = channel;
  return address;
}

let loaded: BluetoothSockets | undefined;

/** The kernel's sockets. @throws Error when libc cannot be called */
export function kernelBluetooth(): BluetoothSockets {
  loaded ??= load();
  return loaded;
}

function load(): BluetoothSockets {
  const { symbols } = dlopen("libc.so.6", {
    socket: { args: [FFIType.i32, FFIType.i32, FFIType.i32], returns: FFIType.i32 },
    connect: { args: [FFIType.i32, FFIType.ptr, FFIType.u32], returns: FFIType.i32 },
    poll: { args: [FFIType.ptr, FFIType.u64, FFIType.i32], returns: FFIType.i32 },
    getsockopt: {
      args: [FFIType.i32, FFIType.i32, FFIType.i32, FFIType.ptr, FFIType.ptr],
      returns: FFIType.i32,
    },
    __errno_location: { args: [], returns: FFIType.ptr },
  });
  const errno = (): number => {
    const location = symbols.__errno_location();
    return location === null ? 0 : read.i32(location, 0);
  };
  return {
    open() {
      const type = SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC;
      const fd = symbols.socket(AF_BLUETOOTH, type, BTPROTO_RFCOMM);
      return fd < 0 ? { errno: errno() } : { fd };
    },
    connect(fd, address) {
      return symbols.connect(fd, ptr(address), address.length) === 0 ? 0 : errno();
    },
    outcome(fd) {
      // struct pollfd: descriptor, then what is asked for and what is so, 16 bits each.
      const asked = new Int32Array([fd, POLLOUT]);
      if (symbols.poll(ptr(asked), 1, 0) === 0) return undefined;
      const value = new Int32Array(1);
      const length = new Int32Array([INT_BYTES]);
      const status = symbols.getsockopt(fd, SOL_SOCKET, SO_ERROR, ptr(value), ptr(length));
      return status === 0 ? (value[0] ?? 0) : errno();
    },
    close: (fd) => closeSync(fd),
  };
}
