/** Who is to run on a machine that is updated, and who of them does: the one list of it. */

import { existsSync } from "node:fs";
import { SERVICES } from "./machine-paths.ts";
import { mustRun, run } from "./run-program.ts";

export type Service = (typeof SERVICES)[number];

interface State {
  /**
   * It ran when the update looked: that it does not start then is a failure. Of the others, which systemd was
   * about to start, or one that was broken off had stopped and which did not start since, it is tried: a new
   * version may mend it.
   */
  readonly hasTo: boolean;
  readonly runs: boolean;
}

/** One that does not start, and why. */
interface Unstarted {
  readonly service: Service;
  readonly why: string;
}

/**
 * States in which it runs, and others in which systemd is about to start or to stop it: one that takes long for it,
 * or falls over and is started again and again. As `runs` of systemd/steps.sh has them.
 */
const RUNS: readonly string[] = ["active", "reloading", "refreshing"];
const MOVES: readonly string[] = ["activating", "deactivating"];

/** The one that works on the database. */
const GATEWAY = "fiscald" satisfies Service;

export class UpdatedServices {
  readonly #states = new Map<Service, State>();
  readonly #systemd: string;
  readonly #note: (services: string) => void;

  /**
   * @param systemd folder that is there where systemd runs
   * @param note notes names, with blanks between, of those that whoever finds the note is to start
   */
  constructor(systemd: string, note: (services: string) => void) {
    this.#systemd = systemd;
    this.#note = note;
  }

  /** All that are to run. */
  get all(): readonly Service[] {
    return this.#named(() => true);
  }

  /** Those that are to run and do not. */
  get missing(): readonly Service[] {
    return this.#named(({ runs }) => !runs);
  }

  /** Whether it runs, as one that is to run. */
  runs(service: Service): boolean {
    return this.#states.get(service)?.runs === true;
  }

  /** Whether it ran when the update looked. */
  hasTo(service: Service): boolean {
    return this.#states.get(service)?.hasTo === true;
  }

  /** Looks which run: those have to run again. One that systemd is about to start is to be tried. */
  async look(): Promise<void> {
    if (!existsSync(this.#systemd)) return;
    for (const service of SERVICES) {
      const state = await toldOf(service, "ActiveState");
      const runs = RUNS.includes(state);
      const isToRun = runs || MOVES.includes(state) || this.#states.has(service);
      if (isToRun) this.#states.set(service, { hasTo: runs, runs });
    }
  }

  /**
   * Adds those that are to be tried, but for what nothing starts: the unit is gone, or masked by somebody.
   * @param left by an update that was broken off, or one that came to its end: then also without those that
   * somebody has turned off since
   */
  async add(services: readonly Service[], left: "broken_off" | "ended"): Promise<void> {
    for (const service of services) {
      if (this.#states.has(service)) continue;
      if (["masked", "not-found"].includes(await toldOf(service, "LoadState"))) continue;
      if (left === "ended" && (await toldOf(service, "UnitFileState")) === "disabled") continue;
      this.#states.set(service, { hasTo: false, runs: false });
    }
    this.note();
  }

  /** Has those that do not run noted again. */
  note(): void {
    this.#note(this.missing.join(" "));
  }

  /** Stops all, and what systemd may be trying to start. */
  async stop(): Promise<void> {
    const { all } = this;
    if (all.length === 0) return;
    this.#set(all, false);
    // From here on they are to be started, by this process or by whoever finds the note.
    this.note();
    await mustRun(["systemctl", "stop", ...all]);
  }

  /** Returns once it takes work; where it does not have to run it is tried. @throws Error when it does not start */
  async startGateway(): Promise<void> {
    await this.#start([GATEWAY]);
  }

  /** The same for those beside the gateway, each of which is tried. @throws Error with what does not start */
  async startOthers(): Promise<void> {
    await this.#start(SERVICES.filter((service) => service !== GATEWAY));
  }

  /** Starts each that does not run as far as it starts. @returns why not, in words; empty where all run */
  async try(): Promise<string> {
    return (await this.#try(SERVICES)).map(({ why }) => why).join("; ");
  }

  async #start(services: readonly Service[]): Promise<void> {
    const failed = (await this.#try(services)).filter(({ service }) => this.hasTo(service));
    if (failed.length > 0) throw new Error(failed.map(({ why }) => why).join("; "));
  }

  async #try(services: readonly Service[]): Promise<readonly Unstarted[]> {
    const unstarted: Unstarted[] = [];
    for (const service of this.missing.filter((name) => services.includes(name))) {
      const { code, said } = await run(["systemctl", "start", service]);
      this.#set([service], code === 0);
      if (code === 0) continue;
      const why = `${service} does not start: systemctl start ended with ${code}: ${said}`;
      unstarted.push({ service, why: why.trim() });
    }
    this.note();
    return unstarted;
  }

  #named(which: (state: State) => boolean): readonly Service[] {
    return SERVICES.filter((service) => {
      const state = this.#states.get(service);
      return state !== undefined && which(state);
    });
  }

  #set(services: readonly Service[], runs: boolean): void {
    for (const service of services) this.#states.set(service, { hasTo: this.hasTo(service), runs });
  }
}

/** What systemd says of it; empty where it says nothing. */
async function toldOf(service: Service, property: string): Promise<string> {
  const { said } = await run(["systemctl", "show", `--property=${property}`, "--value", service]);
  return said;
}

/** Those that a note names, with blanks between. */
export function servicesIn(noted: string): readonly Service[] {
  const names = noted.split(" ");
  return SERVICES.filter((name) => names.includes(name));
}
