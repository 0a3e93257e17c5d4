/** Connections of programs that have ended, which the system still serves. */

import { readFileSync } from "node:fs";

/**
 * Where Linux lists the connections of the machine by their kind; other systems have no such lists.
 * Each costs the system a look at all the places that connections of both kinds may have.
 */
const LISTS = { IPv4: "/proc/self/net/tcp", IPv6: "/proc/self/net/tcp6" };
/** Where it counts them: `TCP: inuse 4 orphan 0 tw 12`. */
const COUNTS = "/proc/self/net/sockstat";

/** The end of a connection counts like a byte, and each one that nobody holds has sent its own. */
const END_BYTES = 1;

/** A connection that is open. */
export interface OpenConnection {
  readonly family: keyof typeof LISTS;
  /** Of this end. */
  readonly ownPort: number;
  /** Of the other end. */
  readonly port: number;
}

/** One connection of a list: addresses and numbers in hexadecimal. */
interface Row {
  readonly ownPort: string;
  /** Address and port of the other end. */
  readonly other: string;
  readonly unacknowledgedBytes: number;
  /** False once the program that had it has closed it, or has ended. */
  readonly isHeld: boolean;
}

/**
 * True while the system goes on sending what a program has left behind that was killed: the other
 * end has not acknowledged it, so it may arrive behind whatever is sent from now on. It ends when
 * it has arrived, or after some minutes in which nobody takes it.
 * @param line to the same address
 * @param list of its kind, as the system writes it
 */
export function isLeftSending(
  line: OpenConnection,
  list = hasUnheld(textOf(COUNTS)) ? textOf(LISTS[line.family]) : "",
): boolean {
  const rows = readRows(list);
  const [ownPort, port] = [hexOf(line.ownPort), `:${hexOf(line.port)}`];
  // Spares writing the address as the list has it.
  const others = new Set(
    rows
      .filter((row) => row.isHeld && row.ownPort === ownPort && row.other.endsWith(port))
      .map(({ other }) => other),
  );
  return rows.some((row) => isLeft(row) && others.has(row.other));
}

/**
 * The same of any connection to one of these ports, at whatever address and from whichever process: a
 * printer that is reached elsewhere by now may have it as another address. What is on its way to
 * another printer of the same port counts as well, which costs some minutes at most.
 * @param lists of each kind, as the system writes them
 */
export function isLeftAt(ports: readonly number[], lists?: readonly string[]): boolean {
  if (ports.length === 0 || (lists === undefined && !hasUnheld(textOf(COUNTS)))) return false;
  const ends = ports.map((port) => `:${hexOf(port)}`);
  return (lists ?? Object.values(LISTS).map(textOf))
    .flatMap(readRows)
    .some((row) => isLeft(row) && ends.some((end) => row.other.endsWith(end)));
}

/** True for one that still has something to send, which nobody has. */
function isLeft({ isHeld, unacknowledgedBytes }: Row): boolean {
  return !isHeld && unacknowledgedBytes > END_BYTES;
}

/**
 * False where nobody has left a connection. To list all of them takes the system some milliseconds, in
 * which this process does nothing else; it counts those that nobody holds at a hundredth of that.
 * @param counts as the system writes them; empty where it does not
 */
export function hasUnheld(counts: string): boolean {
  return !/^TCP: .*\borphan 0\b/m.test(counts);
}

/** Source: the kernel's Documentation/networking/proc_net_tcp. */
function readRows(list: string): Row[] {
  const [, ...lines] = list.trimEnd().split("\n");
  return lines.map((line) => {
    const [, local = "", other = "", , queues = "", , , , , inode] = line.trim().split(/\s+/);
    return {
      ownPort: local.slice(local.indexOf(":") + 1),
      other,
      unacknowledgedBytes: Number.parseInt(queues, 16) || 0,
      isHeld: inode !== "0",
    };
  });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

function hexOf(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, "0");
}
