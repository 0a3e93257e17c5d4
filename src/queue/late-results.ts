/**
 * Receipts, Z reports and cash movements that were made after their command had timed out, and what a
 * device told against what was said before, for the alerts that tell of them. The audit log has them; the
 * latest of each device are kept here, so that nobody who looks at alerts has to search it. Who was told
 * that it was not printed may print it again, so a person is asked, and the printer held meanwhile.
 */

import { Type } from "@sinclair/typebox";
import { isFiscalDocument, tellsOutcome } from "#core/command/catalogue.ts";
import { type Command, type CommandResult, isFinal } from "#core/command/command.ts";
import { answerOf, isSettled, isToldBy, outcomeOf } from "#core/command/settled.ts";
import type { ControllerKey } from "#core/controller/controller.ts";
import type { LateTold } from "#core/controller/judge.ts";
import { LATE_RESULT_SHOWN_MS, type LateResult } from "#core/device/alerts.ts";
import { schemaCheckOf } from "#core/schema-check.ts";
import { type ControllerEntry, controllerActor } from "#db/stores/audit.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Transaction } from "#db/writer.ts";
import { asSaidLast } from "./corrected-number.ts";
import type { Holds } from "./holds.ts";
import type { RecordKeeper } from "./record-keeper.ts";
import { keptOf } from "./report-audit.ts";

const ACTION = "command.late_result";
/** Looked at of one command, before its next one is written. */
const ENTRIES_MAX = 20;
/** Kept of one device: more than a person compares with paper. */
const KEPT_MAX = 20;

/** What is read of a result that was audited. */
const Told = schemaCheckOf(
  Type.Object({
    fiscalId: Type.Optional(Type.String()),
    data: Type.Optional(Type.Object({ outcome: Type.Optional(Type.String()) })),
  }),
);

/** How one came. */
export interface LateReport extends LateTold {
  readonly from: ControllerKey;
  /** UTC milliseconds. */
  readonly now: number;
  /** The device that told it, where that is not the command's own. */
  readonly deviceId?: string;
}

/** What is told of something that has ended. */
type News =
  /** Printed, though it counts as not printed. */
  | "printed"
  /** The device cannot tell, though it said that it was not printed, and nobody was asked. */
  | "doubted"
  /** Printed, while a person is asked because nobody could tell. */
  | "told"
  /** Printed, as a person said; the printer may tell what the person did not know. */
  | "numbered";

/** What one says. */
interface Sense {
  /** Something was printed, or made. */
  readonly printed: boolean;
  /** A person or the device itself said otherwise, and the shop has acted on it. */
  readonly contradicts: boolean;
  readonly news: News | undefined;
}

interface KeptResult {
  readonly late: LateResult;
  /** It says that something was printed, or made. */
  readonly printed: boolean;
  /** Who told it, as the audit log calls him. */
  readonly by: string;
}

export class LateResults {
  /** Those that may be told of, by device, the latest first. */
  readonly #latest = new Map<string, readonly KeptResult[]>();

  constructor(
    private readonly o: {
      readonly stores: Pick<Stores, "audit" | "commands" | "devices" | "outcomeHolds">;
      readonly records: Pick<RecordKeeper, "complete" | "countAgain">;
      readonly holds: Pick<Holds, "ask" | "askAgain">;
    },
  ) {}

