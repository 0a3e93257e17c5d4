/** The controllers that are connected. */

import { CLOSE_CODES } from "#core/close-codes.ts";
import type { ControllerIdentity, ControllerKey } from "#core/controller/controller.ts";
import type { ToController } from "#core/controller/messages.ts";

/** The way to one connected controller. */
export interface ControllerChannel {
  send(message: ToController): void;
  /** Ends the connection from this side. @param code as a WebSocket has it */
  close(code: number, reason: string): void;
}

/** One connected controller. */
export interface ControllerSession {
  readonly identity: ControllerIdentity;
  readonly channel: ControllerChannel;
  /** UTC milliseconds. */
  readonly connectedAt: number;
}

/** How a controller's connection ended, as its WebSocket tells it. */
export interface ConnectionEnd {
  readonly code: number;
  readonly reason: string;
}

/** A second connection of the same controller takes the place of the first. */
export const REPLACED: ConnectionEnd = {
  code: CLOSE_CODES.replaced,
  reason: "another connection of this controller",
};

export class Sessions {
  readonly #byKey = new Map<string, ControllerSession>();

  /** Number of connected controllers. */
  get size(): number {
    return this.#byKey.size;
  }

  /** Takes in a controller. @returns the session it replaces, closed already */
  add(session: ControllerSession): ControllerSession | undefined {
    const key = textOf(session.identity);
    const former = this.#byKey.get(key);
    this.#byKey.set(key, session);
    former?.channel.close(REPLACED.code, REPLACED.reason);
    return former;
  }

  /** @returns false when another session has taken its place */
  remove(session: ControllerSession): boolean {
    if (!this.isCurrent(session)) return false;
    return this.#byKey.delete(textOf(session.identity));
  }

  isCurrent(session: ControllerSession): boolean {
    return this.find(session.identity) === session;
  }

  /** In the order in which they first connected. */
  all(): ControllerSession[] {
    return [...this.#byKey.values()];
  }

  find(key: ControllerKey): ControllerSession | undefined {
    return this.#byKey.get(textOf(key));
  }
}

/** Neither part of a key holds a slash. */
function textOf({ orgId, controllerId }: ControllerKey): string {
  return `${orgId ?? ""}/${controllerId}`;
}
