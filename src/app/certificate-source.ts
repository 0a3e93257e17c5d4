/** Where the certificate of HTTPS comes from, by the settings. */

import { existsSync } from "node:fs";
import { isIP } from "node:net";
import { withoutBrackets } from "#core/machine-names.ts";
import { stateFiles } from "../config/state-files.ts";
import type { Config } from "../config.ts";
import { labelsOf } from "../lan/labels.ts";
import { machineNames } from "../platform/machine-names.ts";
import { AcmeCertificate, type AcmeSettings } from "../tls/acme/acme-certificate.ts";
import { HttpAnswers } from "../tls/acme/solvers.ts";
import { CertificateFiles } from "../tls/certificate-files.ts";
import { certificateNames } from "../tls/certificate-names.ts";
import { OwnCertificate } from "../tls/own-certificate.ts";
import type { ServerCertificate } from "../tls/pem.ts";
import type { Foundation } from "./parts.ts";

/** The gateway's own authority, one elsewhere, or files. */
export interface CertificateSource {
  /** The one to serve with now. @throws Error with the reason where there is none */
  look(): ServerCertificate | Promise<ServerCertificate>;
  /** PEM of the own authority; undefined where there is none, or none yet. */
  authority(): string | undefined;
  /** The one of an earlier look, or run; nothing is made. */
  kept(): ServerCertificate | undefined;
  /** Why what is served is not what the settings want; undefined while it is. */
  trouble?(): string | undefined;
  /** True where that is the own authority, which is lost. */
  isAuthorityLost?(): boolean;
  /** Of one that is obtained elsewhere, by ACME. */
  readonly acme?: AcmeCertificate;
}

/** Made for `https.certificate` other than `off`. */
export function certificateSource({
  config,
  clock,
  log,
  announced = () => config["mdns.name"],
  answers = new HttpAnswers(),
  changed = () => undefined,
}: Pick<Foundation, "config" | "clock" | "log"> & {
  /** Where an authority elsewhere finds what it asks for. */
  readonly answers?: HttpAnswers;
  /** A certificate was obtained elsewhere, or not: it is time to look. */
  readonly changed?: () => void;
  /** What the gateway is called in its network; as the settings have it unless given. */
  readonly announced?: () => string;
}): CertificateSource {
  const certificate = config["https.certFile"];
  if (config["https.certificate"] === "files") {
    const files = new CertificateFiles({
      ...{ certificate, log },
      key: config["https.keyFile"] || certificate,
    });
    const look = () => files.look();
    return { look, authority: () => undefined, kept: look, trouble: () => files.trouble };
  }
  if (config["https.certificate"] === "acme") {
    const folder = stateFiles(config["state.dir"]).tls;
    const acme = new AcmeCertificate({
      ...{ folder, answers, changed, clock, log },
      settings: acmeSettings(config),
    });
    return {
      ...{ look: () => acme.look(), authority: () => undefined, kept: () => acme.kept, acme },
      trouble: () => acme.trouble(),
    };
  }
  const { tls: folder, tlsRestore } = stateFiles(config["state.dir"]);
  const [, ...others] = labelsOf(config["mdns.name"]).map((label) => `${label}.local`);
  const own = new OwnCertificate({
    folder,
    // Whoever claims one name after the other has one certificate made for each, and not ever again.
    stays: (name) => others.includes(name),
    isBeingPutBack: () => existsSync(tlsRestore),
    ...{ clock, log },
    names: () => namesOf(config, announced()),
  });
  return {
    ...{ look: () => own.look(), authority: () => own.authority, kept: () => own.kept },
    trouble: () => own.trouble,
    isAuthorityLost: () => own.isAuthorityLost,
  };
}

function acmeSettings(config: Config): AcmeSettings {
  return {
    directory: config["acme.directory"],
    names: acmeNames(config),
    contact: config["acme.contact"],
    acceptTerms: config["acme.acceptTerms"],
    caFile: config["acme.caFile"],
    dnsCommand: config["acme.dnsCommand"],
    dnsWaitMs: config["acme.dnsSeconds"] * 1000,
  };
}

/** What an authority elsewhere is asked for: it vouches for names alone. */
export function acmeNames(config: Pick<Config, "https.names">): string[] {
  return config["https.names"].filter((name) => isIP(name) === 0).map((name) => name.toLowerCase());
}

/** What the certificate has to name. */
export function namesOf(
  config: Pick<Config, "https.names" | "http.corsOrigins" | "mdns.name">,
  announced: string,
) {
  const origins = config["http.corsOrigins"].map((origin) => new URL(origin).hostname);
  return certificateNames({
    ...machineNames(),
    // That of the settings too while another machine says in the network that it is called so: tills
    // are set to that name, and whoever only says it is must not take it out of the certificate.
    announced: [config["mdns.name"], announced],
    extra: [...config["https.names"], ...origins.map(withoutBrackets)],
  });
}
