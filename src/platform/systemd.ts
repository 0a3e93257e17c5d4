/**
 * Telling systemd how this process is: datagrams to the socket that the unit's `Type=notify` names.
 * Source: `man 3 sd_notify`, `man 7 unix` (addresses), `man 3 sd_watchdog_enabled`.
 *
 * The runtime opens no datagram sockets of this kind, so libc does, which takes 15 µs a message. The
 * program systemd-notify takes 30 ms, and may be gone before systemd has seen whose child it was.
 */

import { dlopen, FFIType } from "bun:ffi";

const AF_UNIX = 1;
const SOCK_DGRAM = 2;
const SOCK_CLOEXEC = 0o2000000;
const MSG_DONTWAIT = 0x40;
const MSG_NOSIGNAL = 0x4000;
/** Length of `sun_path`. */
const PATH_BYTES_MAX = 108;

/** Who started this process as a service. */
export interface ServiceManager {
  /** How often it wants to hear that the process is well, in milliseconds; undefined if never. */
  readonly watchdogMs: number | undefined;
  /** The process takes work. @param status one line for `systemctl status` */
  ready(status: string): void;
  /** The process is well. */
  alive(status: string): void;
  /** The process is about to end because it was asked to. */
  stopping(): void;
}

export interface ServiceSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly pid: number;
}

/** Undefined where nobody wants to be told, or libc cannot be called. */
export function serviceManager({
  environment,
  pid,
}: ServiceSurroundings): ServiceManager | undefined {
  const { NOTIFY_SOCKET: path = "", WATCHDOG_USEC: every = "", WATCHDOG_PID: whose } = environment;
  const address = addressOf(path);
  const libc = address && load();
  if (address === undefined || libc === undefined) return undefined;
  const tell = (...lines: readonly string[]): void => {
    const bytes = Buffer.from(lines.join("\n"));
    const socket = libc.socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (socket < 0) return;
    // It never waits: who does not read must not stop a gateway.
    const flags = MSG_DONTWAIT | MSG_NOSIGNAL;
    libc.sendto(socket, bytes, bytes.length, flags, address, address.length);
    libc.close(socket);
  };
  const statusLine = (text: string): string => `STATUS=${text.replace(/\s+/g, " ")}`;
  const isMine = whose === undefined || whose === String(pid);
  const isWatched = isMine && /^[1-9]\d{0,15}$/.test(every);
  return {
    watchdogMs: isWatched ? Number(every) / 1_000 : undefined,
    ready: (status) => tell("READY=1", statusLine(status)),
    alive: (status) => tell("WATCHDOG=1", statusLine(status)),
    stopping: () => tell("STOPPING=1", "STATUS=stopping"),
  };
}

/** `struct sockaddr_un`: a path, or after an @ a name that is in no file system. */
function addressOf(path: string): Buffer | undefined {
  const isName = path.startsWith("@");
  if (!isName && !path.startsWith("/")) return undefined;
  const name = Buffer.from(isName ? `\0${path.slice(1)}` : `${path}\0`);
  if (name.length > PATH_BYTES_MAX) return undefined;
  const family = Buffer.from(new Uint16Array([AF_UNIX]).buffer);
  return Buffer.concat([family, name]);
}

function load() {
  const { i32, i64, u32, u64, ptr } = FFIType;
  try {
    return dlopen("libc.so.6", {
      socket: { args: [i32, i32, i32], returns: i32 },
      sendto: { args: [i32, ptr, u64, i32, ptr, u32], returns: i64 },
      close: { args: [i32], returns: i32 },
    }).symbols;
  } catch {
    return undefined;
  }
}