  /**
   * Writes one to the audit log; alerts follow when it is news to whoever acted on the first. What a
   * controller has told before is no news, nor what it tells beyond its room in the log. Of what was
   * printed, or may have been, though it counts as not printed, a person is asked, and of each news again.
   * Who is asked because nobody could tell decides all the same; what is proven by then goes into the books.
   */
  append(tx: Transaction, command: Command, late: LateReport): void {
    const { now, deviceId = command.deviceId } = late;
    const sense = this.#senseOf(command, late.result);
    const { printed, contradicts, news } = sense;
    const isOwed = news === "doubted" || (news === "printed" && !this.#isAsked(command.id));
    const entry = entryOf(command, late, sense);
    const isNew = this.#write(tx, entry, { printed, isOwed });
    if (news === "doubted") this.o.holds.ask(tx, command, { deviceId, now });
    if (!isNew || (!printed && !contradicts)) return;
    this.#follow(tx, command, { late, sense });
    const by = controllerActor(late.from.controllerId);
    const kept = { late: lateResult(command, now, late.result), printed, by };
    tx.after(() => this.#keep(deviceId, kept));
  }

  #senseOf(command: Command, told: CommandResult): Sense {
    const { type, result: said } = command;
    const news = this.#newsOf(command, told);
    const contradicts = isSettled(said)
      ? answerOf(said, told) === "contradicts"
      : news === "printed" || news === "doubted";
    return { printed: tellsOutcome(type) && told.success, contradicts, news };
  }

  /** What one that is new brings about: in the books, and for whoever acted on the first. */
  #follow(
    tx: Transaction,
    command: Command,
    { late, sense }: { readonly late: LateReport; readonly sense: Sense },
  ): void {
    const { holds, records } = this.o;
    const { result, isProven, now, deviceId = command.deviceId } = late;
    const { printed, news } = sense;
    if (printed || news === "doubted") records.countAgain(command.id);
    // A number that may be another receipt's is not to stand in the books as this one's.
    const fiscalId = isProven ? result.fiscalId : undefined;
    const shown = { deviceId, now, shownBy: command, standsOpen: false, fiscalId };
    if (news === "printed") holds.askAgain(tx, command, shown);
    if (news === "told") tx.emit({ type: "command.updated", orgId: command.orgId, command });
    if (news === "numbered" && isProven) records.complete(tx, command, { result, now });
  }

