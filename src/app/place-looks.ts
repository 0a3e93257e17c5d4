/** Looks at places of backups, aside from the gateway. */

import { PlaceView } from "../backup/place-view.ts";
import {
  AsideLooks,
  type AsideLooksOptions,
  beginLook,
  type LookTask,
  seenInTime,
} from "./aside-looks.ts";
import { VIEW_PLACE } from "./view-aside.ts";

const NOT_SEEN: PlaceView = { kept: [], freeBytes: null, fault: null, unready: null };

const unanswered = (last: PlaceView, why: string): PlaceView => ({
  ...last,
  ...{ fault: why, unready: why },
});

export class PlaceLooks extends AsideLooks<PlaceView> {
  /** @param options `begin` starts a process that looks at a folder */
  constructor(options: Pick<AsideLooksOptions<PlaceView>, "clock" | "begin">) {
    super({ ...options, unseen: NOT_SEEN, unanswered });
  }

  /** @param stateDir whose own folder one may be */
  static byProcesses(
    { clock, stopping }: Pick<AsideLooksOptions<PlaceView>, "clock"> & { stopping: AbortSignal },
    stateDir: string,
  ): PlaceLooks {
    const begin = (folder: string) => beginLook(taskOf(folder, stateDir), stopping);
    return new PlaceLooks({ clock, begin });
  }
}

/**
 * The same look, waited for by who has nothing else to do.
 * @param stateDir whose own folder it may be
 */
export function viewInTime(folder: string, stateDir: string): PlaceView {
  return seenInTime(taskOf(folder, stateDir), (why) => unanswered(NOT_SEEN, why));
}

function taskOf(folder: string, stateDir: string): LookTask<typeof PlaceView> {
  return { words: [VIEW_PLACE, folder, stateDir], schema: PlaceView };
}
