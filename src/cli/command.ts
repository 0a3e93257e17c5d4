/** `fiscald command`: queued commands, for the person at the box. */

import { Argument, Command } from "commander";
import { ApiError } from "#core/errors.ts";
import { BOX_ACTOR } from "../modules/auth/user-admin.ts";
import { createRecordKeeper } from "../queue/record-keeper.ts";
import { settleHold } from "../queue/settlement.ts";
import { type Box, type BoxOptions, boxCommand, printRecords, withBox } from "./box.ts";
import { printJson, printLine } from "./output.ts";

interface ResolveOptions extends BoxOptions {
  readonly fiscalId?: string;
}

const OUTCOMES = ["printed", "not_printed"] as const;

export function commandCommand(): Command {
  return new Command("command")
    .description("settle documents in doubt, at the box")
    .addCommand(openCommand())
    .addCommand(resolveCommand());
}

function openCommand(): Command {
  const command = boxCommand("open", "list the documents of which a person must say what became");
  return command.action((options: BoxOptions) =>
    withBox(command, ({ stores }) => {
      const open = stores.outcomeHolds
        .listOpen()
        .filter(({ orgId }) => options.org === undefined || orgId === options.org)
        .map(({ commandId, orgId, deviceId, serialNumber, raisedAt }) => ({
          ...{ commandId, orgId, deviceId, serialNumber },
          raisedAt: new Date(raisedAt).toISOString(),
        }));
      printRecords(open, options, {
        COMMAND: (row) => row.commandId,
        ORGANIZATION: (row) => row.orgId,
        DEVICE: (row) => row.deviceId,
        SERIAL: (row) => row.serialNumber,
        SINCE: (row) => row.raisedAt,
      });
    }),
  );
}

function resolveCommand(): Command {
  const command = boxCommand("resolve", "say what became of a document whose outcome is unknown")
    .argument("<id>", "id of the command")
    .addArgument(new Argument("<outcome>", "what the paper shows").choices(OUTCOMES))
    .option("--fiscal-id <NUMBER>", "number of the printed document");
  return command.action((id: string, outcome: (typeof OUTCOMES)[number], options: ResolveOptions) =>
    withBox(command, async (box) => {
      await settle(box, id, { outcome, fiscalId: options.fiscalId });
      if (options.json === true) printJson({ id, outcome });
      else printLine(`${id} is ${outcome}`);
    }),
  );
}

/** A running gateway notices the change of the database by itself. */
async function settle(
  { stores, writer, clock, random }: Box,
  id: string,
  word: { readonly outcome: (typeof OUTCOMES)[number]; readonly fiscalId: string | undefined },
): Promise<void> {
  const records = createRecordKeeper(stores, random);
  const said = { ...word, by: BOX_ACTOR, address: null, now: clock.now() };
  const isSettled = await writer.run((tx) => {
    const command = stores.commands.get(null, id);
    return command !== undefined && settleHold(tx, command, { said, stores, records });
  });
  if (!isSettled) throw new ApiError("CONFLICT", `the outcome of ${id} is not open`);
}