  /** What a result is to those who go by what counts of the command until now. */
  #newsOf(command: Command, told: CommandResult): News | undefined {
    const { id, type, status, result: said } = command;
    if (!tellsOutcome(type) || !isFinal(status) || said === null) return undefined;
    const hold = this.o.stores.outcomeHolds.find(id);
    const counts = hold?.outcome ?? outcomeOf(said);
    const outcome = outcomeOf(told);
    if (outcome === "printed") {
      if (counts === "not_printed") return "printed";
      if (counts === "unknown" && hold !== undefined) return "told";
      return counts === "printed" && hold !== undefined ? "numbered" : undefined;
    }
    const isAsked = hold !== undefined || isSettled(said);
    return outcome === "unknown" && counts === "not_printed" && !isAsked ? "doubted" : undefined;
  }

  /** A person is asked of a command now. */
  #isAsked(commandId: string): boolean {
    return this.o.stores.outcomeHolds.find(commandId)?.resolvedAt === null;
  }

  /**
   * That a command's document was printed is written in any case, once, and once more where it is proven;
   * so is the first that was told of it otherwise, and what a person is asked of: of these there are no
   * more than commands and words of persons.
   * @returns false for what is there already, and where its controller has no room left
   */
  #write(
    tx: Transaction,
    entry: ControllerEntry<typeof ACTION>,
    { printed, isOwed }: { readonly printed: boolean; readonly isOwed: boolean },
  ): boolean {
    const { audit } = this.o.stores;
    const { orgId, resource } = entry;
    const filter = { resource, action: ACTION } as const;
    const former = audit.page(orgId, { filter, limit: ENTRIES_MAX, order: "desc" });
    const details: unknown = JSON.parse(JSON.stringify(entry.details));
    if (former.some((one) => Bun.deepEquals(one.details, details))) return false;
    const { isProven } = entry.details ?? {};
    const isFirst = !former.some(
      (one) => one.details?.printed === printed && one.details.isProven === isProven,
    );
    return audit.appendOf(tx, entry, isOwed || isFirst);
  }

  /**
   * Those that a device told, the latest first, at least as far back as alerts look: but for those that
   * its command has ended with after all.
   */
  of(deviceId: string): readonly LateResult[] {
    return this.#kept(deviceId)
      .filter((kept) => !this.#isSaidAgain(kept))
      .map(({ late }) => late);
  }

  /**
   * True for what its command has ended with after all, as a person has said, or is about to: a
   * controller that is asked anew says the same again. Where that is the very one, a result without a
   * number is the same too: of another one it may tell of a second Z report.
   */
  #isSaidAgain({ late, printed, by }: KeptResult): boolean {
    const { stores } = this.o;
    const command = stores.commands.get(null, late.commandId);
    if (!command) return false;
    const { controllerId, status, result } = asSaidLast(stores, command);
    const isHis = controllerId !== null && controllerActor(controllerId) === by;
    if (isHis && !isFinal(status)) return true;
    if (result === null) return false;
    const isAsSaid = isSettled(result) && answerOf(result, { ...late, success: true }) === "agrees";
    if (printed && isAsSaid) return true;
    const isUnnumbered = late.fiscalId === undefined && result.success && !isSettled(result);
    return isToldBy(result, late.fiscalId) || (isHis && isUnnumbered);
  }

  /** The device is gone. */
  forget(deviceId: string): void {
    this.#latest.delete(deviceId);
  }

  /**
   * Takes up after a start what alerts still tell of: where organization, command and device agree,
   * whatever else stands in the log by that name.
   */
  recover(now: number): void {
    const { audit, commands, devices } = this.o.stores;
    this.#latest.clear();
    for (const entry of audit.listSince(ACTION, now - LATE_RESULT_SHOWN_MS)) {
      const { at, orgId, resource: commandId, details, actor: by } = entry;
      const { deviceId, printed, contradicts, result } = details ?? {};
      if (printed !== true && contradicts !== true) continue;
      if (typeof deviceId !== "string" || devices.find(deviceId)?.orgId !== orgId) continue;
      const command = commands.get(orgId, commandId);
      if (command === undefined) continue;
      const kept = this.#kept(deviceId);
      if (kept.length === KEPT_MAX || kept.some(isOf(commandId))) continue;
      const late = lateResult(command, at, Told.accepts(result) ? result : {});
      this.#latest.set(deviceId, [...kept, { late, printed: printed === true, by }]);
    }
  }

  /** A command is named once, however often its result was repeated. */
  #keep(deviceId: string, kept: KeptResult): void {
    const isSame = isOf(kept.late.commandId);
    const others = this.#kept(deviceId).filter((one) => !isSame(one));
    this.#latest.set(deviceId, [kept, ...others].slice(0, KEPT_MAX));
  }

  #kept(deviceId: string): readonly KeptResult[] {
    return this.#latest.get(deviceId) ?? [];
  }
}

/** As the audit log keeps it. */
function entryOf(
  { id: resource, orgId, deviceId: own, result: said }: Command,
  { result, isProven, from, now: at, deviceId = own }: LateReport,
  { printed, contradicts }: Sense,
): ControllerEntry<typeof ACTION> {
  const proof = isProven ? { isProven } : {};
  const words = { ...(contradicts ? { said } : {}), ...proof, result: keptOf(result) };
  return {
    ...{ orgId, at, controllerId: from.controllerId, resource, action: ACTION },
    details: { deviceId, printed, contradicts, ...words },
  };
}

function isOf(commandId: string): (kept: KeptResult) => boolean {
  return ({ late }) => late.commandId === commandId;
}

function lateResult(
  { id: commandId, type }: Pick<Command, "id" | "type">,
  at: number,
  { fiscalId, data }: Pick<CommandResult, "fiscalId" | "data">,
): LateResult {
  const number = fiscalId === undefined ? {} : { fiscalId };
  // The sale stands in the books, and nothing is taken out of them: somebody has to see to its paper.
  const isMissing = isFiscalDocument(type) && data?.outcome === "not_printed";
  return { commandId, at, ...number, ...(isMissing ? { outcome: "not_printed" } : {}) };
}
