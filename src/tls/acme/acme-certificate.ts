/**
 * A certificate of an authority elsewhere, asked for and renewed by ACME. While the authority cannot
 * be reached, or refuses, the one that is there goes on.
 *
 * In the folder: the account's key, the certificate with its key, and how the last try went, so that
 * a restart does not ask an authority again at once that has just refused, or given one.
 */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../platform/clock.ts";
import { CLOCK_FLOOR } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { errorText } from "../../platform/thrown.ts";
import {
  certificateText,
  type KeptCertificate,
  keepPrivately,
  readKeptCertificate,
  textIfThere,
} from "../kept-files.ts";
import { readServerCertificate, type ServerCertificate } from "../pem.ts";
import { isToWait, renewalAt, restAfter, retryAfter } from "./renewal.ts";
import { dnsSolver, type HttpAnswers } from "./solvers.ts";

/** What to ask which authority for. */
export interface AcmeSettings {
  /** URL of its directory. */
  readonly directory: string;
  /** Host names of this machine. */
  readonly names: readonly string[];
  readonly contact: string;
  /** A person has agreed to the authority's terms. */
  readonly acceptTerms: boolean;
  /** PEM file of the authority that the directory's own certificate is from; empty for a public one. */
  readonly caFile: string;
  /** Puts TXT records into the zone; empty to be asked over HTTP. */
  readonly dnsCommand: string;
  readonly dnsWaitMs: number;
}

export interface AcmeCertificateOptions {
  /** Made unless it is there; holds private keys. */
  readonly folder: string;
  readonly settings: AcmeSettings;
  readonly answers: HttpAnswers;
  readonly clock: Pick<Clock, "now" | "setTimer">;
  readonly log: Log;
  /** A try has come to its end, either way. */
  readonly changed?: () => void;
  /** From 0 to 1, for the spread of repeated tries; chance itself unless given. */
  readonly chance?: () => number;
}

/** How the last try went that failed. */
export interface FailedTry {
  /** Of the settings it was made with: others are tried at once. */
  readonly settings: string;
  /** In a row. */
  readonly failures: number;
  readonly reason: string;
  /** When the next one is made; UTC milliseconds. */
  readonly nextAt: number;
}

/** The last try that came to a certificate. */
interface Obtained {
  readonly settings: string;
  /** No other one is asked for before; UTC milliseconds. */
  readonly restsUntil: number;
}

/** Keeps the certificate in a folder. */
export class AcmeCertificate {
  readonly #options: AcmeCertificateOptions;
  readonly #stopping = new AbortController();
  #served: KeptCertificate | undefined;
  #failed: FailedTry | undefined;
  #restsUntil = 0;
  #underWay: Promise<void> | undefined;

