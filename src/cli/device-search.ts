/** Looking for devices from the command line, with the progress where somebody watches. */

import { existsSync } from "node:fs";
import type { Command } from "commander";
import type {
  DetectionProgress,
  DetectionReport,
  DetectionTarget,
} from "#core/device/detection.ts";
import { hasAddress } from "#core/device/device.ts";
import type { DriverId } from "#core/driver-id.ts";
import { createDrivers } from "#drivers/registry.ts";
import { loadProfiles } from "../app/profile-files.ts";
import { stateFiles } from "../config/state-files.ts";
import type { RegisteredDevice } from "../controller/detector-environment.ts";
import { machineDetection } from "../controller/machine-detection.ts";
import { systemClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { createRandom } from "../platform/random.ts";
import { addressText } from "./address-text.ts";
import { withBox } from "./box.ts";
import { harmless, printError, printErrorText } from "./output.ts";
import { loadSettings } from "./settings-options.ts";

/** One search. */
export interface DeviceSearch {
  readonly target: DetectionTarget;
  /** All when absent. */
  readonly drivers?: readonly DriverId[] | undefined;
  readonly signal: AbortSignal;
}

/** Asks at addresses of this machine or its network; registered devices are left alone. */
export async function searchDevices(
  command: Command,
  wanted: DeviceSearch,
): Promise<DetectionReport> {
  const stateDir = loadSettings(command).config["state.dir"];
  if (existsSync(stateFiles(stateDir).database)) {
    // Read anew at each look: a printer that is registered meanwhile may be printing.
    return withBox(command, ({ stores }) =>
      search(stateDir, wanted, () => stores.devices.listAll().filter(hasAddress)),
    );
  }
  printError(
    `there is no database in ${stateDir}, so registered devices are not known to be left alone; ` +
      "where a gateway runs, name its --state-dir",
  );
  return search(stateDir, wanted, () => []);
}

async function search(
  stateDir: string,
  { target, drivers, signal }: DeviceSearch,
  registered: () => readonly RegisteredDevice[],
): Promise<DetectionReport> {
  const random = createRandom(systemClock);
  const log = createLog({ level: "silent", clock: systemClock });
  const { profiles } = stateFiles(stateDir);
  const detect = machineDetection({
    clock: systemClock,
    log,
    drivers: [...createDrivers({ customProfiles: loadProfiles(profiles, log) }).values()],
    random: (bound) => random.integer(bound),
    registered,
  });
  const progress = new ProgressLine(process.stderr.isTTY === true);
  const report = await detect({
    target,
    drivers,
    signal,
    onProgress: (step) => progress.show(step),
  });
  progress.clear();
  return report;
}

/** Of a terminal that does not tell its width. */
const COLUMNS = 80;

/** What is being asked, in one line that is written over; only where somebody looks at it. */
class ProgressLine {
  readonly #isSeen: boolean;

  constructor(isSeen: boolean) {
    this.#isSeen = isSeen;
  }

  show({ driver, done, total, ...address }: DetectionProgress): void {
    const text = harmless(`${done + 1}/${total}  ${driver}  ${addressText(address)}`);
    // A line that is folded could not be written over.
    this.#write(text.slice(0, (process.stderr.columns || COLUMNS) - 1));
  }

  clear(): void {
    this.#write("");
  }

  #write(text: string): void {
    if (this.#isSeen) printErrorText(`\r\u001b[K${text}`);
  }
}
