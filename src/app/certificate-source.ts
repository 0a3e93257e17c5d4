/** Where the certificate of HTTPS comes from, by the settings. */

import { stateFiles } from "../config/state-files.ts";
import type { Config } from "../config.ts";
import { machineNames } from "../platform/machine-names.ts";
import { CertificateFiles } from "../tls/certificate-files.ts";
import { certificateNames } from "../tls/certificate-names.ts";
import { OwnCertificate } from "../tls/own-certificate.ts";
import type { ServerCertificate } from "../tls/pem.ts";
import type { Foundation } from "./parts.ts";

/** The gateway's own authority, or files. */
export interface CertificateSource {
  /** The one to serve with now. @throws Error with the reason where there is none */
  look(): ServerCertificate | Promise<ServerCertificate>;
  /** PEM of the own authority; undefined where there is none, or none yet. */
  authority(): string | undefined;
  /** The one of an earlier look, or run; nothing is made. */
  kept(): ServerCertificate | undefined;
}

/** Made for `https.certificate` other than `off`. */
export function certificateSource({
  config,
  clock,
  log,
  announced = () => config["mdns.name"],
}: Pick<Foundation, "config" | "clock" | "log"> & {
  /** What the gateway is called in its network; as the settings have it unless given. */
  readonly announced?: () => string;
}): CertificateSource {
  const certificate = config["https.certFile"];
  if (config["https.certificate"] === "files") {
    const files = new CertificateFiles({
      ...{ certificate, log },
      key: config["https.keyFile"] || certificate,
    });
    return { look: () => files.look(), authority: () => undefined, kept: () => files.look() };
  }
  const own = new OwnCertificate({
    folder: stateFiles(config["state.dir"]).tls,
    ...{ clock, log },
    names: () => namesOf(config, announced()),
  });
  return { look: () => own.look(), authority: () => own.authority, kept: () => own.kept };
}

/** What the certificate has to name. */
export function namesOf(
  config: Pick<Config, "https.names" | "http.corsOrigins">,
  announced: string,
) {
  const origins = config["http.corsOrigins"].map((origin) => new URL(origin).hostname);
  return certificateNames({
    ...machineNames(),
    announced,
    extra: [...config["https.names"], ...origins.map((name) => name.replace(/^\[|\]$/g, ""))],
  });
}
