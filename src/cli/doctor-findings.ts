/** What `fiscald doctor` looks at of the machine: each look says what it found, and a cure. */

import { lookup } from "node:dns/promises";
import { accessSync, constants, lstatSync, statfsSync } from "node:fs";
import { isIP } from "node:net";
import { withoutBrackets } from "#core/machine-names.ts";
import { type CertificateSource, certificateSource, namesOf } from "../app/certificate-source.ts";
import { openNames } from "../config/private-state.ts";
import { listenAddress } from "../config/value-kinds.ts";
import type { Config, ListenAddress } from "../config.ts";
import { isLoopback } from "../http/client-address.ts";
import { AddressUnavailable, requireFreeAddress } from "../http/listen.ts";
import { CLOCK_FLOOR, type Clock, systemClock } from "../platform/clock.ts";
import { isClockKept } from "../platform/kernel-clock.ts";
import { createLog } from "../platform/log.ts";
import { errorCode, errorText } from "../platform/thrown.ts";
import { userName } from "../platform/user-name.ts";
import { endsSoon } from "../tls/validity.ts";
import { CLOCK_CURE, ROOM_CURE, TLS_CURE } from "./doctor-cures.ts";
import { localTime } from "./local-time.ts";
import { lostAuthority, putTlsBackCure } from "./put-tls-back.ts";
import { misshapenNames, stateFaults, stateFaultText } from "./state-faults.ts";
import { asItsUser, keeperOf } from "./state-keeper.ts";

/** What lets a person find their way where a folder or a disk is not as it should be. */
const READ_ONLY_CURE =
  "a disk that fails is mounted so: journalctl -k says why; findmnt -T shows which one it is";

/** One thing that was looked at. */
export interface Finding {
  readonly about: string;
  readonly state: "ok" | "warning" | "error";
  readonly text: string;
  /** What to do; absent where nothing is to be done. */
  readonly cure?: string;
}

const MEGABYTE = 1_048_576;
/** Whoever calls without the folder looks at one in the working folder. */
const ELSEWHERE =
  "name the gateway's with --state-dir, /var/lib/fiscald for the service; or fiscald setup makes one";
/** As `/health` has it. */
const DISK_LOW_MB = 256;
const ROOT = 0;
const LOOKUP_LIMIT_MS = 5_000;

export function ok(about: string, text: string): Finding {
  return { about, state: "ok", text };
}

export function warning(about: string, text: string, cure: string): Finding {
  return { about, state: "warning", text, cure };
}

export function error(about: string, text: string, cure: string): Finding {
  return { about, state: "error", text, cure };
}

/**
 * The state directory: whose it is, who may read it, and the room for it.
 * @param user who looks
 */
