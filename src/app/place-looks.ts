/**
 * Looks at places of backups, each by a process of its own. A network folder whose server is gone, or
 * a dying stick, holds whoever asks it for as long as it likes: here that is never the gateway, nor a
 * thread of it, but a process that is waited for no longer than some seconds.
 */

import { schemaCheckOf } from "#core/schema-check.ts";
import { PlaceView } from "../backup/place-view.ts";
import { currentSurroundings } from "../config/surroundings.ts";
import type { Clock } from "../platform/clock.ts";
import { otherProcess } from "../platform/engine.ts";
import { errorText } from "../platform/thrown.ts";
import { VIEW_PLACE } from "./view-place.ts";

/** A place that takes longer counts as one that does not answer. */
const LIMIT_MS = 5_000;
/** So many places are remembered: the usual ones and all sticks of a machine are fewer. */
const PLACES_MAX = 32;
/** How its process speaks. */
const QUIET = { stdin: "ignore", stdout: "pipe", stderr: "ignore" } as const;
const NOT_SEEN: PlaceView = { kept: [], freeBytes: null, fault: null, unready: null };

/** A look under way. */
export interface LookProcess {
  /** What it came to. Rejects where it came to nothing. */
  readonly seen: Promise<PlaceView>;
  /** Ends it; one that waits for a disk ends when that answers. */
  kill(): void;
}

export interface PlaceLooksOptions {
  readonly clock: Pick<Clock, "setTimer">;
  /** Starts a process that looks at a folder. */
  readonly begin: (folder: string) => LookProcess;
}

interface Place {
  /** What was seen last. */
  view: PlaceView;
  /** Resolves when that is new, or it takes too long; undefined while no process looks. */
  underWay: Promise<void> | undefined;
}

export class PlaceLooks {
  readonly #o: PlaceLooksOptions;
  readonly #places = new Map<string, Place>();

  constructor(options: PlaceLooksOptions) {
    this.#o = options;
  }

  /**
   * What lies in a folder. Where it does not answer in time, what was seen there last, with that as
   * its fault; it is asked again once the process that asked it has ended.
   */
  async look(folder: string): Promise<PlaceView> {
    const place = this.#placeOf(folder);
    place.underWay ??= this.#begin(folder, place);
    await place.underWay;
    return place.view;
  }

  #begin(folder: string, place: Place): Promise<void> {
    const { begin, clock } = this.#o;
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = begin(folder);
    let isLate = false;
    const cancel = clock.setTimer(LIMIT_MS, () => {
      const text = unanswered(folder);
      place.view = { ...place.view, fault: text, unready: text };
      isLate = true;
      look.kill();
      resolve();
    });
    const ended = (view: PlaceView): void => {
      cancel();
      // Of one that was killed nothing new is known.
      if (!isLate) place.view = view;
      place.underWay = undefined;
      resolve();
    };
    look.seen.then(ended, (error: unknown) => {
      const text = `${folder} could not be looked at: ${errorText(error)}`;
      ended({ ...place.view, fault: text, unready: text });
    });
    return promise;
  }

  #placeOf(folder: string): Place {
    const known = this.#places.get(folder);
    if (known !== undefined) return known;
    if (this.#places.size >= PLACES_MAX) {
      const [idle] = [...this.#places].find(([, { underWay }]) => underWay === undefined) ?? [];
      if (idle !== undefined) this.#places.delete(idle);
    }
    const place: Place = { view: NOT_SEEN, underWay: undefined };
    this.#places.set(folder, place);
    return place;
  }
}

/**
 * The same look, waited for by who has nothing else to do.
 * @param stateDir whose own folder it may be
 */
export function viewInTime(folder: string, stateDir: string): PlaceView {
  const { command, environment } = otherProcess(currentSurroundings().environment);
  const { stdout, exitCode, exitedDueToTimeout } = Bun.spawnSync(
    [...command, VIEW_PLACE, folder, stateDir],
    {
      ...QUIET,
      env: environment,
      timeout: LIMIT_MS,
      killSignal: "SIGKILL",
    },
  );
  if (exitCode === 0) return viewIn(stdout.toString());
  const text =
    exitedDueToTimeout === true ? unanswered(folder) : `${folder} could not be looked at`;
  return { ...NOT_SEEN, fault: text, unready: text };
}

function unanswered(folder: string): string {
  return `${folder} does not answer: look whether the disk or network it lies on works`;
}

function viewIn(said: string): PlaceView {
  const view: unknown = JSON.parse(said);
  if (schemaCheckOf(PlaceView).accepts(view)) return view;
  throw new Error("its process told something else");
}

/**
 * Begins a look by this program.
 * @param stateDir whose own folder it may be
 * @param stopping ends it
 */
export function beginLook(folder: string, stateDir: string, stopping: AbortSignal): LookProcess {
  const { command, environment } = otherProcess(currentSurroundings().environment);
  const child = Bun.spawn([...command, VIEW_PLACE, folder, stateDir], {
    ...QUIET,
    env: environment,
    signal: stopping,
    killSignal: "SIGKILL",
  });
  const seen = async (): Promise<PlaceView> => {
    const [said, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
    if (code !== 0) throw new Error(`its process ended with ${code}`);
    return viewIn(said);
  };
  return { seen: seen(), kill: () => child.kill("SIGKILL") };
}
