/**
 * How many connections there may be: so many of one address, and fewer in all than there are
 * descriptors, so that nobody who merely connects takes the tills' place, or a printer's.
 */

import { type Clock, systemClock } from "../platform/clock.ts";
import {
  descriptorLimit,
  type InboundConnection,
  type InboundConnections,
  inboundConnections,
} from "../platform/inbound-connections.ts";
import type { Log } from "../platform/log.ts";
import { countedAddress } from "./client-address.ts";

/** More than the tills, screens and printers of any shop need. */
const TOTAL_MAX = 4_096;
/** Descriptors that stay free for the database, lines to devices and calls of our own. */
const RESERVED_DESCRIPTORS = 256;
/** Short enough that few descriptors are taken meanwhile; a look takes some 0.1 ms. */
const SWEEP_MS = 250;
/** The log tells of them at most this often. */
const LOG_INTERVAL_MS = 10_000;

export interface ConnectionLimitOptions {
  readonly connections: InboundConnections;
  readonly perAddressMax: number;
  readonly totalMax: number;
  /** True for a peer that may hold more than `perAddressMax`, as a proxy has to. */
  readonly isExempt: (address: string) => boolean;
  readonly clock: Pick<Clock, "elapsed">;
  readonly log: Log;
}

/** Connections in all, where a process may have so many descriptors. */
export function totalConnectionsMax(descriptorLimit: number | undefined): number {
  if (descriptorLimit === undefined) return TOTAL_MAX;
  const reserved = Math.min(RESERVED_DESCRIPTORS, Math.floor(descriptorLimit / 2));
  return Math.min(TOTAL_MAX, descriptorLimit - reserved);
}

/**
 * Keeps the connections of a port within their limits until the returned function is called.
 * Always by the machine's own clock: it is the machine's descriptors that are kept free.
 */
export function limitConnections(
  port: number,
  options: Pick<ConnectionLimitOptions, "perAddressMax" | "isExempt" | "log">,
): () => void {
  const connections = inboundConnections(port);
  if (connections === undefined) {
    options.log.warn("connections are not limited: libc cannot be called");
    return () => undefined;
  }
  const totalMax = totalConnectionsMax(descriptorLimit());
  const limits = new ConnectionLimits({ ...options, connections, totalMax, clock: systemClock });
  let cancel = (): void => undefined;
  const sweepAgain = (): void => {
    cancel = systemClock.setTimer(SWEEP_MS, () => {
      limits.sweep();
      sweepAgain();
    });
  };
  sweepAgain();
  return () => cancel();
}

/** Ends the connections that are too many. */
export class ConnectionLimits {
  readonly #options: ConnectionLimitOptions;
  /** Those that were there last time, oldest first. */
  #known = new Set<string>();
  #loggedAt = Number.NEGATIVE_INFINITY;
  #untold = 0;

  constructor(options: ConnectionLimitOptions) {
    this.#options = options;
  }

  /** Looks at what there is now: of too many connections those that came last are ended. */
  sweep(): void {
    const { connections, perAddressMax, totalMax, isExempt } = this.#options;
    const groups = this.#groupsByAddress(connections.list());
    const total = (): number => [...groups.values()].reduce((sum, { length }) => sum + length, 0);
    for (const [address, group] of groups) {
      const [oldest] = group;
      if (group.length <= perAddressMax || !oldest || isExempt(oldest.address)) continue;
      this.#end(address, group.splice(perAddressMax));
    }
    if (total() <= totalMax) return;
    const share = fairShare(
      [...groups.values()].map(({ length }) => length),
      totalMax,
    );
    for (const [address, group] of groups) {
      if (group.length > share) this.#end(address, group.splice(share));
    }
  }

  /** Each group begins with the oldest. */
  #groupsByAddress(all: readonly InboundConnection[]): Map<string, InboundConnection[]> {
    const byId = new Map(all.map((connection) => [connection.id, connection]));
    const order = [...this.#known].filter((id) => byId.has(id));
    for (const id of byId.keys()) if (!this.#known.has(id)) order.push(id);
    this.#known = new Set(order);
    const groups = new Map<string, InboundConnection[]>();
    for (const id of order) {
      const connection = byId.get(id);
      if (connection === undefined) continue;
      const address = countedAddress(connection.address);
      const group = groups.get(address) ?? [];
      groups.set(address, group);
      group.push(connection);
    }
    return groups;
  }

  #end(address: string, tooMany: readonly InboundConnection[]): void {
    for (const connection of tooMany) this.#options.connections.end(connection);
    this.#untold += tooMany.length;
    const now = this.#options.clock.elapsed();
    if (now - this.#loggedAt < LOG_INTERVAL_MS) return;
    this.#options.log.warn("too many connections ended", { address, count: this.#untold });
    this.#loggedAt = now;
    this.#untold = 0;
  }
}

/** The largest number that each group may keep so that all together keep within the maximum. */
function fairShare(sizes: readonly number[], totalMax: number): number {
  let left = totalMax;
  const rising = [...sizes].sort((one, other) => one - other);
  for (const [index, size] of rising.entries()) {
    const share = Math.floor(left / (rising.length - index));
    if (size > share) return share;
    left -= size;
  }
  return totalMax;
}
