/** The columns of `fiscald command list`: what tells commands apart, in the width there is. */

import type { CommandType } from "#core/command/catalogue.ts";
import type { Command } from "#core/command/command.ts";
import { type Box, timezoneOf } from "./box.ts";
import { listedDocument, listedResult, statusWords } from "./command-words.ts";
import type { Column } from "./fitted.ts";
import { localTime, shortTime } from "./local-time.ts";

/** A type as the list names it where there is little room. */
export function briefType(type: CommandType): string {
  return type.replace(/^print_/, "");
}

/** Columns of a time without its offset. */
const CLOCK_CHARACTERS = "11-22 14:05".length;

/** @param ofAll commands of all printers are listed, not those of one */
export function listColumns(
  { stores, clock }: Box,
  orgId: string,
  ofAll: boolean,
): Column<Command>[] {
  const holdOf = ({ id }: Command) => stores.outcomeHolds.find(id);
  const result = (command: Command) => listedResult(command, holdOf(command));
  const printer: Column<Command> = {
    heading: "PRINTER",
    cell: ({ deviceId }) => stores.devices.find(deviceId)?.name ?? null,
    spare: 1,
  };
  const hasSeveral = ofAll && stores.devices.list(orgId).length > 1;
  return [
    { heading: "COMMAND", cell: ({ id }) => id, isWhole: true },
    { heading: "STATUS", cell: (command) => statusWords(command, holdOf(command)), isWhole: true },
    {
      heading: "TYPE",
      cell: ({ type }) => type,
      brief: { heading: "TYPE", cell: ({ type }) => briefType(type) },
    },
    { heading: "AMOUNT", cell: (command) => listedDocument(command).sum, isWhole: true, spare: 2 },
    {
      heading: "RESULT",
      cell: result,
      isWhole: true,
      brief: { heading: "RESULT", cell: (command) => result(command)?.replace("no. ", "") ?? null },
    },
    {
      heading: "SALE NUMBER",
      cell: (command) => listedDocument(command).saleNumber,
      isWhole: true,
      spare: 3,
    },
    ...(hasSeveral ? [printer] : []),
    acceptedColumn(clock.now(), timezoneOf({ stores }, orgId)),
  ];
}

/** In brief the heading has the offset, and only times of another offset have their own. */
function acceptedColumn(now: number, timezone: string): Column<Command> {
  const offset = /[+-][\d:]+$/.exec(localTime(now, timezone))?.[0] ?? "";
  const cell = ({ createdAt }: Command): string => shortTime(createdAt, now, timezone);
  return {
    ...{ heading: "ACCEPTED", cell, isWhole: true },
    brief: {
      heading: `ACCEPTED${offset}`,
      cell(command) {
        const time = cell(command);
        return time.endsWith(offset) ? time.slice(0, CLOCK_CHARACTERS) : time;
      },
    },
  };
}
