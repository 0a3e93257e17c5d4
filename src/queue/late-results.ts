/**
 * Receipts that were printed after their command had timed out, and what a device told against the
 * word of a person, for the alerts that tell of them. The audit log has them; the latest of each
 * device are kept here, so that nobody who looks at alerts has to search it.
 */

import { Type } from "@sinclair/typebox";
import { effectOf } from "#core/command/catalogue.ts";
import type { Command, CommandResult } from "#core/command/command.ts";
import { isSettled, isToldBy } from "#core/command/settled.ts";
import type { ControllerKey } from "#core/controller/controller.ts";
import { LATE_RESULT_SHOWN_MS, type LateResult } from "#core/device/alerts.ts";
import { schemaCheckOf } from "#core/schema-check.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Transaction } from "#db/writer.ts";
import type { ReceiptKeeper } from "./receipt-keeper.ts";

const ACTION = "command.late_result";
/** Entries looked at after a start; there is one for each command that timed out. */
const ENTRIES_MAX = 1_000;
/** Kept of one device: more than a person compares with paper. */
const KEPT_MAX = 20;

/** What is read of a result that was audited. */
const Told = schemaCheckOf(Type.Object({ fiscalId: Type.Optional(Type.String()) }));

/** How one came. */
export interface LateReport {
  readonly result: CommandResult;
  readonly from: ControllerKey;
  /** UTC milliseconds. */
  readonly now: number;
  /** The device that told it, where that is not the command's own. */
  readonly deviceId?: string;
}

export class LateResults {
  /** Those that are told of, by device, the latest first. */
  readonly #latest = new Map<string, readonly LateResult[]>();

  constructor(
    private readonly stores: Pick<Stores, "audit" | "commands">,
    private readonly receipts: Pick<ReceiptKeeper, "countAgain">,
  ) {}

  /** Writes one to the audit log; alerts follow when it is news to whoever acted on the first. */
  append(tx: Transaction, command: Command, late: LateReport): void {
    const { id: commandId, orgId, type, result: said } = command;
    const { result, from, now: at, deviceId = command.deviceId } = late;
    const printed = effectOf(type) === "document" && result.success;
    // A person said otherwise, and the shop has acted on it.
    const contradicts = isSettled(said);
    this.stores.audit.append({
      ...{ orgId, at, actor: `controller:${from.controllerId}`, action: ACTION },
      resource: commandId,
      details: { deviceId, printed, contradicts, ...(contradicts ? { said } : {}), result },
    });
    if (!printed && !contradicts) return;
    if (printed) this.receipts.countAgain(commandId);
    tx.after(() => this.#keep(deviceId, lateResult(commandId, at, result)));
  }

  /**
   * Those that a device told, the latest first, at least as far back as alerts look. What its command
   * has ended with after all is no news: a controller that is asked anew says the same again.
   */
  of(deviceId: string): readonly LateResult[] {
    return this.#kept(deviceId).filter(({ commandId, fiscalId }) => {
      const result = this.stores.commands.get(null, commandId)?.result;
      return !result || !isToldBy(result, fiscalId);
    });
  }

  /** The device is gone. */
  forget(deviceId: string): void {
    this.#latest.delete(deviceId);
  }

  /** Takes up after a start what alerts still tell of. */
  recover(now: number): void {
    const entries = this.stores.audit.listSince(ACTION, now - LATE_RESULT_SHOWN_MS, ENTRIES_MAX);
    for (const { at, resource: commandId, details } of entries.toReversed()) {
      const { deviceId, printed, contradicts, result } = details ?? {};
      if (typeof deviceId !== "string") continue;
      if (printed !== true && contradicts !== true) continue;
      this.#keep(deviceId, lateResult(commandId, at, Told.accepts(result) ? result : {}));
    }
  }

  /** A command is named once, however often its result was repeated. */
  #keep(deviceId: string, late: LateResult): void {
    const others = this.#kept(deviceId).filter(({ commandId }) => commandId !== late.commandId);
    this.#latest.set(deviceId, [late, ...others].slice(0, KEPT_MAX));
  }

  #kept(deviceId: string): readonly LateResult[] {
    return this.#latest.get(deviceId) ?? [];
  }
}

function lateResult(
  commandId: string,
  at: number,
  { fiscalId }: Pick<CommandResult, "fiscalId">,
): LateResult {
  return { commandId, at, ...(fiscalId === undefined ? {} : { fiscalId }) };
}
