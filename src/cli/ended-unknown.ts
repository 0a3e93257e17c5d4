/** What a deed at a device has ended as unknown: it is named, for a person is to say what became of it. */

import type { Command } from "commander";
import { tellsOutcome } from "#core/command/catalogue.ts";
import type { Box } from "./box.ts";
import { folded } from "./fitted.ts";
import { printLine } from "./output.ts";
import { nextLine } from "./settings-options.ts";

/** Ids of what waits at a device or is under way there, of which a till is told whether it was made. */
export function unfinishedAt({ stores }: Box, deviceId: string): string[] {
  return stores.commands
    .listUnfinished({ deviceId })
    .filter(({ type }) => tellsOutcome(type))
    .map(({ id }) => id);
}

/** Those that ended, and nobody knows how. */
export function endedUnknown({ stores }: Box, ids: readonly string[]): string[] {
  return ids.filter((id) => stores.commands.get(null, id)?.result?.data?.outcome === "unknown");
}

/** @param meant why a person is to look at each, and what the printer does until then */
export function tellEnded(
  command: Command,
  ended: readonly string[],
  { why, untilThen = "" }: { readonly why: string; readonly untilThen?: string },
): void {
  if (ended.length === 0) return;
  tell(`${ended.length} that waited or was under way ended as unknown: ${why}.`);
  tell(`Say what became of them${untilThen}:`);
  for (const id of ended) printLine(`  ${nextLine(command, "command", "show", id)}`);
}

/** As wide as the screen. */
export function tell(text: string): void {
  for (const line of folded("", text)) printLine(line);
}
