/**
 * Who else uses a serial port. The lock that is taken when a port is opened keeps out programs that
 * take one too; this also finds those that do not, before a byte is sent into their conversation.
 */

import { readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";

/** The folders of the kernel; tests have their own. */
export interface UserFolders {
  readonly proc: string;
  readonly locks: string;
}

const KERNEL: UserFolders = { proc: "/proc", locks: "/var/lock" };
/** A machine with more processes than this is looked through in part. */
const PROCESSES_MAX = 65_536;

/**
 * Says what uses a port, as far as this user may know; undefined when nothing is known to.
 * The own process does not count: it has the port's lock while it uses it.
 * @param path of the port, a symbolic link to it included
 */
export function portUser(path: string, folders: UserFolders = KERNEL): string | undefined {
  const port = realPath(path);
  const name = basename(port);
  if (isConsole(name, folders)) return "the system's console";
  return lockHolder(name, folders) ?? processWith(port, folders);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** `ttyS0                -W- (EC p a)    4:64` */
function isConsole(name: string, { proc }: UserFolders): boolean {
  const lines = text(join(proc, "consoles"))?.split("\n") ?? [];
  return lines.some((line) => line.split(/\s+/, 1)[0] === name);
}

/**
 * Terminal programs put their process number into a file `LCK..<port>`.
 * Source: Filesystem Hierarchy Standard 3.0, chapter 5.9 (/var/lock).
 */
function lockHolder(name: string, { proc, locks }: UserFolders): string | undefined {
  const process = text(join(locks, `LCK..${name}`))?.trim();
  if (process === undefined || !/^\d{1,10}$/.test(process)) return undefined;
  const program = text(join(proc, process, "comm"))?.trim();
  // A program that crashed leaves its file behind.
  return program === undefined ? undefined : named(program, process);
}

/** The first other process that has the port open, among those that this user may look into. */
function processWith(port: string, { proc }: UserFolders): string | undefined {
  // The other end of a pseudo-terminal is a program too, and may well hold both.
  if (port.startsWith("/dev/pts/")) return undefined;
  const others = entries(proc).filter((id) => /^\d+$/.test(id) && id !== String(process.pid));
  for (const id of others.slice(0, PROCESSES_MAX)) {
    const folder = join(proc, id, "fd");
    if (entries(folder).some((fd) => target(join(folder, fd)) === port)) {
      return named(text(join(proc, id, "comm"))?.trim() ?? "a program", id);
    }
  }
  return undefined;
}

function named(program: string, process: string): string {
  return `${program} (process ${process})`;
}

function text(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function target(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Processes of other users, and those that have just ended.
    return [];
  }
}
