/** What somebody who helps has to know: gathered without secrets, and cleaned once more. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { arch, release, totalmem, type } from "node:os";
import { join } from "node:path";
import { isoTime } from "#core/iso-time.ts";
import type { Stores } from "#db/stores/index.ts";
import { plainValue } from "../config/settings-text.ts";
import { stateFiles } from "../config/state-files.ts";
import { type Config, SETTING_KEYS } from "../config.ts";
import { alertsOf, type DeviceLive } from "../modules/devices/device-state.ts";
import type { Diagnostics } from "../modules/diagnostics/schema.ts";
import { machineModel } from "../platform/machine-model.ts";
import { isSecretName, redact, remover } from "../platform/redaction.ts";

/** Of a shop, those that were heard of last. */
const CONTROLLERS_MAX = 1_000;
/** Of the newest commands of an organization. */
const COMMANDS_MAX = 100;
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----([^-]+)-----END/g;
const GIGABYTE = 1_073_741_824;

export interface DiagnosticsParts {
  readonly config: Config;
  readonly stores: Stores;
  /** UTC milliseconds. */
  readonly now: number;
  readonly version: string;
  readonly live: DeviceLive;
  readonly health: Diagnostics["health"];
  readonly metrics: string | null;
}

/** Gathers it. @param orgIds whose devices and commands */
export function gatherDiagnostics(parts: DiagnosticsParts, orgIds: readonly string[]): Diagnostics {
  const { config, stores, now, version, live, health, metrics } = parts;
  const devices = orgIds.flatMap((orgId) => stores.devices.list(orgId));
  const page = { limit: COMMANDS_MAX, order: "desc", sortBy: "createdAt" } as const;
  const commands = orgIds.flatMap((orgId) => [...stores.commands.list(orgId, {}, page)].flat());
  return {
    madeAt: isoTime(now),
    version,
    runtime: `bun ${Bun.version}`,
    system: systemText(),
    settings: Object.fromEntries(
      SETTING_KEYS.map((key) => [key, clean(plainValue(key, config[key]))]),
    ),
    health,
    devices: devices.map((device) => {
      const { linkUp, reason } = live.connectivity(device.id);
      const { id, name, driver, transport, model, firmwareVersion } = device;
      return {
        ...{ id, name: text(name), driver, transport, model, firmwareVersion, linkUp },
        connection: text(JSON.stringify(clean(device.connectionParams)) ?? ""),
        reason: reason ? text(reason) : null,
        waiting: stores.commands.countPending(id),
        alerts: alertsOf({ stores, clock: { now: () => now }, live }, device).map((alert) => ({
          ...{ type: alert.type, detectedAt: isoTime(alert.detectedAt) },
        })),
      };
    }),
    commands: commands.map(({ id, deviceId, type: kind, status, createdAt, result }) => ({
      ...{ id, deviceId, type: kind, status, createdAt: isoTime(createdAt) },
      errorCode: result?.errorCode ?? null,
      errorMessage: result?.errorMessage === undefined ? null : text(result.errorMessage),
    })),
    metrics,
  };
}

function systemText(): string {
  const memory = `${(totalmem() / GIGABYTE).toFixed(1)} GB`;
  return [`${type()} ${release()} ${arch()}`, machineModel(), memory].join(", ");
}

/**
 * A copy without the secrets that are known here, wherever they stand: in what a mail server said, or
 * in a line of the log that somebody else's program wrote.
 */
export function withoutSecrets<T>(value: T, secrets: readonly string[]): T {
  const strip = remover(secrets);
  return JSON.parse(JSON.stringify(value), (_name, entry) =>
    typeof entry === "string" ? strip(entry) : entry,
  );
}

/** All that are known on this machine. @param passphrase of backups, where there is one */
export function knownSecrets(config: Config, stores: Stores, passphrase: string | null): string[] {
  return [...secretsOf(config, passphrase), ...storedSecrets(stores)];
}

/**
 * Of the settings, those that nobody else may know, what encrypts backups, and the private keys.
 * @param passphrase of backups, where there is one
 */
export function secretsOf(config: Config, passphrase: string | null): string[] {
  const given = SETTING_KEYS.flatMap((key) => {
    const value = String(config[key]);
    return isSecretName(key) ? [value] : passwordOf(value);
  });
  const keys = privateKeysIn(stateFiles(config["state.dir"]).tls);
  return [...given, ...keys, ...(passphrase === null ? [] : [passphrase])];
}

/** Of the authority, its certificates and the account with another one: each line, as a log cuts them. */
function privateKeysIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".pem"))
    .flatMap((name) => [...readFileSync(join(folder, name), "utf8").matchAll(PRIVATE_KEY)])
    .flatMap(([, lines = ""]) => lines.trim().split("\n"));
}

function passwordOf(url: string): string[] {
  const password = URL.parse(url)?.password ?? "";
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    // A lone % in it: it counts as it stands.
    return [password];
  }
}

/** Of the database, those that are in it in the clear. */
export function storedSecrets(stores: Stores): string[] {
  const shops = stores.organizations.list();
  const webhooks = shops.flatMap(({ id }) => stores.webhooks.list(id));
  const apps = shops.flatMap(({ id }) => stores.controllers.list(id, CONTROLLERS_MAX));
  const tokens = apps.flatMap(({ fcmToken }) => fcmToken ?? []);
  const own = ["token.secret", "setup.code"].map((name) => stores.appliance.find(name) ?? "");
  return [...own, ...tokens, ...webhooks.map(({ secret }) => secret)];
}

/** Like a line of the log: secrets that are known by their names or by their form. */
function clean(value: unknown): unknown {
  return typeof value === "string" ? text(value) : redact(value);
}

function text(value: string): string {
  return String(redact(value));
}
