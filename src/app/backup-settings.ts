/** Where backups go, when they are made and what encrypts them, which an owner may change meanwhile. */

import { hasPassphrase, keepPassphrase, passphraseFileOf } from "../backup/passphrase.ts";
import { type ChosenKey, writeChosen } from "../config/chosen-settings.ts";
import type { ConfigSource } from "../config/load-config.ts";
import type { Config, SettingKey } from "../config.ts";

/** What an owner chooses; what is not given stays. */
export interface BackupChoice {
  /** As the settings `backup.to` and `backup.at` have it. */
  readonly to?: string;
  readonly at?: string;
  readonly passphrase?: string;
}

/** Whether somebody has set the hour of backups, anywhere. @param sources where settings come from */
export function isHourSet(sources: ReadonlyMap<SettingKey, ConfigSource>): boolean {
  return (sources.get("backup.at") ?? "default") !== "default";
}

export class BackupSettings {
  readonly #config: Config;
  readonly #sources: ReadonlyMap<SettingKey, ConfigSource>;
  readonly #chosen: Map<ChosenKey, string>;

  /** @param sources where each setting comes from; the defaults unless given */
  constructor(config: Config, sources: ReadonlyMap<SettingKey, ConfigSource> = new Map()) {
    this.#config = config;
    this.#sources = sources;
    const keys = ["backup.to", "backup.at"] as const;
    const chosen = keys.filter((key) => sources.get(key) === "portal");
    this.#chosen = new Map(chosen.map((key) => [key, config[key]]));
  }

  get to(): string {
    return this.#chosen.get("backup.to") ?? this.#config["backup.to"];
  }

  get at(): string {
    return this.#chosen.get("backup.at") ?? this.#config["backup.at"];
  }

  get isHourChosen(): boolean {
    return this.#chosen.has("backup.at") || isHourSet(this.#sources);
  }

  get canEncrypt(): boolean {
    return hasPassphrase(this.#config);
  }

  /** Where it was set so that the portal cannot change it; undefined where it can. */
  fixedBy(key: ChosenKey): "flag" | "environment" | "file" | undefined {
    const source = this.#sources.get(key);
    return source === "default" || source === "portal" ? undefined : source;
  }

  /** Keeps a choice; it counts from now on. @throws the system's error */
  choose({ to, at, passphrase }: BackupChoice): void {
    if (passphrase !== undefined) keepPassphrase(passphraseFileOf(this.#config), passphrase);
    const chosen = new Map(this.#chosen);
    // Whoever gives a passphrase wants backups at that hour, also where the passphrase gets lost.
    if (passphrase !== undefined && this.fixedBy("backup.at") === undefined) {
      chosen.set("backup.at", this.at);
    }
    if (to !== undefined) chosen.set("backup.to", to);
    if (at !== undefined) chosen.set("backup.at", at);
    if (chosen.size === 0) return;
    writeChosen(this.#config["state.dir"], chosen);
    for (const [key, value] of chosen) this.#chosen.set(key, value);
  }
}
