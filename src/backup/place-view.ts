/** What lies at a place of backups, as a process of its own looks: a disk that hangs stops only that. */

import { dirname } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { errorCode, errorText } from "../platform/thrown.ts";
import { listBackups } from "./kept-backups.ts";
import { freeBytesAt } from "./place.ts";
import { folderFault } from "./unready.ts";

const Text = Type.String();
const TextOrNull = Type.Union([Text, Type.Null()]);

/** As the process tells it. */
export const PlaceView = Type.Object({
  /** The backups there, newest first, as `KeptBackup` has them. */
  kept: Type.Array(
    Type.Object({
      ...{ name: Text, path: Text, maker: Text, createdAt: Type.Integer() },
      ...{ isByHand: Type.Boolean(), bytes: Type.Integer() },
    }),
  ),
  /** Bytes; null where the system does not tell. */
  freeBytes: Type.Union([Type.Integer(), Type.Null()]),
  /** Why it cannot be listed. That it is not there is no fault. */
  fault: TextOrNull,
  /** Why it takes no backup. */
  unready: TextOrNull,
});
export type PlaceView = Readonly<Static<typeof PlaceView>>;

/**
 * Looks at a folder, which need not be there; waits for its disk.
 * @param stateDir whose own folder it may be
 */
export async function viewPlace(folder: string, stateDir: string): Promise<PlaceView> {
  const unready = (await folderFault(folder, stateDir)) ?? null;
  const { freeBytes, fault } = roomAt(folder);
  try {
    return { kept: listBackups(folder), freeBytes, fault, unready };
  } catch (error) {
    return { kept: [], freeBytes, fault: errorText(error), unready };
  }
}

/** How much room a folder has, or that which it is to be made in; and why nobody knows. */
export function roomAt(folder: string): Pick<PlaceView, "freeBytes" | "fault"> {
  for (const place of [folder, dirname(folder)]) {
    try {
      return { freeBytes: freeBytesAt(place), fault: null };
    } catch (error) {
      if (errorCode(error) !== "ENOENT") return { freeBytes: null, fault: errorText(error) };
    }
  }
  return { freeBytes: null, fault: null };
}
