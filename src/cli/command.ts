/** `fiscald command`: queued commands, for the person at the box. */

import { Argument, Command, InvalidArgumentError, Option } from "commander";
import { COMMAND_TYPES, type CommandType } from "#core/command/catalogue.ts";
import {
  COMMAND_STATUSES,
  type CommandStatus,
  isFinal,
  type Command as QueuedCommand,
} from "#core/command/command.ts";
import { INSTANT_RULE, isInstant } from "#core/command/instant.ts";
import { notSettledWords } from "#core/command/not-settled.ts";
import { PAPER_NUMBER } from "#core/command/settled.ts";
import { LIST_LIMIT_MAX } from "#core/limits.ts";
import type { CommandFilter } from "#db/stores/command-list.ts";
import { BOX_ACTOR } from "../modules/auth/user-admin.ts";
import { toCommandRecord } from "../modules/commands/schema.ts";
import { createRecordKeeper } from "../queue/record-keeper.ts";
import { settleHold } from "../queue/settlement.ts";
import {
  type Box,
  type BoxOptions,
  boxCommand,
  boxTimezone,
  deviceCalled,
  organizationId,
  timezoneOf,
  withBox,
} from "./box.ts";
import { listColumns } from "./command-list.ts";
import { existingCommand, showCommand } from "./command-show.ts";
import { isNumbered } from "./command-words.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { printFitted } from "./fitted.ts";
import { localTime, shortTime } from "./local-time.ts";
import { printJson, printLine } from "./output.ts";
import { nextLine } from "./settings-options.ts";

interface ResolveOptions extends BoxOptions {
  readonly fiscalId?: string;
}

interface ListOptions extends BoxOptions {
  readonly device?: string;
  readonly status?: CommandStatus;
  readonly type?: CommandType;
  readonly from?: number;
  readonly to?: number;
  readonly limit: number;
}

const OUTCOMES = ["printed", "not_printed"] as const;
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
    .addOption(new Option("--status <STATUS>", "only in this status").choices(COMMAND_STATUSES))
    .addOption(new Option("--type <TYPE>", "only of this type").argParser(readType))
    .option("--from <TIME>", "accepted at this time or later, such as 2026-11-22T00:00Z", readTime)
    .option("--to <TIME>", "accepted before this time", readTime)
    .option("--limit <N>", `so many at most, up to ${LIST_LIMIT_MAX}`, readLimit, LIMIT_DEFAULT);
  return command.action((options: ListOptions) =>
    withBox(command, (box) => {
      const orgId = organizationId(box, options.org);
      const found = listed(box, orgId, options);
      if (options.json === true) {
        printJson(found.map((one) => toCommandRecord(one, box.stores.outcomeHolds.find(one.id))));
      } else if (found.length === 0) printLine("There are none.");
      else printFitted(found, listColumns(box, orgId, options.device === undefined));
    }),
  );
}

function listed(box: Box, orgId: string, options: ListOptions): QueuedCommand[] {
  const { device, status, type, from, to, limit } = options;
  const deviceId = device && deviceCalled(box, orgId, device).id;
  const filter: CommandFilter = { deviceId, status, type, from, to };
  const page = { limit, order: "desc", sortBy: "createdAt" } as const;
  return [...box.stores.commands.list(orgId, filter, page)].flat();
}

function openCommand(): Command {
  const command = boxCommand("open", "list the documents of which a person must say what became");
  return command.action((options: BoxOptions) =>
    withBox(command, ({ stores, clock }) => {
      const open = stores.outcomeHolds
        .listOpen()
        .filter(({ orgId }) => options.org === undefined || orgId === options.org)
        .map(({ commandId, orgId, deviceId, serialNumber, raisedAt }) => ({
          ...{ commandId, orgId, deviceId, serialNumber },
          raisedAt: new Date(raisedAt).toISOString(),
        }));
      if (options.json === true) printJson(open);
      else if (open.length === 0) printLine("There are none.");
      else {
        const timezone = boxTimezone({ stores });
        printFitted(open, [
          { heading: "COMMAND", cell: ({ commandId }) => commandId, isWhole: true },
          {
            heading: "PRINTER",
            cell: ({ deviceId }) => stores.devices.find(deviceId)?.name ?? null,
          },
          { heading: "SERIAL", cell: ({ serialNumber }) => serialNumber },
          {
            heading: "SINCE",
            cell: ({ raisedAt }) => shortTime(Date.parse(raisedAt), clock.now(), timezone),
            isWhole: true,
          },
        ]);
        printLine("");
        printLine("Look at the paper; what each was, and how to say what became of it:");
        printLine(`  ${nextLine(command, "command", "show", open[0]?.commandId ?? "")}`);
      }
    }),
  );
}