  constructor(options: AcmeCertificateOptions) {
    this.#options = options;
    this.#served = readKeptCertificate(this.#path("acme.pem"));
    const last = readLastTry(textIfThere(this.#path("acme.json")));
    // A person who has changed the settings waits for what they do.
    if (last?.settings !== this.#settingsMark()) return;
    if ("failures" in last) this.#failed = last;
    else this.#restsUntil = last.restsUntil;
  }

  /** The certificate as it was obtained last; undefined until there is one. */
  get kept(): ServerCertificate | undefined {
    return this.#served?.read;
  }

  /** The last try, where it failed. */
  get failed(): FailedTry | undefined {
    return this.#failed;
  }

  /** When the certificate is renewed; undefined while there is none. UTC milliseconds. */
  get renewedAt(): number | undefined {
    return this.kept && renewalAt(this.kept);
  }

  /**
   * The certificate to serve with now. One that is due is asked for meanwhile.
   * @throws Error with the reason while there is none
   */
  look(): ServerCertificate {
    // One that is gone rests no longer.
    const rest = this.#served === undefined ? 0 : this.#restsUntil;
    const { nextAt = rest } = this.#failed ?? {};
    if (this.#isDue() && !isToWait(nextAt, this.#options.clock.now())) this.#begin();
    if (this.kept !== undefined) return this.kept;
    throw new Error(this.trouble() ?? "the certificate is being asked for");
  }

  /** Why a certificate that is due is not there, in words; undefined while all is well. */
  trouble(): string | undefined {
    if (this.#failed === undefined) return undefined;
    const { reason, nextAt } = this.#failed;
    return `no new certificate: ${reason}; tried again ${new Date(nextAt).toISOString()}`;
  }

  /** Tries at the next look, however long a failed try would have waited: somebody mended it. */
  tryAtOnce(): void {
    if (this.#failed !== undefined) this.#failed = { ...this.#failed, nextAt: 0 };
  }

  stop(): void {
    this.#stopping.abort(new Error("the gateway stops"));
  }

  #isDue(): boolean {
    const { settings, clock } = this.#options;
    const now = clock.now();
    // A clock that was never set makes every certificate wrong.
    if (now < CLOCK_FLOOR) return false;
    const served = this.#served;
    if (served === undefined) return true;
    const lacksName = settings.names.some((name) => !served.madeFor.includes(name));
    const isElsewhere = !served.text.includes(`${DIRECTORY_LINE}${settings.directory}\n`);
    return lacksName || isElsewhere || now < served.read.notBefore || now >= renewalAt(served.read);
  }

  #begin(): void {
    if (this.#stopping.signal.aborted) return;
    this.#underWay ??= this.#obtain()
      .catch((error: unknown) => this.#noteFailure(error))
      .finally(() => {
        this.#underWay = undefined;
        if (!this.#stopping.signal.aborted) this.#options.changed?.();
      });
  }

  async #obtain(): Promise<void> {
    const { settings, answers, clock, log } = this.#options;
    const { signal } = this.#stopping;
    const { directory, names, contact, caFile, dnsCommand, dnsWaitMs } = settings;
    requireSettings(settings);
    const { obtainCertificate } = await import("./acme-client.ts");
    const { certificateRequest, newKeyText } = await import("../certificate-request.ts");
    const accountKey = await this.#accountKey(newKeyText);
    const { key, request } = await certificateRequest(names);
    const pause = (ms: number) => this.#pause(ms);
    const solver =
      dnsCommand === ""
        ? answers
        : dnsSolver({ command: dnsCommand, waitMs: dnsWaitMs, pause, clock, signal, log });
    const certificate = await obtainCertificate(
      {
        ...{ directory, accountKey, contact, pause, signal },
        ...(caFile === "" ? {} : { ca: readFileSync(caFile, "utf8") }),
      },
      { names, request, solver },
    );
    const pair = { key, certificate: `${certificate.trim()}\n` };
    const read = readServerCertificate(pair);
    const text = `${DIRECTORY_LINE}${directory}\n${certificateText(names, pair)}`;
    keepPrivately(this.#path("acme.pem"), text);
    this.#served = { text, madeFor: names, read };
    this.#failed = undefined;
    this.#restsUntil = clock.now() + restAfter(read);
    const rest: Obtained = { settings: this.#settingsMark(), restsUntil: this.#restsUntil };
    keepPrivately(this.#path("acme.json"), `${JSON.stringify(rest)}\n`);
    const { fingerprint, notAfter } = read;
    log.info("certificate obtained", {
      ...{ directory, names, fingerprint, notAfter: new Date(notAfter).toISOString() },
    });
  }

  #noteFailure(error: unknown): void {
    if (this.#stopping.signal.aborted) return;
    const { clock, log, chance = Math.random } = this.#options;
    const failures = (this.#failed?.failures ?? 0) + 1;
    const askedForMs =
      error instanceof Error && "retryAfterMs" in error ? Number(error.retryAfterMs) : 0;
    const nextAt = clock.now() + retryAfter(failures, { chance: chance(), askedForMs });
    const reason = errorText(error);
    this.#failed = { settings: this.#settingsMark(), failures, reason, nextAt };
    log.error("no certificate was obtained", {
      ...{ reason, failures, nextAt: new Date(nextAt).toISOString() },
      directory: this.#options.settings.directory,
    });
    try {
      keepPrivately(this.#path("acme.json"), `${JSON.stringify(this.#failed)}\n`);
    } catch (fault) {
      log.warn("the failed try was not kept", { error: fault });
    }
  }

  async #accountKey(make: () => Promise<string>): Promise<string> {
    const path = this.#path("acme-account.pem");
    const known = textIfThere(path);
    if (known !== undefined) return known;
    const made = await make();
    keepPrivately(path, made);
    return made;
  }

  #pause(ms: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { signal } = this.#stopping;
    const cancel = this.#options.clock.setTimer(ms, resolve);
    const stop = (): void => {
      cancel();
      reject(signal.reason);
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    return promise.finally(() => signal.removeEventListener("abort", stop));
  }

  #settingsMark(): string {
    const text = JSON.stringify(this.#options.settings);
    return createHash("sha256").update(text).digest("hex").slice(0, 16);
  }

  #path(name: string): string {
    return join(this.#options.folder, name);
  }
}

const DIRECTORY_LINE = "directory: ";

/** @throws Error that names the setting */
function requireSettings({ names, acceptTerms }: AcmeSettings): void {
  if (names.length === 0) throw new Error("https.names has to name this machine for the authority");
  if (!acceptTerms) throw new Error("acme.acceptTerms is false: read the authority's terms first");
}

function readLastTry(text: string | undefined): FailedTry | Obtained | undefined {
  try {
    const last = JSON.parse(text ?? "{}") as Partial<FailedTry & Obtained>;
    const { settings, failures, reason, nextAt, restsUntil } = last;
    if (settings === undefined) return undefined;
    if (typeof restsUntil === "number") return { settings, restsUntil };
    const isOne = reason !== undefined && typeof failures === "number";
    return isOne && typeof nextAt === "number" ? { settings, failures, reason, nextAt } : undefined;
  } catch {
    return undefined;
  }
}
