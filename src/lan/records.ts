/** The records by which a gateway is found (RFC 6763). */

import type { LanInterface } from "./interfaces.ts";
import { type Answer, SERVICE } from "./multicast.ts";

const SERVICES = "_services._dns-sd._udp.local";
/** Seconds, as RFC 6762, 10, has them for names of machines, and for everything else. */
const HOST_TTL = 120;
const SERVICE_TTL = 4_500;

/** What is announced. */
export interface Announced {
  /** `fiscald` for `fiscald.local` */
  readonly label: string;
  readonly httpPort: number;
  /** Undefined where HTTPS is off. */
  readonly httpsPort: number | undefined;
  readonly version: string;
}

/** The records of one interface: its own addresses, so that whoever asks there gets there. */
export function recordsOf(announced: Announced, lan: LanInterface): Answer[] {
  const { label, httpPort, httpsPort, version } = announced;
  const host = `${label}.local`;
  const instance = `${label}.${SERVICE}`;
  const texts = [`version=${version}`, "path=/api/v1", `http=${httpPort}`];
  if (httpsPort !== undefined) texts.push(`https=${httpsPort}`);
  const own = { ttl: HOST_TTL, class: "IN", flush: true } as const;
  const shared = { ttl: SERVICE_TTL, class: "IN", flush: false } as const;
  const service = { priority: 0, weight: 0, port: httpsPort ?? httpPort, target: host };
  return [
    { type: "PTR", name: SERVICES, data: SERVICE, ...shared },
    { type: "PTR", name: SERVICE, data: instance, ...shared },
    { type: "SRV", name: instance, data: service, ...own },
    { type: "TXT", name: instance, data: texts, ...own, ttl: SERVICE_TTL },
    { type: "A", name: host, data: lan.address, ...own },
    ...lan.sixes.map((data): Answer => ({ type: "AAAA", name: host, data, ...own })),
  ];
}

/** The records that answer a question, then what whoever asks will ask for next. */
export function answersTo(
  questions: readonly { readonly name: string; readonly type: string }[],
  records: readonly Answer[],
): { readonly answers: Answer[]; readonly additionals: Answer[] } {
  const isAsked = ({ name, type }: Answer): boolean =>
    questions.some(
      (question) =>
        question.name.toLowerCase() === name.toLowerCase() &&
        (question.type === type || question.type === "ANY"),
    );
  const answers = records.filter(isAsked);
  const leads = answers.some(({ type }) => type === "PTR" || type === "SRV");
  const additionals = leads
    ? records.filter((record) => record.type !== "PTR" && !answers.includes(record))
    : [];
  const missing = leads ? undefined : absent(questions, records);
  return { answers: missing === undefined ? answers : [...answers, missing], additionals };
}

/** Says which addresses the host has where one was asked for that it has not (RFC 6762, 6.1). */
function absent(
  questions: readonly { readonly name: string; readonly type: string }[],
  records: readonly Answer[],
): Answer | undefined {
  const host = records.find(({ type }) => type === "A");
  if (host === undefined) return undefined;
  const types = [...new Set(records.filter(({ name }) => name === host.name).map((r) => r.type))];
  const isAskedInVain = questions.some(
    ({ name, type }) =>
      name.toLowerCase() === host.name && type === "AAAA" && !types.includes("AAAA"),
  );
  if (!isAskedInVain) return undefined;
  const data = { nextDomain: host.name, rrtypes: types };
  return { type: "NSEC", name: host.name, ttl: HOST_TTL, class: "IN", flush: true, data };
}
