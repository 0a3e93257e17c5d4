/** Lists of commands: which index each begins with. */

import { isNotNull } from "drizzle-orm";
import { type CommandType, isFiscalDocument } from "#core/command/catalogue.ts";
import { type Command, type CommandStatus, isFinal } from "#core/command/command.ts";
import type { Database } from "../connection.ts";
import { COMMAND_INDEXES, commands, isUnfinished } from "../schema/commands.ts";
import { createLister, type Lister, type Listing, type ListSizes, type Page } from "./list.ts";
import { type Entry, equals } from "./list-sql.ts";

export interface CommandFilter {
  readonly deviceId?: string | undefined;
  readonly status?: CommandStatus | undefined;
  readonly type?: CommandType | undefined;
  /** createdAt, inclusive. */
  readonly from?: number | undefined;
  /** createdAt, exclusive. */
  readonly to?: number | undefined;
}

/** What commands can be in order of; the first unless asked otherwise. */
export const COMMAND_SORTS = ["createdAt", "updatedAt"] as const;
export type CommandSort = (typeof COMMAND_SORTS)[number];
type Sort = CommandSort;
type Field = "deviceId" | "status" | "type";
export type CommandPage = Page<Command, Sort>;
export type CommandLister = Lister<Command, Sort, Field>;

const { unfinished, byOrg, byDevice, byType, byFinalStatus, byFinalChange } = COMMAND_INDEXES;
const isFinished = isNotNull(commands.finishedAt);

/** Where a list may begin to read. */
const ENTRIES = {
  unfinished: { index: unfinished, filters: [], part: isUnfinished, isSmall: true },
  byOrg: { index: byOrg, filters: [] },
  byDevice: { index: byDevice, filters: ["deviceId"] },
  byType: { index: byType, filters: ["type"] },
  byFinalStatus: { index: byFinalStatus, filters: ["status"], part: isFinished },
  byFinalChange: { index: byFinalChange, filters: [], part: isFinished },
} as const satisfies Record<string, Entry<Field>>;

const LISTING: Listing<Sort, Field> = {
  table: commands,
  orgId: commands.orgId,
  sorts: { createdAt: commands.createdAt, updatedAt: commands.updatedAt },
  range: "createdAt",
  filters: {
    deviceId: equals(commands.deviceId, "deviceId"),
    status: equals(commands.status, "status"),
    type: equals(commands.type, "type"),
  },
  entries,
  filterEntries,
};

/** Makes the function that reads a page of commands. */
export function createCommandLister(orm: Database["orm"], sizes?: ListSizes): CommandLister {
  return createLister<Command, Sort, Field>(orm, LISTING, sizes);
}

/** What is not final has its own index beside the main. */
function entries(
  { deviceId, status, type }: CommandFilter,
  sortBy: Sort,
): readonly [Entry<Field>, ...Entry<Field>[]] {
  if (status !== undefined && !isFinal(status)) return [ENTRIES.unfinished];
  if (sortBy === "updatedAt") {
    const others = status === undefined ? [ENTRIES.unfinished] : [];
    return [ENTRIES.byFinalChange, ...others];
  }
  // The rarest first: most commands are completed, and most are fiscal documents.
  if (status === "failed" || status === "timeout") return [ENTRIES.byFinalStatus];
  if (type !== undefined && !isFiscalDocument(type)) return [ENTRIES.byType];
  if (deviceId !== undefined) return [ENTRIES.byDevice];
  if (type !== undefined) return [ENTRIES.byType];
  return status === undefined ? [ENTRIES.byOrg] : [ENTRIES.byFinalStatus];
}

function filterEntries({ deviceId, status, type, from, to }: CommandFilter): Entry<Field>[] {
  const found: Entry<Field>[] = [];
  if (deviceId !== undefined) found.push(ENTRIES.byDevice);
  if (type !== undefined) found.push(ENTRIES.byType);
  if (status !== undefined) found.push(ENTRIES.byFinalStatus);
  if (from !== undefined || to !== undefined) found.push(ENTRIES.byOrg);
  return found;
}