function resolveCommand(): Command {
  const line = boxCommand("resolve", "say what became of a document whose outcome is unknown")
    .argument("<id>", "id of the command: fiscald command open lists them")
    .addArgument(new Argument("<outcome>", "what the paper shows").choices(OUTCOMES))
    .option("--fiscal-id <NUMBER>", "the number on the paper, of a document that was printed");
  return line.action((id: string, outcome: (typeof OUTCOMES)[number], options: ResolveOptions) =>
    withBox(line, async (box) => {
      const { fiscalId } = options;
      if (fiscalId !== undefined && outcome === "not_printed") {
        throw new CliFailure(EXIT.usage, "--fiscal-id is for a document that was printed");
      }
      if (fiscalId !== undefined && !new RegExp(PAPER_NUMBER).test(fiscalId)) {
        throw new CliFailure(EXIT.usage, "--fiscal-id is the number on the paper: it has digits");
      }
      const command = existingCommand(box, id, options.org);
      if (fiscalId !== undefined && !isNumbered(command.type)) {
        const message = `--fiscal-id is for receipts and Z reports: a ${command.type} has no number`;
        throw new CliFailure(EXIT.usage, message);
      }
      const settled = await settle(box, command, { outcome, fiscalId });
      if (options.json === true) {
        printJson({ id, outcome });
        return;
      }
      const printer = box.stores.devices.find(settled.deviceId)?.name ?? settled.deviceId;
      const word = outcome === "printed" ? "printed" : "not printed";
      printLine(`${id} was ${word}; what waits for it on ${printer} goes on`);
    }),
  );
}

/** A running gateway notices the change of the database by itself. */
async function settle(
  { stores, writer, clock, random }: Box,
  { id }: QueuedCommand,
  word: { readonly outcome: (typeof OUTCOMES)[number]; readonly fiscalId: string | undefined },
): Promise<QueuedCommand> {
  const records = createRecordKeeper(stores, random);
  const said = { ...word, by: BOX_ACTOR, address: null, now: clock.now() };
  const [command, isSettled] = await writer.run((tx) => {
    const found = stores.commands.get(null, id);
    if (found === undefined) throw new Error("a command that is gone");
    return [found, settleHold(tx, found, { said, stores, records })] as const;
  });
  if (isSettled) return command;
  const timezone = timezoneOf({ stores }, command.orgId);
  const settled = stores.outcomeHolds.find(id)?.outcome;
  throw new CliFailure(EXIT.usage, notOpen(command, settled, timezone));
}

function notOpen(
  command: QueuedCommand,
  settled: string | null | undefined,
  timezone: string,
): string {
  const { id, status, result, mark } = command;
  if (settled === "printed" || settled === "not_printed") {
    return `${id} was settled before, as ${settled}`;
  }
  if (isFinal(status)) {
    const outcome = result?.data?.outcome;
    const end = typeof outcome === "string" ? `${status}, ${outcome}` : status;
    return `there is nothing to settle: the end of ${id} is known: ${end}`;
  }
  const words = notSettledWords(command, (instant) => localTime(instant, timezone));
  const how = mark === null ? "" : ` with POST /api/v1/commands/${id}/resolve, or in the portal`;
  return `${id}: ${words}${how}`;
}

function readType(text: string): CommandType {
  const type = COMMAND_TYPES.find((one) => one === text);
  if (type !== undefined) return type;
  throw new InvalidArgumentError("It takes a type such as print_receipt or z_report.");
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
