/** Tells the network where the gateway is, under a name that nobody else has. */

import type { RemoteInfo } from "node:dgram";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import { type LanInterface, lanInterfaces, machineAddresses } from "./interfaces.ts";
import { labelsOf } from "./labels.ts";
import { MDNS_PORT, type Message, type Multicast, openMulticast } from "./multicast.ts";
import { type Announced, answersTo, recordsOf } from "./records.ts";

/** RFC 6762, 8.1: how often it is asked whether somebody has the name, and how far apart. */
const PROBES = 3;
const PROBE_MS = 250;
/** RFC 6762, 8.3. */
const ANNOUNCEMENTS = 2;
const ANNOUNCE_MS = 1_000;
/** How often it is looked for interfaces that came or went. */
const LOOK_MS = 15_000;
/** How often it is asked for a name that was left to another machine, give or take a fifth. */
const ASK_MS = 10_000;
/** Questions without an answer until the name is taken again: longer than a gateway's restart. */
const SILENT_QUESTIONS = 6;
/** For so long no further name is tried once others have all of them. */
const REST_MS = 60_000;
/** A question of a resolver that speaks plain DNS is answered to it alone, for so many seconds. */
const PLAIN_TTL = 10;

export interface AnnouncerOptions {
  /** `fiscald`; where another machine has it, `fiscald-2` and so on, to `fiscald-10`. */
  readonly label: string;
  readonly about: () => Omit<Announced, "label">;
  readonly clock: Pick<Clock, "setTimer">;
  readonly log: Pick<Log, "info" | "warn">;
  /** The machine's own unless given. */
  readonly interfaces?: () => readonly LanInterface[];
  /** The addresses that are not another machine's; all of this one unless given. */
  readonly ownAddresses?: () => readonly string[];
  /** mDNS's unless given. */
  readonly port?: number;
  /** 0 to 1: lets two gateways that leave a name to each other ask for it at different times. */
  readonly chance?: () => number;
}

interface Place {
  readonly lan: LanInterface;
  readonly socket: Multicast;
}

/** Announces until it is stopped. What goes wrong with the network is logged, never thrown. */
export class Announcer {
  readonly #options: AnnouncerOptions;
  readonly #places = new Map<string, Place>();
  /** Those of which it was told that they cannot be opened. */
  readonly #told = new Set<string>();
  readonly #timers = new Set<() => void>();
  readonly #labels: readonly string[];
  /** Place of the present one among them. */
  #attempt = 0;
  /** Others have all of them. */
  #isResting = false;
  /** Another machine spoke under the name of the options since it was last asked for. */
  #wantedIsHeard = false;
  #isSure = false;
  #isStopped = false;

  constructor(options: AnnouncerOptions) {
    this.#options = options;
    this.#labels = labelsOf(options.label);
    void this.#look();
  }

  /** `fiscald`, or with a number; it may still change while `isSure` is false. */
  get label(): string {
    return this.#labels[this.#attempt] ?? this.#options.label;
  }

