/** Notices that a serial port is there again after its cable was pulled. */

import { existsSync, type FSWatcher, watch } from "node:fs";
import { dirname } from "node:path";

/**
 * Calls back, at most once, when a path appears that is not there now. Folders above it may be
 * missing too: /dev/serial/by-id goes with the last port.
 * @returns ends the watch
 */
export function watchArrival(path: string, arrived: () => void): () => void {
  let watcher: FSWatcher | undefined;
  let watched: string | undefined;
  let ended = false;
  const end = (): void => {
    ended = true;
    watcher?.close();
    watcher = undefined;
  };
  const look = (): void => {
    if (ended) return;
    if (existsSync(path)) {
      end();
      arrived();
      return;
    }
    const folder = nearestFolder(path);
    if (folder === watched && watcher !== undefined) return;
    watcher?.close();
    watched = folder;
    try {
      watcher = watch(folder, { persistent: false }, look);
      // A folder that goes is no fault: its parent is watched from the next look on.
      watcher.on("error", () => {
        watched = undefined;
      });
    } catch {
      // Without a watch the controller's own attempts find the port a little later.
      watcher = undefined;
      return;
    }
    // What appeared between the look and the watch would not be told.
    if (nearestFolder(path) !== folder || existsSync(path)) look();
  };
  if (!existsSync(path)) look();
  return end;
}

function nearestFolder(path: string): string {
  let folder = dirname(path);
  while (!existsSync(folder)) folder = dirname(folder);
  return folder;
}
