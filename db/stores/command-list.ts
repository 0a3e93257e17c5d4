/** Lists of commands: which index each begins with. */

import { isNotNull } from "drizzle-orm";
import type { CommandType } from "#core/command/catalogue.ts";
import { type Command, type CommandStatus, isFinal } from "#core/command/command.ts";
import type { Database } from "../connection.ts";
import {
  COMMAND_INDEXES,
  COMMAND_PROMPT_MS,
  commands,
  isUnfinished,
  wasPrompt,
  wasSlow,
  wasUnsuccessful,
} from "../schema/commands.ts";
import {
  createLister,
  type Lister,
  type Listing,
  type ListSizes,
  type Page,
  type Through,
} from "./list.ts";
import { type Entry, equals } from "./list-sql.ts";

export interface CommandFilter {
  readonly deviceId?: string | undefined;
  readonly status?: CommandStatus | undefined;
  /** One, or one of several. */
  readonly type?: CommandType | readonly CommandType[] | undefined;
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
const { byDeviceAndType, slow, slowOfDevice, slowOfType } = COMMAND_INDEXES;
const isFinished = isNotNull(commands.finishedAt);

/** Where a list may begin to read. */
const ENTRIES = {
  unfinished: { index: unfinished, filters: [], part: isUnfinished, isSmall: true },
  byOrg: { index: byOrg, filters: [] },
  byDevice: { index: byDevice, filters: ["deviceId"] },
  byType: { index: byType, filters: ["type"] },
  byDeviceAndType: { index: byDeviceAndType, filters: ["deviceId", "type"] },
  byFinalStatus: { index: byFinalStatus, filters: ["status"], part: isFinished },
  byFinalChange: { index: byFinalChange, filters: [], part: isFinished },
  unsuccessfulOfDevice: {
    index: COMMAND_INDEXES.unsuccessfulOfDevice,
    filters: ["deviceId", "status"],
    part: wasUnsuccessful,
  },
  unsuccessfulOfType: {
    index: COMMAND_INDEXES.unsuccessfulOfType,
    filters: ["type", "status"],
    part: wasUnsuccessful,
  },
  unsuccessfulOfDeviceAndType: {
    index: COMMAND_INDEXES.unsuccessfulOfDeviceAndType,
    filters: ["deviceId", "type", "status"],
    part: wasUnsuccessful,
  },
  slow: { index: slow, filters: [], part: wasSlow },
  slowOfDevice: { index: slowOfDevice, filters: ["deviceId"], part: wasSlow },
  slowOfType: { index: slowOfType, filters: ["type"], part: wasSlow },
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
  several: { filter: "type", column: commands.type },
  entries,
  // What is asked of those that completed and others did not: the rest of either may be little.
  filterEntries: ({ status, ...filter }: CommandFilter) =>
    status === undefined ? [] : [byAcceptance(filter), ENTRIES.byFinalStatus],
  through,
};

/** Makes the function that reads a page of commands. */
export function createCommandLister(orm: Database["orm"], sizes?: ListSizes): CommandLister {
  return createLister<Command, Sort, Field>(orm, LISTING, sizes);
}

/** What is not final has its own index beside the main. */
function entries(filter: CommandFilter, sortBy: Sort): readonly [Entry<Field>, ...Entry<Field>[]] {
  const { status } = filter;
  if (status !== undefined && !isFinal(status)) return [ENTRIES.unfinished];
  if (sortBy === "createdAt") return [byAcceptance(filter)];
  const others = status === undefined ? [ENTRIES.unfinished] : [];
  return [ENTRIES.byFinalChange, ...others];
}

/** Leads to what is asked, but for commands that did not complete among those that did. */
function byAcceptance({ deviceId, status, type }: CommandFilter): Entry<Field> {
  if (status === "failed" || status === "timeout") {
    if (deviceId === undefined) {
      return type === undefined ? ENTRIES.byFinalStatus : ENTRIES.unsuccessfulOfType;
    }
    return type === undefined ? ENTRIES.unsuccessfulOfDevice : ENTRIES.unsuccessfulOfDeviceAndType;
  }
  if (deviceId !== undefined)
    return type === undefined ? ENTRIES.byDevice : ENTRIES.byDeviceAndType;
  if (type !== undefined) return ENTRIES.byType;
  return status === undefined ? ENTRIES.byOrg : ENTRIES.byFinalStatus;
}

/** Commands end soon after they were accepted, but for few. */
function through(filter: CommandFilter): Through<Field> {
  const { deviceId, type } = filter;
  const slowOfType = type === undefined ? ENTRIES.slow : ENTRIES.slowOfType;
  const slow = deviceId === undefined ? slowOfType : ENTRIES.slowOfDevice;
  const unfinished = filter.status === undefined ? [ENTRIES.unfinished] : [];
  return {
    entry: byAcceptance(filter),
    of: wasPrompt,
    behindMax: COMMAND_PROMPT_MS,
    others: [slow, ...unfinished],
  };
}
