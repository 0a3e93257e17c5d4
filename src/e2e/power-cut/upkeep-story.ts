/** What the upkeep workload leaves for those who look at the disk afterwards. */

import type { StoryPrinter, StorySale } from "./story.ts";

/** What is done to an appliance besides selling, in the workload's order. */
export const CHORES = ["backup", "update", "failed update", "repair", "restore"] as const;
export type Chore = (typeof CHORES)[number];

/** Folders of the disk. */
export const STATE = "var/lib/fiscald";
export const BACKUPS = "mnt/backups";
/** File beside the disk. */
export const PASSPHRASE = "passphrase";

/** Version that is installed at first, and one that does not start. */
export const FORMER = "0.0.1";
export const BROKEN = "9.9.9";

export interface UpkeepStory {
  readonly printer: StoryPrinter;
  readonly key: string;
  /** In the order in which they were made; each was printed. */
  readonly sales: readonly StorySale[];
  /** How many of them there were when a chore began. */
  readonly known: Readonly<Record<Chore, number>>;
  /** How many of them are in the backup that is restored, and its file beside the disk. */
  readonly restored: { readonly sales: number; readonly file: string };
}

/** Path of the mark that is made when a chore begins or ends, below the workload's folder. */
export function markOf(chore: Chore, when: "begins" | "ends"): string {
  return `marks/${chore.replace(" ", "-")}-${when}`;
}
