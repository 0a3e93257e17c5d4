/** Who is to run on a machine that is updated, and who of them does: the one list of it. */

import { existsSync } from "node:fs";
import { SERVICES } from "./machine-paths.ts";
import { mustRun, run } from "./run-program.ts";
import { isStartable, type Service, settledState, stateOf, type UnitState } from "./unit-state.ts";

/** What is known of a service: nothing of one that is off, and that nobody has asked for. */
type Known =
  | ToRun
  /** Somebody else is stopping it: it has not ended yet, and is to stay off. */
  | "stopping"
  /** It has ended by that. */
  | "stays_off";

/** One that is to run. */
interface ToRun {
  /**
   * It ran when the update looked, or was about to: that it does not start then is a failure. Of the others, which
   * fall over and over, or one that was broken off had stopped and which did not start since, it is tried: a
   * new version may mend it.
   */
  readonly hasTo: boolean;
  readonly runs: boolean;
}

/** One that does not start, and why. */
interface Unstarted {
  readonly service: Service;
  readonly why: string;
}

/** The one that works on the database. */
const GATEWAY = "fiscald" satisfies Service;

export class UpdatedServices {
  readonly #known = new Map<Service, Known>();
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
    return this.#toRun(service)?.runs === true;
  }

  /** Whether it ran when the update looked, or was about to. */
  hasTo(service: Service): boolean {
    return this.#toRun(service)?.hasTo === true;
  }

  /**
   * Looks which run, or are about to: those have to run again. One that falls over and over is to be tried, one
   * that somebody is stopping stays off. Waits up to 30 s for what becomes of one that is being started.
   */
  async look(): Promise<void> {
    if (!existsSync(this.#systemd)) return;
    const look = async (service: Service) => this.#see(service, await settledState(service));
    await Promise.all(SERVICES.map(look));
  }

  #see(service: Service, state: UnitState): void {
    const known = this.#toRun(service);
    if (state === "stops") {
      this.#known.set(service, "stopping");
    } else if (state !== "off" || known !== undefined) {
      const runs = state === "runs";
      // One that the update has tried already does not start.
      const isAboutTo = known?.runs !== false && (state === "waits" || state === "starts");
      this.#known.set(service, { hasTo: runs || isAboutTo, runs });
    } else if (this.#known.has(service)) {
      this.#known.set(service, "stays_off");
    }
  }

  /**
   * Adds those that are to be tried, but for what nothing starts: the unit is gone, or masked by somebody. One
   * that somebody stops now, or was stopping when the update looked, stays off.
   * @param left by an update that was broken off, or one that came to its end: then also without those that
   * somebody has turned off since
   * @throws UpdateStuck where nobody can tell
   */
  async add(services: readonly Service[], left: "broken_off" | "ended"): Promise<void> {
    for (const service of services) {
      if (this.#known.has(service)) continue;
      if ((await stateOf(service)) === "stops") this.#known.set(service, "stopping");
      else if (await isStartable(service, left)) this.#set([service], false);
    }
    this.note();
  }

  /** Has those that do not run noted again. */
  note(): void {
    this.#note(this.missing.join(" "));
  }

  /** Stops all, and what systemd may be trying to start; returns once what others stop has ended too. */
  async stop(): Promise<void> {
    const { all } = this;
    const stopping = SERVICES.filter((name) => this.#known.get(name) === "stopping");
    const units = SERVICES.filter((name) => all.includes(name) || stopping.includes(name));
    if (units.length === 0) return;
    this.#set(all, false);
    // From here on they are to be started, by this process or by whoever finds the note.
    this.note();
    await mustRun(["systemctl", "stop", ...units]);
    for (const service of stopping) this.#known.set(service, "stays_off");
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

  #named(which: (state: ToRun) => boolean): readonly Service[] {
    return SERVICES.filter((service) => {
      const state = this.#toRun(service);
      return state !== undefined && which(state);
    });
  }

  #toRun(service: Service): ToRun | undefined {
    const known = this.#known.get(service);
    return typeof known === "object" ? known : undefined;
  }

  #set(services: readonly Service[], runs: boolean): void {
    for (const service of services) this.#known.set(service, { hasTo: this.hasTo(service), runs });
  }
}

/** Those that a note names, with blanks between. */
export function servicesIn(noted: string): readonly Service[] {
  const names = noted.split(" ");
  return SERVICES.filter((name) => names.includes(name));
}
