/** What `fiscald command list` is asked for, in the words that it shows. */

import { InvalidArgumentError } from "commander";
import { COMMAND_TYPES, type CommandType } from "#core/command/catalogue.ts";
import { COMMAND_STATUSES, type Command, type CommandStatus } from "#core/command/command.ts";
import { LIST_LIMIT_MAX } from "#core/limits.ts";
import type { CommandFilter } from "#db/stores/command-list.ts";
import type { Box } from "./box.ts";
import { briefType } from "./command-list.ts";
import { statusWords } from "./command-words.ts";
import { CUT_MARK } from "./fitted.ts";

/** What the list says instead of the stored status, of documents that were in doubt. */
const DOUBT_WORDS = ["unknown", "printed", "not printed"] as const;
/** The stored statuses of what may be, or have been, in doubt. */
const DOUBTFUL_STATUSES = ["processing", "failed", "timeout"] as const satisfies CommandStatus[];

type ListedStatus = CommandStatus | (typeof DOUBT_WORDS)[number];

/** Every word of the column STATUS. */
export const LISTED_STATUSES: readonly ListedStatus[] = [...COMMAND_STATUSES, ...DOUBT_WORDS];

/** Which commands, and how many at most. */
export interface ListWish extends Omit<CommandFilter, "status"> {
  /** A stored status takes what is shown in other words too: a failed sale that is unknown. */
  readonly status?: ListedStatus | undefined;
  readonly limit: number;
}

/** Newest first. */
export function listedCommands(
  { stores }: Pick<Box, "stores">,
  orgId: string,
  { deviceId, type, from, to, status, limit }: ListWish,
): Command[] {
  const page = { limit, order: "desc", sortBy: "createdAt" } as const;
  const filter = { deviceId, type, from, to };
  const word = DOUBT_WORDS.find((one) => one === status);
  if (word === undefined) {
    const stored = COMMAND_STATUSES.find((one) => one === status);
    return [...stores.commands.list(orgId, { ...filter, status: stored }, page)].flat();
  }
  const isShownSo = (command: Command) =>
    statusWords(command, stores.outcomeHolds.find(command.id)) === word;
  const ofStatus = (stored: CommandStatus): Command[] => {
    const found: Command[] = [];
    let startAfter: Command | undefined;
    do {
      const wanted = { ...filter, status: stored };
      const part = { ...page, limit: LIST_LIMIT_MAX, startAfter };
      const read = [...stores.commands.list(orgId, wanted, part)].flat();
      found.push(...read.filter(isShownSo));
      startAfter = read.length < LIST_LIMIT_MAX ? undefined : read.at(-1);
    } while (startAfter !== undefined && found.length < limit);
    return found;
  };
  return DOUBTFUL_STATUSES.flatMap(ofStatus)
    .sort((one, other) => other.createdAt - one.createdAt || other.seq - one.seq)
    .slice(0, limit);
}

/** @throws InvalidArgumentError */
export function readListedStatus(text: string): ListedStatus {
  const status = LISTED_STATUSES.find((one) => one === text.replaceAll("_", " "));
  if (status !== undefined) return status;
  throw new InvalidArgumentError(`It takes ${LISTED_STATUSES.join(", ")}.`);
}

/** In full, or as the list shortens it: without `print_`, or cut. @throws InvalidArgumentError */
export function readListedType(text: string): CommandType {
  const whole = COMMAND_TYPES.find((one) => one === text || briefType(one) === text);
  if (whole !== undefined) return whole;
  const stem = text.endsWith(CUT_MARK) ? text.slice(0, -CUT_MARK.length) : undefined;
  const begun = stem ? COMMAND_TYPES.filter((one) => briefType(one).startsWith(stem)) : [];
  const [only, ...more] = begun;
  if (only !== undefined && more.length === 0) return only;
  throw new InvalidArgumentError(
    only === undefined
      ? "It takes a type such as print_receipt or z_report."
      : `It may be any of ${begun.join(", ")}.`,
  );
}
