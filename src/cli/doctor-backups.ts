/** What `fiscald doctor` looks at of the backups that the gateway is to make. */

import { FINDINGS } from "#core/health.ts";
import { isHourSet } from "../app/backup-settings.ts";
import { passphraseInTime } from "../app/passphrase-looks.ts";
import { viewInTime } from "../app/place-looks.ts";
import { hasPassphrase, isNightly } from "../backup/passphrase.ts";
import { backupFolder, isNamedFolder, isStick, placeFolder } from "../backup/place.ts";
import { placeFault } from "../backup/unready.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import { stateFiles } from "../config/state-files.ts";
import type { Config } from "../config.ts";
import { neededLineIn } from "../platform/strange-owner.ts";
import { errorText } from "../platform/thrown.ts";
import { PASSPHRASE_CURE } from "./doctor-cures.ts";
import { error, type Finding, ok, warning } from "./doctor-findings.ts";
import type { GatewayPresence } from "./running-gateway.ts";

const CURE = "see /docs/backup.html of the gateway";

/**
 * Whether the next backup can be made; nothing where none are made by themselves, or where the gateway
 * has told that something is wrong with them.
 */
export async function lookAtBackups(
  { config, sources }: LoadedConfig,
  { gateway, isTold }: { readonly gateway: GatewayPresence | undefined; readonly isTold: boolean },
): Promise<Finding[]> {
  const { "backup.to": to, "backup.at": at } = config;
  const canEncrypt = hasPassphrase(config);
  if (!isNightly({ at, canEncrypt, isHourChosen: isHourSet(sources) }) || isTold) return [];
  if (!canEncrypt) {
    return [error("Backup", FINDINGS.backupNoPassphrase().text, PASSPHRASE_CURE)];
  }
  if (isStick(to)) {
    try {
      backupFolder(to, config["state.dir"]);
    } catch (fault) {
      return [warning("Backup", errorText(fault), CURE)];
    }
  }
  // A gateway that runs has told it, with the eyes of its service.
  if (gateway?.kind !== "running") {
    const reason = await reasonInTime(config);
    if (reason !== undefined) {
      return [error("Backup", `none can be made: ${reason}`, neededLineIn(reason) ?? CURE)];
    }
  }
  return [ok("Backup", `every day at ${at}, to ${to || stateFiles(config["state.dir"]).backups}`)];
}

/** What keeps the next one from being made; a folder or a file that somebody has named may not answer. */
async function reasonInTime(config: Config): Promise<string | undefined> {
  const { "backup.to": to, "state.dir": stateDir } = config;
  const { fault } = await passphraseInTime(config);
  if (fault !== null) return fault;
  if (!isNamedFolder(to)) return placeFault(to, stateDir);
  return viewInTime(placeFolder(to, stateDir), stateDir).unready ?? undefined;
}
