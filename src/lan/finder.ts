/** Looks for gateways in the network. */

import type { Clock } from "../platform/clock.ts";
import { type LanInterface, lanInterfaces } from "./interfaces.ts";
import { type Answer, MDNS_PORT, type Multicast, openMulticast, SERVICE } from "./multicast.ts";

/** A gateway that announced itself; nobody has checked that it is one. */
export interface FoundGateway {
  /** `fiscald.local` */
  readonly host: string;
  readonly addresses: readonly string[];
  readonly httpPort: number | undefined;
  readonly httpsPort: number | undefined;
  readonly version: string | undefined;
}

export interface FindOptions {
  readonly clock: Pick<Clock, "setTimer">;
  /** How long to wait for answers, in milliseconds. */
  readonly waitMs: number;
  /** The machine's own unless given. */
  readonly interfaces?: readonly LanInterface[];
  /** mDNS's unless given. */
  readonly port?: number;
}

/** Answers may get lost: it is asked so many times. */
const QUESTIONS = 3;

/** The gateways that answer in time, in the order of their names. */
export async function findGateways(options: FindOptions): Promise<FoundGateway[]> {
  const { clock, waitMs, port = MDNS_PORT } = options;
  const heard: Answer[] = [];
  const places: Multicast[] = [];
  for (const lan of options.interfaces ?? lanInterfaces()) {
    const place = openMulticast(lan, {
      port,
      response: ({ answers, additionals }) => void heard.push(...answers, ...additionals),
      failed: () => undefined,
    });
    // Where one cannot be opened nobody answers.
    await place.then((socket) => places.push(socket)).catch(() => undefined);
  }
  for (let asked = 0; asked < QUESTIONS; asked += 1) {
    for (const socket of places) socket.query({ name: SERVICE, type: "PTR" });
    await new Promise<void>((resolve) => void clock.setTimer(waitMs / QUESTIONS, resolve));
  }
  for (const socket of places) socket.close();
  return gatewaysIn(heard);
}

function gatewaysIn(heard: readonly Answer[]): FoundGateway[] {
  const found = new Map<string, FoundGateway>();
  for (const record of heard) {
    if (record.type !== "SRV" || !record.name.endsWith(SERVICE)) continue;
    const host = record.data.target.toLowerCase();
    const addresses = heard.flatMap((other) =>
      other.type === "A" && other.name.toLowerCase() === host ? [other.data] : [],
    );
    const texts = textsOf(heard.find(({ type, name }) => type === "TXT" && name === record.name));
    const portOf = (name: string): number | undefined => Number(texts.get(name)) || undefined;
    found.set(host, {
      ...{ host, addresses: [...new Set(addresses)], version: texts.get("version") },
      ...{ httpPort: portOf("http"), httpsPort: portOf("https") },
    });
  }
  return [...found.values()].sort((one, other) => (one.host < other.host ? -1 : 1));
}

function textsOf(record: Answer | undefined): Map<string, string> {
  if (record?.type !== "TXT") return new Map();
  const entries = Array.isArray(record.data) ? record.data : [record.data];
  return new Map(
    entries.map((entry) => {
      const [name = "", ...value] = entry.toString().split("=");
      return [name, value.join("=")];
    }),
  );
}
