/** `fiscald command show`: one command, its progress and its end in words. */

import type { Command as CommandLine } from "commander";
import { type Command, isFinal } from "#core/command/command.ts";
import { currencyOf } from "#db/stores/command-currency.ts";
import type { OutcomeHold } from "#db/stores/outcome-holds.ts";
import { toCommandRecord } from "../modules/commands/schema.ts";
import { restoredOf, standsOpen } from "../modules/devices/device-state.ts";
import { type Box, type BoxOptions, boxCommand, timezoneOf, withBox } from "./box.ts";
import {
  adviceWords,
  cashWords,
  documentWords,
  errorWords,
  isLongInDoubt,
  isNumbered,
  itemWords,
  listedDocument,
  outcomeWords,
  progressWords,
  toldLater,
} from "./command-words.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { folded } from "./fitted.ts";
import { localTime } from "./local-time.ts";
import { printJson, printLine } from "./output.ts";
import { gatewayPresence } from "./running-gateway.ts";
import { loadSettings, nextLine } from "./settings-options.ts";
import { type AlertView, viewShop } from "./shop-view.ts";

const LABEL_CHARACTERS = 14;

export function showCommand(): CommandLine {
  const line = boxCommand("show", "show how far a command got, its end, and what to do").argument(
    "<id>",
    "id of the command",
  );
  return line.action((id: string, options: BoxOptions) =>
    withBox(line, async (box) => {
      const command = existingCommand(box, id, options.org);
      const hold = box.stores.outcomeHolds.find(id);
      if (options.json === true) {
        printJson({ ...toCommandRecord(command, hold), mark: command.mark });
      } else print(box, command, { hold, alerts: await alertsOf({ line, box }, command) });
      const isAsked = isOpen(hold) || isLongInDoubt(command, box.clock.now());
      if (isAsked) for (const text of settlingLines(line, command)) tell(options, text);
    }),
  );
}

/** The command of that id. @throws CliFailure with code 2 when there is none */
export function existingCommand({ stores }: Box, id: string, orgId: string | undefined): Command {
  const command = stores.commands.get(orgId ?? null, id);
  if (command !== undefined) return command;
  throw new CliFailure(EXIT.usage, `there is no command ${id}: fiscald command list shows them`);
}

function isOpen(hold: OutcomeHold | undefined): boolean {
  return hold !== undefined && hold.resolvedAt === null;
}

/** In JSON the record says it: `resolution` without an outcome. */
function tell({ json }: BoxOptions, text: string): void {
  if (json !== true) printLine(`  ${text}`);
}

function settlingLines(line: CommandLine, { id, type }: Command): string[] {
  const number = isNumbered(type) ? ["--fiscal-id", "NUMBER"] : [];
  return [
    nextLine(line, "command", "resolve", id, "printed", ...number),
    nextLine(line, "command", "resolve", id, "not_printed"),
  ];
}

/** What the printer of a command that has not ended needs a person for, as far as anybody knows. */
async function alertsOf(
  { line, box }: { readonly line: CommandLine; readonly box: Box },
  { orgId, deviceId, status }: Command,
): Promise<readonly AlertView[]> {
  const organization = box.stores.organizations.get(orgId);
  if (isFinal(status) || organization === undefined) return [];
  const gateway = gatewayPresence(loadSettings(line).config["state.dir"]);
  const { devices } = await viewShop({ command: line, box, gateway }, organization);
  const alerts = devices.find(({ id }) => id === deviceId)?.alerts ?? [];
  return alerts.filter(({ severity }) => severity === "error");
}

function print(
  box: Box,
  command: Command,
  { hold, alerts }: { hold: OutcomeHold | undefined; alerts: readonly AlertView[] },
): void {
  const { stores } = box;
  const { id, orgId, deviceId, type, status, result } = command;
  const timezone = timezoneOf(box, orgId);
  const time = (instant: number | null) =>
    instant === null ? undefined : localTime(instant, timezone);
  const device = stores.devices.find(deviceId)?.name;
  const currency = currencyOf(stores, command) ?? undefined;
  const rows: Record<string, string | undefined> = {
    Command: id,
    Type: type,
    Printer: device === undefined ? `${deviceId}, which is gone` : device,
    Status: status,
    Accepted: time(command.createdAt),
    "Handed over": time(command.sentAt),
    Begun: time(command.processingAt),
    Ended: time(command.finishedAt),
    Document: documentWords(command, currency),
    Amount: cashWords(command, currency),
    Items: itemWords(command),
    "Sale number": listedDocument(command).saleNumber ?? undefined,
    "Sent by": sentBy(stores, command),
    Progress: progressWords(command, { hold, isRestored: isRestored(stores, deviceId) }),
    Outcome: outcomeWords(command, hold),
    "Printer says": toldOf(stores, command, time),
    Number: hold?.fiscalId ?? result?.fiscalId,
    Error: errorWords(command),
  };
  for (const [label, text] of Object.entries(rows)) {
    if (text === undefined) continue;
    for (const row of folded(label.padEnd(LABEL_CHARACTERS), text)) printLine(row);
  }
  const advice = adviceWords(command, {
    hold,
    standsOpen: standsOpen(stores.audit, orgId, id),
    now: box.clock.now(),
  });
  const texts = [...alerts.map(({ message }) => `The printer: ${message}.`), advice];
  for (const text of texts) {
    if (text === undefined) continue;
    printLine("");
    for (const row of folded("", text)) printLine(row);
  }
}

/** True while the device's printer may have printed more than a state knows that was put back. */
function isRestored(stores: Box["stores"], deviceId: string): boolean {
  const device = stores.devices.find(deviceId);
  return device !== undefined && restoredOf(stores, device).length > 0;
}

/** What the printer told of it when it was over, as the audit log has it. */
function toldOf(
  { audit }: Box["stores"],
  { id, orgId }: Command,
  time: (instant: number) => string | undefined,
): string | undefined {
  const last = audit.last({ orgId, resource: id, action: "command.late_result" });
  const words = last && toldLater(last.details);
  return words && `${words}, told at ${time(last.at)}`;
}

/** The key or the person that asked for it; undefined where nobody did, or they are gone. */
function sentBy({ apiKeys, users }: Box["stores"], command: Command): string | undefined {
  const { orgId, apiKeyId, requestedBy } = command;
  if (apiKeyId !== null) {
    const key = apiKeys.get(orgId, apiKeyId);
    return key && `API key ${key.label}`;
  }
  return requestedBy === null ? undefined : users.get(orgId, requestedBy)?.name;
}
