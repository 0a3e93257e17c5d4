/** What a person types next who reads an alert. */

import type { Command } from "commander";
import { nextLine } from "./settings-options.ts";
import type { AlertView } from "./shop-view.ts";

/** Alerts that end when somebody accepts what the printer has told. */
const ACCEPTED: readonly string[] = ["state_restored", "documents_unknown"];

/** Lines to be typed; none where only something at the printer helps. */
export function linesFor(
  command: Command,
  { type, deviceId, commandId }: Pick<AlertView, "type" | "deviceId" | "commandId">,
): string[] {
  if (commandId !== undefined) return [nextLine(command, "command", "show", commandId)];
  if (type === "other_printer") return [nextLine(command, "device", "accept-printer", deviceId)];
  return ACCEPTED.includes(type) ? [nextLine(command, "device", "accept", deviceId)] : [];
}
