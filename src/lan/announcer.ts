/** Tells the network where the gateway is, under a name that nobody else has. */

import type { RemoteInfo } from "node:dgram";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import { type LanInterface, lanInterfaces } from "./interfaces.ts";
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
/** A question of a resolver that speaks plain DNS is answered to it alone, for so many seconds. */
const PLAIN_TTL = 10;

export interface AnnouncerOptions {
  /** `fiscald`; where another machine has it, `fiscald-2` and so on. */
  readonly label: string;
  readonly about: () => Omit<Announced, "label">;
  readonly clock: Pick<Clock, "setTimer">;
  readonly log: Pick<Log, "info" | "warn">;
  /** The machine's own unless given. */
  readonly interfaces?: () => readonly LanInterface[];
  /** mDNS's unless given. */
  readonly port?: number;
}

interface Place {
  readonly lan: LanInterface;
  readonly socket: Multicast;
}

/** Announces until it is stopped. What goes wrong with the network is logged, never thrown. */
export class Announcer {
  readonly #options: AnnouncerOptions;
  readonly #places = new Map<string, Place>();
  readonly #timers = new Set<() => void>();
  #attempt = 1;
  #isSure = false;
  #isStopped = false;

  constructor(options: AnnouncerOptions) {
    this.#options = options;
    void this.#look();
  }

  /** `fiscald`, or with a number; it may still change while `isSure` is false. */
  get label(): string {
    const { label } = this.#options;
    return this.#attempt === 1 ? label : `${label}-${this.#attempt}`;
  }

  /** Takes the name back. */
  stop(): void {
    this.#isStopped = true;
    for (const cancel of this.#timers) cancel();
    for (const { lan, socket } of this.#places.values()) {
      const gone = this.#records(lan).map((record) => ({ ...record, ttl: 0 }));
      if (this.#isSure) socket.respond({ answers: gone });
      socket.close();
    }
    this.#places.clear();
  }

  async #look(): Promise<void> {
    const { interfaces = lanInterfaces, port = MDNS_PORT, log } = this.#options;
    const now = new Map(interfaces().map((lan) => [`${lan.address} ${lan.sixes.join()}`, lan]));
    for (const [key, { socket }] of this.#places) {
      if (now.has(key)) continue;
      this.#places.delete(key);
      socket.close();
    }
    let hasNew = false;
    for (const [key, lan] of now) {
      if (this.#places.has(key)) continue;
      try {
        const socket = await openMulticast(lan, {
          port,
          query: (query, from) => this.#asked(key, query, from),
          response: (response) => this.#heard(response),
          failed: (error) => {
            log.warn("not announced in the network", { address: lan.address, error });
          },
        });
        if (this.#isStopped) socket.close();
        else this.#places.set(key, { lan, socket });
        hasNew = true;
      } catch (error) {
        log.warn("not announced in the network", { address: lan.address, error });
      }
    }
    if (hasNew) this.#probe(PROBES);
    this.#after(LOOK_MS, () => void this.#look());
  }

  /** Asks whether somebody has the name; nobody who answers in time leaves it to this machine. */
  #probe(left: number): void {
    const { label } = this;
    if (left === 0) {
      if (!this.#isSure)
        this.#options.log.info("announced in the network", { name: `${label}.local` });
      this.#isSure = true;
      this.#announce(ANNOUNCEMENTS);
      return;
    }
    for (const { socket } of this.#places.values()) {
      socket.query({ name: `${label}.local`, type: "A" });
    }
    this.#after(PROBE_MS, () => {
      if (this.label === label) this.#probe(left - 1);
    });
  }

  #announce(left: number): void {
    for (const { lan, socket } of this.#places.values())
      socket.respond({ answers: this.#records(lan) });
    if (left > 1) this.#after(ANNOUNCE_MS, () => this.#announce(left - 1));
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
    const own = [...this.#places.values()].flatMap(({ lan }) => [lan.address, ...lan.sixes]);
    const isTaken = [...answers, ...additionals].some(
      (record) =>
        (record.type === "A" || record.type === "AAAA") &&
        record.name.toLowerCase() === host &&
        (record.ttl ?? 0) > 0 &&
        !own.includes(record.data),
    );
    if (!isTaken || this.#isStopped) return;
    this.#attempt += 1;
    this.#isSure = false;
    this.#options.log.warn("another machine has this name in the network", { name: host });
    this.#probe(PROBES);
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
