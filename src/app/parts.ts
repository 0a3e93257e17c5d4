/** What the rooms of the composition root share. */

import type { Driver } from "#core/driver.ts";
import type { DriverId } from "#core/driver-id.ts";
import type { Database } from "#db/connection.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Writer } from "#db/writer.ts";
import type { openLine } from "#drivers/transport/index.ts";
import type { ConfigSource } from "../config/load-config.ts";
import type { Config, SettingKey } from "../config.ts";
import type { EventBus } from "../events/bus.ts";
import type { EventLog } from "../events/event-log.ts";
import type { Clock } from "../platform/clock.ts";
import type { CountedTime } from "../platform/counted-time.ts";
import type { Log } from "../platform/log.ts";
import type { Random } from "../platform/random.ts";
import type { TimerQueue } from "../queue/timer-queue.ts";
import type { BackupSettings } from "./backup-settings.ts";
import type { DatabaseLoss } from "./database-loss.ts";
import type { DiskWatch } from "./disk-watch.ts";
import type { SimulatedPrinters } from "./simulated/printers.ts";
import type { WriteWatch } from "./write-watch.ts";

/** Where the settings come from: what somebody needs who changes one. */
export interface SettingsOrigin {
  /** That of each; the default of those that are not there. */
  readonly sources: ReadonlyMap<SettingKey, ConfigSource>;
  /** The settings file, whether there is one or not. */
  readonly file: string;
  /** The service manager has started the gateway. */
  readonly isService: boolean;
}

/** One gateway's surroundings, and what is opened first. */
export interface Foundation {
  readonly config: Config;
  readonly origin: SettingsOrigin;
  /** Those of the settings of backups that may change while the gateway runs. */
  readonly backupSettings: BackupSettings;
  readonly log: Log;
  readonly clock: Clock;
  readonly time: CountedTime;
  readonly random: Random;
  readonly openLine: typeof openLine;
  readonly simulated: SimulatedPrinters;
  readonly drivers: ReadonlyMap<DriverId, Driver>;
  readonly database: Database;
  readonly loss: DatabaseLoss;
  readonly writes: WriteWatch;
  readonly disk: DiskWatch;
  readonly stores: Stores;
  readonly bus: EventBus;
  readonly events: EventLog;
  readonly writer: Writer;
  readonly timers: TimerQueue;
  /** Aborted when the gateway stops. */
  readonly stopping: AbortSignal;
}
