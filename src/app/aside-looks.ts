/**
 * Looks at what lies on a disk of others, each by a process of its own. A network folder whose server is
 * gone, or a dying stick, holds whoever asks it for as long as it likes: here that is never the gateway,
 * nor a thread of it, but a process that is waited for no longer than some seconds.
 */

import type { Static, TSchema } from "@sinclair/typebox";
import { schemaCheckOf } from "#core/schema-check.ts";
import { currentSurroundings } from "../config/surroundings.ts";
import type { Clock } from "../platform/clock.ts";
import { otherProcess } from "../platform/engine.ts";
import { errorText } from "../platform/thrown.ts";

/** What takes longer counts as what does not answer. */
const LIMIT_MS = 5_000;
/** So many paths are remembered: the usual places and all sticks of a machine are fewer. */
const PATHS_MAX = 32;
/** How its process speaks. */
const QUIET = { stdin: "ignore", stdout: "pipe", stderr: "ignore" } as const;

/** A look under way. */
export interface LookProcess<V> {
  /** What it came to. Rejects where it came to nothing. */
  readonly seen: Promise<V>;
  /** Ends it; one that waits for a disk ends when that answers. */
  kill(): void;
}

export interface AsideLooksOptions<V> {
  readonly clock: Pick<Clock, "setTimer">;
  /** Starts a process that looks at a path. */
  readonly begin: (path: string) => LookProcess<V>;
  /** What is told before anything was seen. */
  readonly unseen: V;
  /** What is told of what does not answer. @param last what was seen before */
  readonly unanswered: (last: V, why: string) => V;
}

interface Looked<V> {
  /** What was seen last. */
  view: V;
  /** Resolves when that is new, or it takes too long; undefined while no process looks. */
  underWay: Promise<void> | undefined;
}

export class AsideLooks<V> {
  readonly #o: AsideLooksOptions<V>;
  readonly #paths = new Map<string, Looked<V>>();

  constructor(options: AsideLooksOptions<V>) {
    this.#o = options;
  }

  /**
   * What lies at a path. Where it does not answer in time, what was seen there last, and that it does not;
   * it is asked again once the process that asked it has ended.
   */
  async look(path: string): Promise<V> {
    const looked = this.#lookedAt(path);
    looked.underWay ??= this.#begin(path, looked);
    await looked.underWay;
    return looked.view;
  }

  #begin(path: string, looked: Looked<V>): Promise<void> {
    const { begin, clock, unanswered } = this.#o;
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = begin(path);
    let isLate = false;
    const cancel = clock.setTimer(LIMIT_MS, () => {
      looked.view = unanswered(looked.view, lateText(path));
      isLate = true;
      look.kill();
      resolve();
    });
    const ended = (view: V): void => {
      cancel();
      // Of one that was killed nothing new is known.
      if (!isLate) looked.view = view;
      looked.underWay = undefined;
      resolve();
    };
    look.seen.then(ended, (error: unknown) => {
      ended(unanswered(looked.view, `${failedText(path)}: ${errorText(error)}`));
    });
    return promise;
  }

  #lookedAt(path: string): Looked<V> {
    const known = this.#paths.get(path);
    if (known !== undefined) return known;
    if (this.#paths.size >= PATHS_MAX) {
      const [idle] = [...this.#paths].find(([, { underWay }]) => underWay === undefined) ?? [];
      if (idle !== undefined) this.#paths.delete(idle);
    }
    const looked: Looked<V> = { view: this.#o.unseen, underWay: undefined };
    this.#paths.set(path, looked);
    return looked;
  }
}

/** What a process of this program is to look at. */
export interface LookTask<S extends TSchema> {
  /** The word by which it looks, the path, and what else it has to know. */
  readonly words: readonly [word: string, path: string, ...more: string[]];
  /** Of what it tells. */
  readonly schema: S;
}

/** Begins a look by this program. @param stopping ends it */
export function beginLook<S extends TSchema>(
  { words, schema }: LookTask<S>,
  stopping: AbortSignal,
): LookProcess<Static<S>> {
  const { command, environment } = otherProcess(currentSurroundings().environment);
  const child = Bun.spawn([...command, ...words], {
    ...QUIET,
    env: environment,
    signal: stopping,
    killSignal: "SIGKILL",
  });
  const seen = async (): Promise<Static<S>> => {
    const [said, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
    if (code !== 0) throw new Error(`its process ended with ${code}`);
    return viewIn(said, schema);
  };
  return { seen: seen(), kill: () => child.kill("SIGKILL") };
}

/**
 * The same look, waited for by who has nothing else to do.
 * @param unanswered what is told of what does not answer
 */
export function seenInTime<S extends TSchema>(
  { words, schema }: LookTask<S>,
  unanswered: (why: string) => Static<S>,
): Static<S> {
  const { command, environment } = otherProcess(currentSurroundings().environment);
  const { stdout, exitCode, exitedDueToTimeout } = Bun.spawnSync([...command, ...words], {
    ...QUIET,
    env: environment,
    timeout: LIMIT_MS,
    killSignal: "SIGKILL",
  });
  if (exitCode === 0) return viewIn(stdout.toString(), schema);
  const [, path] = words;
  return unanswered(exitedDueToTimeout === true ? lateText(path) : failedText(path));
}

function lateText(path: string): string {
  return `${path} does not answer: look whether the disk or network it lies on works`;
}

function failedText(path: string): string {
  return `${path} could not be looked at`;
}

function viewIn<S extends TSchema>(said: string, schema: S): Static<S> {
  const view: unknown = JSON.parse(said);
  if (schemaCheckOf(schema).accepts(view)) return view;
  throw new Error("its process told something else");
}