  /** Takes the name back. */
  stop(): void {
    this.#isStopped = true;
    for (const cancel of this.#timers) cancel();
    this.#takeNameBack();
    for (const { socket } of this.#places.values()) socket.close();
    this.#places.clear();
  }

  #takeNameBack(): void {
    if (!this.#isSure) return;
    for (const { lan, socket } of this.#places.values()) {
      socket.respond({ answers: this.#records(lan).map((record) => ({ ...record, ttl: 0 })) });
    }
  }

  async #look(): Promise<void> {
    const { interfaces = lanInterfaces } = this.#options;
    const now = new Map(interfaces().map((lan) => [`${lan.address} ${lan.sixes.join()}`, lan]));
    for (const key of this.#places.keys()) if (!now.has(key)) this.#close(key);
    for (const key of this.#told) if (!now.has(key)) this.#told.delete(key);
    let hasNew = false;
    for (const [key, lan] of now) {
      if (this.#places.has(key)) continue;
      hasNew = (await this.#open(key, lan)) || hasNew;
    }
    if (hasNew) this.#probe(PROBES);
    this.#after(LOOK_MS, () => void this.#look());
  }

  /** @returns whether it is open; where it is not, the next look tries again */
  async #open(key: string, lan: LanInterface): Promise<boolean> {
    const { port = MDNS_PORT, log } = this.#options;
    const tell = (error: unknown): void => {
      if (!this.#told.has(key))
        log.warn("not announced in the network", { address: lan.address, error });
      this.#told.add(key);
    };
    try {
      const socket = await openMulticast(lan, {
        port,
        query: (query, from) => this.#asked(key, query, from),
        response: (response) => this.#heard(response),
        failed: (error) => {
          tell(error);
          this.#close(key);
        },
      });
      this.#told.delete(key);
      if (this.#isStopped) socket.close();
      else this.#places.set(key, { lan, socket });
      return true;
    } catch (error) {
      tell(error);
      return false;
    }
  }

  #close(key: string): void {
    this.#places.get(key)?.socket.close();
    this.#places.delete(key);
  }

  /** Asks whether somebody has the name; nobody who answers in time leaves it to this machine. */
  #probe(left: number): void {
    // Of a name that another machine has just claimed.
    if (this.#isResting) return;
    const { label } = this;
    if (left === 0) {
      // Nobody was asked: it begins with the next one that opens.
      if (this.#places.size === 0) return;
      if (!this.#isSure)
        this.#options.log.info("announced in the network", { name: `${label}.local` });
      this.#isSure = true;
      this.#announce(label, ANNOUNCEMENTS);
      return;
    }
    for (const { socket } of this.#places.values()) {
      socket.query({ name: `${label}.local`, type: "A" });
    }
    this.#after(PROBE_MS, () => {
      if (this.label === label) this.#probe(left - 1);
    });
  }

  #announce(label: string, left: number): void {
    // Another machine has claimed it since the first time.
    if (!this.#isSure || this.label !== label) return;
    for (const { lan, socket } of this.#places.values())
      socket.respond({ answers: this.#records(lan) });
    if (left > 1) this.#after(ANNOUNCE_MS, () => this.#announce(label, left - 1));
  }

  #asked(key: string, query: Message, from: RemoteInfo): void {
    const place = this.#places.get(key);
    if (!this.#isSure || place === undefined) return;
    const { answers, additionals } = answersTo(query.questions, this.#records(place.lan));
    if (answers.length === 0) return;
    const { port = MDNS_PORT } = this.#options;
    if (from.port === port) {
      place.socket.respond({ answers, additionals });
      return;
    }
    const plain = answers.map((answer) => ({ ...answer, ttl: PLAIN_TTL, flush: false }));
    const { id, questions } = query;
    place.socket.respond({ id, questions, answers: plain }, from);
  }

  /** Another machine that says it has the name gets it: this one takes the next. */
  #heard({ answers, additionals }: Message): void {
    const host = `${this.label}.local`;
    const { ownAddresses = machineAddresses } = this.#options;
    const isTaken = (name: string): boolean =>
      [...answers, ...additionals].some(
        (record) =>
          (record.type === "A" || record.type === "AAAA") &&
          record.name.toLowerCase() === name &&
          (record.ttl ?? 0) > 0 &&
          !ownAddresses().includes(record.data),
      );
    if (isTaken(`${this.#options.label}.local`)) this.#wantedIsHeard = true;
    if (!isTaken(host) || this.#isStopped || this.#isResting) return;
    this.#options.log.warn("another machine has this name in the network", { name: host });
    if (this.#attempt === 0) this.#askAgain(0);
    this.#isResting = this.#attempt === this.#labels.length - 1;
    if (!this.#isResting) this.#take(this.#attempt + 1);
    else {
      this.#isSure = false;
      this.#after(REST_MS, () => this.#isResting && this.#take(1));
    }
  }

  /** Tries the label at that place. */
  #take(attempt: number): void {
    this.#isResting = false;
    this.#attempt = attempt;
    this.#isSure = false;
    this.#probe(PROBES);
  }

  /**
   * Asks for the name that was left to another machine. One that has it answers; one that only said
   * so once, or has gone, does not, and then the name is this machine's again.
   */
  #askAgain(unanswered: number): void {
    if (unanswered === SILENT_QUESTIONS) {
      this.#takeNameBack();
      this.#take(0);
      return;
    }
    this.#wantedIsHeard = false;
    for (const { socket } of this.#places.values()) {
      socket.query({ name: `${this.#options.label}.local`, type: "A" });
    }
    const { chance = Math.random } = this.#options;
    this.#after(ASK_MS * (0.8 + 0.4 * chance()), () =>
      this.#askAgain(this.#wantedIsHeard ? 0 : unanswered + 1),
    );
  }

  #records(lan: LanInterface) {
    return recordsOf({ ...this.#options.about(), label: this.label }, lan);
  }

  #after(ms: number, work: () => void): void {
    if (this.#isStopped) return;
    const cancel = this.#options.clock.setTimer(ms, () => {
      this.#timers.delete(cancel);
      work();
    });
    this.#timers.add(cancel);
  }
}
