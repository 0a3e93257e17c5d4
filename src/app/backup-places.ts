/** Where backups lie, as the running gateway sees it: the usual place, and the sticks. */

import { foldersToSearch, goodBackups } from "../backup/newest-backup.ts";
import type { PassphraseView } from "../backup/passphrase.ts";
import { folderOnStick, isNamedFolder, placeFolder } from "../backup/place.ts";
import type { PlaceView } from "../backup/place-view.ts";
import { placeFault } from "../backup/unready.ts";
import { findUsbSticks, type UsbStick } from "../backup/usb-sticks.ts";
import type { Config } from "../config.ts";
import { errorText } from "../platform/thrown.ts";
import type { BackupSettings } from "./backup-settings.ts";
import type { Foundation } from "./parts.ts";
import { PassphraseLooks } from "./passphrase-looks.ts";
import { PlaceLooks } from "./place-looks.ts";

type Kept = PlaceView["kept"];

/** What lies where. */
export interface PlacesSeen {
  /** At the usual place, newest first. */
  readonly kept: Kept;
  /** What is wrong with that place; undefined for nothing. */
  readonly fault: string | undefined;
  readonly sticks: readonly (UsbStick & Pick<PlaceView, "kept" | "freeBytes">)[];
  /** Path of the one to put back; undefined where none is known. */
  readonly newest: string | undefined;
}

export class BackupPlaces {
  readonly #config: Config;
  readonly #settings: BackupSettings;
  readonly #clock: Foundation["clock"];
  readonly #looks: PlaceLooks;
  readonly #passphrases: PassphraseLooks;

  /** @param looks by processes of this program unless given */
  constructor(
    foundation: Pick<Foundation, "config" | "backupSettings" | "clock" | "stopping">,
    looks?: PlaceLooks,
  ) {
    const { config, backupSettings, clock, stopping } = foundation;
    [this.#config, this.#settings, this.#clock] = [config, backupSettings, clock];
    this.#looks = looks ?? PlaceLooks.byProcesses({ clock, stopping }, config["state.dir"]);
    this.#passphrases = new PassphraseLooks(config, { clock, stopping });
  }

  /** Looks everywhere at once; of a place that does not answer it tells what was seen there last. */
  async look(): Promise<PlacesSeen> {
    const home = { ...this.#config, "backup.to": this.#settings.to };
    const sticks = findUsbSticks();
    const onSticks = sticks.map(folderOf).filter((folder) => folder !== undefined);
    const folders = [...new Set([...foldersToSearch(home), ...onSticks])];
    const looked = folders.map(async (folder) => [folder, await this.#looks.look(folder)] as const);
    const views = new Map(await Promise.all(looked));
    const keptIn = (folder: string | undefined): Kept => views.get(folder ?? "")?.kept ?? [];
    const { kept, fault } = this.#usual(views);
    const { there, away } = goodBackups(home, this.#clock.now(), keptIn);
    return {
      ...{ kept, fault },
      sticks: sticks.map((stick) => {
        const folder = folderOf(stick);
        const freeBytes = views.get(folder ?? "")?.freeBytes ?? null;
        return { ...stick, kept: keptIn(folder), freeBytes };
      }),
      newest: (away ?? there)?.file ?? kept[0]?.path,
    };
  }

  /** What keeps the next one from being made; undefined where nothing is found, as of a stick. */
  async unready(): Promise<string | undefined> {
    const { to } = this.#settings;
    const stateDir = this.#config["state.dir"];
    const { fault } = await this.passphrase();
    if (fault !== null) return fault;
    // The state directory's disk is the gateway's own.
    if (!isNamedFolder(to)) return placeFault(to, stateDir);
    return (await this.#looks.look(placeFolder(to, stateDir))).unready ?? undefined;
  }

  /** What encrypts backups. */
  passphrase(): Promise<PassphraseView> {
    return this.#passphrases.look();
  }

  #usual(views: ReadonlyMap<string, PlaceView>): Pick<PlacesSeen, "kept" | "fault"> {
    const { to } = this.#settings;
    try {
      const view = views.get(placeFolder(to, this.#config["state.dir"]));
      const fault = view?.fault ?? (isNamedFolder(to) ? view?.unready : undefined);
      return { kept: view?.kept ?? [], fault: fault ?? undefined };
    } catch (error) {
      return { kept: [], fault: errorText(error) };
    }
  }
}

function folderOf({ mountPoint }: UsbStick): string | undefined {
  return mountPoint === null ? undefined : folderOnStick(mountPoint);
}
