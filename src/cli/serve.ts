/** `fiscald serve`: runs the gateway until it is asked to stop. */

import { rmSync, writeFileSync } from "node:fs";
import { Command } from "commander";
import { DatabaseGone, ExchangeBrokenOff } from "#db/doubts.ts";
import { isDamage } from "#db/snapshot.ts";
import type { SettingsOrigin } from "../app/parts.ts";
import { type RunningApp, startApp } from "../app/runtime.ts";
import { feedWatchdog } from "../app/watchdog.ts";
import { type ConfigRequest, type LoadedConfig, loadConfig } from "../config/load-config.ts";
import { stateFiles } from "../config/state-files.ts";
import { currentSurroundings, isService } from "../config/surroundings.ts";
import { listenAddress } from "../config/value-kinds.ts";
import type { Config } from "../config.ts";
import { AddressUnavailable, requireFreeAddress } from "../http/listen.ts";
import { systemClock } from "../platform/clock.ts";
import { endStart } from "../platform/engine.ts";
import { requireUnlocked } from "../platform/lock.ts";
import type { Log } from "../platform/log.ts";
import { RESERVE_GIVEN_UP } from "../platform/reserve.ts";
import { waitForStopSignal } from "../platform/signals.ts";
import { serviceManager } from "../platform/systemd.ts";
import { errorCode } from "../platform/thrown.ts";
import { VERSION } from "../version.ts";
import { damagedFailure, goneText } from "./damaged-text.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { endOnDefect, heedSignals, openLog, starterLog } from "./long-run.ts";
import { requireRightStart } from "./service-state.ts";
import { addSettings, configRequest } from "./settings-options.ts";
import { setUpIfNew, type TakenState, takeStateDirectory, unusableState } from "./state.ts";

export function serveCommand(): Command {
  const command = new Command("serve").description("run the gateway");
  return addSettings(command).action(() => {
    requireRightStart(command);
    return serve(configRequest(command));
  });
}

async function serve(request: ConfigRequest): Promise<void> {
  let onHangUp = (): boolean => false;
  const logSignals = heedSignals((signal) => signal === "SIGHUP" && onHangUp());
  const asked = loadConfig(request).config;
  await requireAddress(asked);
  const stateDir = asked["state.dir"];
  const lock = takeStateDirectory(stateDir);
  try {
    const written = setUpIfNew(stateDir, request);
    // Read again, so that what the first set-up wrote counts from the first start on.
    const { config, file, sources } = loadConfig(request);
    const log = openLog(config);
    logSignals(log);
    if (written !== undefined) {
      log.info("first set-up: wrote settings with limits for one shop", { file: written });
    }
    log.info("starting", { version: VERSION, stateDir, settingsFile: file ?? null });
    if (lock.isReserveGivenUp) log.warn(RESERVE_GIVEN_UP);
    for (const path of lock.exposed) log.warn("other users may read the state", { path });
    const origin = {
      ...{ sources, file: file ?? stateFiles(stateDir).settings },
      isService: isService(currentSurroundings()),
    };
    await runUntilStopped({ config, origin, log, lock }, (app) => {
      onHangUp = () => app.lookAtCertificate();
    });
  } finally {
    lock.release();
  }
}

/**
 * Tries the address before the state directory is made or changed. Where the address is taken by a
 * gateway on the same state directory, that is the better reason to give.
 */
async function requireAddress(config: Config): Promise<void> {
  const addresses = [config["http.listen"]];
  if (config["https.certificate"] !== "off") addresses.push(config["https.listen"]);
  try {
    for (const { host, port } of addresses) await requireFreeAddress(host, port);
  } catch (error) {
    requireUnlocked(config["state.dir"]);
    throw namedStartFailure(config, error);
  }
}

async function runUntilStopped(
  {
    config,
    origin,
    log,
    lock,
  }: Pick<LoadedConfig, "config"> & {
    readonly origin: SettingsOrigin;
    readonly log: Log;
    readonly lock: TakenState;
  },
  onStarted: (app: RunningApp) => void,
): Promise<void> {
  endOnDefect(log);
  const stopSignal = waitForStopSignal();
  const { address: addressFile, secureAddress } = stateFiles(config["state.dir"]);
  const forgetAddresses = (): void => {
    for (const file of [addressFile, secureAddress]) rmSync(file, { force: true });
  };
  // A gateway that was killed left its addresses behind: until this one listens nobody may call there.
  forgetAddresses();
  const app = await startApp(config, {
    version: VERSION,
    origin,
    log,
    lookAtLock: lock.look,
  }).catch((error) => {
    throw namedStartFailure(config, error);
  });
  onStarted(app);
  endStart();
  writeFileSync(addressFile, `${app.url}\n`, { mode: 0o600 });
  const toStarter = starterLog();
  if (app.setupCode !== undefined) {
    toStarter.info("nobody has registered yet: the first one needs the set-up code", {
      setupCode: app.setupCode,
    });
  }
  toStarter.info("listening", { url: app.url });
  const service = serviceManager(currentSurroundings());
  service?.ready(`takes requests on ${app.url}`);
  const endFeeding = service && feedWatchdog(service, systemClock, app.lookForLife);
  const reason = await Promise.race([stopSignal, app.lost]);
  endFeeding?.();
  service?.stopping();
  const isAsked = typeof reason === "string";
  log.info("stopping", isAsked ? { signal: reason } : { reason: reason.message });
  // Without the lock they may be another gateway's.
  if (lock.look() === undefined) forgetAddresses();
  if (isAsked) await app.drain();
  await app.stop();
  log.info("stopped");
  if (!isAsked) throw new CliFailure(EXIT.state, reason.message, { cause: reason });
}

const STATE_CODES: ReadonlySet<string> = new Set([
  "EACCES",
  "EPERM",
  "EROFS",
  "ENOSPC",
  "EDQUOT",
  // A file where a folder belongs, and the other way round.
  "EISDIR",
  "ENOTDIR",
  "EEXIST",
]);

/** Tells failures of the address and of the state directory from defects. */
function namedStartFailure(config: Config, error: unknown): unknown {
  const code = errorCode(error) ?? "";
  if (error instanceof AddressUnavailable || isListenFault(error)) {
    const plain = String(listenAddress.toPlain(config["http.listen"]));
    const address = error instanceof AddressUnavailable ? error.address : plain;
    const reason = code === "EADDRINUSE" ? "it is in use" : code;
    return new CliFailure(EXIT.address, `cannot listen on ${address}: ${reason}`, { cause: error });
  }
  if (error instanceof DatabaseGone) {
    return new CliFailure(EXIT.state, goneText(config, error), { cause: error });
  }
  if (error instanceof ExchangeBrokenOff) {
    return new CliFailure(EXIT.state, `there is half of a state: ${error.message}`, {
      cause: error,
    });
  }
  if (isDamage(error)) return damagedFailure(config, error);
  return STATE_CODES.has(code) ? unusableState(config["state.dir"], error) : error;
}

/** True for what the system itself says about an address, such as a host name it cannot resolve. */
function isListenFault(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && error.syscall === "listen";
}
