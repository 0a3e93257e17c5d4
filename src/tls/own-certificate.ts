/**
 * The certificate that the gateway makes for itself: its authority is made once and stays, because
 * tills and browsers are told to trust it; the server's own is made anew whenever it is due.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { CLOCK_FLOOR, type Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import { errorText } from "../platform/thrown.ts";
import { createAuthority, domainsOf, issueCertificate, type Validity } from "./authority.ts";
import type { CertificateNames } from "./certificate-names.ts";
import { certificateText, keepPrivately, readKeptCertificate, textIfThere } from "./kept-files.ts";
import { PRIVATE_DOMAINS, permits } from "./name-constraints.ts";
import {
  type KeyAndCertificate,
  readServerCertificate,
  type ServerCertificate,
  splitPem,
} from "./pem.ts";

const DAY_MS = 86_400_000;
/** No longer than browsers take, also where they make no exception for an authority of one's own. */
const VALID_MS = 397 * DAY_MS;
/** For clients whose clocks are behind. */
const BACKDATED_MS = DAY_MS;
/** Of the validity: from then on a new one is made. */
const RENEWED_AFTER = 2 / 3;
/** Long past for every clock, because whoever trusts an authority once is not asked again. */
const AUTHORITY_NOT_BEFORE = Date.UTC(2020, 0, 1);
const AUTHORITY_VALID_MS = 15 * 365 * DAY_MS;

const NAMES_CHANGED = "the machine's names changed";

/** What the names of the machine have to be, and where all of it is kept. */
export interface OwnCertificateOptions {
  /** Made unless it is there; holds private keys. */
  readonly folder: string;
  /** Whether somebody has begun to put that folder back, and has not ended; never unless given. */
  readonly isBeingPutBack?: () => boolean;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  /** What the machine is called now. */
  readonly names: () => CertificateNames;
  /** True for a name that stays in the certificate once it is there; for none unless given. */
  readonly stays?: (name: string) => boolean;
}

/** A certificate, and whether it has to be made anew. */
export interface Renewal {
  readonly certificate: Pick<ServerCertificate, "notBefore" | "notAfter">;
  /** The names that were asked for when it was made. */
  readonly madeFor: readonly string[];
  readonly wanted: readonly string[];
  /** UTC milliseconds. */
  readonly now: number;
}

/**
 * Why a certificate is due for renewal; undefined while it is not. Not by a clock that is certainly wrong.
 * One from the future, made before the clock was set back, is due; so is one that lacks a name, whatever the
 * clock says. One name too many is none.
 */
export function dueBecause({ certificate, madeFor, wanted, now }: Renewal): string | undefined {
  const { notBefore, notAfter } = certificate;
  if (wanted.some((name) => !madeFor.includes(name))) return NAMES_CHANGED;
  if (now < CLOCK_FLOOR) return undefined;
  if (now < notBefore) return "the clock was set back";
  return now >= notBefore + (notAfter - notBefore) * RENEWED_AFTER ? "it is old" : undefined;
}

/** Keeps the two certificates in a folder. */
export class OwnCertificate {
  readonly #options: OwnCertificateOptions;
  #authority: KeyAndCertificate | undefined;
  #trouble: string | undefined;
  /** Why the authority lies in no file any more. */
  #unkept: string | undefined;
  #served: { readonly madeFor: readonly string[]; readonly read: ServerCertificate } | undefined;

  constructor(options: OwnCertificateOptions) {
    this.#options = options;
    this.#readKept();
  }

  /** Why there is no authority to go on with, or to keep, and what helps; undefined while nothing is wrong. */
  get trouble(): string | undefined {
    return this.#trouble ?? this.#unkept;
  }

  /** True where the authority is lost that tills trust. */
  get isAuthorityLost(): boolean {
    return this.#trouble !== undefined;
  }

  /** The authority's certificate for those who are to trust it; undefined until there is one. */
  get authority(): string | undefined {
    return this.#authority?.certificate;
  }

  /** The server's certificate as it was made last; undefined until there is one. */
  get kept(): ServerCertificate | undefined {
    return this.#served?.read;
  }

