/**
 * Keeps a port from accepting connections for the rest of a turn of the event loop.
 *
 * Bun accepts connections in a loop that ends when none is waiting, and answers what has come over
 * each of them inside of it (`TCP_DEFER_ACCEPT`). Clients that connect again as soon as they are
 * answered keep that loop going, and nobody else has a turn: no other connection, no timer, no
 * printer. Nothing of Bun ends it, so the listening descriptor gives way to one that accepts nothing
 * (`/dev/null`), until the next turn puts it back. The socket itself stays open meanwhile and the
 * kernel goes on queuing what connects. Source: `man 2 dup`, `man 7 epoll`, questions 1 and 6.
 */

import { dlopen, FFIType } from "bun:ffi";
import { closeSync, fstatSync, openSync } from "node:fs";
import { listeningDescriptors, listensAt } from "./inbound-connections.ts";

const NOTHING = "/dev/null";
const O_CLOEXEC = 0o2000000;
/** A port has two listening sockets while one takes over from the other. */
const LISTENERS_MAX = 2;

/** The accepting of one port. */
export interface AcceptPause {
  /** Nothing is accepted from now on. */
  pause(): void;
  /** Accepts again. Does nothing where nothing was paused. */
  resume(): void;
  /** Accepts again; sockets come to listen at the port, or are about to be closed. */
  listenersChange(): void;
  /** Accepts again, and is of no use any more. */
  close(): void;
}

interface Paused {
  readonly descriptor: number;
  /** Where its socket is meanwhile. */
  readonly kept: number;
}

/** Undefined where libc cannot be called. */
export function acceptPause(port: number): AcceptPause | undefined {
  const dup3 = load();
  const isListening = listensAt(port);
  if (dup3 === undefined || isListening === undefined) return undefined;
  // Opened now: when they are needed, a flood may have taken every descriptor there was.
  const nothing = openSync(NOTHING, "r");
  const spare = Array.from({ length: LISTENERS_MAX }, () => openSync(NOTHING, "r"));
  const { dev, ino } = fstatSync(nothing);
  const isNothing = (descriptor: number): boolean => {
    try {
      const found = fstatSync(descriptor);
      return found.dev === dev && found.ino === ino;
    } catch {
      return false;
    }
  };
  let known: readonly number[] = [];
  let paused: readonly Paused[] = [];
  const resume = (): void => {
    for (const { descriptor, kept } of paused) {
      // Were it closed, its number may be another's by now.
      if (isNothing(descriptor)) dup3(kept, descriptor);
      dup3(nothing, kept);
    }
    paused = [];
  };
  const listenersChange = (): void => {
    resume();
    known = [];
  };
  return {
    pause() {
      if (paused.length > 0) return;
      if (known.length === 0 || !known.every(isListening)) known = listeningDescriptors(port);
      const halted: Paused[] = [];
      for (const [index, descriptor] of known.slice(0, LISTENERS_MAX).entries()) {
        const kept = spare[index];
        if (kept === undefined || !dup3(descriptor, kept)) continue;
        if (dup3(nothing, descriptor)) halted.push({ descriptor, kept });
      }
      paused = halted;
    },
    resume,
    listenersChange,
    close() {
      listenersChange();
      for (const descriptor of [nothing, ...spare.splice(0)]) closeSync(descriptor);
    },
  };
}

/** Has a descriptor be what another one is; undefined where libc cannot be called. */
function load(): ((from: number, to: number) => boolean) | undefined {
  const { i32 } = FFIType;
  try {
    const { symbols } = dlopen("libc.so.6", { dup3: { args: [i32, i32, i32], returns: i32 } });
    return (from, to) => symbols.dup3(from, to, O_CLOEXEC) === to;
  } catch {
    return undefined;
  }
}
