/**
 * A shop with one simulated device of every make and the whole gateway, all in this process and on
 * one simulated clock: HTTP, the database and the lines are real, only time is not.
 */

import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DriverId } from "#core/driver-id.ts";
import { openDamaged } from "#db/connection.ts";
import type { Sqlite } from "#db/sqlite.ts";
import { findDriver } from "#drivers/registry.ts";
import { SIMULATORS } from "#drivers/simulator/registry.ts";
import type { SimulatedTime } from "#drivers/testing/simulated-time.ts";
import { openLine } from "#drivers/transport/index.ts";
import { type RunningApp, startApp } from "../../app/runtime.ts";
import { loadConfig } from "../../config/load-config.ts";
import type { Config, SettingKey } from "../../config.ts";
import { createLog } from "../../platform/log.ts";
import { ApiClient, registerDevice, registerShop } from "../harness/gateway.ts";
import { ShopDevice } from "./shop-device.ts";

/** Where the shop stands: the zone that most simulated devices are delivered in. */
export const ZONE = "Europe/Sofia";

/** Settings of the day besides the shop's own state directory. */
const SETTINGS: Readonly<Partial<Record<SettingKey, string>>> = {
  "http.listen": "127.0.0.1:0",
  "limits.globalMax": "1000000000",
  "limits.authMax": "1000000000",
  "limits.commandsMax": "1000000000",
  // Nobody looks at the shelves more often than that.
  "devices.statusSeconds": "120",
};
/** A till asks again this much later when the gateway was not there. */
const RETRY_MS = 1_000;
/** How often it does before it gives up. */
const RETRIES_MAX = 600;
/**
 * Files in memory, where the system has that: how long a disk takes to flush is no part of the day,
 * and nobody pulls this machine's plug.
 */
const MEMORY = "/dev/shm";
const KEPT_ERRORS_MAX = 20;

/** What stands in a shop, and where that is. */
export interface ShopOptions {
  /** IANA name; Sofia's unless given. */
  readonly zone?: string;
  readonly settings?: Readonly<Partial<Record<SettingKey, string>>>;
  readonly kinds?: readonly { readonly driver: DriverId; readonly model?: string | undefined }[];
}

const ALL_MAKES = [...SIMULATORS.keys()]
  .filter((driver) => findDriver(driver) !== undefined)
  .map((driver) => ({ driver, model: undefined }));

/** The gateway cannot be reached. */
class Unreachable extends Error {
  override readonly name = "Unreachable";
}

export class Shop {
  /** What the gateway logged as an error: a defect of ours, whatever the devices do. */
  readonly errors: string[] = [];
  restarts = 0;
  #app: RunningApp | undefined;
  /** Beside the running gateway, to read what its database has. */
  #reader: Sqlite | undefined;
  readonly #questions = new Map<string, ReturnType<Sqlite["prepare"]>>();
  /** Resolves when the restart under way is over. */
  #restarting: Promise<void> | undefined;
  #key = "";
  #owner: { readonly email: string; readonly password: string } | undefined;

  private constructor(
    readonly time: SimulatedTime,
    readonly devices: readonly ShopDevice[],
    private readonly place: Required<Omit<ShopOptions, "kinds">> & { readonly folder: string },
  ) {}

