/**
 * Receipts that were printed after their command had timed out, for the alerts that tell of them.
 * The audit log has them; the latest of each device are kept here, so that nobody who looks at
 * alerts has to search it.
 */

import { effectOf } from "#core/command/catalogue.ts";
import type { Command, CommandResult } from "#core/command/command.ts";
import type { ControllerKey } from "#core/controller/controller.ts";
import { LATE_RESULT_SHOWN_MS, type LateResult } from "#core/device/alerts.ts";
import type { AuditStore } from "#db/stores/audit.ts";
import type { Transaction } from "#db/writer.ts";
import type { ReceiptKeeper } from "./receipt-keeper.ts";

const ACTION = "command.late_result";
/** Entries looked at after a start; there is one for each command that timed out. */
const ENTRIES_MAX = 1_000;
/** Kept of one device: more than a person compares with paper. */
const KEPT_MAX = 20;

export class LateResults {
  /** The printed ones by device, the latest first. */
  readonly #latest = new Map<string, readonly LateResult[]>();

  constructor(
    private readonly audit: Pick<AuditStore, "append" | "listSince">,
    private readonly receipts: Pick<ReceiptKeeper, "countAgain">,
  ) {}

  /** Writes one to the audit log; alerts follow when it tells of a document that was printed. */
  append(
    tx: Transaction,
    command: Command,
    late: { readonly result: CommandResult; readonly from: ControllerKey; readonly now: number },
  ): void {
    const { deviceId } = command;
    const { result, from, now } = late;
    const printed = effectOf(command.type) === "document" && result.success;
    // A person said otherwise, and the shop has acted on it.
    const contradicts = command.result?.data?.settledBy !== undefined;
    this.audit.append({
      orgId: command.orgId,
      at: now,
      actor: `controller:${from.controllerId}`,
      action: ACTION,
      resource: command.id,
      details: { deviceId, printed, contradicts, result },
    });
    if (!printed && !contradicts) return;
    if (printed) this.receipts.countAgain(command.id);
    tx.after(() => this.#keep(deviceId, { commandId: command.id, at: now }));
  }

  /** The printed ones of a device, the latest first, at least as far back as alerts look. */
  of(deviceId: string): readonly LateResult[] {
    return this.#latest.get(deviceId) ?? [];
  }

  /** The device is gone. */
  forget(deviceId: string): void {
    this.#latest.delete(deviceId);
  }

  /** Takes up after a start what alerts still tell of. */
  recover(now: number): void {
    const entries = this.audit.listSince(ACTION, now - LATE_RESULT_SHOWN_MS, ENTRIES_MAX);
    for (const { at, resource: commandId, details } of entries.toReversed()) {
      const { deviceId, printed, contradicts } = details ?? {};
      if (typeof deviceId !== "string") continue;
      if (printed === true || contradicts === true) this.#keep(deviceId, { commandId, at });
    }
  }

  /** A command is named once, however often its result was repeated. */
  #keep(deviceId: string, late: LateResult): void {
    const others = this.of(deviceId).filter(({ commandId }) => commandId !== late.commandId);
    this.#latest.set(deviceId, [late, ...others].slice(0, KEPT_MAX));
  }
}
