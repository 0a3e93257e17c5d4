/** `fiscald command`: queued commands, for the person at the box. */

import { Command, InvalidArgumentError } from "commander";
import type { Command as QueuedCommand } from "#core/command/command.ts";
import { INSTANT_RULE, isInstant } from "#core/command/instant.ts";
import { LIST_LIMIT_MAX } from "#core/limits.ts";
import type { OutcomeHold } from "#db/stores/outcome-holds.ts";
import { toCommandRecord } from "../modules/commands/schema.ts";
import {
  type Box,
  type BoxOptions,
  boxCommand,
  boxTimezone,
  deviceCalled,
  organizationId,
  withBox,
} from "./box.ts";
import {
  LISTED_STATUSES,
  type ListWish,
  listedCommands,
  readListedStatus,
  readListedType,
} from "./command-filter.ts";
import { listColumns } from "./command-list.ts";
import { resolveCommand } from "./command-resolve.ts";
import { showCommand } from "./command-show.ts";
import { isLongInDoubt } from "./command-words.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { printFitted } from "./fitted.ts";
import { shortTime } from "./local-time.ts";
import { printJson, printLine } from "./output.ts";
import { nextLine } from "./settings-options.ts";

interface ListOptions extends BoxOptions, Omit<ListWish, "deviceId"> {
  readonly device?: string;
}

const LIMIT_DEFAULT = 20;

export function commandCommand(): Command {
  return new Command("command")
    .description("see what was sent to the printers, and settle what nobody knows")
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(openCommand())
    .addCommand(resolveCommand());
}

function listCommand(): Command {
  const command = boxCommand("list", "list commands, newest first")
    .option("--device <DEVICE>", "only of this device: its id or name")
    .option(
      "--status <STATUS>",
      `only in this status, as the list shows it: ${LISTED_STATUSES.join(", ")}`,
      readListedStatus,
    )
    .option("--type <TYPE>", "only of this type, such as print_receipt or receipt", readListedType)
    .option("--from <TIME>", "accepted at this time or later, such as 2026-11-22T00:00Z", readTime)
    .option("--to <TIME>", "accepted before this time", readTime)
    .option("--limit <N>", `so many at most, up to ${LIST_LIMIT_MAX}`, readLimit, LIMIT_DEFAULT);
  return command.action((options: ListOptions) => {
    const { from, to } = options;
    if (from !== undefined && to !== undefined && from > to)
      throw new CliFailure(EXIT.usage, "--from is after --to");
    return withBox(command, (box) => {
      const orgId = organizationId(box, options.org);
      const { device, ...wish } = options;
      const deviceId = device && deviceCalled(box, orgId, device).id;
      const found = listedCommands(box, orgId, { ...wish, deviceId });
      if (options.json === true) {
        printJson(found.map((one) => toCommandRecord(one, box.stores.outcomeHolds.find(one.id))));
      } else if (found.length === 0) printLine("There are none.");
      else printFitted(found, listColumns(box, orgId, options.device === undefined));
    });
  });
}

function openCommand(): Command {
  const command = boxCommand("open", "list the documents of which a person must say what became");
  return command.action((options: BoxOptions) =>
    withBox(command, (box) => {
      const isWanted = ({ orgId }: { readonly orgId: string }) =>
        options.org === undefined || orgId === options.org;
      const open = box.stores.outcomeHolds.listOpen().filter(isWanted);
      if (options.json === true) {
        printJson(
          open.map(({ commandId, orgId, deviceId, serialNumber, raisedAt }) => ({
            ...{ commandId, orgId, deviceId, serialNumber },
            raisedAt: new Date(raisedAt).toISOString(),
          })),
        );
        return;
      }
      const show = (id: string) => printLine(`  ${nextLine(command, "command", "show", id)}`);
      if (open[0] === undefined) printLine("There are none.");
      else {
        printOpen(box, open);
        printLine("");
        printLine("Look at the paper; what each was, and how to say what became of it:");
        show(open[0].commandId);
      }
      const doubts = underWayInDoubt(box).filter(isWanted);
      if (doubts.length === 0) return;
      printLine("");
      printLine("Under way for over a minute; if the printer stays silent, say what it shows:");
      for (const { id } of doubts) show(id);
    }),
  );
}

function printOpen({ stores, clock }: Box, open: readonly OutcomeHold[]): void {
  const timezone = boxTimezone({ stores });
  printFitted(open, [
    { heading: "COMMAND", cell: ({ commandId }) => commandId, isWhole: true },
    { heading: "PRINTER", cell: ({ deviceId }) => stores.devices.find(deviceId)?.name ?? null },
    { heading: "SERIAL", cell: ({ serialNumber }) => serialNumber },
    {
      heading: "SINCE",
      cell: ({ raisedAt }) => shortTime(raisedAt, clock.now(), timezone),
      isWhole: true,
    },
  ]);
}

/** What is out with a printer, of which there is one at a time. */
function underWayInDoubt({ stores, clock }: Box): QueuedCommand[] {
  return stores.devices
    .listAll()
    .flatMap(({ id }) => stores.commands.findOut(id) ?? [])
    .filter((one) => isLongInDoubt(one, clock.now()));
}

function readTime(text: string): number {
  if (isInstant(text)) return Date.parse(text);
  throw new InvalidArgumentError(`${INSTANT_RULE}.`);
}

function readLimit(text: string): number {
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= LIST_LIMIT_MAX) return limit;
  throw new InvalidArgumentError(`It takes a number from 1 to ${LIST_LIMIT_MAX}.`);
}