  /** Switches everything on and registers a device of every driver, unless others are wanted. */
  static async open(time: SimulatedTime, options: ShopOptions = {}) {
    const { zone = ZONE, kinds = ALL_MAKES, settings = {} } = options;
    const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), "fiscald-day-"));
    mkdirSync(join(folder, "state"));
    const devices: ShopDevice[] = [];
    for (const { driver, model } of kinds) {
      const stateFile = join(folder, `${driver}-${model ?? "default"}.state`);
      devices.push(await ShopDevice.start(driver, { time, stateFile, model }));
    }
    const shop = new Shop(time, devices, { folder, zone, settings });
    await time.run(
      time.standing(async () => {
        await shop.#start();
        await shop.#register();
      }),
    );
    return shop;
  }

  /** Where its state lies, and beside it the folder that counts its starts. */
  get folder(): string {
    return this.place.folder;
  }

  get database(): string {
    return join(this.place.folder, "state", "fiscald.db");
  }

  /** What the database of the running gateway has, as another program reads it. */
  readonly rows = <Row>(sql: string, ...values: readonly string[]): Row[] => {
    this.#reader ??= openDamaged(this.database);
    const question = this.#questions.get(sql) ?? this.#reader.prepare(sql);
    this.#questions.set(sql, question);
    return question.all(...values) as Row[];
  };

  /** Calls the API as the owner, who logs in: the clock of an earlier login may have been wrong. */
  asOwner<T>(question: (owner: ApiClient) => Promise<T>): Promise<T> {
    const [owner, app] = [this.#owner, this.#app];
    if (!owner || !app) throw new Unreachable();
    return this.time.standing(async () => {
      // The port is another one after each start.
      const nobody = new ApiClient(app.url);
      const { accessToken } = await nobody.expect<{ accessToken: string }>(
        "POST",
        "/auth/login",
        owner,
      );
      return question(new ApiClient(app.url, accessToken));
    });
  }

  /** Calls the API as a till does: when the gateway is not there, again until it is. */
  async ask<T>(question: (client: ApiClient) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.time.standing(() => this.#once(question));
      } catch (error) {
        if (!(error instanceof Unreachable) || attempt === RETRIES_MAX) throw error;
        await this.time.sleep(RETRY_MS);
      }
    }
  }

  /**
   * Stops the gateway as it is told to on an update, and starts it on the same state.
   * @param meanwhile what is done while it is off
   */
  restart(meanwhile?: () => void): Promise<void> {
    this.#restarting ??= this.#stopAndStart(meanwhile).finally(() => {
      this.#restarting = undefined;
    });
    return this.#restarting;
  }

  /** Stops the gateway for good. */
  async stopGateway(): Promise<void> {
    const app = this.#app;
    this.#app = undefined;
    // As the last one who has it open the gateway folds its log into the file.
    this.#questions.clear();
    this.#reader?.close();
    this.#reader = undefined;
    if (app) await this.time.stopping(() => app.stop());
  }

  /** Switches everything off and removes what it kept. */
  async close(): Promise<void> {
    await this.time.run(this.stopGateway());
    await Promise.all(this.devices.map((device) => device.stop()));
    rmSync(this.place.folder, { recursive: true, force: true });
  }

  async #once<T>(question: (client: ApiClient) => Promise<T>): Promise<T> {
    const app = this.#app;
    if (!app) throw new Unreachable();
    const client = new ApiClient(app.url, this.#key);
    try {
      return await question(client);
    } catch (error) {
      // A connection that broke is the restart's doing; anything else is told.
      const wasStopped = this.#restarting !== undefined || this.#app !== app;
      if (wasStopped && isConnectionFault(error)) throw new Unreachable();
      throw error;
    }
  }

  async #stopAndStart(meanwhile?: () => void): Promise<void> {
    await this.stopGateway();
    meanwhile?.();
    await this.time.standing(() => this.#start());
    this.restarts += 1;
  }

  async #start(): Promise<void> {
    const { clock } = this.time;
    const sink = {
      write: (line: string) => {
        if (this.errors.length < KEPT_ERRORS_MAX) this.errors.push(line);
      },
    };
    this.#app = await startApp(configOf(join(this.place.folder, "state"), this.place.settings), {
      version: "0.0.0-day",
      log: createLog({ level: "error", clock, sink }),
      clock,
      openLine: (device, environment, options) =>
        this.#deviceOf(device.connectionParams).wire.open(() =>
          // Nobody who had a line here was ever killed: to look for what such a one has left takes
          // milliseconds, at each attempt on a cable that is out.
          openLine(device, environment, { ...options, isKnown: true }),
        ),
    });
  }

  async #register(): Promise<void> {
    if (!this.#app) throw new Unreachable();
    const { key, till, email, password } = await registerShop(this.#app.url, this.place.zone);
    this.#key = key;
    this.#owner = { email, password };
    for (const device of this.devices) {
      const { driver, wire } = device;
      const target = { driver, host: "127.0.0.1", port: wire.port };
      device.id = await registerDevice(till, target, driver);
    }
  }

  #deviceOf(connection: object): ShopDevice {
    const found = this.devices.find(
      ({ wire }) => "port" in connection && wire.port === connection.port,
    );
    if (!found) throw new Error(`no device at ${JSON.stringify(connection)}`);
    return found;
  }
}

function configOf(stateDir: string, settings: NonNullable<ShopOptions["settings"]>): Config {
  const flags = new Map<SettingKey, string>([["state.dir", stateDir]]);
  for (const [key, text] of Object.entries({ ...SETTINGS, ...settings })) {
    flags.set(key as SettingKey, text);
  }
  const surroundings = { environment: {}, pid: process.pid };
  return loadConfig({ flags, file: undefined }, surroundings).config;
}

function isConnectionFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // What `fetch` says of a broken connection, and what a gateway says that is about to stop.
  return "code" in error || error.message.includes(": 503 ");
}
