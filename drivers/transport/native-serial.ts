/**
 * The native control functions of the serialport project: opening, settings and modem lines.
 *
 * The package's own entry looks for its native part at run time, where an executable has none, and
 * waits for bytes with a part of libuv that Bun does not have: constructing it ends the process. So
 * the prebuilt library is required directly, and bytes are moved elsewhere.
 * Source: @serialport/bindings-cpp 13.0.0, `load-bindings`; measured on Bun 1.4.5.
 */

import { promisify } from "node:util";
import type { OpenOptions, PortStatus, SetOptions } from "@serialport/bindings-interface";

type Callback<T> = (error: Error | null, value: T) => void;

/** All of it must be given: the library has no defaults of its own. */
interface NativeOpenOptions extends Required<OpenOptions> {
  readonly vmin: number;
  readonly vtime: number;
}

interface NativeLibrary {
  open(path: string, options: NativeOpenOptions, done: Callback<number>): void;
  close(fd: number, done: Callback<void>): void;
  set(fd: number, options: SetOptions, done: Callback<void>): void;
  get(fd: number, done: Callback<PortStatus>): void;
  getBaudRate(fd: number, done: Callback<{ baudRate: number }>): void;
  update(fd: number, options: { baudRate: number }, done: Callback<void>): void;
  flush(fd: number, done: Callback<void>): void;
  drain(fd: number, done: Callback<void>): void;
}

export type NativeSerial = ReturnType<typeof wrap>;

let loaded: NativeSerial | undefined;

/** The functions, loaded when the first port is opened: a gateway without one never needs them. */
export function nativeSerial(): NativeSerial {
  loaded ??= wrap(library());
  return loaded;
}

/** Settings that are not said otherwise: 8N1, no flow control, locked against other programs. */
export function completeOptions(options: OpenOptions): Required<OpenOptions> {
  return {
    dataBits: 8,
    stopBits: 1,
    parity: "none",
    lock: true,
    rtscts: false,
    xon: false,
    xoff: false,
    xany: false,
    hupcl: true,
    ...options,
  };
}

function library(): NativeLibrary {
  // The bundler folds the condition for each target and embeds only the one that is needed.
  return process.arch === "arm64"
    ? require("@serialport/bindings-cpp/prebuilds/linux-arm64/@serialport+bindings-cpp.armv8.glibc.node")
    : require("@serialport/bindings-cpp/prebuilds/linux-x64/@serialport+bindings-cpp.glibc.node");
}

function wrap(native: NativeLibrary) {
  const open = promisify(native.open);
  return {
    /**
     * Opens a terminal raw and non-blocking. @returns its descriptor
     * @throws Error whose text alone says why
     */
    open(options: Required<OpenOptions>): Promise<number> {
      return open(options.path, { ...options, vmin: 1, vtime: 0 });
    },
    close: promisify(native.close),
    set: promisify(native.set),
    get: promisify(native.get),
    getBaudRate: promisify(native.getBaudRate),
    update: promisify(native.update),
    flush: promisify(native.flush),
    drain: promisify(native.drain),
  };
}
