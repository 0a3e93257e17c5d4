/**
 * Commands that end without a mark while their printer may have printed them: in a run that a state
 * put back from a copy knows nothing of, or before it was asked for its last document. A till that
 * had no answer repeats its sale, and the key of what was printed may be lost: so of such a command
 * nobody may say "not printed" before the printer has told, or a person has compared.
 */

import { tellsOutcome } from "#core/command/catalogue.ts";
import type { Command, CommandResult } from "#core/command/command.ts";
import type { LifecycleInput } from "#core/command/lifecycle.ts";
import { mayHold, type OpenPrinter } from "#core/device/printer.ts";
import type { Device } from "#db/stores/devices.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Leftovers } from "./leftovers.ts";
import { type AskedStores, isAskedFirst } from "./printer-records.ts";

/** What a person is told of one. */
export const MAY_REPEAT =
  "the state was put back from a copy while it waited, and it may repeat what was printed since: " +
  "compare paper and till, then say what became of it";

/** The same, where nobody knows whether a copy was put back. */
export const MAY_BE_PRINTED =
  "the printer has printed documents that are not known here, and it may be one of them: compare " +
  "paper and till, then say what became of it";

/** The same, where the printer was not asked yet, or has given no answer so far. */
export const NOT_TOLD_YET =
  "its printer has not told whether it has printed it: compare paper and till, then say what became " +
  "of it";

/** The same, where it was asked, and has no answer to give. */
export const DOES_NOT_TELL =
  "its printer does not tell whether it has printed it: compare paper and till, then say what " +
  "became of it";

/** Ends that say of a command that has not begun that it was not printed. */
const UNBEGUN_ENDS: readonly LifecycleInput["kind"][] = ["expired", "cancelled", "device_deleted"];

type AheadStores = Pick<Stores, "devices" | "documentChecks" | "restoredPrinters">;

/** Commands of which an earlier run may have printed what this state knows nothing of. */
export type MaybePrinted = Leftovers | "all";

/** A command that ends without a mark, and how. */
interface Ended {
  readonly input: LifecycleInput;
  readonly result: CommandResult;
  readonly leftovers: MaybePrinted | undefined;
}

/** The result of a command that ends without having begun, as it may be told. */
export function toldResult(stores: AheadStores, command: Command, ended: Ended): CommandResult {
  const { result } = ended;
  if (result.data?.outcome !== "not_printed" || command.mark !== null) return result;
  const why = whyUnknown(stores, command, ended);
  if (why === undefined) return result;
  return {
    ...result,
    errorMessage: `${result.errorMessage}; ${why}`,
    data: { ...result.data, outcome: "unknown" },
  };
}

function whyUnknown(stores: AheadStores, command: Command, ended: Ended): string | undefined {
  const { input, leftovers } = ended;
  const isUnbegun = UNBEGUN_ENDS.includes(input.kind);
  if (isUnbegun && mayBeAhead(stores, command)) return MAY_REPEAT;
  if (leftovers === "all") return isUnbegun ? NOT_TOLD_YET : undefined;
  if (leftovers?.has(command.id) !== true) return undefined;
  if (!isUnbegun && input.kind !== "finished") return undefined;
  if (mayBeAhead(stores, command)) return MAY_REPEAT;
  if (isAskedFirst(stores, command.deviceId)) return NOT_TOLD_YET;
  return isAheadHere(stores, command) ? MAY_BE_PRINTED : undefined;
}

/**
 * True for the end of what was left at the start, has begun and changed nothing, while its printer is
 * still to be asked: it waits for that. A controller that comes again knows only what its own run did.
 */
export function waitsForWord(
  stores: AskedStores,
  { id, deviceId, type, status, mark }: Command,
  { input, leftovers }: Pick<Ended, "input" | "leftovers">,
): boolean {
  if (leftovers === undefined || leftovers === "all" || !leftovers.has(id)) return false;
  const isEnd = input.kind === "finished" && input.result.data?.outcome === "not_printed";
  if (!isEnd || mark !== null || status === "pending" || !tellsOutcome(type)) return false;
  return isAskedFirst(stores, deviceId);
}

/** Its printer has told of documents that nobody here knows. */
function isAheadHere(
  { devices, documentChecks }: AheadStores,
  { orgId, deviceId }: Command,
): boolean {
  const device = devices.get(orgId, deviceId);
  return documentChecks
    .list()
    .filter(({ state }) => state === "unknown")
    .some((row) => row.deviceId === deviceId || (device !== undefined && mayBe(row, device)));
}

function mayBeAhead(stores: AheadStores, { orgId, deviceId }: Command): boolean {
  const restored = stores.restoredPrinters.list();
  if (restored.length === 0) return false;
  const device = stores.devices.get(orgId, deviceId);
  return restored.some((row) => (device ? mayBe(row, device) : row.deviceId === deviceId));
}

function mayBe(row: OpenPrinter, device: Device): boolean {
  return row.orgId === device.orgId && mayHold(row, device);
}