  /**
   * The certificate to serve with now: the same as before unless it is due.
   * @throws the system's error when a new one cannot be kept; Error with the reason where the
   * authority is damaged and there is no certificate of it
   */
  async look(): Promise<ServerCertificate> {
    const { clock, log, names, stays = () => false } = this.#options;
    // Somebody may have put the files back.
    if (this.#trouble !== undefined) this.#readKept();
    if (this.#trouble !== undefined) {
      if (this.#served === undefined) throw new Error(this.#trouble);
      return this.#served.read;
    }
    this.#keepOn();
    const { madeFor, read } = this.#served ?? { madeFor: [], read: undefined };
    const { domains: called, addresses } = names();
    const domains = [...new Set([...called, ...madeFor.filter(stays)])];
    const wanted = [...domains, ...addresses];
    const now = clock.now();
    const reason =
      read === undefined || this.#authority === undefined
        ? "there is none"
        : dueBecause({ certificate: read, madeFor, wanted, now });
    if (reason === undefined && read !== undefined) return read;
    const authority = this.#authority ?? (await this.#makeAuthority(domains));
    const permitted = await domainsOf(authority);
    const isPermitted = (name: string): boolean => permits(permitted, name);
    const server = {
      ...{ domains: domains.filter(isPermitted), addresses },
      validity: validityFrom(now, read),
    };
    // A name is no reason for another key: others in the network may have the gateway go on to one.
    const kept = reason === NAMES_CHANGED ? read?.key : undefined;
    const pair = await issueCertificate(authority, server, kept);
    keepPrivately(this.#path("server.pem"), certificateText(wanted, pair));
    this.#served = { madeFor: wanted, read: readServerCertificate(pair) };
    const { fingerprint, notAfter } = this.#served.read;
    log.info("certificate made", {
      ...{ reason, names: this.#served.read.names, fingerprint },
      notAfter: new Date(notAfter).toISOString(),
    });
    const leftOut = wanted.filter((name) => !isPermitted(name));
    if (leftOut.length > 0) {
      log.warn("the authority was not made for these names: the certificate lacks them", {
        names: leftOut,
        authority: this.#path("ca.pem"),
      });
    }
    return this.#served.read;
  }

  /** What is there. An authority that tills trust is never replaced because its file is damaged. */
  #readKept(): void {
    const { folder, log, isBeingPutBack = () => false } = this.#options;
    const [file, before] = [this.#path("ca.pem"), this.#trouble];
    const [authority, server] = [textIfThere(file), textIfThere(this.#path("server.pem"))];
    this.#authority = authority === undefined ? undefined : authorityIn(authority);
    this.#served = readKeptCertificate(this.#path("server.pem"));
    const isThere = authority !== undefined || server !== undefined || isBeingPutBack();
    this.#trouble =
      isThere && this.#authority === undefined
        ? `${file} is ${authority === undefined ? "gone" : "damaged"}, which is the authority that ` +
          `tills trust: put ${folder} back from a backup, with fiscald restore --only tls FILE, or remove ` +
          "that folder for a new authority, which every till has to trust anew"
        : undefined;
    if (this.#trouble !== undefined && this.#trouble !== before) log.error(this.#trouble);
  }

  /**
   * Writes the authority again where somebody has removed it beside the running gateway: the next start would have
   * none, and each backup until then lacks it.
   */
  #keepOn(): void {
    const { log, isBeingPutBack = () => false } = this.#options;
    const file = this.#path("ca.pem");
    const before = this.#unkept;
    this.#unkept = undefined;
    if (this.#authority === undefined || isBeingPutBack() || existsSync(file)) return;
    try {
      this.#keep(this.#authority);
      log.warn("the authority that tills trust was gone, and is written again", { file });
    } catch (error) {
      this.#unkept =
        `${file} is gone, which is the authority that tills trust, and cannot be written again ` +
        `(${errorText(error)}): the next start has none`;
      if (this.#unkept !== before) log.error(this.#unkept);
    }
  }

  #keep({ key, certificate }: KeyAndCertificate): void {
    keepPrivately(this.#path("ca.pem"), key + certificate);
  }

  async #makeAuthority(domains: readonly string[]): Promise<KeyAndCertificate> {
    const { clock } = this.#options;
    const [first = "fiscald"] = domains;
    const authority = await createAuthority({
      name: `fiscald authority of ${first}`,
      domains: [...PRIVATE_DOMAINS, ...domains.filter((name) => !permits(PRIVATE_DOMAINS, name))],
      validity: {
        notBefore: AUTHORITY_NOT_BEFORE,
        notAfter: Math.max(clock.now(), CLOCK_FLOOR) + AUTHORITY_VALID_MS,
      },
    });
    this.#keep(authority);
    this.#authority = authority;
    return authority;
  }

  #path(name: string): string {
    return join(this.#options.folder, name);
  }
}

/**
 * From when to when a certificate is valid that is made now. While the clock is certainly wrong it is so long as the one
 * that it replaces: tills whose clocks are right are to take it too.
 */
function validityFrom(now: number, replaced: Validity | undefined): Validity {
  if (now < CLOCK_FLOOR && replaced !== undefined) return replaced;
  const notBefore = Math.max(now, CLOCK_FLOOR) - BACKDATED_MS;
  return { notBefore, notAfter: notBefore + VALID_MS };
}

/** Undefined where the text holds no key with its certificate. */
function authorityIn(text: string): KeyAndCertificate | undefined {
  const pair = splitPem(text);
  try {
    if (pair !== undefined) readServerCertificate(pair);
    return pair;
  } catch {
    return undefined;
  }
}
