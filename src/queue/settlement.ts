/**
 * A person says what became of a document or a ledger entry: after nobody could tell, or while the
 * device that could tell cannot be asked.
 */

import { tellsOutcome } from "#core/command/catalogue.ts";
import type { Command, CommandResult } from "#core/command/command.ts";
import type { Saying } from "#core/command/saying.ts";
import { answerOf } from "#core/command/settled.ts";
import { SETTLE_SILENCE_MS } from "#core/limits.ts";
import { documentPrinter } from "#db/stores/document-printer.ts";
import { lateProofOf } from "#db/stores/late-proof.ts";
import type { Transaction } from "#db/writer.ts";
import type { Clock } from "../platform/clock.ts";
import type { CommandChanges } from "./changes.ts";
import type { Lanes } from "./lanes.ts";
import type { RecordKeeper } from "./record-keeper.ts";
import { isGivenToAnother, type NumberStores, requireOwnNumber } from "./said-number.ts";

/**
 * Settles a document whose outcome was told as unknown. Inside an operation.
 * @returns false when nothing of it is open
 * @throws ApiError CONFLICT for a number that cannot be this document's: see `requireOwnNumber`
 */
export function settleHold(
  tx: Transaction,
  command: Command,
  { said, stores, records }: { said: Saying; stores: NumberStores; records: RecordKeeper },
): boolean {
  const change = resolutionOf(said);
  if (!stores.outcomeHolds.resolve(command.orgId, command.id, change)) return false;
  requireOwnNumber(stores, command, change.fiscalId);
  records.keep(tx, command, { result: resultOf(stores, command, said), now: said.now });
  noteSettled(stores, command, said);
  tx.emit({ type: "command.updated", orgId: command.orgId, command });
  return true;
}

/** What the command comes to by a person's word. */
function resultOf(stores: NumberStores, command: Command, said: Saying): CommandResult {
  return said.outcome === "printed" ? printedAs(stores, command, said) : notPrinted(said);
}

/**
 * What a person called printed, with all that its device has proven of it: the books need the number to
 * take a receipt back, and the figures of a report.
 */
function printedAs(stores: NumberStores, command: Command, said: Saying): CommandResult {
  const word = printed(said);
  const told = toldOf(stores, command);
  if (told === undefined || !isOfThat(command, word, told)) return word;
  const { fiscalId = told.fiscalId } = word;
  return { ...printed({ ...said, fiscalId }), data: { ...told.data, ...word.data } };
}

/** Undefined where it has told nothing, or the number of another receipt: one of the two is wrong. */
function toldOf(stores: NumberStores, command: Command): CommandResult | undefined {
  const told = lateProofOf(stores.audit, command.orgId, command.id);
  const isWrong = told?.fiscalId !== undefined && isGivenToAnother(stores, command, told.fiscalId);
  return isWrong ? undefined : told;
}

/** False where person and device name two numbers. */
function isOfThat({ type }: Command, word: CommandResult, told: CommandResult): boolean {
  const { reportNumber } = told.data ?? {};
  const isNumbered = type === "z_report" && typeof reportNumber === "number";
  const named = isNumbered ? { ...told, fiscalId: String(reportNumber) } : told;
  return answerOf(word, named) === "agrees";
}

export interface DoubtOptions {
  readonly stores: NumberStores;
  readonly clock: Pick<Clock, "elapsed">;
  readonly lanes: Lanes;
  readonly changes: CommandChanges;
}

/**
 * Settles a command in doubt that is still `processing`. Inside an operation.
 * @returns the command as it then is; undefined when its device can still be asked
 * @throws ApiError CONFLICT for a number that cannot be this document's: see `requireOwnNumber`
 */
export function settleDoubt(
  tx: Transaction,
  command: Command,
  { said, stores, clock, lanes, changes }: DoubtOptions & { readonly said: Saying },
): Command | undefined {
  if (command.status !== "processing" || command.mark === null) return undefined;
  if (!tellsOutcome(command.type)) return undefined;
  const lane = lanes.find(command.deviceId);
  const since = lane?.out?.id === command.id ? lane.silentSince : undefined;
  if (since === undefined || clock.elapsed() - since < SETTLE_SILENCE_MS) return undefined;
  requireOwnNumber(stores, command, resolutionOf(said).fiscalId);
  const result = resultOf(stores, command, said);
  const change = { input: { kind: "finished", result }, now: said.now, isAsked: true } as const;
  // What took it back before is looked for by what people said: one in doubt accepts its end.
  keepWord(stores, command, said);
  const ended = changes.apply(tx, command, change);
  if (!ended) throw new Error(`command ${command.id} is in doubt, and did not take its end`);
  noteSettled(stores, command, said);
  return ended;
}

/** What was said stays with the printer: see `Holds.disowned` and `Holds.askAgain`. */
function keepWord(stores: NumberStores, command: Command, said: Saying): void {
  const { id, orgId, deviceId } = command;
  if (!stores.devices.get(orgId, deviceId)) return;
  stores.outcomeHolds.raise({
    ...documentPrinter(stores, command),
    commandId: id,
    orgId,
    raisedAt: said.now,
  });
  stores.outcomeHolds.resolve(orgId, id, resolutionOf(said));
}

function noteSettled(stores: NumberStores, { id, orgId }: Command, said: Saying): void {
  const { by: actor, now: at, address } = said;
  const { outcome, fiscalId } = resolutionOf(said);
  stores.audit.append({
    ...{ orgId, at, actor, address, action: "command.resolve", resource: id },
    details: { outcome, fiscalId },
  });
}

function resolutionOf({ outcome, fiscalId, by, now }: Saying) {
  return {
    outcome,
    fiscalId: outcome === "printed" ? (fiscalId ?? null) : null,
    resolvedBy: by,
    resolvedAt: now,
  };
}

function printed({ fiscalId, by }: Saying): CommandResult {
  const told = { success: true, data: { settledBy: by } };
  return fiscalId === undefined ? told : { ...told, fiscalId };
}

function notPrinted({ by }: Saying): CommandResult {
  return {
    success: false,
    errorCode: "E102",
    errorMessage: "The device could not be asked, and a person said that it was not printed",
    data: { outcome: "not_printed", settledBy: by },
  };
}
