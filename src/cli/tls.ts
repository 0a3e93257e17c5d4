/** `fiscald tls`: the certificate of HTTPS, and the authority that tills have to trust. */

import { readFileSync } from "node:fs";
import { Command } from "commander";
import { certificateSource } from "../app/certificate-source.ts";
import { stateFiles } from "../config/state-files.ts";
import type { Config } from "../config.ts";
import { systemClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { errorText } from "../platform/thrown.ts";
import type { Validity } from "../tls/authority.ts";
import { fingerprintOf } from "../tls/pem.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { printJson, printLine, printTable, printText } from "./output.ts";
import { lostAuthority, putTlsBackCure } from "./put-tls-back.ts";
import { gatewayPresence } from "./running-gateway.ts";
import { settingsOfState, startLine } from "./service-state.ts";
import { addSettings, loadSettings, nextLine } from "./settings-options.ts";
import { stateFaultText } from "./state-faults.ts";
import { requireOpen } from "./state-keeper.ts";

interface TlsOptions {
  readonly json?: true;
  readonly ca?: true;
}

const SETTINGS = [
  ...(["state.dir", "http.listen", "https.certificate", "https.listen", "https.names"] as const),
  ...(["https.certFile", "https.keyFile", "mdns.name", "acme.directory"] as const),
  ...(["acme.contact", "acme.acceptTerms", "acme.dnsCommand"] as const),
  ...(["acme.dnsSeconds", "acme.caFile"] as const),
] as const;

export function tlsCommand(): Command {
  const command = new Command("tls")
    .description("show the certificate of HTTPS and the authority to be trusted")
    .option("--ca", "print the authority's certificate (PEM), for tills and browsers")
    .option("--json", "print JSON");
  return addSettings(command, SETTINGS).action((options: TlsOptions) => show(command, options));
}

function show(command: Command, options: TlsOptions): void {
  const { config } = settingsOfState(command);
  requireOpen(config["state.dir"]);
  const mode = config["https.certificate"];
  if (mode === "off") {
    const isOn = isServed(config["state.dir"]);
    const message = isOn
      ? "the gateway that runs has HTTPS, by a flag or its environment, and the settings here do not: " +
        `give them here too, as in ${nextLine(command, "tls", "--https-certificate", "own")}`
      : "HTTPS is off: set https.certificate to own, files or acme, see /docs/tls.html of the gateway";
    throw new CliFailure(EXIT.usage, message);
  }
  const { authority, served, acme, trouble } = look(command);
  if (options.ca === true) {
    if (authority === undefined) throw noneYet(command, acme ? undefined : trouble);
    printText(authority);
    return;
  }
  if (served === undefined) throw noneYet(command, trouble);
  const found = {
    source: mode,
    names: served.names,
    validFrom: new Date(served.notBefore).toISOString(),
    validUntil: new Date(served.notAfter).toISOString(),
    fingerprint: served.fingerprint,
    authorityFingerprint: authority === undefined ? null : fingerprintOf(authority),
    ...(acme && {
      directory: config["acme.directory"],
      renewedFrom: isoOf(acme.renewedAt),
      lastFailure: acme.failed?.reason ?? null,
      nextTry: isoOf(acme.failed?.nextAt),
    }),
  };
  if (options.json === true) {
    printJson(found);
    return;
  }
  printTable([
    ["Certificate", originOf(config)],
    ["Names", found.names.join(", ")],
    ["Valid", validWords(served, systemClock.now())],
    ["Fingerprint", found.fingerprint],
    ...(acme?.renewedAt ? [["Renewed from", dayOf(acme.renewedAt)]] : []),
    ...(acme?.failed ? [["Last try", trouble ?? ""]] : []),
    ...(acme === undefined && trouble !== undefined ? [["Trouble", trouble]] : []),
    ...(found.authorityFingerprint === null ? [] : [["Authority", found.authorityFingerprint]]),
  ]);
  if (authority === undefined) return;
  const { plain, secure } = portsInUse(config);
  printLine("");
  printLine(`Tills and browsers get the authority at http://<this machine>:${plain}/ca, or from`);
  printLine(`${nextLine(command, "tls", "--ca")}; HTTPS is at port ${secure}.`);
}

/** A gateway that runs may have been given others than the settings here say. */
function portsInUse(config: Config): { readonly plain: string; readonly secure: string } {
  const asSet = {
    plain: String(config["http.listen"].port),
    secure: String(config["https.listen"].port),
  };
  const gateway = gatewayPresence(config["state.dir"]);
  if (gateway.kind !== "running") return asSet;
  const secure = portOf(stateFiles(config["state.dir"]).secureAddress) ?? asSet.secure;
  return { plain: new URL(gateway.url).port || "80", secure };
}

/** True where a gateway runs that serves HTTPS. */
function isServed(stateDir: string): boolean {
  const { secureAddress } = stateFiles(stateDir);
  return gatewayPresence(stateDir).kind === "running" && portOf(secureAddress) !== undefined;
}

/** Of an address that a gateway has left in a file; undefined without one. */
function portOf(file: string): string | undefined {
  try {
    return new URL(readFileSync(file, "utf8").trim()).port || "443";
  } catch {
    return undefined;
  }
}

function look(command: Command) {
  const log = createLog({ level: "silent", clock: systemClock });
  const { config } = loadSettings(command);
  try {
    const source = certificateSource({ config, clock: systemClock, log });
    const { acme } = source;
    const [authority, served] = [source.authority(), source.kept()];
    const trouble = source.trouble?.();
    const isLost = source.isAuthorityLost?.() === true;
    const cure = isLost ? `; ${putTlsBackCure(config)}` : "";
    return { authority, served, acme, trouble: trouble && `${trouble}${cure}` };
  } catch (error) {
    const reason = stateFaultText(config["state.dir"], error) ?? errorText(error);
    throw new CliFailure(EXIT.state, `the certificate cannot be read: ${reason}`, { cause: error });
  }
}

function originOf(config: Config): string {
  switch (config["https.certificate"]) {
    case "files":
      return config["https.certFile"];
    case "acme":
      return `of the authority at ${new URL(config["acme.directory"]).host}`;
    default:
      return "of the own authority";
  }
}

/** From when to when, and whether that is not now. */
function validWords({ notBefore, notAfter }: Validity, now: number): string {
  const words = `${dayOf(notBefore)} to ${dayOf(notAfter)}`;
  if (now >= notAfter) return `${words}: it has ended, and nobody who checks it connects`;
  return now < notBefore ? `${words}: it begins later; look at the clock` : words;
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const isoOf = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString();

/** @param trouble why it was not obtained, where that is known */
function noneYet(command: Command, trouble?: string): CliFailure {
  if (trouble !== undefined) return new CliFailure(EXIT.state, trouble);
  const lost = lostAuthority(loadSettings(command).config);
  if (lost !== undefined) return new CliFailure(EXIT.state, `${lost.text}; ${lost.cure}`);
  const message = `there is none yet: ${startLine(command)} makes it`;
  return new CliFailure(EXIT.state, message);
}