export function lookAtState(
  stateDir: string,
  user: Readonly<{ uid: number; username: string }> = {
    uid: process.getuid?.() ?? 0,
    username: userName(),
  },
): Finding[] {
  const status = lstatSync(stateDir, { throwIfNoEntry: false });
  if (status === undefined) {
    return [error("State", `${stateDir} does not exist`, ELSEWHERE)];
  }
  if (!status.isDirectory()) return [error("State", `${stateDir} is no folder`, ELSEWHERE)];
  const found: Finding[] = [];
  const { uid, username } = user;
  const keeper = keeperOf(stateDir) ?? status.uid;
  const isOthers = uid !== keeper;
  const others = `${stateDir} belongs to ${userName(keeper)}, not ${username}`;
  try {
    accessSync(stateDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (fault) {
    if (errorCode(fault) === "EROFS") {
      return [error("State", `the disk of ${stateDir} can only be read`, READ_ONLY_CURE)];
    }
    if (isOthers)
      return [error("State", `${others}, who may not look into it`, asItsUser(stateDir))];
    const cure = `chmod u+rwx ${stateDir}`;
    return [error("State", `${username} may not write to ${stateDir}`, cure)];
  }
  // Root reads what is anybody's, and its looking makes nothing there.
  if (isOthers && uid !== ROOT) found.push(warning("State", others, asItsUser(stateDir)));
  else {
    const faults = stateFaults(stateDir, keeper);
    found.push(...faults.map(({ text, cure }) => error("State", text, cure)));
  }
  const misshapen = misshapenNames(stateDir);
  const open = openNames(stateDir, [...misshapen.file, ...misshapen.folder]);
  if (open.length > 0) {
    const text = `others may read ${open.join(", ")}`;
    found.push(error("State", text, `chmod -R go= ${stateDir}, or start the gateway anew`));
  }
  const { bavail, bsize } = statfsSync(stateDir);
  found.push(roomFinding(stateDir, Math.floor((bavail * bsize) / MEGABYTE)));
  return found.some(({ about }) => about === "State") ? found : [ok("State", stateDir), ...found];
}

/** @param freeMb in MB of 1,048,576 bytes */
export function roomFinding(stateDir: string, freeMb: number): Finding {
  const room = `${freeMb} MB are free for ${stateDir}`;
  return freeMb < DISK_LOW_MB ? error("Disk", room, ROOM_CURE) : ok("Disk", room);
}

/** Whether the addresses can be listened on; not to be asked while a gateway does. */
export async function lookAtPorts(config: Config): Promise<Finding[]> {
  const addresses: [string, ListenAddress][] = [["http.listen", config["http.listen"]]];
  if (config["https.certificate"] !== "off")
    addresses.push(["https.listen", config["https.listen"]]);
  const found: Finding[] = [];
  for (const [name, address] of addresses) {
    const text = String(listenAddress.toPlain(address));
    try {
      await requireFreeAddress(address.host, address.port);
      found.push(ok("Port", `${text} is free`));
    } catch (fault) {
      const code = fault instanceof AddressUnavailable ? fault.code : String(fault);
      const cure = `ss -ltnp shows who has it; or set ${name}`;
      found.push(error("Port", `${text} cannot be listened on: ${code}`, cure));
    }
  }
  return found;
}

/** The machine's clock: tickets, certificates and receipts go by it. @param timezone shown in */
export function lookAtClock(timezone: string): Finding[] {
  return [clockFinding({ now: systemClock.now(), isKept: isClockKept(), timezone })];
}

/** What is to be told of a clock that shows an instant. */
export function clockFinding({
  now,
  isKept,
  timezone = "UTC",
}: Readonly<{
  /** UTC milliseconds. */
  now: number;
  /** Whether something keeps it right; undefined where that cannot be told. */
  isKept: boolean | undefined;
  /** Of the shop, in which the instant is shown. */
  timezone?: string;
}>): Finding {
  const shown = localTime(now, timezone);
  if (now < CLOCK_FLOOR) return error("Clock", `it shows ${shown}: it was never set`, CLOCK_CURE);
  return isKept === false
    ? warning("Clock", `nothing keeps it right; it shows ${shown}`, CLOCK_CURE)
    : ok("Clock", shown);
}

const ACME_CURE = `${TLS_CURE}; systemctl reload fiscald tries again at once`;

/** The certificate of HTTPS. */
export function lookAtCertificate(config: Config, clock: Clock = systemClock): Finding[] {
  const mode = config["https.certificate"];
  if (mode === "off") {
    const { host } = config["http.listen"];
    if (host === "localhost" || isLoopback(host)) {
      return [ok("HTTPS", "it is off; HTTP takes requests of this machine alone")];
    }
    const cure =
      'set [https] certificate = "own" where tills are not on this machine: /docs/tls.html of the gateway';
    return [warning("HTTPS", "it is off: keys cross the network in the clear", cure)];
  }
  try {
    const log = createLog({ level: "silent", clock });
    const source = certificateSource({ config, clock, log });
    const served = source.kept();
    const trouble = source.trouble?.();
    const cure = certificateCure(config, source);
    if (served === undefined) {
      return trouble === undefined ? [noCertificate(config)] : [error("HTTPS", trouble, cure)];
    }
    const until = new Date(served.notAfter).toISOString().slice(0, 10);
    const now = clock.now();
    const renew = mode === "files" ? "renew the files" : "start the gateway, which renews it";
    // Where an authority refuses, its words are what somebody can do something about.
    const told = (text: string): [string, string] =>
      trouble === undefined ? [text, renew] : [`${text}; ${trouble}`, cure];
    if (now >= served.notAfter) return [error("HTTPS", ...told(`the certificate ended ${until}`))];
    if (now < served.notBefore) return [error("HTTPS", ...told("the certificate begins later"))];
    if (endsSoon(served, now)) return [warning("HTTPS", ...told(`the certificate ends ${until}`))];
    if (trouble !== undefined) return [warning("HTTPS", trouble, cure)];
    const { domains, addresses } = namesOf(config, config["mdns.name"]);
    const missing = [...domains, ...addresses].filter((name) => !served.names.includes(name));
    return mode === "own" && missing.length > 0
      ? [warning("HTTPS", `the certificate lacks ${missing.join(", ")}`, TLS_CURE)]
      : [ok("HTTPS", `the certificate is valid until ${until}`)];
  } catch (fault) {
    const reason = stateFaultText(config["state.dir"], fault) ?? errorText(fault);
    return [error("HTTPS", `the certificate cannot be used: ${reason}`, TLS_CURE)];
  }
}

function noCertificate(config: Config): Finding {
  const lost = lostAuthority(config);
  if (lost !== undefined) return warning("HTTPS", lost.text, lost.cure);
  return warning("HTTPS", "there is no certificate yet", "start the gateway");
}

function certificateCure(config: Config, source: CertificateSource): string {
  if (source.isAuthorityLost?.() === true) return putTlsBackCure(config);
  return source.acme === undefined ? TLS_CURE : ACME_CURE;
}

/** Whether names resolve that the gateway calls. */
export async function lookAtNames(names: readonly string[]): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const name of new Set(names)) {
    // An address, with which nobody is asked.
    if (isIP(withoutBrackets(name)) !== 0) continue;
    const limit = Promise.withResolvers<never>();
    const cancel = systemClock.setTimer(LOOKUP_LIMIT_MS, () =>
      limit.reject(new Error("no answer in 5 s")),
    );
    try {
      const { address } = await Promise.race([lookup(name), limit.promise]);
      found.push(ok("DNS", `${name} is ${address}`));
    } catch (fault) {
      const reason = errorText(fault);
      const cure = "check the name in the settings, and the machine's resolver: resolvectl query";
      found.push(error("DNS", `${name} does not resolve: ${reason}`, cure));
    } finally {
      cancel();
    }
  }
  return found;
}

/** Names of the settings that the gateway calls. */
export function calledBy(config: Config): string[] {
  const relay = URL.parse(config["push.relayUrl"])?.hostname ?? "";
  return [config["smtp.host"], relay].filter((name) => name !== "");
}
