/**
 * A command of the shop's own, as the settings have it. What it starts may outlive the shell, hold its
 * standard error open, and wait for a server that never answers: so all of it is one group, which ends
 * when its time is over, and nobody waits for what is written after the shell has ended.
 */

import type { Clock } from "./clock.ts";
import { signalGroup } from "./process-group.ts";
import { COMMAND_KILL_MS, COMMAND_READ_ON_MS } from "./stop-times.ts";

/** Of what it wrote, the last. */
const SAID_BYTES = 65_536;

export interface ShopCommand {
  /** A line for the shell. */
  readonly line: string;
  /** Its `$1` and so on. */
  readonly args: readonly string[];
  /** Milliseconds that it may take. */
  readonly limitMs: number;
  readonly clock: Pick<Clock, "setTimer">;
  /** Ends it before that. */
  readonly signal?: AbortSignal;
}

export interface ShopCommandEnd {
  /** How it failed, to stand behind its name, as `ended with 1`; undefined where it ended with 0. */
  readonly failure: string | undefined;
  /** The last 64 KiB that it wrote to its standard error, which may hold keys; empty where it did not fail. */
  readonly said: string;
}

/** Runs a command to its end. */
export async function runShopCommand(command: ShopCommand): Promise<ShopCommandEnd> {
  const { line, args, limitMs, clock, signal } = command;
  const child = Bun.spawn(["/bin/sh", "-c", line, "fiscald", ...args], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
    detached: true,
  });
  const said = lastSaid(child.stderr);
  const ending = endingOf(child.pid, clock);
  let isLate = false;
  const cancelLimit = clock.setTimer(limitMs, () => {
    isLate = true;
    ending.begin();
  });
  if (signal?.aborted === true) ending.begin();
  signal?.addEventListener("abort", ending.begin);
  const code = await Promise.race([child.exited, ending.isGivenUp]);
  signal?.removeEventListener("abort", ending.begin);
  cancelLimit();
  ending.over();
  child.unref();
  if (code !== 0) await before(COMMAND_READ_ON_MS, clock, said.whole);
  said.leave();
  if (code === 0) return { failure: undefined, said: "" };
  const ended =
    child.signalCode === null ? `ended with ${code}` : `was ended by ${child.signalCode}`;
  const late = `took longer than ${limitMs / 1_000} s and was ended`;
  return { failure: isLate ? late : ended, said: said.text() };
}

/** How a group comes to its end. */
function endingOf(leader: number, clock: ShopCommand["clock"]) {
  const { promise: isGivenUp, resolve: giveUp } = Promise.withResolvers<undefined>();
  let cancel: (() => void) | undefined;
  return {
    /** Resolves where it does not even end when it is killed, as one that waits for a disk. */
    isGivenUp,
    begin(): void {
      if (cancel !== undefined) return;
      signalGroup(leader, "SIGTERM");
      cancel = clock.setTimer(COMMAND_KILL_MS, () => {
        signalGroup(leader, "SIGKILL");
        cancel = clock.setTimer(COMMAND_KILL_MS, () => giveUp(undefined));
      });
    },
    /** To be called once nobody waits any more: the leader may have ended before what it has started. */
    over(): void {
      if (cancel === undefined) return;
      cancel();
      signalGroup(leader, "SIGKILL");
    },
  };
}

/** Resolves with the work, or when the time is over. */
async function before(ms: number, clock: ShopCommand["clock"], work: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = clock.setTimer(ms, resolve);
  await Promise.race([work, promise]);
  cancel();
}

/** What somebody writes, of which the last is kept. */
function lastSaid(stream: ReadableStream<Uint8Array>) {
  const reader = stream.getReader();
  let last: Uint8Array = new Uint8Array();
  const read = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      last = Buffer.concat([last, value]).subarray(-SAID_BYTES);
    }
  };
  return {
    /** Resolves when all of it was read. */
    whole: read(),
    text: () => new TextDecoder().decode(last),
    /** Reads no further. */
    leave: () => void reader.cancel(),
  };
}
