/** HTTPS beside plain HTTP: where the certificate comes from, and when it is changed. */

import { writeFileSync } from "node:fs";
import type { AnyElysia } from "elysia";
import { FINDINGS } from "#core/health.ts";
import { stateFiles } from "../config/state-files.ts";
import type { Config } from "../config.ts";
import { type RunningHttps, startHttps } from "../http/listen-tls.ts";
import type { HttpServerOptions } from "../http/server.ts";
import { checkOf, type HealthCheck } from "../modules/health/schema.ts";
import type { Authority } from "../modules/trust/trust-page.ts";
import type { Log } from "../platform/log.ts";
import { errorText } from "../platform/thrown.ts";
import { HttpAnswers } from "../tls/acme/solvers.ts";
import { derOf, fingerprintOf, isSamePair, type ServerCertificate } from "../tls/pem.ts";
import { endsSoon } from "../tls/validity.ts";
import { certificateSource } from "./certificate-source.ts";

/** How often it is looked whether the certificate is still the right one: a look takes some 0.1 ms. */
const LOOK_MS = 10_000;

/** HTTPS of one gateway. */
export interface Https {
  /** The certificate of the gateway's own authority, as PEM; undefined where there is none. */
  authority(): string | undefined;
  /** Where plain HTTP is sent on to. */
  target(): { readonly port: number; readonly name: string };
  /** What an authority elsewhere is answered for a token; undefined for one that is not asked for. */
  acmeAnswer(token: string): string | undefined;
  health(): HealthCheck;
  /** What is served; undefined until there is a certificate. */
  certificate(): ServerCertificate | undefined;
  /** Where it listens; undefined until there is a certificate. */
  url(): string | undefined;
  /** Opens the port as soon as there is a certificate, and keeps to the right one from then on. */
  start(app: AnyElysia, connections: Parameters<typeof startHttps>[1]["connections"]): void;
  /** Looks now, as when the files were changed. */
  look(): Promise<void>;
  stop(graceMs: number): Promise<void>;
}

/** Undefined where it is off. */
export function createHttps(
  foundation: Parameters<typeof certificateSource>[0],
): Https | undefined {
  const { config, clock, log } = foundation;
  if (config["https.certificate"] === "off") return undefined;
  const answers = new HttpAnswers();
  const source = certificateSource({ ...foundation, answers, changed: () => void look() });
  const { host: hostname, port } = config["https.listen"];
  let running: RunningHttps | undefined;
  let served: ServerCertificate | undefined;
  let fault: string | undefined;
  let open: (certificate: ServerCertificate) => RunningHttps;
  let cancel = (): void => {};
  let isStopped = false;
  const show = (certificate: ServerCertificate): void => {
    if (served !== undefined && isSamePair(certificate, served)) return;
    if (running === undefined) running = open(certificate);
    else running.use(certificate);
    served = certificate;
    logServed(log, running.url, certificate);
  };
  const note = noteOf(config, log);
  const lookOnce = async (): Promise<void> => {
    try {
      const certificate = await source.look();
      if (!isStopped) show(certificate);
      if (!isStopped && running !== undefined) note(running.url);
      // The source writes the line.
      fault = source.trouble?.();
    } catch (error) {
      const reason = errorText(error);
      if (reason !== fault && source.acme === undefined) {
        log.error("HTTPS lacks a certificate", { error });
      }
      fault = reason;
    }
  };
  // One at a time: two would make two certificates.
  let looking = Promise.resolve();
  const look = (): Promise<void> => {
    looking = looking.then(lookOnce);
    return looking;
  };
  const lookAgain = (): void => {
    cancel = clock.setTimer(LOOK_MS, () => void look().then(lookAgain));
    if (isStopped) cancel();
  };
  return {
    authority: () => source.authority(),
    acmeAnswer: (token) => answers.find(token),
    target: () => ({
      port: running === undefined ? port : Number(new URL(running.url).port || 443),
      name: served?.names[0] ?? "localhost",
    }),
    health: () => healthOf({ running, served, fault, now: clock.now() }),
    certificate: () => served,
    url: () => running?.url,
    start(app, connections) {
      open = (identity) =>
        startHttps(app, { hostname, port, clock, identity, ...(connections && { connections }) });
      void look().then(lookAgain);
    },
    look() {
      source.acme?.tryAtOnce();
      return look();
    },
    async stop(graceMs) {
      isStopped = true;
      cancel();
      source.acme?.stop();
      await running?.stop(graceMs);
    },
  };
}

function logServed(log: Pick<Log, "info">, url: string, certificate: ServerCertificate): void {
  const { names, fingerprint, notAfter } = certificate;
  const until = new Date(notAfter).toISOString();
  log.info("listening with TLS", { url, names, fingerprint, notAfter: until });
}

/**
 * Notes where HTTPS is, once: for commands at the box, as the port may come from a flag, or be whichever was
 * free. Where that fails, as on a full disk, it is told, and tried again at the next call.
 */
function noteOf(config: Config, log: Pick<Log, "warn">): (url: string) => void {
  const { secureAddress } = stateFiles(config["state.dir"]);
  let isNoted = false;
  let isTold = false;
  return (url) => {
    if (isNoted) return;
    try {
      writeFileSync(secureAddress, `${url}\n`, { mode: 0o600 });
      isNoted = true;
    } catch (error) {
      if (!isTold) log.warn("commands at the box cannot be told where HTTPS is", { error });
      isTold = true;
    }
  };
}

function healthOf(state: {
  readonly running: unknown;
  readonly served: ServerCertificate | undefined;
  readonly fault: string | undefined;
  /** UTC milliseconds. */
  readonly now: number;
}): HealthCheck {
  const { served, fault, now } = state;
  if (served === undefined) {
    const absent = fault ? FINDINGS.certificateFault(fault) : FINDINGS.certificateInTheMaking();
    return checkOf("failed", absent);
  }
  const until = new Date(served.notAfter).toISOString().slice(0, 10);
  const why = fault === undefined ? [] : [FINDINGS.certificateFault(fault)];
  if (now >= served.notAfter) return checkOf("failed", FINDINGS.certificateEnded(until), ...why);
  if (now < served.notBefore) return checkOf("failed", FINDINGS.certificateBeginsLater(), ...why);
  const ends = endsSoon(served, now) ? [FINDINGS.certificateEnds(until)] : [];
  return checkOf("degraded", ...ends, ...why);
}

/** What plain HTTP sends on; a proxy in front decides that by itself. */
export function redirectOf(
  config: Pick<Config, "http.redirect" | "http.plainFrom" | "http.trustProxy">,
  https: Https | undefined,
): HttpServerOptions["redirect"] {
  const mode = config["http.redirect"];
  if (https === undefined || mode === "none" || config["http.trustProxy"]) return undefined;
  return { mode, plainFrom: config["http.plainFrom"], target: () => https.target() };
}

/** The authority for those who are to trust it. */
export function authorityOf(https: Https | undefined): Authority | undefined {
  const pem = https?.authority();
  if (pem === undefined) return undefined;
  return { pem, der: new Uint8Array(derOf(pem)), fingerprint: fingerprintOf(pem) };
}
